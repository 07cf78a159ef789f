#pragma once

#include <vector>

#include "mechanics/kinematics/state.h"
#include "mechanics/model/loads.h"
#include "mechanics/model/mechanism.h"
#include "mechanics/statics/block_tree.h"

namespace thigmo {

// The statics of a mechanism in one pose: energy, torques out of balance, and the Hessian's blocks.
struct Statics {
  double energy = 0;        // elastic, and of loads that keep their direction [J]
  double energy_scale = 0;  // sum of the sizes of its terms [J]
  double largest_held = 0;  // largest torque that a joint holds [N m]
  std::vector<BodyPlace> places;
  std::vector<Mat3> world_from_body;
  std::vector<Vec3> force;        // beyond each joint, of all loads [N]
  std::vector<Vec3> imbalance;    // torque on each body [N m]
  std::vector<TreeBlock> blocks;  // not factored
};

// Evaluates the statics of `state` with all loads times `fraction`.
void evaluate_statics(const Mechanism& mechanism, const Loads& loads, double fraction,
                      const State& state, Statics& statics);

// A force f at the point c of a body, from its joint; world axes.
void add_force(const Vec3& c, const Vec3& f, std::size_t body, Statics& statics);

}  // namespace thigmo
