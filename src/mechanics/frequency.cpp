#include "mechanics/frequency.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace thigmo {
namespace {

// Subtrees of up to this many bodies are swept out and in while a core's cache holds them.
constexpr Index small_subtree = 1024;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// A body in the rest pose and its part of the iteration's vectors, world axes.
template <class Real>
struct Link {
  // Place among the trunk for bodies of it and for the first of a subtree, else place in the subtree;
  // -1: on the base.
  Index parent = no_index;
  Real mass = 0;             // [kg]
  Vec3T<Real> from_parent;   // own joint minus the parent's joint [m]
  Vec3T<Real> first_moment;  // [kg m]
  Sym3T<Real> inertia;       // about the joint [kg m²]
  Sym3T<Real> flexibility;   // K⁻¹ of the joint [rad/(N m)]
  Vec3T<Real> r, v, y;       // residual, last vector, K⁻¹ M r
};

// What a sweep carries from joint to joint.
template <class Real>
struct Flow {
  Vec3T<Real> turn, move;     // of the body, of its joint
  Vec3T<Real> torque, force;  // that the joint carries
};

struct Subtree {
  Index begin = 0, end = 0;  // bodies
};

template <class Real>
struct LinkTree {
  std::vector<Link<Real>> links;  // by body
  std::vector<Index> trunk;       // bodies that carry too many others for a small subtree
  std::vector<Subtree> subtrees;  // all other bodies
};

// Calls out(i, parent's place, own place) for all bodies base to tips and in(i, …) tips to base, each
// subtree there and back before the next. A place is where body i keeps what it carries, null for the
// base's.
template <class Place, class Real, class Out, class In>
void sweep(const LinkTree<Real>& tree, const Out& out, const In& in) {
  std::vector<Place> trunk(tree.trunk.size()), own(at(small_subtree));
  const auto on_trunk = [&](Index parent) {
    return parent == no_index ? nullptr : &trunk[at(parent)];
  };
  for (std::size_t k = 0; k < trunk.size(); ++k) {
    const Link<Real>& link = tree.links[at(tree.trunk[k])];
    out(tree.trunk[k], on_trunk(link.parent), trunk[k]);
  }
  for (const Subtree& subtree : tree.subtrees) {
    const auto parent_of = [&](Index i) {
      const Index parent = tree.links[at(i)].parent;
      return i == subtree.begin ? on_trunk(parent) : &own[at(parent)];
    };
    for (Index i = subtree.begin; i < subtree.end; ++i)
      out(i, parent_of(i), own[at(i - subtree.begin)]);
    for (Index i = subtree.end; i-- > subtree.begin;)
      in(i, parent_of(i), own[at(i - subtree.begin)]);
  }
  for (std::size_t k = trunk.size(); k-- > 0;) {
    const Link<Real>& link = tree.links[at(tree.trunk[k])];
    in(tree.trunk[k], on_trunk(link.parent), trunk[k]);
  }
}

template <class Real>
Vec3T<Real> as(const Vec3& v) {
  return {static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z)};
}
template <class Real>
Sym3T<Real> as(const Sym3& s) {
  return {static_cast<Real>(s.xx), static_cast<Real>(s.xy), static_cast<Real>(s.xz),
          static_cast<Real>(s.yy), static_cast<Real>(s.yz), static_cast<Real>(s.zz)};
}

template <class Real>
LinkTree<Real> rest_links(const Mechanism& mechanism) {
  LinkTree<Real> tree{
      .links = std::vector<Link<Real>>(mechanism.body.size()), .trunk = {}, .subtrees = {}};
  const auto on_trunk = [&tree](Index body) {
    const auto found = std::lower_bound(tree.trunk.begin(), tree.trunk.end(), body);
    return body == no_index ? no_index : static_cast<Index>(found - tree.trunk.begin());
  };
  for (Index i = 0; i < body_count(mechanism);) {
    const Index size = mechanism.subtree_size[at(i)];
    tree.links[at(i)].parent = on_trunk(mechanism.parent[at(i)]);
    if (size > small_subtree) {
      tree.trunk.push_back(i++);
    } else {
      for (Index k = i + 1; k < i + size; ++k)
        tree.links[at(k)].parent = mechanism.parent[at(k)] - i;
      tree.subtrees.push_back({.begin = i, .end = i + size});
      i += size;
    }
  }
  const auto place = [&](Index i, const Quat* world_from_parent, Quat& world_from_body) {
    const Body& body = mechanism.body[at(i)];
    const Quat from = world_from_parent ? *world_from_parent : Quat{};
    world_from_body = normalized(from * body.parent_from_rest);
    const Mat3 r = matrix(world_from_body);
    Link<Real>& link = tree.links[at(i)];
    link.mass = static_cast<Real>(body.mass);
    link.from_parent = as<Real>(rotate(from, body.base_in_parent));
    link.first_moment = as<Real>(r * body.first_moment);
    link.inertia = as<Real>(conjugate(r, widened(body.inertia)));
    link.flexibility = as<Real>(conjugate(r, joint_flexibility(body)));
  };
  sweep<Quat>(tree, place, [](Index, const Quat*, const Quat&) {});
  return tree;
}

// The largest eigenvalue of a symmetric tridiagonal matrix: bisection on the signs of the pivots of
// T - x, of which all are negative where x is above every eigenvalue.
double largest_eigenvalue(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  double low = diagonal[0], high = 0;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    const double left = i > 0 ? beside[i - 1] : 0.0;
    const double right = i + 1 < diagonal.size() ? beside[i] : 0.0;
    low = std::max(low, diagonal[i]);
    high = std::max(high, diagonal[i] + left + right);
  }
  const auto is_above = [&](double x) {
    double pivot = diagonal[0] - x;
    for (std::size_t i = 1; i < diagonal.size(); ++i) {
      if (!(pivot < 0)) return false;
      pivot = diagonal[i] - x - beside[i - 1] * beside[i - 1] / pivot;
    }
    return pivot < 0;
  };
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (is_above(middle) ? high : low) = middle;
  }
  return high;
}

// Lanczos' iteration for the largest 1/ω² of M x = K x / ω² in joint coordinates x (small relative
// rotations, world axes). K is block-diagonal; M r takes one sweep out (absolute motion of each body)
// and one sweep in (forces and torques carried by each joint):
//   y = K⁻¹ M r,  β² = rᵀ M r,  α = yᵀ M r / β²,  r' = (y - α r)/β - β v,  v' = r/β.
template <class Real>
double lanczos(const Mechanism& mechanism) {
  if (mechanism.body.empty()) return 0;
  LinkTree<Real> tree = rest_links<Real>(mechanism);
  // Start: all joints bend by their flexibility under the same oblique torque, so that neither
  // plane of bending is missing.
  for (Link<Real>& link : tree.links) link.r = link.flexibility * as<Real>(Vec3{1.0, 0.3, 0.7});

  double r_m_r = 0, y_m_r = 0;
  Real part_y = 0, part_r = 1, part_v = 0;  // that the next residual has of y, r and v
  Real v_of_r = 0;                          // 1/β: v' = r v_of_r
  const auto out = [&](Index i, const Flow<Real>* parent, Flow<Real>& own) {
    Link<Real>& link = tree.links[at(i)];
    const Vec3T<Real> r = link.y * part_y + link.r * part_r + link.v * part_v;
    link.v = link.r * v_of_r;
    link.r = r;
    own.turn = parent ? parent->turn + r : r;
    own.move = parent ? parent->move + cross(parent->turn, link.from_parent) : Vec3T<Real>{};
    own.torque = link.inertia * own.turn + cross(link.first_moment, own.move);
    own.force = cross(own.turn, link.first_moment) + own.move * link.mass;
  };
  const auto in = [&](Index i, Flow<Real>* parent, const Flow<Real>& own) {
    Link<Real>& link = tree.links[at(i)];
    if (parent) {
      parent->torque += own.torque + cross(link.from_parent, own.force);
      parent->force += own.force;
    }
    link.y = link.flexibility * own.torque;
    r_m_r += static_cast<double>(dot(link.r, own.torque));
    y_m_r += static_cast<double>(dot(link.y, own.torque));
  };

  std::vector<double> diagonal, beside;  // of the tridiagonal matrix
  double largest = 0;                    // 1/ω² [s²]
  constexpr int most_iterations = 60;
  constexpr double enough = 1e-5;  // relative change of 1/ω², twice one after the other
  int settled = 0;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    r_m_r = y_m_r = 0;
    sweep<Flow<Real>>(tree, out, in);
    if (!std::isfinite(r_m_r)) return 0;
    // Nothing is left of r: the matrix has all that the start can reach.
    if (!(r_m_r > 0)) break;
    const double alpha = y_m_r / r_m_r, beta = std::sqrt(r_m_r);
    if (iteration > 0) beside.push_back(beta);
    diagonal.push_back(alpha);
    const double before = largest;
    largest = largest_eigenvalue(diagonal, beside);
    settled = std::abs(largest - before) <= enough * largest ? settled + 1 : 0;
    if (settled == 2) break;
    part_y = static_cast<Real>(1 / beta);
    part_r = static_cast<Real>(-alpha / beta);
    part_v = static_cast<Real>(iteration > 0 ? -beta : 0.0);
    v_of_r = static_cast<Real>(1 / beta);
  }
  return largest > 0 ? 1 / (std::sqrt(largest) * 2.0 * std::numbers::pi) : 0;
}

// From here on the iteration costs what it reads from memory.
constexpr Index many_bodies = 50'000;

}  // namespace

double first_frequency(const Mechanism& mechanism) {
  // What is out of a float's range gives zero there.
  const double single = body_count(mechanism) > many_bodies ? first_frequency_single(mechanism) : 0;
  return single > 0 ? single : lanczos<double>(mechanism);
}

double first_frequency_single(const Mechanism& mechanism) { return lanczos<float>(mechanism); }

}  // namespace thigmo
