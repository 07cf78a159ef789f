#include "mechanics/step.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "base/assert.h"
#include "base/parallel.h"
#include "mechanics/joint_spring.h"
#include "mechanics/step_kernel.h"

// One step is one linearly implicit pass of the articulated-body method, O(n), in the
// generalized-alpha scheme (Chung & Hulbert 1993): second order, and motions too fast for the step
// shrink by rho in each step instead of ringing on. With joint rotations θ, velocities w, the
// scheme's accelerations a, and the constants of struct Scheme:
//   θ₁ = θ + h w + h² ((½ - β) a + β a₁),   w₁ = w + h ((1 - γ) a + γ a₁)
//   inertia at ā = (1 - αm) a₁ + αm a,   forces at θf, wf, a part 1 - αf of the step after its start.
// The unknown is ā, and θf = θk + c_x ā, wf = wk + c_v ā with θk, wk known. Every joint drifts to θk;
// geometry, gravity, springs and loads are evaluated there. What is left is linear in ā: springs and
// dampers give the joint block X = c_v D + c_x K, drag c_v times its slope, the pull along a body
// c_x times its geometric stiffness. Velocities in Coriolis, centrifugal and drag terms are predicted
// with the last a; where the pass shows that they were not predicted well enough it is repeated with
// the better ones.
//
// Spatial quantities are in world axes about each body's own joint; an articulated inertia is
//   torque = A α + B v̇ + n,   force = Bᵀ α + C v̇ + f    (α of the body, v̇ of its joint)
// and reaches the parent by a shift along r = joint - parent's joint, without rotation. The sweeps
// over the bodies are in step_sweeps.h.

namespace thigmo {
namespace {

// A body may turn this far within one accepted piece.
constexpr double largest_turn = 0.5;  // [rad]
// h² |ω| |ω error|, the turn by wrong Coriolis and centrifugal forces, may be this large.
constexpr double largest_prediction_error = 1e-3;  // [rad]
constexpr int most_corrections = 3;
constexpr int deepest_halving = 16;

// Where the weight beyond a joint, or a few times it in wind, is less than this part of the joint's
// stiffness, the pull along the bodies is not worth finding.
constexpr double felt_pull = 0.002;

Scheme make_scheme(double rho, double h) {
  const double am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1);
  const double gamma = 0.5 - am + af, beta = 0.25 * (1 - am + af) * (1 - am + af);
  return {.alpha_m = am,
          .alpha_f = af,
          .beta = beta,
          .gamma = gamma,
          .h = h,
          .c_v = (1 - af) * gamma / (1 - am) * h,
          .c_x = (1 - af) * beta / (1 - am) * h * h};
}

bool pull_is_felt(const Mechanism& mechanism) {
  std::vector<double> mass(mechanism.body.size(), 0.0);
  for (std::size_t i = mass.size(); i-- > 0;) {
    const Body& body = mechanism.body[i];
    mass[i] += body.mass;
    const Index parent = mechanism.parent[i];
    if (parent != no_index) mass[static_cast<std::size_t>(parent)] += mass[i];
    const double pull = mass[i] * 9.81 * body.length;
    if (pull > felt_pull * std::min(body.stiffness.x, body.stiffness.z)) return true;
  }
  return false;
}

KernelTask make_task(const Mechanism& mechanism, const Loads& loads, const Scheme& scheme,
                     const State& state, Workspace& workspace) {
  return {.mechanism = &mechanism,
          .schedule = workspace.schedule.get(),
          .loads = &loads,
          .scheme = &scheme,
          .state = &state,
          .bodies = workspace.bodies.data(),
          .scratch = workspace.scratch.data(),
          .outbox = workspace.outbox.data(),
          .corrected = false,
          .with_tension = workspace.with_tension};
}

// How far the fastest body turns, and what the predicted velocities would have it turn wrongly.
struct Solved {
  double turn = 0;              // [rad]
  double prediction_error = 0;  // [rad]
};

// The three sweeps. The first block is the trunk that all others stand on: it is placed before them
// and gathered after them; the others are independent, and each stays in the cache between its first
// and second sweep.
Solved sweep(const StepKernel& kernel, const KernelTask& task, Workspace& workspace, int threads) {
  const std::vector<Block>& blocks = task.schedule->blocks;
  struct Context {
    const StepKernel& kernel;
    const KernelTask& task;
    const std::vector<Block>& blocks;
    Workspace& workspace;
  } context{kernel, task, blocks, workspace};
  const auto keep = [](Context& c, std::size_t i) {
    const SweepResult result = c.kernel.solve(c.task, c.blocks[i]);
    c.workspace.block_speed[i] = result.fastest_squared;
    c.workspace.block_error[i] = result.worst_product_squared;
  };
  kernel.place(task, blocks[0]);
  parallel_for(blocks.size() - 1, threads, [&context](std::size_t i) {
    context.kernel.place(context.task, context.blocks[i + 1]);
    context.kernel.gather(context.task, context.blocks[i + 1]);
  });
  kernel.take_outbox(task);
  kernel.gather(task, blocks[0]);
  keep(context, 0);
  parallel_for(blocks.size() - 1, threads,
               [&context, keep](std::size_t i) { keep(context, i + 1); });
  Solved solved;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    // Written so that NaN stays.
    if (!(workspace.block_speed[i] <= solved.turn)) solved.turn = workspace.block_speed[i];
    if (!(workspace.block_error[i] <= solved.prediction_error)) {
      solved.prediction_error = workspace.block_error[i];
    }
  }
  const double h = task.scheme->h;
  return {.turn = std::sqrt(solved.turn) * h,
          .prediction_error = std::sqrt(solved.prediction_error) * h * h};
}

// Accelerations and pulls of a state as it stands: the scheme needs them once, to begin with. With
// h = 0 and nothing averaged, ā is the acceleration itself.
bool begin(const StepKernel& kernel, const Mechanism& mechanism, const Loads& loads, State& state,
           Workspace& workspace) {
  const Scheme standing{};
  const KernelTask task = make_task(mechanism, loads, standing, state, workspace);
  if (!std::isfinite(sweep(kernel, task, workspace, 1).turn)) return false;
  for (const Block& block : task.schedule->blocks) kernel.commit(task, block, state);
  state.started = true;
  return true;
}

// One piece, and how far its fastest body turned. False: it does not count, and the state is as it
// was.
bool attempt(const StepKernel& kernel, const Mechanism& mechanism, const Loads& loads,
             const Scheme& scheme, State& state, Workspace& workspace, int threads,
             StepReport& report, double& turn) {
  KernelTask task = make_task(mechanism, loads, scheme, state, workspace);
  for (int correction = 0;; ++correction) {
    const Solved solved = sweep(kernel, task, workspace, threads);
    if (!(solved.turn <= largest_turn)) return false;
    if (solved.prediction_error <= largest_prediction_error) {
      turn = solved.turn;
      break;
    }
    if (correction == most_corrections) return false;
    task.corrected = true;
    ++report.corrections;
  }
  struct Context {
    const StepKernel& kernel;
    const KernelTask& task;
    State& state;
  } context{kernel, task, state};
  parallel_for(task.schedule->blocks.size(), threads, [&context](std::size_t i) {
    context.kernel.commit(context.task, context.task.schedule->blocks[i], context.state);
  });
  state.time += scheme.h;
  return true;
}

}  // namespace

#if defined(__x86_64__)

namespace {

bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("fma");
}

}  // namespace

StepKernel best_kernel(int width) {
  if (has_avx512()) return avx512_kernel(width);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2_kernel(width);
  return generic_kernel(width);
}

int most_lanes_here() { return has_avx512() ? 8 : 4; }

#else

StepKernel best_kernel(int width) { return generic_kernel(width); }

int most_lanes_here() { return 4; }

#endif

PackBuffer::PackBuffer(std::size_t size)
    : bytes(static_cast<std::byte*>(
          ::operator new (std::max<std::size_t>(size, 1), std::align_val_t{64}))) {
  std::fill_n(bytes.get(), size, std::byte{0});
}

void PackBuffer::Free::operator()(std::byte* memory) const {
  ::operator delete (memory, std::align_val_t{64});
}

double force_time(const StepOptions& options) {
  return 1.0 - make_scheme(1.0 - options.numerical_damping, 1.0).alpha_f;
}

Workspace make_workspace(const Mechanism& mechanism) {
  Workspace workspace;
  auto schedule = std::make_shared<Schedule>(make_schedule(mechanism, most_lanes_here()));
  const StepKernel kernel = best_kernel(schedule->width);
  workspace.bodies = PackBuffer(kernel.body_bytes * schedule->packs.size());
  workspace.scratch = PackBuffer(kernel.scratch_bytes * schedule->packs.size());
  workspace.outbox = PackBuffer(kernel.outbox_bytes * schedule->roots.size());
  workspace.with_tension = pull_is_felt(mechanism);
  workspace.block_speed.assign(schedule->blocks.size(), 0.0);
  workspace.block_error.assign(schedule->blocks.size(), 0.0);
  kernel.pack_bodies(mechanism, *schedule, workspace.bodies.data());
  workspace.schedule = std::move(schedule);
  return workspace;
}

StepReport step(const Mechanism& mechanism, const Loads& loads, const StepOptions& options,
                double dt, State& state, Workspace& workspace, int threads) {
  THIGMO_DEBUG_ASSERT(workspace.schedule->slot.size() == mechanism.body.size());
  const StepKernel kernel = best_kernel(workspace.schedule->width);
  StepReport report;
  if (!state.started && !begin(kernel, mechanism, loads, state, workspace)) {
    report.finite = false;
    return report;
  }
  // Pieces are 2^-halvings of dt; `done` counts finished pieces of the finest kind.
  const long whole = 1L << deepest_halving;
  for (long done = 0; done < whole;) {
    const Scheme scheme =
        make_scheme(1.0 - options.numerical_damping, std::ldexp(dt, -state.halvings));
    double turn = 0;
    if (attempt(kernel, mechanism, loads, scheme, state, workspace, threads, report, turn)) {
      ++report.substeps;
      done += whole >> state.halvings;
      // Grow again where the motion allows it and the larger piece still ends on the step.
      report.worst_turn = std::max(report.worst_turn, turn);
      const bool easy = turn < 0.25 * largest_turn;
      if (state.halvings > 0 && easy && done % (whole >> (state.halvings - 1)) == 0) {
        --state.halvings;
      }
      continue;
    }
    ++report.rejected;
    if (state.halvings == deepest_halving) {
      report.finite = false;
      return report;
    }
    ++state.halvings;
  }
  return report;
}

Energy energy_of(const Mechanism& mechanism, const State& state, const Vec3& gravity_world) {
  Energy energy;
  std::vector<Vec3> omega(mechanism.body.size()), velocity(mechanism.body.size());
  const Pose pose = pose_of(mechanism, state);
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const Body& body = mechanism.body[i];
    const Index parent = mechanism.parent[i];
    const auto p = static_cast<std::size_t>(parent);
    const Mat3 r = matrix(pose.world_from_segment[i]);
    const Vec3 relative = r * state.joint_velocity[i];
    omega[i] = parent == no_index ? relative : omega[p] + relative;
    velocity[i] = parent == no_index
                      ? Vec3{}
                      : velocity[p] + cross(omega[p], pose.base_world[i] - pose.base_world[p]);
    const Vec3 moment = r * body.first_moment;
    const Vec3 theta = log_rotation(state.rest_from_body[i]);
    energy.kinetic += 0.5 * dot(omega[i], conjugate(r, body.inertia) * omega[i]) +
                      0.5 * body.mass * dot(velocity[i], velocity[i]) +
                      dot(velocity[i], cross(omega[i], moment));
    energy.elastic += joint_spring(theta, body.stiffness).energy;
    energy.gravitational -= dot(gravity_world, pose.base_world[i] * body.mass + moment);
  }
  return energy;
}

}  // namespace thigmo
