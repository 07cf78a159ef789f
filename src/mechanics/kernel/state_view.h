#pragma once

// The numbers of a state as the sweeps read and write them: pack by pack, in the order of a schedule.

#include "mechanics/kinematics/state.h"

namespace thigmo {

template <class Double, class Float>
struct StateNumbers {
  Double* rest_from_body;     // 4 × width numbers a pack
  Double* joint_velocity;     // 3 × width
  Float* joint_acceleration;  // 3 × width
  Float* tension_torque;      // width
};
using StateView = StateNumbers<const double, const float>;
using NextView = StateNumbers<double, float>;

inline StateView view_of(const State& state) {
  return {state.rest_from_body.pack(0), state.joint_velocity.pack(0),
          state.joint_acceleration.pack(0), state.tension_torque.pack(0)};
}
inline NextView view_of(State& state) {
  return {state.rest_from_body.pack(0), state.joint_velocity.pack(0),
          state.joint_acceleration.pack(0), state.tension_torque.pack(0)};
}

}  // namespace thigmo
