#pragma once

#include <cmath>
#include <vector>

#include "mechanics/kinematics/link_tree.h"

namespace thigmo {

// First moment of what each body carries, that of all it bears at their joints. `about_joint`: of all that
// the joint carries, where it is.
template <class Real>
AlignedVector<Vec3T<Real>> carried_moments(const LinkTree<Real>& tree,
                                           AlignedVector<Vec3T<Real>>* about_joint = nullptr) {
  struct Carried {
    Vec3T<Real> first_moment, beyond;
    Real mass = 0;
  };
  AlignedVector<Vec3T<Real>> moments(tree.links.size());
  const auto out = [](Index, const Carried*, Carried& own) { own = {}; };
  const auto in = [&](Index i, Carried* parent, const Carried& own) {
    const TreeLink<Real>& link = at(tree.links, i);
    at(moments, i) = own.first_moment + link.first_moment;
    const Vec3T<Real> all = at(moments, i) + own.beyond;
    if (about_joint) (*about_joint)[as_size(i)] = all;
    if (!parent) return;
    parent->beyond += all;
    parent->mass += own.mass + link.mass;
    parent->first_moment += link.from_parent * (own.mass + link.mass);
  };
  sweep<Carried>(tree, out, in);
  return moments;
}

// K_g φ of a body turned by φ that carries the first moment s. It is lifted by the part along gravity of
// -½ φ × (φ × s), so that
//   φᵀ K_g φ = φ² (g·s) - (g·φ)(φ·s).
template <class Real>
Vec3T<Real> gravity_torque(const Vec3T<Real>& gravity, const Vec3T<Real>& carried,
                           const Vec3T<Real>& turn) {
  return turn * dot(gravity, carried) -
         (gravity * dot(turn, carried) + carried * dot(gravity, turn)) * Real(0.5);
}

// Lanczos' iteration for M x = K x / ω² in joint coordinates x (small relative rotations, world axes)
// about the tree's pose. K is block-diagonal; M r takes one sweep out (absolute motion of each body) and
// one sweep in (forces and torques carried by each joint):
//   y = K⁻¹ M r,  β² = rᵀ M r,  α = yᵀ M r / β²,  r' = (y - α r)/β - β v,  v' = r/β.
// The eigenvalues of the tridiagonal matrix of the α and β become the 1/ω², the outermost first.
//
// Gravity's stiffness K_g can count as mass: K x = ω² (M - K_g/σ) x is (K + K_g) x = ω² M x where ω² = σ.
template <class Real>
struct Lanczos {
  LinkTree<Real>& tree;
  std::vector<double> diagonal, beside;  // α, and the β but the first
  double first_beta = 0;                 // √(rᵀ M r) of the start
  // The r of each row: r/β are the vectors of the space.
  std::vector<AlignedVector<Vec3T<Real>>> residuals;

  bool keep_residuals = false;

  explicit Lanczos(LinkTree<Real>& links) : tree(links) {}

  void set_gravity(const Vec3& gravity_world, double square_omega) {
    carried_ = carried_moments(tree);
    gravity_part_ = as<Real>(gravity_world * (1 / square_omega));
  }

  // All joints bend by their flexibility under the same torque.
  void start_under_torque(const Vec3& torque_world) {
    begin();
    for (std::size_t i = 0; i < tree.links.size(); ++i)
      tree.turns[i].y = tree.links[i].flexibility * as<Real>(torque_world);
  }

  // The static shape when the root is accelerated.
  void start_under_acceleration(const Vec3& acceleration_world) {
    begin();
    part_y_ = 0;
    root_move_ = as<Real>(acceleration_world);
    sweep_once();
    root_move_ = {};
    part_y_ = 1;
  }

  // yᵀ K y of each joint, y = K⁻¹ M x.
  std::vector<double> bending_by(const AlignedVector<Vec3T<Real>>& x) {
    std::vector<double> bending(x.size());
    sweep_once({.of = x.data(), .bending = bending.data()});
    return bending;
  }

  // One more row. False: nothing is left of r, the matrix has all that the start can reach.
  bool grow() {
    if (keep_residuals) residuals.emplace_back(tree.links.size());
    sweep_once({.residual = keep_residuals ? residuals.back().data() : nullptr});
    if (!(r_m_r_ > 0) || !std::isfinite(r_m_r_)) {
      if (keep_residuals) residuals.pop_back();
      return false;
    }
    const double alpha = y_m_r_ / r_m_r_;
    const double beta = std::sqrt(r_m_r_);
    const bool first = diagonal.empty();
    if (first) {
      first_beta = beta;
    } else {
      beside.push_back(beta);
    }
    diagonal.push_back(alpha);
    part_y_ = static_cast<Real>(1 / beta);
    part_r_ = static_cast<Real>(-alpha / beta);
    part_v_ = static_cast<Real>(first ? 0.0 : -beta);
    v_of_r_ = static_cast<Real>(1 / beta);
    return true;
  }

 private:
  void begin() {
    diagonal.clear();
    beside.clear();
    residuals.clear();
    part_y_ = 1;
    part_r_ = part_v_ = v_of_r_ = 0;
    for (LinkTurns<Real>& turns : tree.turns) turns = {};
  }

  // What a sweep takes and leaves besides, by body; null: not.
  struct Wanted {
    const Vec3T<Real>* of = nullptr;  // instead of the next r
    Vec3T<Real>* residual = nullptr;  // r
    double* bending = nullptr;        // yᵀ K y
  };
  void sweep_once(const Wanted& wanted = {}) {
    double r_m_r = 0, y_m_r = 0;
    const auto out = [&](Index i, const Flow<Real>* parent, Flow<Real>& own) {
      const TreeLink<Real>& link = at(tree.links, i);
      LinkTurns<Real>& turns = at(tree.turns, i);
      const Vec3T<Real> r =
          wanted.of ? at(wanted.of, i) : turns.y * part_y_ + turns.r * part_r_ + turns.v * part_v_;
      turns.v = turns.r * v_of_r_;
      turns.r = r;
      if (wanted.residual) at(wanted.residual, i) = r;
      own.turn = parent ? parent->turn + r : r;
      own.move = parent ? parent->move + cross(parent->turn, link.from_parent) : root_move_;
      own.torque = link.inertia * own.turn + cross(link.first_moment, own.move);
      if (!carried_.empty()) {
        own.torque += gravity_torque(gravity_part_, at(carried_, i), own.turn) * Real(-1);
      }
      own.force = cross(own.turn, link.first_moment) + own.move * link.mass;
    };
    const auto in = [&](Index i, Flow<Real>* parent, const Flow<Real>& own) {
      const TreeLink<Real>& link = at(tree.links, i);
      LinkTurns<Real>& turns = at(tree.turns, i);
      if (parent) {
        parent->torque += own.torque + cross(link.from_parent, own.force);
        parent->force += own.force;
      }
      turns.y = link.flexibility * own.torque;
      r_m_r += static_cast<double>(dot(turns.r, own.torque));
      const double y_m_r_here = static_cast<double>(dot(turns.y, own.torque));
      y_m_r += y_m_r_here;
      if (wanted.bending) at(wanted.bending, i) = y_m_r_here;
    };
    sweep<Flow<Real>>(tree, out, in);
    r_m_r_ = r_m_r;
    y_m_r_ = y_m_r;
  }

  double r_m_r_ = 0, y_m_r_ = 0;
  Real part_y_ = 1, part_r_ = 0, part_v_ = 0;  // that the next residual has of y, r and v
  Real v_of_r_ = 0;                            // 1/β: v' = r v_of_r
  Vec3T<Real> root_move_;
  AlignedVector<Vec3T<Real>> carried_;  // of each body; empty: no gravity
  Vec3T<Real> gravity_part_;            // g/σ
};

}  // namespace thigmo
