#pragma once

#include <algorithm>
#include <vector>

#include "base/aligned.h"
#include "mechanics/kinematics/state.h"
#include "mechanics/model/mechanism.h"

// A mechanism in one pose, world axes, for iterations that sweep over it again and again.
namespace thigmo {

// Subtrees of up to this many bodies are swept out and in while a core's cache holds them.
inline constexpr Index small_subtree = 1024;

// A body, world axes.
template <class Real>
struct TreeLink {
  // Place among the trunk for bodies of it and for the first of a subtree, else place in the subtree;
  // -1: a root.
  Index parent = no_index;
  Real mass = 0;             // [kg]
  Vec3T<Real> from_parent;   // own joint minus the parent's joint [m]
  Vec3T<Real> first_moment;  // [kg m]
  Sym3T<Real> inertia;       // about the joint [kg m²]
  Sym3T<Real> flexibility;   // K⁻¹ of the joint [rad/(N m)]
};

// Its part of an iteration's vectors. Apart from what does not change: that need not be written again.
template <class Real>
struct LinkTurns {
  Vec3T<Real> r, v, y;  // residual, last vector, K⁻¹ M r
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
  AlignedVector<TreeLink<Real>> links;   // by body
  AlignedVector<LinkTurns<Real>> turns;  // by body
  std::vector<Index> trunk;              // bodies that carry too many others for a small subtree
  std::vector<Subtree> subtrees;         // all other bodies
  double mass = 0;                       // of all [kg]
  Quat world_from_first;                 // of the first body
};

// Calls out(i, parent's place, own place) for all bodies root to tips and in(i, …) tips to root, each
// subtree there and back before the next. A place is where body i keeps what it carries, null for the
// root's.
template <class Place, class Real, class Out, class In>
void sweep(const LinkTree<Real>& tree, const Out& out, const In& in) {
  std::vector<Place> trunk(tree.trunk.size()), own(as_size(small_subtree));
  const auto on_trunk = [&](Index parent) {
    return parent == no_index ? nullptr : &at(trunk, parent);
  };
  for (std::size_t k = 0; k < trunk.size(); ++k) {
    const TreeLink<Real>& link = tree.links[as_size(tree.trunk[k])];
    out(tree.trunk[k], on_trunk(link.parent), trunk[k]);
  }
  for (const Subtree& subtree : tree.subtrees) {
    const auto parent_of = [&](Index i) {
      const Index parent = at(tree.links, i).parent;
      return i == subtree.begin ? on_trunk(parent) : &at(own, parent);
    };
    for (Index i = subtree.begin; i < subtree.end; ++i)
      out(i, parent_of(i), own[as_size(i - subtree.begin)]);
    for (Index i = subtree.end; i-- > subtree.begin;)
      in(i, parent_of(i), own[as_size(i - subtree.begin)]);
  }
  for (std::size_t k = trunk.size(); k-- > 0;) {
    const TreeLink<Real>& link = tree.links[as_size(tree.trunk[k])];
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

// As it is in a state; without one, in its rest pose.
template <class Real>
LinkTree<Real> link_tree(const Mechanism& mechanism, const State* state = nullptr) {
  LinkTree<Real> tree{.links = AlignedVector<TreeLink<Real>>(mechanism.body.size()),
                      .turns = AlignedVector<LinkTurns<Real>>(mechanism.body.size()),
                      .trunk = {},
                      .subtrees = {},
                      .mass = 0,
                      .world_from_first = {}};
  const auto on_trunk = [&tree](Index body) {
    const auto found = std::lower_bound(tree.trunk.begin(), tree.trunk.end(), body);
    return body == no_index ? no_index : static_cast<Index>(found - tree.trunk.begin());
  };
  for (Index i = 0; i < body_count(mechanism);) {
    const Index size = at(mechanism.subtree_size, i);
    at(tree.links, i).parent = on_trunk(at(mechanism.parent, i));
    if (size > small_subtree) {
      tree.trunk.push_back(i++);
    } else {
      for (Index k = i + 1; k < i + size; ++k)
        at(tree.links, k).parent = at(mechanism.parent, k) - i;
      tree.subtrees.push_back({.begin = i, .end = i + size});
      i += size;
    }
  }
  const auto place_link = [&](Index i, const Quat* world_from_parent, Quat& world_from_body) {
    const Body& body = at(mechanism.body, i);
    const Quat root = state ? state->root.world_from_plant : Quat{};
    const BodyPlace place =
        carried(BodyPlace{world_from_parent ? *world_from_parent : root, Vec3{}, Vec3{}}, body,
                state ? at(state->rest_from_body, i) : Quat{});
    world_from_body = place.world_from_body;
    const Mat3 r = matrix(world_from_body);
    TreeLink<Real>& link = at(tree.links, i);
    link.mass = static_cast<Real>(body.mass);
    tree.mass += body.mass;
    if (i == 0) tree.world_from_first = world_from_body;
    link.from_parent = as<Real>(place.from_parent);
    link.first_moment = as<Real>(r * body.first_moment);
    const Mat3T<Real> turn{as<Real>(r.row_x), as<Real>(r.row_y), as<Real>(r.row_z)};
    link.inertia = conjugate(turn, as<Real>(widened(body.inertia)));
    link.flexibility = conjugate(turn, as<Real>(joint_flexibility(body)));
  };
  sweep<Quat>(tree, place_link, [](Index, const Quat*, const Quat&) {});
  return tree;
}

// From here on an iteration costs what it reads from memory, and is done in floats.
inline constexpr Index many_bodies = 50'000;

}  // namespace thigmo
