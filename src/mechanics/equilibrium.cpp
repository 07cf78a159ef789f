#include "mechanics/equilibrium.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "mechanics/dense.h"
#include "mechanics/joint_spring.h"

// Under loads that keep their direction the place of any point is a sum of vectors, one per body on
// the path to the base, each depending on that body's absolute rotation alone. In absolute rotations
// the energy of the loads is therefore a sum over bodies, its Hessian block-diagonal, and springs
// couple parent and child only: Newton's method costs one O(n) elimination a step, with the exact
// Hessian. A force F that turns with its body j adds the columns c_i × (F × φ_j) on the path to the
// base: three numbers of φ_j matter, so that they are taken in by Woodbury's formula.
//
// The ground is held off by an augmented Lagrangian: a tip at the gap g above it is pushed with
// f = max(0, λ - k g), of the energy (f² - λ²)/(2k); when all else is in balance λ becomes f, until
// no tip is below the ground by more than rounding. Its stiffness couples all bodies on the path to
// the base, but only through the height of their joints: the elimination carries that along.

namespace thigmo {
namespace {

constexpr Vec3 up{0, 1, 0};
constexpr double largest_turn = 1.0;    // of a joint in one Newton step [rad]
constexpr double small_turn = 1e-9;     // of a body in the last step [rad]
constexpr double rounding_turn = 1e-5;  // steps below this that do not shrink are rounding [rad]
constexpr double smallest_load_step = 1e-5;
constexpr int most_iterations_of_a_load_step = 150;
constexpr int most_contact_rounds = 60;
// Of forces that turn along above a ground: rounds, and what is left of their turning at the end.
constexpr int most_turning_rounds = 40;
constexpr double turned_part = 1e-8;
// What the ground's rounds stop at: how deep tips may sink, in parts of the plant's reach, and how
// much the pushes may still change, in parts of their sum.
constexpr double deepest_tip = 1e-9, changed_push = 1e-4;

Vec3 turned(const PointLoad& load, const Mat3& r, const Vec3& v) {
  return load.follower ? r * v : v;
}

// A force f at the point c of a body: energy -c·f, torque c × f, curvature (c·f) 1 - sym(c fᵀ).
void add_force(const Vec3& c, const Vec3& f, std::size_t body, Statics& s) {
  const double work = dot(c, f);
  s.energy -= work;
  s.energy_scale += std::abs(work);
  s.imbalance[body] += cross(c, f);
  const Mat3 cf{f * c.x, f * c.y, f * c.z};
  s.blocks[body].own = s.blocks[body].own + full(identity_times(work) - symmetric_part(cf));
}

bool has_turning_forces(const Loads& loads) {
  return std::any_of(loads.points.begin(), loads.points.end(), [](const PointLoad& load) {
    return load.follower && squared_length(load.force) > 0;
  });
}

bool has_moments(const Loads& loads) {
  return std::any_of(loads.points.begin(), loads.points.end(),
                     [](const PointLoad& load) { return squared_length(load.moment) > 0; });
}

double largest_length(const std::vector<Vec3>& vectors) {
  double largest = 0;
  for (const Vec3& v : vectors) largest = std::max(largest, squared_length(v));
  return std::sqrt(largest);
}

double inner(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
  return sum;
}

// Anderson's mixing for x = g(x): of the last few rounds the combination, with weights of sum one,
// whose misses g - x are smallest together, and its g.
class ForceMixer {
 public:
  std::vector<double> next(const std::vector<double>& x, const std::vector<double>& g) {
    constexpr std::size_t depth = 5;
    if (g_.size() == depth) {
      g_.erase(g_.begin());
      miss_.erase(miss_.begin());
    }
    g_.push_back(g);
    miss_.emplace_back(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) miss_.back()[k] = g[k] - x[k];
    // Least squares for the weights w of all rounds but the last, over differences from it.
    const std::size_t m = g_.size() - 1;
    std::vector<double> mixed = g;
    if (m == 0) return mixed;
    const auto difference = [&](std::size_t i, std::size_t k) {
      return miss_[i][k] - miss_.back()[k];
    };
    DenseMatrix normal(m);
    std::vector<double> right(m);
    double trace = 0;
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k < x.size(); ++k) {
        for (std::size_t j = 0; j < m; ++j) normal.at(i, j) += difference(i, k) * difference(j, k);
        right[i] -= difference(i, k) * miss_.back()[k];
      }
      trace += normal.at(i, i);
    }
    for (std::size_t i = 0; i < m; ++i) normal.at(i, i) += 1e-12 * trace;
    const DenseLu factors(std::move(normal));
    if (!factors.regular()) return mixed;
    const std::vector<double> weight = factors.solve(std::move(right));
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k < x.size(); ++k) mixed[k] += weight[i] * (g_[i][k] - g[k]);
    }
    return mixed;
  }

 private:
  std::vector<std::vector<double>> g_, miss_;
};

// Everything one search needs besides its input.
class Search {
 public:
  Search(const Mechanism& mechanism, const Loads& loads, const EquilibriumOptions& options,
         State& state)
      : mechanism_(mechanism),
        loads_(loads),
        acting_(&loads_),
        options_(options),
        state_(state),
        moments_(has_moments(loads)),
        turning_(has_turning_forces(loads)) {
    const std::size_t n = mechanism.body.size();
    for (std::vector<Vec3>* v : {&relative_, &absolute_, &torque_, &step_in_body_}) v->resize(n);
    other_.resize(turning_ ? n : 0);
    other_relative_.resize(other_.size());
    if (options.floor) prepare_ground();
  }

  EquilibriumReport run() {
    report_.turning_loads = moments_ || turning_;
    const auto start = state_.rest_from_body;
    rounds_ = options_.floor && turning_ && !moments_;
    follow_loads();
    if (!report_.converged && rounds_) {
      // Forces strong enough to lead the tip round: Newton's method knows their slopes.
      rounds_ = false;
      const EquilibriumReport before = report_;
      const auto reached = state_.rest_from_body;
      report_.iterations = 0;
      state_.rest_from_body = start;
      prepare_ground();
      follow_loads();
      if (report_.load_fraction < before.load_fraction) {
        report_ = before;
        state_.rest_from_body = reached;
      }
    }
    if (report_.converged) judge();
    const bool wants_branch = squared_length(options_.branch_world) > 0;
    if (report_.converged && !report_.stable && wants_branch && !report_.turning_loads) {
      nudge();
      report_.converged = find_balance(1.0);
      if (report_.converged) judge();
    }
    report_.contacts = contact_loads();
    state_.joint_velocity.fill({});
    state_.joint_acceleration.fill({});
    state_.started = false;
    return report_;
  }

 private:
  void evaluate(double fraction) {
    evaluate_statics(mechanism_, *acting_, fraction, state_, statics_);
    has_blocks_ = true;
    if (options_.floor) add_contacts();
  }

  // k is ten times what the joints on the way to the base resist a push up at the tip with: each
  // round then leaves about a tenth of what was too deep.
  void prepare_ground() {
    const std::size_t n = mechanism_.body.size();
    push_.assign(n, 0.0);
    gap_.assign(n, 0.0);
    contact_stiffness_.assign(n, 1.0);
    const Pose pose = pose_of(mechanism_, state_);
    for (std::size_t i = 0; i < n; ++i) {
      const Body& body = mechanism_.body[i];
      const Vec3 tip = pose.base_world[i] + rotate(pose.world_from_segment[i], {0, body.length, 0});
      const auto softer = [](const Body& b) { return std::min(b.stiffness.x, b.stiffness.z); };
      // An upright stem resists endlessly to first order, but not for long.
      double flexibility = 0.01 * body.length * body.length / softer(body);
      for (auto k = static_cast<Index>(i); k != no_index;) {
        const auto at = static_cast<std::size_t>(k);
        const Vec3 arm = tip - pose.base_world[at];
        flexibility += (arm.x * arm.x + arm.z * arm.z) / softer(mechanism_.body[at]);
        reach_ = std::max(reach_, length(arm));
        k = mechanism_.parent[at];
      }
      contact_stiffness_[i] = 10 / flexibility;
    }
  }

  Vec3 tip_arm(std::size_t body) const {
    return statics_.world_from_body[body] * Vec3{0, mechanism_.body[body].length, 0};
  }

  double contact_force(std::size_t body) const {
    return std::max(0.0, push_[body] - contact_stiffness_[body] * gap_[body]);
  }

  // What the ground adds to the statics of the pose.
  void add_contacts() {
    std::vector<double>& height = joint_height_;
    height.resize(gap_.size());
    heights_.resize(gap_.size());
    carried_.resize(gap_.size());
    for (std::size_t i = 0; i < gap_.size(); ++i) {
      const Index parent = mechanism_.parent[i];
      height[i] = statics_.from_parent[i].y +
                  (parent == no_index ? 0.0 : height[static_cast<std::size_t>(parent)]);
      gap_[i] = height[i] + tip_arm(i).y - options_.floor->lowest[i];
      heights_[i] = {.arm = cross(statics_.from_parent[i], up), .torque = {}, .torque_left = {}};
      const double f = contact_force(i);
      if (std::isfinite(gap_[i])) {
        const double energy = (f * f - push_[i] * push_[i]) / (2 * contact_stiffness_[i]);
        statics_.energy += energy;
        statics_.energy_scale += std::abs(energy);
      }
      carried_[i] = f;
      if (f == 0) continue;
      // ½ k (y + φ·c)², c = tip × up.
      const double k = contact_stiffness_[i];
      const Vec3 c = cross(tip_arm(i), up);
      statics_.blocks[i].own = statics_.blocks[i].own + full(outer(c) * k);
      heights_[i].torque = heights_[i].torque_left = c * k;
      heights_[i].stiffness = k;
    }
    // Torque and curvature of the pushes; their energy is the one above.
    const double before = statics_.energy;
    for (std::size_t i = gap_.size(); i-- > 0;) {
      if (contact_force(i) > 0) add_force(tip_arm(i), up * contact_force(i), i, statics_);
      if (carried_[i] == 0 || mechanism_.parent[i] == no_index) continue;
      const auto p = static_cast<std::size_t>(mechanism_.parent[i]);
      add_force(statics_.from_parent[i], up * carried_[i], p, statics_);
      carried_[p] += carried_[i];
    }
    statics_.energy = before;
  }

  std::vector<PointLoad> contact_loads() const {
    std::vector<PointLoad> loads;
    for (std::size_t i = 0; i < gap_.size(); ++i) {
      if (contact_force(i) == 0) continue;
      loads.push_back({.body = static_cast<Index>(i),
                       .point_in_body = {0, mechanism_.body[i].length, 0},
                       .force = {0, contact_force(i), 0}});
    }
    return loads;
  }

  int most_iterations() const { return options_.most_iterations / (rounds_ ? 3 : 1); }

  bool find_balance(double fraction) {
    return rounds_ ? turn_forces(fraction) : lay_down(fraction, !report_.turning_loads);
  }

  // Forces that turn along, where tips lie on the ground: contacts come and go, which only the
  // descent of an energy bears. So they are held fast in the world, the plant comes to rest, they
  // are turned along, and so on: F = g(F). Anderson's mixing of the last few rounds takes the place
  // of the slopes of g.
  bool turn_forces(double fraction) {
    std::vector<PointLoad> held(loads_.points.begin(), loads_.points.end());
    Loads fast = loads_;
    fast.points = held;
    ForceMixer mixer;
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
      acting_ = &fast;
      const bool lies = lay_down(fraction, true);
      acting_ = &loads_;
      if (!lies) break;
      std::vector<double> along = turned_forces();
      double miss = 0;
      for (std::size_t k = 0; k < along.size(); ++k) miss += std::pow(along[k] - forces[k], 2);
      found = std::sqrt(miss) <= turned_part * size;
      forces = mixer.next(forces, along);
    }
    evaluate(fraction);
    return found;
  }

  // World components of the forces that turn along, in this pose.
  std::vector<double> turned_forces() const {
    const Pose pose = pose_of(mechanism_, state_);
    std::vector<double> forces;
    for (const PointLoad& load : loads_.points) {
      if (!load.follower) continue;
      const Vec3 f =
          rotate(pose.world_from_segment[static_cast<std::size_t>(load.body)], load.force);
      forces.insert(forces.end(), {f.x, f.y, f.z});
    }
    return forces;
  }

  // Balance with the pushes that keep every tip above the ground.
  bool lay_down(double fraction, bool energy) {
    double last = std::numeric_limits<double>::infinity(), stiffened = 1;
    for (int round = 0; round < most_contact_rounds; ++round) {
      if (!(energy ? descend(fraction) : balance(fraction))) return false;
      if (!options_.floor) return true;
      double deepest = 0, changed = 0, total = 0;
      for (std::size_t i = 0; i < gap_.size(); ++i) {
        const double f = contact_force(i);
        deepest = std::max(deepest, -gap_[i]);
        changed += std::abs(f - push_[i]);
        total += f;
      }
      // Both in parts of what they may be.
      const double worst = std::max(deepest / (deepest_tip * reach_),
                                    total > 0 ? changed / (changed_push * total) : changed);
      if (worst <= 1) return true;
      for (std::size_t i = 0; i < gap_.size(); ++i) push_[i] = contact_force(i);
      if (worst > 0.25 * last && (stiffened *= 10) <= 1e6) {
        for (double& k : contact_stiffness_) k *= 10;
      }
      last = worst;
    }
    return false;
  }

  // All loads at once; where that fails, in steps that shrink where they must.
  void follow_loads() {
    PerBody<Quat> before;
    double reached = 0, last = 0, size = 1;
    while (reached < 1 && size > smallest_load_step && report_.iterations < most_iterations()) {
      PerBody<Quat> from = state_.rest_from_body;
      const std::vector<double> push = push_;
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
        push_ = push;
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

  // Newton's method on the energy: down all the way, steps held short by stiffer joints where the
  // Hessian is not positive or the step does not lower the energy (Levenberg and Marquardt's way,
  // measured in the springs' own energy).
  bool descend(double fraction) {
    double extra = 0;  // part of the joints' stiffness added
    double last_turn = 0, taken = 0, crawled_turn = 0;
    int crawling = 0;  // stiffened steps in a row that hardly shrink
    evaluate(fraction);
    for (int i = 0; i < most_iterations_of_a_load_step; ++i) {
      if (report_.iterations++ >= most_iterations()) return false;
      if (!factor_positive(fraction, extra)) return false;
      // Balanced, but on a ridge: a straight column above its buckling load.
      if (extra > 0 && largest_length(statics_.imbalance) <= rounding_imbalance(extra)) return true;
      solve_newton();
      const double turn = largest_length(absolute_), bend = largest_length(relative_);
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
  bool jump_to_ridge(double fraction) {
    const PerBody<Quat> start = state_.rest_from_body;
    evaluate(fraction);
    for (int i = 0; i < 12; ++i) {
      const double before = largest_length(statics_.imbalance);
      if (!factor_in_place(0).regular || !prepare_low_rank(fraction)) break;
      solve_newton();
      const double turn = largest_length(absolute_);
      if (!(turn < largest_turn)) break;
      move_whole();
      evaluate(fraction);
      if (turn < small_turn) return true;
      if (largest_length(statics_.imbalance) > 0.5 * before) break;
    }
    state_.rest_from_body = start;
    evaluate(fraction);
    return false;
  }

  // Factors the Hessian, its joints stiffened by as much of themselves as makes it positive.
  bool factor_positive(double fraction, double& extra) {
    for (;;) {
      if (!has_blocks_) evaluate(fraction);
      const Factored factored = factor_in_place(extra);
      if (factored.regular && factored.negative == 0 && prepare_low_rank(fraction)) return true;
      extra = std::max(2 * extra, 1e-3);
      if (extra > 1e9) return false;
    }
  }

  // The blocks of `statics_` become factors of the Hessian with stiffer joints.
  Factored factor_in_place(double extra) {
    if (extra > 0) {
      for (TreeBlock& b : statics_.blocks) b.joint = b.joint * (1 + extra);
    }
    has_blocks_ = false;
    factors_ = &statics_.blocks;
    height_factors_ = &heights_;
    return factor(mechanism_.parent, !moments_, statics_.blocks, heights_);
  }

  // What rounding leaves of torques that balance: of the loads', and of the stiffest joint's.
  double rounding_imbalance(double extra) const {
    double stiffest = 0;
    for (const TreeBlock& b : *factors_) {
      stiffest = std::max(stiffest, b.joint.xx + b.joint.yy + b.joint.zz);
    }
    return 1e-12 * statics_.energy_scale + 1e-14 * stiffest / (1 + extra);
  }

  // How much of the step is taken: halved until the energy falls; 0 when it will not.
  double search_line(double fraction, double part) {
    from_ = state_.rest_from_body;
    const double energy = statics_.energy;
    const double slope = -inner(statics_.imbalance, absolute_);
    const double rounding = 1e-14 * statics_.energy_scale;
    prepare_move();
    for (int halving = 0; halving < 4; ++halving, part *= 0.5) {
      move(part);
      evaluate(fraction);
      if (statics_.energy <= energy + 1e-4 * part * slope + rounding) return part;
      state_.rest_from_body = from_;
    }
    return 0;
  }

  // Newton's method on the torques themselves, for loads without an energy. A step is good when the
  // next one, with the same matrix, would be shorter (Deuflhard's natural test).
  bool balance(double fraction) {
    double last_turn = 0;
    for (int i = 0; i < most_iterations_of_a_load_step; ++i) {
      if (report_.iterations++ >= most_iterations()) return false;
      evaluate(fraction);
      // The factors are used again after the step, beside the blocks of where it leads.
      kept_factors_ = statics_.blocks;
      kept_heights_ = heights_;
      factors_ = &kept_factors_;
      height_factors_ = &kept_heights_;
      if (!factor(mechanism_.parent, !moments_, kept_factors_, kept_heights_).regular) return false;
      if (!prepare_low_rank(fraction)) return false;
      solve_newton();
      const double turn = largest_length(absolute_), bend = largest_length(relative_);
      if (!std::isfinite(turn)) return false;
      if (turn < small_turn || (turn < rounding_turn && turn > 0.3 * last_turn && last_turn > 0)) {
        move_whole();
        evaluate(fraction);
        return true;
      }
      last_turn = turn;
      const double length = std::sqrt(inner(relative_, relative_));
      from_ = state_.rest_from_body;
      double part = std::min(1.0, largest_turn / bend);
      prepare_move();
      for (;; part *= 0.5) {
        if (part < 0.02) return false;
        move(part);
        evaluate(fraction);
        solve_newton();
        if (std::sqrt(inner(relative_, relative_)) <= (1 - part / 4) * length) break;
        state_.rest_from_body = from_;
      }
    }
    return false;
  }

  void solve_newton() {
    torque_ = statics_.imbalance;
    solve(mechanism_.parent, *factors_, *height_factors_, torque_, relative_, absolute_);
    if (low_rank_.empty()) return;
    // φ = φ₀ - H⁻¹U (1 + VᵀH⁻¹U)⁻¹ Vᵀφ₀
    std::vector<double> right;
    for (const LowRank& term : low_rank_) right.push_back(row_times(term, absolute_));
    const std::vector<double> amount = low_rank_matrix_.solve(std::move(right));
    std::fill(torque_.begin(), torque_.end(), Vec3{});
    for (std::size_t k = 0; k < low_rank_.size(); ++k) {
      for (const auto& [body, torque] : low_rank_[k].column) torque_[body] += torque * amount[k];
    }
    solve(mechanism_.parent, *factors_, *height_factors_, torque_, other_relative_, other_);
    for (std::size_t i = 0; i < absolute_.size(); ++i) {
      absolute_[i] -= other_[i];
      relative_[i] -= other_relative_[i];
    }
  }

  // One column of U and row of Vᵀ: torques along the path to the base.
  struct LowRank {
    std::vector<std::pair<std::size_t, Vec3>> column;
    // Of a force F that turns along: the row is e·(F × φ_j).
    std::size_t body = 0;
    Vec3 force, unit;
  };

  static double row_times(const LowRank& term, const std::vector<Vec3>& turn) {
    return dot(term.unit, cross(term.force, turn[term.body]));
  }

  // Torques of a force at a point of body j about all joints before it.
  std::vector<std::pair<std::size_t, Vec3>> torques_on_path(std::size_t j, const Vec3& arm,
                                                            const Vec3& force) const {
    std::vector<std::pair<std::size_t, Vec3>> path = {{j, cross(arm, force)}};
    for (std::size_t i = j; mechanism_.parent[i] != no_index;) {
      const auto p = static_cast<std::size_t>(mechanism_.parent[i]);
      path.emplace_back(p, cross(statics_.from_parent[i], force));
      i = p;
    }
    return path;
  }

  void collect_low_rank(double fraction) {
    low_rank_.clear();
    for (const PointLoad& load : acting_->points) {
      if (!load.follower || squared_length(load.force) == 0) continue;
      const auto j = static_cast<std::size_t>(load.body);
      const Mat3& r = statics_.world_from_body[j];
      for (const Vec3& unit : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        low_rank_.push_back({.column = torques_on_path(j, r * load.point_in_body, unit),
                             .body = j,
                             .force = r * load.force * fraction,
                             .unit = unit});
      }
    }
  }

  // 1 + VᵀH⁻¹U; false where it is singular.
  bool prepare_low_rank(double fraction) {
    collect_low_rank(fraction);
    if (low_rank_.empty()) return true;
    const std::size_t m = low_rank_.size();
    DenseMatrix matrix(m);
    for (std::size_t column = 0; column < m; ++column) {
      std::fill(torque_.begin(), torque_.end(), Vec3{});
      for (const auto& [body, torque] : low_rank_[column].column) torque_[body] = torque;
      solve(mechanism_.parent, *factors_, *height_factors_, torque_, other_relative_, other_);
      for (std::size_t row = 0; row < m; ++row) {
        matrix.at(row, column) = (row == column) + row_times(low_rank_[row], other_);
      }
    }
    low_rank_matrix_ = DenseLu(std::move(matrix));
    return low_rank_matrix_.regular();
  }

  // The step in the bodies' frames, as long as `statics_` is of the pose that it starts from.
  void prepare_move() {
    for (std::size_t i = 0; i < relative_.size(); ++i) {
      step_in_body_[i] = transposed_times(statics_.world_from_body[i], relative_[i]);
    }
  }

  void move(double part) {
    for (std::size_t i = 0; i < step_in_body_.size(); ++i) {
      state_.rest_from_body.set(
          i, normalized(state_.rest_from_body[i] * exp_rotation(step_in_body_[i] * part)));
    }
  }

  void move_whole() {
    prepare_move();
    move(1.0);
  }

  // Residual and stability at the end.
  void judge() {
    if (!has_blocks_) evaluate(1.0);
    const double held = statics_.largest_held;
    report_.residual = held > 0 ? largest_length(statics_.imbalance) / held : 0;
    const Factored factored = factor_in_place(neutral_part);
    const bool regular = factored.regular && prepare_low_rank(1.0);
    report_.negative_directions = factored.negative;
    report_.stable = regular && report_.negative_directions == 0;
    if (turning_ && regular) {
      report_.stable = (low_rank_matrix_.determinant_sign() > 0) == (factored.negative % 2 == 0);
    }
  }

  // A push along the chosen direction on every body, as far as 0.05 rad.
  void nudge() {
    double extra = 0;
    if (!factor_positive(1.0, extra)) return;
    Loads push = loads_;
    push.gravity_world = normalized(options_.branch_world);
    push.points = {};
    Statics pushed;
    evaluate_statics(mechanism_, push, 1.0, state_, pushed);
    // Torques of the push alone: springs pull the same with and without it.
    push.gravity_world = {};
    Statics still;
    evaluate_statics(mechanism_, push, 1.0, state_, still);
    for (std::size_t i = 0; i < torque_.size(); ++i) {
      torque_[i] = pushed.imbalance[i] - still.imbalance[i];
    }
    solve(mechanism_.parent, *factors_, *height_factors_, torque_, relative_, absolute_);
    const double turn = largest_length(absolute_);
    if (turn == 0) return;
    prepare_move();
    move(0.05 / turn);
  }

  const Mechanism& mechanism_;
  const Loads& loads_;
  const Loads* acting_;  // loads_, or these with the turning ones held fast
  const EquilibriumOptions& options_;
  State& state_;
  bool moments_, turning_;
  bool rounds_ = false;  // forces that turn along are turned in rounds, above a ground
  EquilibriumReport report_;
  Statics statics_;
  bool has_blocks_ = false;  // of statics_: not yet factored
  std::vector<TreeBlock> kept_factors_;
  std::vector<TreeBlock>* factors_ = nullptr;
  PerBody<Quat> from_;
  std::vector<Vec3> relative_, absolute_, torque_, step_in_body_, other_, other_relative_;
  std::vector<LowRank> low_rank_;
  DenseLu low_rank_matrix_;
  // Of the ground, for every body: the multiplier λ [N], the gap g [m].
  std::vector<double> push_, gap_, joint_height_;
  std::vector<double> carried_;  // pushes on it and beyond [N]
  std::vector<HeightBlock> heights_ = {}, kept_heights_ = {};
  std::vector<HeightBlock>* height_factors_ = &heights_;
  std::vector<double> contact_stiffness_;  // k [N/m]
  double reach_ = 0;                       // from a base to the farthest tip [m]
};

}  // namespace

void evaluate_statics(const Mechanism& mechanism, const Loads& loads, double fraction,
                      const State& state, Statics& s) {
  const std::size_t n = mechanism.body.size();
  s.world_from_body.resize(n);
  s.from_parent.resize(n);
  s.force.assign(n, {});
  s.imbalance.assign(n, {});
  s.blocks.resize(n);
  s.energy = s.energy_scale = s.largest_held = 0;
  const Vec3 gravity = loads.gravity_world * fraction;
  for (std::size_t i = 0; i < n; ++i) {
    const Body& body = mechanism.body[i];
    const Index parent = mechanism.parent[i];
    const Mat3 in_parent = matrix(body.parent_from_rest * state.rest_from_body[i]);
    if (parent == no_index) {
      s.from_parent[i] = body.base_in_parent;
      s.world_from_body[i] = in_parent;
    } else {
      const Mat3& world_from_parent = s.world_from_body[static_cast<std::size_t>(parent)];
      s.from_parent[i] = world_from_parent * body.base_in_parent;
      s.world_from_body[i] = world_from_parent * in_parent;
    }
    const Mat3& r = s.world_from_body[i];
    const JointSpring spring =
        joint_spring(log_rotation(state.rest_from_body[i]), joint_stiffness(body));
    s.energy += spring.energy;
    s.energy_scale += spring.energy;
    s.blocks[i] = {.joint = conjugate(r, spring.curvature),
                   .torque = r * spring.gradient,
                   .own = {},
                   .inverse = {}};
    s.force[i] = gravity * body.mass;
    add_force(r * body.first_moment, gravity, i, s);
  }
  for (const PointLoad& load : loads.points) {
    const auto i = static_cast<std::size_t>(load.body);
    const Mat3& r = s.world_from_body[i];
    const Vec3 force = turned(load, r, load.force) * fraction;
    s.force[i] += force;
    add_force(r * load.point_in_body, force, i, s);
    // A moment that keeps its direction has the slope 0, one that turns along the slope [m]×; both
    // are seen from coordinates that turn halfway along: ∓½[m]×.
    const Vec3 moment = turned(load, r, load.moment) * fraction;
    s.imbalance[i] += moment;
    s.blocks[i].own = s.blocks[i].own + cross_matrix(moment) * (load.follower ? 0.5 : -0.5);
  }
  for (std::size_t i = n; i-- > 0;) {
    const Vec3& held = s.blocks[i].torque;
    s.largest_held = std::max(s.largest_held, length(held));
    s.imbalance[i] -= held;
    if (mechanism.parent[i] == no_index) continue;
    const auto p = static_cast<std::size_t>(mechanism.parent[i]);
    s.imbalance[p] += held;
    s.force[p] += s.force[i];
    add_force(s.from_parent[i], s.force[i], p, s);
  }
}

EquilibriumReport find_equilibrium(const Mechanism& mechanism, const Loads& loads,
                                   const EquilibriumOptions& options, State& state) {
  return Search(mechanism, loads, options, state).run();
}

}  // namespace thigmo
