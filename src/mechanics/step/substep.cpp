#include "mechanics/step/substep.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.h"
#include "mechanics/kernel/pack_lanes.h"
#include "mechanics/step/keep_momentum.h"
#include "mechanics/step/step_root.h"

namespace thigmo {
namespace {

// Coriolis forces are that good in steps of this length. In shorter ones of a plant that nothing slows
// they are better with the step: more of them follow each other in the same time.
constexpr double fair_step = 1.0 / 60;  // [s]
constexpr int most_corrections = 10;
// Forces of the ground may be off by this part of its push; with several points in contact they change
// each other, and a substep is not refused for them. After some passes they may be off by all of the push, but
// no more before the last one: points that a pass holds to the ground grab against each other along a stiff
// stem with up to 1e5 times their push, and that did work of a fifth of a fall's energy.
constexpr double largest_slip = 0.01, rough_slip = 1;
constexpr int most_contact_passes = 6;
// Coriolis forces of what touches the ground. A blow turns all of ω in one substep, and what the guess leaves
// out of them is momentum from nowhere: at `fair` worth up to 5 % of a fall's energy.
constexpr double struck_coriolis = 1e-4;  // [rad]

// A plant of more bodies, half a kilobyte each, has to come from slower memory in every step.
constexpr std::size_t cached_bodies = 2000;

// Scratch of this thread. It grows with the largest plant, and the largest block, that the thread has met.
std::byte* thread_scratch(std::size_t bytes, AlignedVector<std::byte>& buffer) {
  if (buffer.size() < bytes) buffer.resize(bytes);
  return buffer.data();
}
std::byte* local_scratch(std::size_t bytes) {
  thread_local AlignedVector<std::byte> buffer;
  return thread_scratch(bytes, buffer);
}

// What the sweeps of a substep hand on.
struct Scratch {
  std::byte *kept, *kept_tensions, *trunk, *trunk_swing, *outbox, *contacts;
};
Scratch scratch_of(Workspace& workspace) {
  if (!shares_scratch(*workspace.model->schedule)) {
    return {workspace.kept.data(),   workspace.kept_tensions.data(),
            workspace.trunk.data(),  workspace.trunk_swing.data(),
            workspace.outbox.data(), workspace.contacts.data()};
  }
  // Each part begins with a cache line.
  const auto whole_lines = [](std::size_t bytes) { return (bytes + 63) / 64 * 64; };
  const ScratchSizes sizes = scratch_sizes(*workspace.model);
  std::size_t bytes = 0;
  for (const std::size_t part : {sizes.kept, sizes.kept_tensions, sizes.trunk, sizes.trunk_swing,
                                 sizes.outbox, sizes.contacts}) {
    bytes += whole_lines(part);
  }
  thread_local AlignedVector<std::byte> buffer;
  std::byte* next = thread_scratch(bytes, buffer);
  const auto take = [&](std::size_t part) { return std::exchange(next, next + whole_lines(part)); };
  Scratch scratch{};
  scratch.kept = take(sizes.kept);
  scratch.kept_tensions = take(sizes.kept_tensions);
  scratch.trunk = take(sizes.trunk);
  scratch.trunk_swing = take(sizes.trunk_swing);
  scratch.outbox = take(sizes.outbox);
  scratch.contacts = take(sizes.contacts);
  return scratch;
}

KernelTask make_task(const Mechanism& mechanism, const Loads& loads, const Scheme& scheme,
                     const State& state, RootFrame& root, RootInertia& root_inertia,
                     Workspace& workspace) {
  const Scratch scratch = scratch_of(workspace);
  return {.schedule = view_of(*workspace.model->schedule),
          .scheme = scheme,
          .mass_damping = mechanism.mass_damping,
          .streamlining_speed = mechanism.streamlining_speed,
          .gravity_world = loads.gravity_world,
          .points = loads.points,
          .grabs = loads.grabs,
          .in_air = loads.air != nullptr,
          .on_ground = loads.ground != nullptr,
          .air = loads.air ? view_of(*loads.air) : AirView{},
          .ground = loads.ground ? *loads.ground : Ground{},
          .state = view_of(state),
          .next = view_of(workspace.next),
          .bodies = workspace.model->bodies.data(),
          .flat_springs = workspace.model->flat_springs.empty()
                              ? nullptr
                              : workspace.model->flat_springs.data(),
          .kept = scratch.kept,
          .kept_tensions = scratch.kept_tensions,
          .trunk = scratch.trunk,
          .trunk_swing = scratch.trunk_swing,
          .outbox = scratch.outbox,
          .contacts = scratch.contacts,
          .root = &root,
          .root_inertia = is_free(state.root) ? &root_inertia : nullptr,
          .corrected = false,
          .pass = 0,
          .pushed = loads.air || loads.ground || !loads.grabs.empty() || mechanism.mass_damping > 0,
          .fetch_ahead = mechanism.body.size() > cached_bodies,
          .brake = 0,
          .free_spin = no_brake,
          .with_tension = workspace.model->with_tension};
}

// How far the fastest body turns, and what was wrong with the guess of ā, as in Precision.
struct Solved {
  double turn = 0, coriolis = 0, place = 0;  // [rad]
  double contact = 0;                        // what forces of the ground are off by, of its push
  bool touched = false;                      // the ground pushes
};
bool good_enough(const Solved& solved, const Precision& precision) {
  return solved.coriolis <= precision.coriolis && solved.place <= precision.place;
}
// With Coriolis forces at least that good in steps of fair_step.
Precision with_coriolis(Precision precision, double coriolis, double h) {
  const double part = std::min(1.0, h / fair_step);
  precision.coriolis = std::min(precision.coriolis, coriolis * part);
  return precision;
}

// The three sweeps. The first block is the trunk that all others stand on: it is placed before them
// and gathered after them; the others are independent, and each stays in the cache between its first
// and second sweep.
Solved sweep(const StepKernel& kernel, const KernelTask& task, Workspace& workspace, int threads) {
  const std::vector<Block>& blocks = workspace.model->schedule->blocks;
  struct Context {
    const StepKernel& kernel;
    const KernelTask& task;
    const std::vector<Block>& blocks;
    Workspace& workspace;
  } context{kernel, task, blocks, workspace};
  const auto keep = [](Context& c, std::size_t i, std::byte* local) {
    const SweepResult result = c.kernel.solve(c.task, c.blocks[i], local);
    c.workspace.block_speed[i] = result.fastest_squared;
    c.workspace.block_coriolis[i] = result.worst_product_squared;
    c.workspace.block_place[i] = result.worst_place_squared;
    c.workspace.block_contact[i] = result.worst_contact;
    c.workspace.block_touched[i] = result.touched;
  };
  kernel.predict(task, blocks[0], task.trunk);
  parallel_for(blocks.size() - 1, threads, [&context](std::size_t i) {
    std::byte* local = local_scratch(context.workspace.local_bytes);
    context.kernel.predict(context.task, context.blocks[i + 1], local);
    context.kernel.gather(context.task, context.blocks[i + 1], local);
  });
  kernel.take_outbox(task);
  kernel.gather(task, blocks[0], task.trunk);
  if (task.root_inertia) solve_root(*task.root_inertia, *task.root);
  keep(context, 0, task.trunk_swing);
  parallel_for(blocks.size() - 1, threads, [&context, keep](std::size_t i) {
    keep(context, i + 1, local_scratch(context.workspace.local_bytes));
  });
  // What is not a number stays.
  const auto take_larger = [](double& largest, double value) {
    if (largest == largest && !(value <= largest)) largest = value;
  };
  Solved solved;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    take_larger(solved.turn, workspace.block_speed[i]);
    take_larger(solved.coriolis, workspace.block_coriolis[i]);
    take_larger(solved.place, workspace.block_place[i]);
    take_larger(solved.contact, workspace.block_contact[i]);
    solved.touched = solved.touched || workspace.block_touched[i] > 0;
  }
  const double h = task.scheme.h, c_x = task.scheme.c_x;
  const double turn_by = task.corrected ? c_x / task.scheme.c_v : c_x;
  return {.turn = std::sqrt(solved.turn) * h,
          .coriolis = std::sqrt(solved.coriolis) * h * h,
          .place = h > 0 ? std::sqrt(solved.place) * turn_by : 0,
          .contact = solved.contact,
          .touched = solved.touched};
}

// The body that turned fastest in the last sweep.
Index fastest_body(const StepKernel& kernel, const KernelTask& task, const Workspace& workspace) {
  std::size_t fastest = 0;
  for (std::size_t i = 0; i < workspace.block_speed.size(); ++i) {
    // The first block that is not a number stays.
    const double held = workspace.block_speed[fastest];
    if (held == held && !(workspace.block_speed[i] <= held)) fastest = i;
  }
  return kernel.fastest_body(task, task.schedule.blocks[fastest]);
}

void take_ground_forces(const StepKernel& kernel, const KernelTask& task, const PotContact& pot,
                        Works& works) {
  const std::size_t n = works.ground.size() - 1;
  for (std::size_t i = 0; i < n; ++i)
    works.ground[i] = kernel.ground_force(task, static_cast<Index>(i));
  works.ground[n] = {};
  if (task.root_inertia && pot.any) {
    works.ground[n] = {.arm = get(pot.arm, 0), .force = get(pot.force, 0)};
  }
}

// Whether nothing but its weight acts on a free plant.
bool falls_alone(const Mechanism& mechanism, const Loads& loads, const State& state, bool touched) {
  return is_free(state.root) && !touched && loads.air == nullptr && loads.grabs.empty() &&
         loads.points.empty() && mechanism.mass_damping == 0;
}

}  // namespace

double free_spin(int brake, double h) {
  if (brake == hardest_brake) return 0;
  return brake > 0 ? std::ldexp(largest_turn / h, -2 * brake) : no_brake;
}

void accept(const Scheme& scheme, State& state, Workspace& workspace) {
  std::swap(state.rest_from_body, workspace.next.rest_from_body);
  std::swap(state.joint_velocity, workspace.next.joint_velocity);
  std::swap(state.joint_acceleration, workspace.next.joint_acceleration);
  std::swap(state.tension_torque, workspace.next.tension_torque);
  state.root = workspace.next.root;
  state.time += scheme.h;
}

Went attempt(const StepKernel& kernel, const Mechanism& mechanism, const Loads& loads,
             const Substep& substep, EnergyCeiling& ceiling, State& state, Workspace& workspace,
             int threads, StepReport& report) {
  const Scheme& scheme = substep.scheme;
  const bool braking = substep.brake > 0;
  RootFrame root;
  RootInertia root_inertia;
  PotContact pot_contact;
  KernelTask task = make_task(mechanism, loads, scheme, state, root, root_inertia, workspace);
  task.free_spin = free_spin(substep.brake, scheme.h);
  task.brake = std::ldexp(0.1, 2 * substep.brake);
  if (task.fetch_ahead && loads.air) fetch(*loads.air);
  Went went;
  bool misplaced = false;  // in a pass before this one; exact substeps ask for more then
  for (int correction = 0;; ++correction) {
    task.pass = correction;
    root = place_root(loads, scheme, state, workspace.next.root, task.corrected);
    if (is_free(state.root))
      root_inertia = pot_inertia(mechanism, loads, scheme, root, correction, pot_contact);
    Solved solved = sweep(kernel, task, workspace, threads);
    if (is_free(state.root)) {
      const double error = take_pot_force(loads, scheme, root, correction, pot_contact);
      solved.contact = std::max(solved.contact, error);
      solved.touched = solved.touched || (pot_contact.any && pot_contact.pushes.value > 0);
    }
    workspace.next.root = next_root(loads, scheme, state, root);
    went.turn = solved.turn;
    if (correction == 0) went.jump = solved.place;
    // What is braked turns less than guessed: only a corrected pass shows how far.
    const bool shown = !braking || correction > 0;
    const bool small = solved.turn <= largest_turn && (braking || went.jump <= largest_jump);
    const bool exact = substep.exact && (misplaced || solved.turn > 0.5 * largest_turn);
    const bool last = correction == most_corrections;
    // The hardest brake leaves next to no motion to be wrong about.
    Precision precision = exact ? fine : substep.precision;
    if (substep.exact) precision = with_coriolis(precision, fair.coriolis, scheme.h);
    if (solved.touched && !last) {
      precision = with_coriolis(precision, struck_coriolis, scheme.h);
    }
    const bool good = substep.brake == hardest_brake || good_enough(solved, precision);
    const double slip_allowed = correction < most_contact_passes ? largest_slip : rough_slip;
    const bool stands = solved.contact <= slip_allowed || last;
    if (shown && small && good && stands) {
      state.fell_alone = state.fell_alone && falls_alone(mechanism, loads, state, solved.touched);
      if (state.fell_alone) {
        keep_momentum(mechanism, loads.gravity_world, scheme.h, state, workspace.next);
      }
      // What had to be corrected may be a blow, of which one step can be too much.
      if (substep.exact && correction > 0) ceiling.held = true;
      if (!ceiling.allows(mechanism, loads, state, workspace.next)) break;
      if (correction > 0) report.worst_body = fastest_body(kernel, task, workspace);
      if (workspace.works) {
        if (loads.ground) take_ground_forces(kernel, task, pot_contact, *workspace.works);
        add_substep(mechanism, loads, scheme, state, workspace.next, *workspace.works);
      }
      accept(scheme, state, workspace);
      went.well = true;
      return went;
    }
    const bool hopeless = braking ? !std::isfinite(solved.turn) : !small;
    if (hopeless || last) break;
    task.corrected = true;
    misplaced = misplaced || !good || !shown;
    ++report.corrections;
  }
  report.worst_body = fastest_body(kernel, task, workspace);
  return went;
}

}  // namespace thigmo
