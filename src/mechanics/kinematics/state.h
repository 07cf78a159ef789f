#pragma once

#include <span>

#include "base/hash.h"
#include "mechanics/kinematics/walk.h"
#include "mechanics/model/mechanism.h"
#include "mechanics/model/root_motion.h"
#include "mechanics/schedule/per_body.h"

namespace thigmo {

// What the energy of a plant does while no load works on it: it may only fall.
struct EnergyWatch {
  bool on = false;
  int unseen = 0;      // steps since it was last looked at
  Vec3 gravity_world;  // that the energies are of [m/s²]
  double start = 0;    // where the watch began [J]
  double lowest = 0;   // since then [J]
  double swing = 0;    // the largest kinetic energy since then [J]
  double gain = 0;     // at the last look: above the lowest, over the swing
};

// All that must be saved to continue a run with the same bits.
struct State {
  double time = 0;               // [s]
  PerBody<Quat> rest_from_body;  // joint rotation away from rest
  PerBody<Vec3> joint_velocity;  // relative angular velocity, body frame [rad/s]
  // The scheme's, of the last step [rad/s²], and c·F of the tension along each body in it [N m]. They only
  // add to what a step finds with all digits.
  PerBody<Vec3, float> joint_acceleration;
  PerBody<double, float> tension_torque;
  RootState root;        // where the plant stands and how that moves
  bool started = false;  // the accelerations and tensions are those of this state
  // Since they began only its weight acted on the plant, which nothing holds: they pass on no other force.
  bool fell_alone = false;
  int halvings = 0;  // how often steps are halved at present
  EnergyWatch watch;
};

// Every joint at rest and still.
State rest_state(const Mechanism& mechanism, const PlantFrame& stands = {});
// The same in the order in which a step wants it.
State rest_state(const std::shared_ptr<const Schedule>& schedule);

// Puts a state's numbers in the order in which a step wants them.
void arrange(State& state, const std::shared_ptr<const Schedule>& schedule);

// Where every body is.
Pose pose_of(const Mechanism& mechanism, const State& state);

// How every body moves; accelerations are left out.
void find_motions(const Mechanism& mechanism, const State& state, std::span<BodyMotion> motions);

// How one body moves.
BodyMotion body_motion(const Mechanism& mechanism, const State& state, Index body);

// The rotation vector of a joint away from rest in a pose, in its body's axes [rad].
Vec3 joint_angle(const Mechanism& mechanism, const Pose& pose, Index body);

// Position and velocity of a point given in a body's frame.
struct PointMotion {
  Vec3 position_world;  // [m]
  Vec3 velocity_world;  // [m/s]
};
PointMotion point_motion(const Mechanism& mechanism, const State& state, Index body,
                         const Vec3& point_in_body);

bool is_finite(const State& state);

void add_to_hash(const State& state, Hasher& hasher);

}  // namespace thigmo
