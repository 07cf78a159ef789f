#pragma once

#include "mechanics/kinematics/state.h"
#include "mechanics/model/loads.h"
#include "mechanics/model/mechanism.h"

namespace thigmo {

// What finding a rest shape came to.
struct InverseReport {
  bool found = true;               // false: some joint would have to bend further than joints do
  double largest_joint_angle = 0;  // between rest and the pose [rad]
  Index at = no_index;             // that joint
  int falling = 0;                 // independent deflections from that pose that release energy
};

// Changes the rest rotations such that the pose of `state` is an equilibrium under the loads, and
// `state` such that it still has that pose, standing still. Air is not among the loads. Where no
// rest shape is found, nothing is changed.
InverseReport make_pose_equilibrium(const Loads& loads, Mechanism& mechanism, State& state);

// Independent deflections from an equilibrium that release energy: 0 where it is stable.
int falling_directions(const Mechanism& mechanism, const Loads& loads, const State& state);

// What each joint must hold of gravity and the point loads on its body and beyond: force, and torque about the
// joint; world axes [N], [N m].
struct LoadSums {
  std::vector<Vec3> force, torque;
};
LoadSums load_sums(const Mechanism& mechanism, const Loads& loads, const Pose& pose);

}  // namespace thigmo
