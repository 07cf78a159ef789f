#include "mechanics/statics/newton_search.h"

#include <algorithm>
#include <cmath>

namespace thigmo {
namespace {

constexpr double largest_turn = 1.0;    // of a joint in one Newton step [rad]
constexpr double small_turn = 1e-9;     // of a body in the last step [rad]
constexpr double rounding_turn = 1e-5;  // steps below this that do not shrink are rounding [rad]
constexpr int most_iterations_of_a_load_step = 150;

}  // namespace

double largest_length(const std::vector<Vec3>& vectors) {
  double largest = 0;
  for (const Vec3& v : vectors) largest = std::max(largest, squared_length(v));
  return std::sqrt(largest);
}

NewtonSearch::NewtonSearch(const Mechanism& mechanism, bool symmetric, bool turning, State& state)
    : system(mechanism, symmetric, turning),
      mechanism_(mechanism),
      state_(state),
      step_in_body_(mechanism.body.size()) {}

void NewtonSearch::evaluate(double fraction) {
  evaluate_statics(mechanism_, *loads, fraction, state_, statics);
  has_blocks = true;
  if (pushes.floor) add_pushes(mechanism_, pushes, statics, system.heights);
}

// Steps are held short by stiffer joints where the Hessian is not positive or the step does not lower
// the energy (Levenberg and Marquardt's way, measured in the springs' own energy).
bool NewtonSearch::descend(double fraction) {
  double extra = 0;  // part of the joints' stiffness added
  double last_turn = 0, taken = 0, crawled_turn = 0;
  int crawling = 0;  // stiffened steps in a row that hardly shrink
  evaluate(fraction);
  for (int i = 0; i < most_iterations_of_a_load_step; ++i) {
    if (iterations++ >= most_iterations) return false;
    if (!factor_positive(fraction, extra)) return false;
    if (extra > 0 && largest_length(statics.imbalance) <= rounding_imbalance(extra)) return true;
    system.solve(statics.imbalance);
    const double turn = largest_length(system.absolute), bend = largest_length(system.relative);
    if (!std::isfinite(turn)) return false;
    const bool whole = extra == 0 && bend <= largest_turn;
    // Two whole steps show how quickly they shrink: the next would be (turn / last_turn)² turn.
    const double shrinks = taken == 1 && last_turn > 0 ? turn / last_turn : 1;
    if (whole && (turn < small_turn || shrinks * shrinks * turn < 1e-3 * small_turn ||
                  (turn < rounding_turn && turn > 0.3 * last_turn && last_turn > 0))) {
      move_whole();
      evaluate(fraction);
      return true;
    }
    crawling = extra > 0 && turn < crawled_turn && turn > 0.5 * crawled_turn ? crawling + 1 : 0;
    crawled_turn = turn;
    if (crawling == 6) {
      crawling = 0;
      if (jump_to_ridge(fraction)) return true;
      continue;
    }
    last_turn = whole ? turn : 0;
    taken = search_line(fraction, std::min(1.0, largest_turn / bend));
    if (taken == 0) {
      extra = std::max(8 * extra, 0.01);
      if (extra > 1e9) return false;
      evaluate(fraction);
    } else if (taken == 1) {
      extra = extra > 1e-3 ? extra / 8 : 0;
    }
  }
  return false;
}

// A symmetric pose above its buckling load is a ridge that a descent along it only creeps to:
// plain Newton steps, as long as each halves what is out of balance. On failure nothing has moved.
bool NewtonSearch::jump_to_ridge(double fraction) {
  const PerBody<Quat> start = state_.rest_from_body;
  evaluate(fraction);
  for (int i = 0; i < 12; ++i) {
    const double before = largest_length(statics.imbalance);
    if (!factor_in_place(0).regular || !add_follower_forces(fraction)) break;
    system.solve(statics.imbalance);
    const double turn = largest_length(system.absolute);
    if (!(turn < largest_turn)) break;
    move_whole();
    evaluate(fraction);
    if (turn < small_turn) return true;
    if (largest_length(statics.imbalance) > 0.5 * before) break;
  }
  state_.rest_from_body = start;
  evaluate(fraction);
  return false;
}

// The first try, which mostly does, spares a copy of the blocks. The others spare the statics, which would
// give the same blocks again: a level rod that twists easily needs some 16 of them to begin with.
bool NewtonSearch::factor_positive(double fraction, double& extra) {
  for (bool first = true;; first = false) {
    if (!has_blocks) evaluate(fraction);
    const Factored factored = first ? factor_in_place(extra) : system.factor_copy(extra, statics);
    if (factored.regular && factored.negative == 0 && add_follower_forces(fraction)) return true;
    extra = std::max(2 * extra, 1e-3);
    if (extra > 1e9) return false;
  }
}

Factored NewtonSearch::factor_in_place(double extra) {
  has_blocks = false;
  return system.factor_in_place(extra, statics);
}

bool NewtonSearch::add_follower_forces(double fraction) {
  return system.add_follower_forces(*loads, fraction, statics);
}

// What rounding leaves of torques that balance: of the loads', and of the stiffest joint's.
double NewtonSearch::rounding_imbalance(double extra) const {
  return 1e-12 * statics.energy_scale + 1e-14 * system.stiffest_joint() / (1 + extra);
}

// How much of the step is taken: halved until the energy falls; 0 when it will not.
double NewtonSearch::search_line(double fraction, double part) {
  from_ = state_.rest_from_body;
  const double energy = statics.energy;
  const double slope = -inner(statics.imbalance, system.absolute);
  const double rounding = 1e-14 * statics.energy_scale;
  prepare_move();
  for (int halving = 0; halving < 4; ++halving, part *= 0.5) {
    move(part);
    evaluate(fraction);
    if (statics.energy <= energy + 1e-4 * part * slope + rounding) return part;
    state_.rest_from_body = from_;
  }
  return 0;
}

// A step is good when the next one, with the same matrix, would be shorter (Deuflhard's natural
// test).
bool NewtonSearch::balance(double fraction) {
  double last_turn = 0;
  for (int i = 0; i < most_iterations_of_a_load_step; ++i) {
    if (iterations++ >= most_iterations) return false;
    evaluate(fraction);
    // The factors are used again after the step, beside the blocks of where it leads.
    if (!system.factor_copy(0, statics).regular) return false;
    if (!add_follower_forces(fraction)) return false;
    system.solve(statics.imbalance);
    const double turn = largest_length(system.absolute), bend = largest_length(system.relative);
    if (!std::isfinite(turn)) return false;
    if (turn < small_turn || (turn < rounding_turn && turn > 0.3 * last_turn && last_turn > 0)) {
      move_whole();
      evaluate(fraction);
      return true;
    }
    last_turn = turn;
    const double length = std::sqrt(inner(system.relative, system.relative));
    from_ = state_.rest_from_body;
    double part = std::min(1.0, largest_turn / bend);
    prepare_move();
    for (;; part *= 0.5) {
      if (part < 0.02) return false;
      move(part);
      evaluate(fraction);
      system.solve(statics.imbalance);
      if (std::sqrt(inner(system.relative, system.relative)) <= (1 - part / 4) * length) break;
      state_.rest_from_body = from_;
    }
  }
  return false;
}

// In the bodies' frames, as long as `statics` is of the pose that the step starts from.
void NewtonSearch::prepare_move() {
  for (std::size_t i = 0; i < step_in_body_.size(); ++i) {
    step_in_body_[i] = transposed_times(statics.world_from_body[i], system.relative[i]);
  }
}

void NewtonSearch::move(double part) {
  for (std::size_t i = 0; i < step_in_body_.size(); ++i) {
    state_.rest_from_body.set(
        i, normalized(state_.rest_from_body[i] * exp_rotation(step_in_body_[i] * part)));
  }
}

void NewtonSearch::move_whole() {
  prepare_move();
  move(1.0);
}

}  // namespace thigmo
