#pragma once

#include <span>

#include "base/index.h"
#include "math/vector.h"
#include "mechanics/model/air.h"
#include "mechanics/model/root_motion.h"

namespace thigmo {

// A force or moment at a point of a body.
struct PointLoad {
  Index body = 0;
  Vec3 point_in_body;     // [m]
  Vec3 force;             // [N]
  Vec3 moment;            // [N m]
  bool follower = false;  // force and moment turn with the body; else they keep their direction
};

// The same in world axes; the arm goes from the body's joint to where it acts.
struct WorldLoad {
  Vec3 force, moment, arm;
};
inline WorldLoad in_world(const PointLoad& load, const Quat& world_from_body) {
  const auto turned = [&](const Vec3& v) { return load.follower ? rotate(world_from_body, v) : v; };
  return {turned(load.force), turned(load.moment), rotate(world_from_body, load.point_in_body)};
}

// A spring and damper from a point of a body to where it is drawn.
struct GrabLoad {
  Index body = 0;
  Vec3 point_in_body;          // [m]
  Vec3 target_world;           // [m]
  Vec3 target_velocity_world;  // [m/s]
  double stiffness = 0;        // [N/m]
  double damping = 0;          // [N s/m]
};

// A level ground that the tips of bodies do not sink into.
struct Ground {
  double height = 0;     // [m]
  double stiffness = 0;  // [N/m] at each tip
  double damping = 0;    // [N s/m] at each tip
  double friction = 0;   // Coulomb's coefficient [-]
};

// How far from a stem's middle Gauss's two points lie, of its length: 1/(2√3).
inline constexpr double drag_spread = 0.28867513459481287;

// Below this speed friction fades to nothing: what stands creeps at most as fast.
inline constexpr double slip_speed = 1e-6;  // [m/s]
// Pushes of less than this depth need not be right.
inline constexpr double contact_grain = 1e-4;  // [m]

// What acts on a mechanism during one step.
struct Loads {
  Vec3 gravity_world = {0, -9.81, 0};  // [m/s²]
  const AirLattice* air = nullptr;     // none: no air
  std::span<const PointLoad> points = {};
  std::span<const GrabLoad> grabs = {};
  const Ground* ground = nullptr;       // none: no ground
  const RootPath* root_path = nullptr;  // none: the root stays, or is free
};

}  // namespace thigmo
