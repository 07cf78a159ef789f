#pragma once

#include <span>

#include "mechanics/kinematics/state.h"
#include "mechanics/model/mechanism.h"

namespace thigmo {

// Kinetic, elastic and gravitational energy of a state [J]; heights count from the world's origin.
struct Energy {
  double kinetic = 0, elastic = 0, gravitational = 0;
};
inline double total(const Energy& energy) {
  return energy.kinetic + energy.elastic + energy.gravitational;
}
Energy energy_of(const Mechanism& mechanism, const State& state, const Vec3& gravity_world);
// The part of some bodies, which costs a walk from each to the root.
Energy energy_of(const Mechanism& mechanism, const State& state, const Vec3& gravity_world,
                 std::span<const Index> bodies);

}  // namespace thigmo
