#pragma once

#include <span>
#include <vector>

#include "mechanics/air.h"
#include "mechanics/mechanism.h"
#include "mechanics/state.h"

namespace thigmo {

// A force or moment at a point of a body.
struct PointLoad {
  Index body = 0;
  Vec3 point_in_body;     // [m]
  Vec3 force;             // [N]
  Vec3 moment;            // [N m]
  bool follower = false;  // force and moment turn with the body; else they keep their direction
};

// What acts on a mechanism during one step.
struct Loads {
  Vec3 gravity_world = {0, -9.81, 0};  // [m/s²]
  const AirLattice* air = nullptr;     // none: no air
  std::span<const PointLoad> points;
};

struct StepOptions {
  // How much of a motion too fast for the step is taken out in each step: 0 nothing (the implicit
  // midpoint rule), 1 all. Motions that the step resolves hardly feel it: at 0.2 a mode with 60
  // steps a period loses 8e-7 of critical damping.
  double numerical_damping = 0.2;
};

// Where within a step of length 1 the scheme takes the forces.
double force_time(const StepOptions& options);

// What a step did.
struct StepReport {
  int substeps = 0;       // accepted pieces the step was taken in
  int corrections = 0;    // passes repeated because velocities were predicted badly
  int rejected = 0;       // pieces undone and retaken smaller
  double worst_turn = 0;  // largest rotation of a body within one piece [rad]
  bool finite = true;     // false: even the smallest piece failed; the state is the last good one
};

// Scratch for one body between the passes, all in world axes about the body's own joint.
struct BodyScratch {
  Mat3 world_from_body;
  Quat world_from_body_quat;
  Vec3 from_parent;          // own joint minus the parent's joint [m]
  Vec3 joint_world;          // [m]
  Vec3 omega, velocity;      // of the body and of its joint [rad/s], [m/s]
  Vec3 relative_omega;       // ω - ω_parent [rad/s]
  Vec3 omega_error;          // what the prediction of ω was off by [rad/s]
  Vec3 alpha, acceleration;  // result: of the body and of its joint [rad/s²], [m/s²]
  Sym3 a;              // articulated inertia, rotation-rotation, the own implicit block excluded
  Mat3 b;              // rotation-translation
  Sym3 c;              // translation-translation
  Sym3 joint_block;    // c_v D + c_x K
  Sym3 inverse;        // (a + joint_block)⁻¹
  Vec3 torque, force;  // bias of the articulated body
  Vec3 joint_torque;   // τ₀
};

// What can be recomputed: sized once, so that a step allocates nothing.
struct Workspace {
  std::vector<BodyScratch> body;
  std::vector<Vec3> guess;               // velocities where forces are taken, body frame [rad/s]
  std::vector<Vec3> joint_acceleration;  // the unknown ā, body frame [rad/s²]
  State start;                           // for taking a failed piece back
};

Workspace make_workspace(const Mechanism& mechanism);

// Moves the state by dt. A piece whose result is not finite, in which a body turns too far, or whose
// velocities cannot be predicted well enough, is undone and retaken as two halves.
StepReport step(const Mechanism& mechanism, const Loads& loads, const StepOptions& options,
                double dt, State& state, Workspace& workspace);

// Kinetic, elastic and gravitational energy of a state [J]; heights count from the world's origin.
struct Energy {
  double kinetic = 0, elastic = 0, gravitational = 0;
};
Energy energy_of(const Mechanism& mechanism, const State& state, const Vec3& gravity_world);

}  // namespace thigmo
