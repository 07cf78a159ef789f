#include "mechanics/statics/equilibrium.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "mechanics/statics/anderson_mixer.h"
#include "mechanics/statics/newton_search.h"

// From the outside in: loads are followed from nothing to all of them (follow_loads); forces that turn
// along above a ground are turned in rounds (turn_forces); the ground's pushes are renewed in rounds
// (lay_down); and each of these asks Newton's method for a balance (newton_search.cpp), which knows
// the statics of a pose (statics.cpp) and eliminates in O(n) (newton_system.cpp).

namespace thigmo {
namespace {

constexpr double smallest_load_step = 1e-5;
constexpr int most_contact_rounds = 60;
// Of follower forces above a ground: rounds, and what is left of their turning at the end.
constexpr int most_turning_rounds = 40;
constexpr double turned_part = 1e-8;

bool has_follower_forces(const Loads& loads) {
  return std::any_of(loads.points.begin(), loads.points.end(), [](const PointLoad& load) {
    return load.follower && squared_length(load.force) > 0;
  });
}

bool has_moments(const Loads& loads) {
  return std::any_of(loads.points.begin(), loads.points.end(),
                     [](const PointLoad& load) { return squared_length(load.moment) > 0; });
}

// Everything one search needs besides its input.
class Search {
 public:
  Search(const Mechanism& mechanism, const Loads& loads, const EquilibriumOptions& options,
         State& state)
      : mechanism_(mechanism),
        loads_(loads),
        options_(options),
        state_(state),
        moments_(has_moments(loads)),
        followers_(has_follower_forces(loads)),
        newton_(mechanism, !moments_, followers_, state) {
    newton_.loads = &loads_;
    newton_.pushes = start_pushes(mechanism, state, options.floor);
  }

  EquilibriumReport run() {
    report_.follower_loads = moments_ || followers_;
    const auto start = state_.rest_from_body;
    take_rounds(options_.floor && followers_ && !moments_);
    follow_loads();
    if (!report_.converged && rounds_) {
      // Forces strong enough to lead the tip round: Newton's method knows their slopes.
      take_rounds(false);
      const EquilibriumReport before = report_;
      const int iterations_before = newton_.iterations;
      const auto reached = state_.rest_from_body;
      newton_.iterations = 0;
      state_.rest_from_body = start;
      newton_.pushes = start_pushes(mechanism_, state_, options_.floor);
      follow_loads();
      if (report_.load_fraction < before.load_fraction) {
        report_ = before;
        newton_.iterations = iterations_before;
        state_.rest_from_body = reached;
      }
    }
    if (report_.converged) judge();
    const bool wants_branch = squared_length(options_.branch_world) > 0;
    if (report_.converged && !report_.stable && wants_branch && !report_.follower_loads) {
      nudge();
      report_.converged = find_balance(1.0);
      if (report_.converged) judge();
    }
    report_.iterations = newton_.iterations;
    report_.contacts = pushes_as_loads(mechanism_, newton_.pushes);
    state_.joint_velocity.fill({});
    state_.joint_acceleration.fill({});
    state_.started = false;
    return report_;
  }

 private:
  // Whether follower forces are turned in rounds, above a ground.
  void take_rounds(bool rounds) {
    rounds_ = rounds;
    newton_.most_iterations = options_.most_iterations / (rounds ? 3 : 1);
  }

  // All loads at once; where that fails, in steps that shrink where they must.
  void follow_loads() {
    PerBody<Quat> before;
    double reached = 0, last = 0, size = 1;
    while (reached < 1 && size > smallest_load_step &&
           newton_.iterations < newton_.most_iterations) {
      PerBody<Quat> from = state_.rest_from_body;
      const std::vector<double> push = newton_.pushes.push;
      const double next = std::min(1.0, reached + size);
      if (last > 0) extrapolate(before, (next - reached) / last);
      ++report_.load_steps;
      if (find_balance(next)) {
        before = std::move(from);
        last = next - reached;
        reached = next;
        size *= 1.5;
      } else {
        state_.rest_from_body = std::move(from);
        newton_.pushes.push = push;
        size /= reached == 0 && size == 1 ? 8 : 3;
        last = std::min(last, 0.0);
      }
    }
    report_.load_fraction = reached;
    report_.converged = reached == 1;
  }

  // Onwards along the last load step, `ratio` times as far.
  void extrapolate(const PerBody<Quat>& before, double ratio) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      const Vec3 turn = log_rotation(conjugate(before[i]) * state_.rest_from_body[i]);
      state_.rest_from_body.set(i,
                                normalized(state_.rest_from_body[i] * exp_rotation(turn * ratio)));
    }
  }

  bool find_balance(double fraction) {
    return rounds_ ? turn_forces(fraction) : lay_down(fraction, !report_.follower_loads);
  }

  // Follower forces, where tips lie on the ground: contacts come and go, which only the
  // descent of an energy bears. So they are held fast in the world, the plant comes to rest, they
  // are turned along, and so on: F = g(F). Anderson's mixing of the last few rounds takes the place
  // of the slopes of g.
  bool turn_forces(double fraction) {
    std::vector<PointLoad> held(loads_.points.begin(), loads_.points.end());
    Loads fast = loads_;
    fast.points = held;
    AndersonMixer mixer;
    std::vector<double> forces = turned_forces();
    const double size =
        std::sqrt(std::inner_product(forces.begin(), forces.end(), forces.begin(), 0.0));
    bool found = false;
    for (int round = 0; round < most_turning_rounds && !found; ++round) {
      std::size_t number = 0;
      for (std::size_t k = 0; k < held.size(); ++k) {
        if (!loads_.points[k].follower) continue;
        held[k].follower = false;
        held[k].force = {forces[number], forces[number + 1], forces[number + 2]};
        number += 3;
      }
      newton_.loads = &fast;
      const bool lies = lay_down(fraction, true);
      newton_.loads = &loads_;
      if (!lies) break;
      std::vector<double> along = turned_forces();
      double miss = 0;
      for (std::size_t k = 0; k < along.size(); ++k) miss += std::pow(along[k] - forces[k], 2);
      found = std::sqrt(miss) <= turned_part * size;
      forces = mixer.next(forces, along);
    }
    newton_.evaluate(fraction);
    return found;
  }

  // World components of the follower forces, in this pose.
  std::vector<double> turned_forces() const {
    const Pose pose = pose_of(mechanism_, state_);
    std::vector<double> forces;
    for (const PointLoad& load : loads_.points) {
      if (!load.follower) continue;
      const Vec3 f = rotate(at(pose.world_from_segment, load.body), load.force);
      forces.insert(forces.end(), {f.x, f.y, f.z});
    }
    return forces;
  }

  // Balance with the pushes that keep every tip above the ground.
  bool lay_down(double fraction, bool energy) {
    double last = std::numeric_limits<double>::infinity(), stiffened = 1;
    for (int round = 0; round < most_contact_rounds; ++round) {
      if (!(energy ? newton_.descend(fraction) : newton_.balance(fraction))) return false;
      if (!options_.floor) return true;
      const double worst = unsettled(newton_.pushes);
      if (worst <= 1) return true;
      renew(newton_.pushes);
      if (worst > 0.25 * last && (stiffened *= 10) <= 1e6) {
        for (double& k : newton_.pushes.stiffness) k *= 10;
      }
      last = worst;
    }
    return false;
  }

  // Residual and stability at the end.
  void judge() {
    if (!newton_.has_blocks) newton_.evaluate(1.0);
    const double held = newton_.statics.largest_held;
    report_.residual = held > 0 ? largest_length(newton_.statics.imbalance) / held : 0;
    const Factored factored = newton_.factor_in_place(neutral_part);
    const bool regular = factored.regular && newton_.add_follower_forces(1.0);
    report_.negative_directions = factored.negative;
    report_.stable = regular && report_.negative_directions == 0;
    if (followers_ && regular) {
      report_.stable = (newton_.system.determinant_sign() > 0) == (factored.negative % 2 == 0);
    }
  }

  // A push along the chosen direction on every body, as far as 0.05 rad.
  void nudge() {
    double extra = 0;
    if (!newton_.factor_positive(1.0, extra)) return;
    Loads push = loads_;
    push.gravity_world = normalized(options_.branch_world);
    push.points = {};
    Statics pushed;
    evaluate_statics(mechanism_, push, 1.0, state_, pushed);
    // Torques of the push alone: springs pull the same with and without it.
    push.gravity_world = {};
    Statics still;
    evaluate_statics(mechanism_, push, 1.0, state_, still);
    std::vector<Vec3> torque(pushed.imbalance.size());
    for (std::size_t i = 0; i < torque.size(); ++i) {
      torque[i] = pushed.imbalance[i] - still.imbalance[i];
    }
    newton_.system.solve(torque);
    const double turn = largest_length(newton_.system.absolute);
    if (turn == 0) return;
    newton_.prepare_move();
    newton_.move(0.05 / turn);
  }

  const Mechanism& mechanism_;
  const Loads& loads_;
  const EquilibriumOptions& options_;
  State& state_;
  bool moments_, followers_;
  bool rounds_ = false;
  NewtonSearch newton_;
  EquilibriumReport report_;
};

}  // namespace

EquilibriumReport find_equilibrium(const Mechanism& mechanism, const Loads& loads,
                                   const EquilibriumOptions& options, State& state) {
  return Search(mechanism, loads, options, state).run();
}

}  // namespace thigmo
