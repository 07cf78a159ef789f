#include "mechanics/step/step.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "mechanics/step/energy_watch.h"
#include "mechanics/step/stopping.h"
#include "mechanics/step/substep.h"

// One step is one linearly implicit pass of the articulated-body method, O(n), in the
// generalized-alpha scheme (Chung and Hulbert 1993): second order, and motions too fast for the step
// shrink by rho in each step instead of ringing on. With joint rotations θ, velocities w, the
// scheme's accelerations a, and the constants of struct Scheme:
//   θ₁ = θ + h w + h² ((½ - β) a + β a₁),   w₁ = w + h ((1 - γ) a + γ a₁)
//   inertia at ā = (1 - αm) a₁ + αm a,   forces at θf, wf, a part 1 - αf of the step after its start.
// The unknown is ā, and θf = θk + c_x ā, wf = wk + c_v ā with θk, wk known. Every joint drifts to θk;
// geometry, gravity, springs and loads are evaluated there. What is left is linear in ā: springs and
// dampers give the joint block X = c_v D + c_x K, drag c_v times its slope, the tension along a body
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
// over the bodies are in kernel/sweep_*.h.

namespace thigmo {
namespace {

constexpr int few_halvings = 2;
constexpr int deepest_halving = 10;
// What is taken coarsely is taken in substeps of 2^-2 of a step.
constexpr int coarse_halving = 2;
// Joints with this part of the largest spin are stopped, where no brake was hard enough.
constexpr double stopped_part = 0.5;

int passes_of(const StepReport& report) {
  return report.substeps + report.corrections + report.rejected;
}

// What is not free stays where it is, or goes along the path that there is.
void hold_root(const Loads& loads, RootState& root) {
  THIGMO_DEBUG_ASSERT(!is_free(root) || !loads.root_path);
  if (is_free(root)) return;
  root.hold = loads.root_path ? RootHold::on_path : RootHold::clamped;
}

// Accelerations and tensions of a state as it stands: the scheme needs them once, to begin with. With
// h = 0 and nothing averaged, ā is the acceleration itself, but for the springs and dampers of the step
// to come: motions too fast for it would overshoot otherwise, and a free root without mass has no
// acceleration without them.
bool begin(const StepKernel& kernel, const Mechanism& mechanism, const Loads& loads,
           const Scheme& first_step, State& state, Workspace& workspace) {
  StepReport report;
  EnergyCeiling none;
  forget_accelerations(*workspace.model->schedule, state);
  state.fell_alone = true;
  if (state.root.hold == RootHold::on_path) state.root = root_at(*loads.root_path, state.time);
  const Substep standing{.scheme = {.c_v = first_step.c_v, .c_x = first_step.c_x},
                         .precision = fair};
  if (!attempt(kernel, mechanism, loads, standing, none, state, workspace, 1, report).well) {
    return false;
  }
  state.started = true;
  return true;
}

// A step while it is taken. Substeps are 2^-halvings of dt; `done` counts finished substeps of the finest kind.
struct Course {
  const StepKernel& kernel;
  const Mechanism& mechanism;
  const Loads& loads;
  const StepOptions& options;
  double dt;
  int threads;
  bool alone;  // no load works on the plant
  StepReport report = {};
  EnergyCeiling ceiling = {};
  int brake = 0;
  long done = 0;
};
constexpr long whole = 1L << deepest_halving;

Substep next_substep(const Course& course, const State& state, const Scheme& usual) {
  const bool gains = state.watch.gain > watched_gain;
  const bool violent = state.halvings > (course.alone ? 0 : few_halvings) || gains;
  return {.scheme = course.brake > 0 ? make_one_point_scheme(1, usual.h) : usual,
          .precision = violent ? fine : fair,
          .exact = course.alone,
          .brake = course.brake};
}

// After a substep that went well: grows substeps again where the motion allows it, or must, and the larger one
// still ends on the step.
void go_on(const Went& went, State& state, Course& course) {
  StepReport& report = course.report;
  ++report.substeps;
  course.done += whole >> state.halvings;
  report.worst_turn = std::max(report.worst_turn, went.turn);
  const bool easy = went.turn < 0.4 * largest_turn && went.jump < 0.2 * largest_jump;
  const bool grow = report.coarse ? state.halvings > coarse_halving
                                  : course.brake == 0 && easy && state.halvings > 0;
  if (grow && course.done % (whole >> (state.halvings - 1)) == 0) --state.halvings;
  if (course.brake > 0 && !report.coarse) --course.brake;
}

// After one that did not: smaller substeps; where none is small enough brakes, harder and on slower joints each
// time; in the end joints are stopped. False: nothing helps.
bool hold_back(const Went& went, State& state, Workspace& workspace, Course& course) {
  StepReport& report = course.report;
  ++report.rejected;
  if (state.halvings < (report.coarse ? coarse_halving : deepest_halving)) {
    ++state.halvings;
    return true;
  }
  if (course.brake < hardest_brake) {
    ++course.brake;
    return true;
  }
  const int stopped = report.coarse
                          ? 0
                          : stop_without_gain(course.mechanism, *workspace.model->schedule,
                                              stopped_part, state, workspace.next.tension_torque);
  if (stopped > 0) {
    report.braked += stopped;
    course.ceiling = {};
    course.brake = 0;
    return true;
  }
  // Nothing is left to brake.
  report.coarse = true;
  if (course.options.stop_when_violent || !std::isfinite(went.jump)) return false;
  const double left =
      std::ldexp(course.dt * static_cast<double>(whole - course.done), -deepest_halving);
  report.braked += carry_stiff(course.mechanism, course.loads, left, state, workspace);
  ++report.substeps;
  course.done = whole;
  return true;
}

// False: the step cannot be gone on with.
bool take_substep(State& state, Workspace& workspace, Course& course) {
  StepReport& report = course.report;
  report.coarse = report.coarse || passes_of(report) >= course.options.most_passes;
  if (report.coarse && course.options.stop_when_violent) return false;
  const double h = std::ldexp(course.dt, -state.halvings);
  const Scheme usual = make_scheme(1.0 - course.options.numerical_damping, h);
  if (!state.started &&
      !begin(course.kernel, course.mechanism, course.loads, usual, state, workspace)) {
    return false;
  }
  course.ceiling.held = course.alone && (state.halvings > 0 || state.watch.gain > watched_gain);
  const Schedule& schedule = *workspace.model->schedule;
  const int braked = course.brake > 0
                         ? std::max(1, count_spinning(schedule, state, free_spin(course.brake, h)))
                         : 0;
  const Went went =
      attempt(course.kernel, course.mechanism, course.loads, next_substep(course, state, usual),
              course.ceiling, state, workspace, course.threads, report);
  if (!went.well) return hold_back(went, state, workspace, course);
  report.braked += braked;
  go_on(went, state, course);
  return true;
}

}  // namespace

StepReport step(const Mechanism& mechanism, const Loads& loads, const StepOptions& options,
                double dt, State& state, Workspace& workspace, int threads) {
  const StepModel& model = *workspace.model;
  THIGMO_DEBUG_ASSERT(model.schedule->slot.size() == mechanism.body.size());
  const StepKernel& kernel = model.kernel;
  if (loads.ground && !shares_scratch(*model.schedule)) {
    workspace.contacts.resize(kernel.contact_bytes * model.schedule->packs.size());
  }
  arrange(state, model.schedule);
  hold_root(loads, state.root);
  state.halvings = std::clamp(state.halvings, 0, deepest_halving);
  const bool alone = !any_load_works(loads);
  if (alone) {
    begin_watch(mechanism, loads, state);
  } else {
    state.watch = {};
  }
  Course course{.kernel = kernel,
                .mechanism = mechanism,
                .loads = loads,
                .options = options,
                .dt = dt,
                .threads = threads,
                .alone = alone};
  while (course.done < whole) {
    if (!take_substep(state, workspace, course)) {
      course.report.finite = false;
      return course.report;
    }
  }
  // Those of the brakes are none to go on with.
  if (course.brake > 0) state.started = false;
  if (alone) watch_energy(mechanism, loads, state, course.report);
  return course.report;
}

}  // namespace thigmo
