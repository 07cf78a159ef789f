#include "mechanics/step.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "base/assert.h"
#include "base/parallel.h"
#include "mechanics/energy.h"
#include "mechanics/pack_lanes.h"
#include "mechanics/step_base.h"
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
// with the last a. Where the pass shows that places or velocities were not good enough it is repeated
// with those that the ā found leads to: Newton's method, but for the slopes left out.
//
// The slope that must not be left out is how a spring's torque turns with its bodies (joint_pass.h). It
// couples bending and twisting of a bent stem. In modes too fast for the step the scheme's matrix has
// the threefold eigenvalue -rho, and what is left out of their stiffness, a part ε of it, moves that by
// about ε^(1/3): one per cent was enough to make rods that swing under their weight gain energy.
//
// Spatial quantities are in world axes about each body's own joint; an articulated inertia is
//   torque = A α + B v̇ + n,   force = Bᵀ α + C v̇ + f    (α of the body, v̇ of its joint)
// and reaches the parent by a shift along r = joint - parent's joint, without rotation. The sweeps
// over the bodies are in step_sweeps.h.

namespace thigmo {
namespace {

// A body may turn this far within one accepted piece.
constexpr double largest_turn = 0.2;  // [rad]
// c_x |α|, the turn by the acceleration to be found, may be this large.
constexpr double largest_jump = 0.03;  // [rad]
// How good a guess of ā must be. Ordinary steps forgive more than violent ones, taken in many pieces,
// where errors would feed on each other; so does the air, which takes what a plant gains by them.
struct Precision {
  double coriolis;  // h² |ω| |Δω|, the turn by wrong Coriolis and centrifugal forces [rad]
  double place;  // how far bodies are turned from where the forces were taken: c_x |α|, or c_x |Δα|
                 // in a repeated pass [rad]
};
constexpr Precision fair{.coriolis = 1e-3, .place = largest_jump};
constexpr Precision fine{.coriolis = 1e-5, .place = 1e-4};
// Coriolis forces are that good in steps of this length. In shorter ones of a plant that nothing slows
// they are better with the step: more of them follow each other in the same time.
constexpr double fair_step = 1.0 / 60;  // [s]
constexpr int most_corrections = 10;
// Forces of the ground may be off by this part of its push; with several points in contact they change
// each other, and a piece is not refused for them.
constexpr double largest_slip = 0.01;
constexpr int most_contact_passes = 6;
constexpr int few_halvings = 2;
constexpr int deepest_halving = 10;
// A piece may gain this part of the energy that moves where nothing gives any.
constexpr double largest_gain = 1e-3;
constexpr double largest_gain_of_grown = 1e-6;  // where it gained too much before: see limited_gain
// So often, in steps, the energy of a plant that no load works on is looked at.
constexpr int watch_interval = 8;
// Above these gains, over the largest kinetic energy, passes are repeated until they agree, and steps
// may gain no more.
constexpr double watched_gain = 0.005, limited_gain = 0.015;
// What energies round to: smaller changes are none.
constexpr double energy_digits = 1e-10;
constexpr int hardest_brake = 10;
// What is taken coarsely is taken in pieces of 2^-2 of a step.
constexpr int coarse_halving = 2;
// Joints with this part of the largest spin are stopped, where no brake was hard enough.
constexpr double stopped_part = 0.5;

// A plant of more bodies, half a kilobyte each, has to come from slower memory in every step.
constexpr std::size_t cached_bodies = 2000;

// Forces at one point of the step, nothing remembered: the midpoint rule at ½, implicit Euler at 1.
Scheme make_one_point_scheme(double point, double h) {
  return {.h = h,
          .alpha_f = 1 - point,
          .c_v = point * h,
          .c_x = point * point * h * h,
          .drift_w = point * h,
          .x_a1 = point * h * h,
          .v_a1 = h};
}

Scheme make_scheme(double rho, double h) {
  // The same motion, but its accelerations would ring on for ever.
  if (rho == 1) return make_one_point_scheme(0.5, h);
  const double am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1);
  const double gamma = 0.5 - am + af, beta = 0.25 * (1 - am + af) * (1 - am + af);
  const double part = (1 - af) * h;
  return {.h = h,
          .alpha_m = am,
          .alpha_f = af,
          .c_v = part * gamma / (1 - am),
          .c_x = part * h * beta / (1 - am),
          .drift_w = part,
          .drift_a = part * h * (0.5 - beta - beta * am / (1 - am)),
          .known_a = part * (1 - gamma - gamma * am / (1 - am)),
          .x_a0 = h * h * (0.5 - beta),
          .x_a1 = h * h * beta,
          .v_a0 = h * (1 - gamma),
          .v_a1 = h * gamma};
}

KernelTask make_task(const Mechanism& mechanism, const Loads& loads, const Scheme& scheme,
                     const AirView& air, const State& state, BaseFrame& base,
                     BaseInertia& base_inertia, Workspace& workspace) {
  return {.mechanism = &mechanism,
          .schedule = workspace.model->schedule.get(),
          .loads = &loads,
          .air = loads.air ? &air : nullptr,
          .scheme = &scheme,
          .state = &state,
          .next = &workspace.next,
          .bodies = workspace.model->bodies.data(),
          .flat_springs = workspace.model->flat_springs.empty()
                              ? nullptr
                              : workspace.model->flat_springs.data(),
          .kept = workspace.kept.data(),
          .kept_pulls = workspace.kept_pulls.data(),
          .trunk = workspace.trunk.data(),
          .trunk_swing = workspace.trunk_swing.data(),
          .outbox = workspace.outbox.data(),
          .contacts = loads.ground ? workspace.contacts.data() : nullptr,
          .base = &base,
          .base_inertia = mechanism.free_base ? &base_inertia : nullptr,
          .corrected = false,
          .pass = 0,
          .pushed = loads.air || loads.ground || !loads.pulls.empty() || mechanism.mass_damping > 0,
          .fetch_ahead = mechanism.body.size() > cached_bodies,
          .brake = 0,
          .free_spin = no_brake,
          .with_tension = workspace.model->with_tension};
}

// Scratch of this thread for one block; it grows with the largest block the thread has met.
std::byte* local_scratch(std::size_t bytes) {
  thread_local AlignedVector<std::byte> buffer;
  if (buffer.size() < bytes) buffer.resize(bytes);
  return buffer.data();
}

// How far the fastest body turns, and what was wrong with the guess of ā, as in Precision.
struct Solved {
  double turn = 0, coriolis = 0, place = 0;  // [rad]
  double contact = 0;                        // what forces of the ground are off by, of its push
};
bool good_enough(const Solved& solved, const Precision& precision) {
  return solved.coriolis <= precision.coriolis && solved.place <= precision.place;
}
Precision for_step(Precision precision, double h) {
  const double part = std::min(1.0, h / fair_step);
  precision.coriolis = std::min(precision.coriolis, fair.coriolis * part);
  return precision;
}

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
  const auto keep = [](Context& c, std::size_t i, std::byte* local) {
    const SweepResult result = c.kernel.solve(c.task, c.blocks[i], local);
    c.workspace.block_speed[i] = result.fastest_squared;
    c.workspace.block_coriolis[i] = result.worst_product_squared;
    c.workspace.block_place[i] = result.worst_place_squared;
    c.workspace.block_contact[i] = result.worst_contact;
  };
  kernel.place(task, blocks[0], task.trunk);
  parallel_for(blocks.size() - 1, threads, [&context](std::size_t i) {
    std::byte* local = local_scratch(context.workspace.local_bytes);
    context.kernel.place(context.task, context.blocks[i + 1], local);
    context.kernel.gather(context.task, context.blocks[i + 1], local);
  });
  kernel.take_outbox(task);
  kernel.gather(task, blocks[0], task.trunk);
  if (task.base_inertia) solve_base(*task.base_inertia, *task.base);
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
  }
  const double h = task.scheme->h, c_x = task.scheme->c_x;
  const double turn_by = task.corrected ? c_x / task.scheme->c_v : c_x;
  return {.turn = std::sqrt(solved.turn) * h,
          .coriolis = std::sqrt(solved.coriolis) * h * h,
          .place = h > 0 ? std::sqrt(solved.place) * turn_by : 0,
          .contact = solved.contact};
}

// The body that turned fastest in the last sweep.
Index fastest_body(const StepKernel& kernel, const KernelTask& task, const Workspace& workspace) {
  std::size_t fastest = 0;
  for (std::size_t i = 0; i < workspace.block_speed.size(); ++i) {
    // The first block that is not a number stays.
    const double held = workspace.block_speed[fastest];
    if (held == held && !(workspace.block_speed[i] <= held)) fastest = i;
  }
  return kernel.fastest_body(task, task.schedule->blocks[fastest]);
}

void accept(const Scheme& scheme, State& state, Workspace& workspace) {
  std::swap(state.rest_from_body, workspace.next.rest_from_body);
  std::swap(state.joint_velocity, workspace.next.joint_velocity);
  std::swap(state.joint_acceleration, workspace.next.joint_acceleration);
  std::swap(state.tension_torque, workspace.next.tension_torque);
  state.base = workspace.next.base;
  state.time += scheme.h;
}

double sum(const Energy& e) { return e.kinetic + e.elastic + e.gravitational; }

// What the energy of a plant that no load works on must not rise above while its step is taken in
// pieces.
struct EnergyCeiling {
  bool held = false;
  double energy = std::numeric_limits<double>::quiet_NaN();  // not known yet [J]

  bool allows(const Mechanism& mechanism, const Loads& loads, const State& state,
              const State& next) {
    if (!held) return true;
    if (std::isnan(energy)) energy = sum(energy_of(mechanism, state, loads.gravity_world));
    const Energy after = energy_of(mechanism, next, loads.gravity_world);
    const double part = state.watch.gain > limited_gain ? largest_gain_of_grown : largest_gain;
    if (sum(after) > energy + part * (after.kinetic + after.elastic)) return false;
    energy = std::min(energy, sum(after));
    return true;
  }
};

// Begins to watch the energy of a plant that no load works on, from the state as it is.
void begin_watch(const Mechanism& mechanism, const Loads& loads, State& state) {
  EnergyWatch& watch = state.watch;
  const Vec3 changed = watch.gravity_world - loads.gravity_world;
  if (watch.on && dot(changed, changed) == 0) return;
  const Energy energy = energy_of(mechanism, state, loads.gravity_world);
  watch = {.on = true,
           .gravity_world = loads.gravity_world,
           .start = sum(energy),
           .lowest = sum(energy),
           .swing = energy.kinetic};
}

void watch_energy(const Mechanism& mechanism, const Loads& loads, State& state,
                  StepReport& report) {
  EnergyWatch& watch = state.watch;
  const bool plain = report.corrections == 0 && report.rejected == 0;
  if (++watch.unseen < watch_interval && plain) return;
  watch.unseen = 0;
  const Energy energy = energy_of(mechanism, state, loads.gravity_world);
  watch.swing = std::max(watch.swing, energy.kinetic);
  const double gain = sum(energy) - watch.lowest;
  const double all = energy.kinetic + energy.elastic + std::abs(energy.gravitational);
  if (gain > energy_digits * all && watch.swing > 0) report.energy_gain = gain / watch.swing;
  watch.gain = report.energy_gain;
  watch.lowest = std::min(watch.lowest, sum(energy));
}

bool any_load_works(const Loads& loads) {
  return loads.air || loads.ground || loads.base_path || !loads.pulls.empty() ||
         !loads.points.empty();
}

// One piece of a step, and how it went.
struct Piece {
  Scheme scheme;
  Precision precision;
  bool exact = false;  // finer where it is fast or short: nothing feeds or slows it but itself
  int brake = 0;       // how hard joints that whirl are braked; 0: not at all
};
struct Went {
  bool well = false;  // false: it does not count, and the state is as it was
  double turn = 0;    // of the fastest body [rad]
  double jump = 0;    // what its acceleration added to a turn [rad]
};

// Joints that spin as fast are braked: ever slower ones, in the end all.
double free_spin(int brake, double h) {
  if (brake == hardest_brake) return 0;
  return brake > 0 ? std::ldexp(largest_turn / h, -2 * brake) : no_brake;
}

void take_ground_forces(const StepKernel& kernel, const KernelTask& task, const PotContact& pot,
                        Works& works) {
  const std::size_t n = task.mechanism->body.size();
  for (std::size_t i = 0; i < n; ++i)
    works.ground[i] = kernel.ground_force(task, static_cast<Index>(i));
  works.ground[n] = {};
  if (task.mechanism->free_base && pot.any) {
    works.ground[n] = {.arm = get(pot.arm, 0), .force = get(pot.force, 0)};
  }
}

Went attempt(const StepKernel& kernel, const Mechanism& mechanism, const Loads& loads,
             const Piece& piece, EnergyCeiling& ceiling, State& state, Workspace& workspace,
             int threads, StepReport& report) {
  const Scheme& scheme = piece.scheme;
  const bool braking = piece.brake > 0;
  BaseFrame base;
  BaseInertia base_inertia;
  PotContact pot_contact;
  const AirView air = loads.air ? view_of(*loads.air) : AirView{};
  KernelTask task = make_task(mechanism, loads, scheme, air, state, base, base_inertia, workspace);
  task.free_spin = free_spin(piece.brake, scheme.h);
  task.brake = std::ldexp(0.1, 2 * piece.brake);
  if (task.fetch_ahead && loads.air) fetch(*loads.air);
  Went went;
  bool misplaced = false;  // in a pass before this one; exact pieces ask for more then
  for (int correction = 0;; ++correction) {
    task.pass = correction;
    base = place_base(mechanism, loads, scheme, state, workspace.next.base, task.corrected);
    if (mechanism.free_base)
      base_inertia = pot_inertia(mechanism, loads, scheme, base, correction, pot_contact);
    Solved solved = sweep(kernel, task, workspace, threads);
    if (mechanism.free_base) {
      const double error = take_pot_force(loads, scheme, base, correction, pot_contact);
      solved.contact = std::max(solved.contact, error);
    }
    workspace.next.base = next_base(mechanism, loads, scheme, state, base);
    went.turn = solved.turn;
    if (correction == 0) went.jump = solved.place;
    // What is braked turns less than guessed: only a corrected pass shows how far.
    const bool shown = !braking || correction > 0;
    const bool small = solved.turn <= largest_turn && (braking || went.jump <= largest_jump);
    const bool exact = piece.exact && (misplaced || solved.turn > 0.5 * largest_turn);
    // The hardest brake leaves next to no motion to be wrong about.
    Precision precision = exact ? fine : piece.precision;
    if (piece.exact) precision = for_step(precision, scheme.h);
    const bool good = piece.brake == hardest_brake || good_enough(solved, precision);
    const bool stands = solved.contact <= largest_slip || correction >= most_contact_passes;
    if (shown && small && good && stands) {
      // What had to be corrected may be a blow, of which one step can be too much.
      if (piece.exact && correction > 0) ceiling.held = true;
      if (!ceiling.allows(mechanism, loads, state, workspace.next)) break;
      if (correction > 0) report.worst_body = fastest_body(kernel, task, workspace);
      if (workspace.works) {
        if (loads.ground) take_ground_forces(kernel, task, pot_contact, *workspace.works);
        add_piece(mechanism, loads, scheme, state, workspace.next, *workspace.works);
      }
      accept(scheme, state, workspace);
      went.well = true;
      return went;
    }
    const bool hopeless = braking ? !std::isfinite(solved.turn) : !small;
    if (hopeless || correction == most_corrections) break;
    task.corrected = true;
    misplaced = misplaced || !good || !shown;
    ++report.corrections;
  }
  report.worst_body = fastest_body(kernel, task, workspace);
  return went;
}

int passes_of(const StepReport& report) {
  return report.substeps + report.corrections + report.rejected;
}

int count_spinning(const Schedule& schedule, const State& state, double spin) {
  const int width = schedule.width;
  int count = 0;
  for (Index k = 0; k < static_cast<Index>(schedule.packs.size()); ++k) {
    const double* w = state.joint_velocity.pack(k);
    for (int l = 0; l < schedule.packs[static_cast<std::size_t>(k)].filled; ++l) {
      const double x = w[l], y = w[width + l], z = w[2 * width + l];
      if (x * x + y * y + z * z > spin * spin) ++count;
    }
  }
  return count;
}

// The accelerations and pulls of another state.
void forget_accelerations(const Schedule& schedule, State& state) {
  for (Index k = 0; k < static_cast<Index>(schedule.packs.size()); ++k) {
    std::fill_n(state.joint_acceleration.pack(k), 3 * schedule.width, 0.0F);
    std::fill_n(state.tension_torque.pack(k), schedule.width, 0.0F);
  }
  state.base.accel_world = state.base.alpha_base = {};
  state.started = false;
}

// Takes the motion from the joints that have more than a part of the largest spin and from all that
// stand on them, which would be thrown otherwise; how many. Called again and again it ends with all of
// them still, 0. A free base counts as a joint.
int stop_fastest_joints(const Mechanism& mechanism, const Schedule& schedule, double part,
                        State& state, PerBody<double, float>& stopped) {
  double most = mechanism.free_base ? dot(state.base.omega_base, state.base.omega_base) : 0;
  const bool base_spins = most > 0;
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const Vec3 w = state.joint_velocity[i];
    most = std::max(most, dot(w, w));
  }
  if (!(most > 0)) return 0;
  forget_accelerations(schedule, state);
  const double enough = part * part * most;
  const bool stop_base = base_spins && dot(state.base.omega_base, state.base.omega_base) >= enough;
  if (stop_base) state.base.omega_base = {};
  int count = stop_base ? 1 : 0;
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const Index parent = mechanism.parent[i];
    const Vec3 w = state.joint_velocity[i];
    const bool carried =
        parent == no_index ? stop_base : stopped[static_cast<std::size_t>(parent)] > 0;
    const bool stop = carried || dot(w, w) >= enough;
    stopped.set(i, stop ? 1.0 : 0.0);
    if (!stop) continue;
    state.joint_velocity.set(i, {});
    ++count;
  }
  return count;
}

// As stop_fastest_joints. A free base that moves because it turns about the plant would take all that is
// stopped on it along: then all of it is stopped, and moves with the energy that it had.
int stop_without_gain(const Mechanism& mechanism, const Schedule& schedule, double part,
                      State& state, PerBody<double, float>& stopped) {
  const auto kinetic = [&] { return energy_of(mechanism, state, {}).kinetic; };
  const double before = kinetic();
  int count = stop_fastest_joints(mechanism, schedule, part, state, stopped);
  if (!mechanism.free_base || kinetic() <= before) return count;
  count += stop_fastest_joints(mechanism, schedule, 0, state, stopped);
  const double after = kinetic();
  if (after > before)
    state.base.velocity_world = state.base.velocity_world * std::sqrt(before / after);
  return count;
}

// Moves the base by h and the plant along with it, its joints held: what is always possible. How many
// joints were stopped for it.
int carry_stiff(const Mechanism& mechanism, const Loads& loads, double h, State& state,
                Workspace& workspace) {
  const Schedule& schedule = *workspace.model->schedule;
  State& next = workspace.next;
  const int stopped = stop_without_gain(mechanism, schedule, 0, state, next.tension_torque);
  next.rest_from_body = state.rest_from_body;
  next.joint_velocity = state.joint_velocity;
  next.base = state.base;
  if (loads.base_path) {
    next.base = base_at(*loads.base_path, state.time + h);
  } else if (mechanism.free_base) {
    const Vec3 change = loads.gravity_world * h;
    next.base.displacement_world += (state.base.velocity_world + change * 0.5) * h;
    next.base.velocity_world += change;
  }
  const Scheme scheme = make_one_point_scheme(1, h);
  if (workspace.works) {
    std::fill(workspace.works->ground.begin(), workspace.works->ground.end(), GroundForce{});
    add_piece(mechanism, loads, scheme, state, next, *workspace.works);
  }
  accept(scheme, state, workspace);
  forget_accelerations(schedule, state);
  return stopped;
}

// Accelerations and pulls of a state as it stands: the scheme needs them once, to begin with. With
// h = 0 and nothing averaged, ā is the acceleration itself, but for the springs and dampers of the step
// to come: motions too fast for it would overshoot otherwise, and a free base without mass has no
// acceleration without them.
bool begin(const StepKernel& kernel, const Mechanism& mechanism, const Loads& loads,
           const Scheme& first_step, State& state, Workspace& workspace) {
  StepReport report;
  EnergyCeiling none;
  forget_accelerations(*workspace.model->schedule, state);
  if (loads.base_path) state.base = base_at(*loads.base_path, state.time);
  const Piece standing{.scheme = {.c_v = first_step.c_v, .c_x = first_step.c_x}, .precision = fair};
  if (!attempt(kernel, mechanism, loads, standing, none, state, workspace, 1, report).well) {
    return false;
  }
  state.started = true;
  return true;
}

}  // namespace

// The scheme on x'' = -ω² x is a matrix, of (x, v, a) after a step by those before:
//   ā = -ω² (x + drift_w v + drift_a a) / (1 + c_x ω²),   a₁ = (ā - αm a)/(1 - αm).
// The frequency it shows is the angle of its complex pair of eigenvalues, the roots of
//   λ³ - tr λ² + m λ - det = 0.
double frequency_ratio(const StepOptions& options, double omega_dt) {
  const Scheme s = make_scheme(1.0 - options.numerical_damping, 1.0);
  std::complex<double> root = 1;
  // From slow vibrations on, so that Newton's method stays with its root.
  constexpr int stages = 200;
  for (int stage = 1; stage <= stages; ++stage) {
    const double omega = omega_dt * stage / stages, square = omega * omega;
    const double by_x = -square / (1 + s.c_x * square) / (1 - s.alpha_m);
    const double ax = by_x, av = by_x * s.drift_w,
                 aa = by_x * s.drift_a - s.alpha_m / (1 - s.alpha_m);
    const double xx = 1 + s.x_a1 * ax, xv = 1 + s.x_a1 * av, xa = s.x_a0 + s.x_a1 * aa;
    const double vx = s.v_a1 * ax, vv = 1 + s.v_a1 * av, va = s.v_a0 + s.v_a1 * aa;
    const double trace = xx + vv + aa;
    const double minors = xx * vv - xv * vx + xx * aa - xa * ax + vv * aa - va * av;
    const double det =
        xx * (vv * aa - va * av) - xv * (vx * aa - va * ax) + xa * (vx * av - vv * ax);
    if (stage == 1) root = std::polar(1.0, omega);
    for (int i = 0; i < 4; ++i) {
      root -= (((root - trace) * root + minors) * root - det) /
              ((3.0 * root - 2 * trace) * root + minors);
    }
  }
  return omega_dt > 0 ? std::arg(root) / omega_dt : 1;
}

double step_for_frequency(const StepOptions& options, double omega, double part) {
  double low = 0, high = 2 / omega;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (1 - frequency_ratio(options, omega * middle) <= part ? low : high) = middle;
  }
  return low;
}

double force_time(const StepOptions& options) {
  return 1.0 - make_scheme(1.0 - options.numerical_damping, 1.0).alpha_f;
}

StepReport step(const Mechanism& mechanism, const Loads& loads, const StepOptions& options,
                double dt, State& state, Workspace& workspace, int threads) {
  const StepModel& model = *workspace.model;
  THIGMO_DEBUG_ASSERT(model.schedule->slot.size() == mechanism.body.size());
  const StepKernel kernel = kernel_for(model.processor, model.schedule->width);
  StepReport report;
  if (loads.ground) {
    workspace.contacts.resize(kernel.contact_bytes * model.schedule->packs.size());
  }
  arrange(state, model.schedule);
  state.halvings = std::clamp(state.halvings, 0, deepest_halving);
  // Pieces are 2^-halvings of dt; `done` counts finished pieces of the finest kind.
  const long whole = 1L << deepest_halving;
  const bool alone = !any_load_works(loads);
  if (alone) {
    begin_watch(mechanism, loads, state);
  } else {
    state.watch = {};
  }
  EnergyCeiling ceiling;
  int brake = 0;
  for (long done = 0; done < whole;) {
    report.coarse = report.coarse || passes_of(report) >= options.most_passes;
    if (report.coarse && options.stop_when_violent) {
      report.finite = false;
      return report;
    }
    const double h = std::ldexp(dt, -state.halvings);
    const Scheme usual = make_scheme(1.0 - options.numerical_damping, h);
    if (!state.started && !begin(kernel, mechanism, loads, usual, state, workspace)) {
      report.finite = false;
      return report;
    }
    ceiling.held = alone && (state.halvings > 0 || state.watch.gain > watched_gain);
    const bool violent =
        state.halvings > (alone ? 0 : few_halvings) || state.watch.gain > watched_gain;
    const Piece piece{.scheme = brake > 0 ? make_one_point_scheme(1, h) : usual,
                      .precision = violent ? fine : fair,
                      .exact = alone,
                      .brake = brake};
    const int braked =
        brake > 0 ? std::max(1, count_spinning(*model.schedule, state, free_spin(brake, h))) : 0;
    const Went went =
        attempt(kernel, mechanism, loads, piece, ceiling, state, workspace, threads, report);
    if (went.well) {
      ++report.substeps;
      report.braked += braked;
      done += whole >> state.halvings;
      report.worst_turn = std::max(report.worst_turn, went.turn);
      // Grow again where the motion allows it, or must, and the larger piece still ends on the step.
      const bool easy = went.turn < 0.4 * largest_turn && went.jump < 0.2 * largest_jump;
      const bool grow = report.coarse ? state.halvings > coarse_halving
                                      : brake == 0 && easy && state.halvings > 0;
      if (grow && done % (whole >> (state.halvings - 1)) == 0) --state.halvings;
      if (brake > 0 && !report.coarse) --brake;
      continue;
    }
    // Smaller pieces; where none is small enough brakes, harder and on slower joints each time.
    ++report.rejected;
    if (state.halvings < (report.coarse ? coarse_halving : deepest_halving)) {
      ++state.halvings;
    } else if (brake < hardest_brake) {
      ++brake;
    } else {
      const int stopped = report.coarse
                              ? 0
                              : stop_without_gain(mechanism, *model.schedule, stopped_part, state,
                                                  workspace.next.tension_torque);
      if (stopped > 0) {
        report.braked += stopped;
        ceiling = {};
        brake = 0;
        continue;
      }
      // Nothing is left to brake.
      report.coarse = true;
      if (options.stop_when_violent || !std::isfinite(went.jump)) {
        report.finite = false;
        return report;
      }
      const double left = std::ldexp(dt * static_cast<double>(whole - done), -deepest_halving);
      report.braked += carry_stiff(mechanism, loads, left, state, workspace);
      ++report.substeps;
      break;
    }
  }
  // Those of the brakes are none to go on with.
  if (brake > 0) state.started = false;
  if (alone) watch_energy(mechanism, loads, state, report);
  return report;
}

}  // namespace thigmo
