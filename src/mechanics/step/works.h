#pragma once

#include <vector>

#include "mechanics/model/loads.h"
#include "mechanics/step/way.h"

namespace thigmo {

// What acts on a body besides its weight and springs.
struct BodyForces {
  Wrench air, loads, ground, mass;
  Vec3 damper;  // torque on the joint, body frame [N m]
};

// The work that forces did on a plant since the start [J], substep by substep of each step.
struct Works {
  double by_air = 0;
  double by_loads = 0;
  double by_ground = 0;
  double by_base = 0;
  double lost_in_joints = 0;
  double lost_by_mass = 0;

  // The last body is the pot.
  bool begun = false;
  std::vector<BodyForces> last;
  std::vector<BodyForces> now;
  std::vector<GroundForce> ground;  // as the substep found them
  std::vector<BodyMotion> start, middle, end;
  Way way;
};

Works make_works(const Mechanism& mechanism);

// The forces on bodies that move like this, by the laws that the step follows; the ground's as it found them, and
// unused where the loads have none. Motions and forces have the root behind the last body.
void find_forces(const Mechanism& mechanism, const Loads& loads,
                 const std::vector<BodyMotion>& motions, const std::vector<GroundForce>& ground,
                 std::vector<BodyForces>& forces);

// Adds what happens in a substep that leads from one state to another.
void add_substep(const Mechanism& mechanism, const Loads& loads, const Scheme& scheme,
                 const State& before, const State& after, Works& works);

}  // namespace thigmo
