#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "mechanics/kernel/processor.h"
#include "mechanics/kernel/state_view.h"
#include "mechanics/model/air.h"
#include "mechanics/model/loads.h"
#include "mechanics/schedule/schedule.h"

namespace thigmo {

// Constants of the generalized-alpha scheme for one step length; see step.cpp.
struct Scheme {
  double h = 0;               // [s]
  double alpha_m = 0;         // the part of the last acceleration in ā
  double alpha_f = 0;         // of the start in the forces
  double c_v = 0;             // dwf / dā [s]
  double c_x = 0;             // dθf / dā [s²]
  double drift_w = 0;         // dθk / dw [s]
  double drift_a = 0;         // dθk / da [s²]
  double known_a = 0;         // dwk / da [s]
  double x_a0 = 0, x_a1 = 0;  // dθ₁ / da, dθ₁ / da₁ [s²]
  double v_a0 = 0, v_a1 = 0;  // dw₁ / da, dw₁ / da₁ [s]
};

// The root where the scheme takes the forces; world axes.
struct RootFrame {
  Quat world_from_plant;
  Vec3 origin_world;
  Vec3 velocity, omega;           // as predicted
  Vec3 accel_guess, alpha_guess;  // those the velocities were predicted with
  Vec3 accel, alpha;              // given, or found between the sweeps where the root is free
};

// Torque = A α + B v̇ + n, force = Bᵀ α + C v̇ + f of all that stands on the root.
struct RootInertia {
  Sym3 a;
  Mat3 b;
  Sym3 c;
  Vec3 torque, force;
};

// At a point `arm` from a body's joint; world axes.
struct GroundForce {
  Vec3 arm;    // [m]
  Vec3 force;  // [N]
};

// From where the scheme takes the forces to the end of the substep [s].
inline double to_end_of(const Scheme& scheme) { return scheme.alpha_f * scheme.h; }

// How far gravity, several times its own, takes a point in a substep.
inline double contact_reach(const Scheme& scheme, const Vec3& gravity_world) {
  return 4 * length(gravity_world) * (scheme.c_x + to_end_of(scheme) * scheme.c_v);  // [m]
}

// A spin that none exceeds.
inline constexpr double no_brake = 1e300;  // [rad/s]

// Everything the sweeps of one substep read and write: numbers, pointers and counts, nothing that
// owns memory.
struct KernelTask {
  ScheduleView schedule;
  Scheme scheme;
  double mass_damping;        // as in Mechanism [1/s]
  double streamlining_speed;  // [m/s]
  Vec3 gravity_world;         // [m/s²]
  std::span<const PointLoad> points;
  std::span<const GrabLoad> grabs;
  bool in_air, on_ground;
  AirView air;    // where it is in air
  Ground ground;  // where it is on ground
  StateView state;
  NextView next;                  // what the substep makes of the state
  const std::byte* bodies;        // packed constants
  const std::byte* flat_springs;  // null: all sections are round
  std::byte* kept;                // what the third sweep needs of the first two
  std::byte* kept_tensions;       // of tension, where the plant feels it
  std::byte* trunk;               // scratch of the first block
  std::byte* trunk_swing;         // accelerations of the first block
  std::byte* outbox;              // what each boundary of a block passes to its parents
  std::byte* contacts;            // with the ground, where there is one
  RootFrame* root;
  RootInertia* root_inertia;  // null: the root is not free
  bool corrected;             // places and velocities come from the last sweep's accelerations
  int pass;                   // how often they did
  bool pushed;        // something depends on velocities or hangs on springs: air, ground, grabs
  bool fetch_ahead;   // the plant is too large for a core's own cache
  double brake;       // of joints that turn faster than free_spin: c_v times the damper, per tr A
  double free_spin;   // [rad/s]
  bool with_tension;  // the tension along bodies is felt beside the stiffness of joints
};
static_assert(std::is_trivially_copyable_v<KernelTask> && std::is_standard_layout_v<KernelTask>);

// How fast the fastest body turns, and how wrong the guesses were; NaN where anything is not finite.
struct SweepResult {
  double fastest_squared = 0;        // ω² [rad²/s²]
  double worst_product_squared = 0;  // (ω + ½Δω)² Δω² [rad⁴/s⁴]
  double worst_place_squared = 0;    // α², or Δω² of a corrected pass
  double worst_contact = 0;          // what forces of the ground are off by, of its push
  double touched = 0;                // one where the ground pushes
};

// The sweeps, compiled for one kind of processor and one number of lanes. `local` is scratch that a
// block needs from its first sweep to its second, and again in its third.
struct StepKernel {
  int width;  // lanes of a pack
  std::size_t body_bytes, kept_bytes, kept_tension_bytes, scratch_bytes, swing_bytes,
      outbox_bytes;  // of one pack
  std::size_t flat_spring_bytes, contact_bytes;
  // Constants of packs [begin, end).
  void (*pack_bodies)(const Mechanism& mechanism, const ScheduleView& schedule, Index begin,
                      Index end, std::byte* bodies);
  // Of those only springs and dampers.
  void (*pack_springs)(const Mechanism& mechanism, const ScheduleView& schedule, Index begin,
                       Index end, std::byte* bodies);
  void (*pack_flat_springs)(const Mechanism& mechanism, const ScheduleView& schedule, Index begin,
                            Index end, std::byte* springs);
  void (*predict)(const KernelTask& task, const Block& block, std::byte* local);
  void (*gather)(const KernelTask& task, const Block& block, std::byte* local);
  void (*take_outbox)(const KernelTask& task);
  SweepResult (*solve)(const KernelTask& task, const Block& block, std::byte* local);
  Index (*fastest_body)(const KernelTask& task, const Block& block);
  GroundForce (*ground_force)(const KernelTask& task, Index body);  // of the last sweep
};

StepKernel generic_kernel();
StepKernel avx2_kernel();
StepKernel avx512_kernel(int width);

StepKernel kernel_for(Processor processor, int width);

}  // namespace thigmo
