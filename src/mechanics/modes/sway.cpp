#include "mechanics/modes/sway.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "mechanics/modes/lanczos.h"
#include "mechanics/modes/main_pair.h"
#include "mechanics/modes/standing_sway.h"

namespace thigmo {
namespace {

using std::numbers::pi;

template <class Real>
using Turns = AlignedVector<Vec3T<Real>>;  // of each body

template <class Real>
Pair find_pair(const Vec3& shake_world, double damping_ratio, Lanczos<Real>& lanczos) {
  constexpr int most_iterations = 8;
  constexpr double enough = 0.003;  // relative change of 1/ω², twice one after the other
  Pair pair;
  int settled = 0;
  lanczos.keep_residuals = true;
  lanczos.start_under_acceleration(shake_world);
  for (int iteration = 0; iteration < most_iterations && lanczos.grow(); ++iteration) {
    const double before = pair.square_time;
    pair = main_pair(lanczos.diagonal, lanczos.beside, lanczos.first_beta, damping_ratio);
    const double square_time = pair.square_time;
    settled = std::abs(square_time - before) <= enough * square_time ? settled + 1 : 0;
    if (settled == 2) break;
  }
  return pair;
}

// Shapes that have these parts of the space's vectors.
template <class Real, std::size_t count>
std::array<Turns<Real>, count> shapes_of(const std::array<Eigen::VectorXd, count>& parts,
                                         const Lanczos<Real>& lanczos) {
  const std::size_t n = lanczos.tree.links.size();
  const auto vectors = static_cast<std::size_t>(parts[0].size());
  std::vector<std::array<Real, count>> factors(vectors);
  for (std::size_t k = 0; k < vectors; ++k) {
    const double beta = k == 0 ? lanczos.first_beta : lanczos.beside[k - 1];
    for (std::size_t c = 0; c < count; ++c)
      factors[k][c] = static_cast<Real>(parts[c](static_cast<Eigen::Index>(k)) / beta);
  }
  std::array<Turns<Real>, count> shapes;
  for (Turns<Real>& shape : shapes) shape.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::array<Vec3T<Real>, count> turn{};
    for (std::size_t k = 0; k < vectors; ++k) {
      const Vec3T<Real>& residual = lanczos.residuals[k][i];
      for (std::size_t c = 0; c < count; ++c) turn[c] += residual * factors[k][c];
    }
    for (std::size_t c = 0; c < count; ++c) shapes[c][i] = turn[c];
  }
  return shapes;
}

// Parts of xᵀ K x that weight has.
struct WeightStiffness {
  double by_gravity = 0;  // K_g: of bodies that are lifted and lowered
  double by_moments = 0;  // of the moments g that joints carry: φ_p · (g × φ_i), see block_tree.h
};

template <class Real>
WeightStiffness weight_stiffness(const LinkTree<Real>& tree, const Turns<Real>& shape,
                                 const Vec3& gravity_world) {
  Turns<Real> about_joint(shape.size());
  const Turns<Real> carried = carried_moments(tree, &about_joint);
  const Vec3T<Real> gravity = as<Real>(gravity_world);
  WeightStiffness sum;
  const auto out = [&](Index i, const Vec3T<Real>* parent, Vec3T<Real>& turn) {
    turn = parent ? *parent + at(shape, i) : at(shape, i);
    const Vec3T<Real> torque = gravity_torque(gravity, at(carried, i), turn);
    sum.by_gravity += static_cast<double>(dot(turn, torque));
    if (!parent) return;
    const Vec3T<Real> moment = cross(at(about_joint, i), gravity);
    sum.by_moments += static_cast<double>(dot(*parent, cross(moment, turn)));
  };
  sweep<Vec3T<Real>>(tree, out, [](Index, const Vec3T<Real>*, const Vec3T<Real>&) {});
  return sum;
}

// A shape and its energies over ½ of its modal mass [1/s²].
struct Shape {
  double elastic = 0, by_gravity = 0, by_moments = 0;
  double mass_share = 0;
  std::vector<double> bending_share;
};

// The main shape when K_g/σ counts as negative mass; σ infinite: without gravity.
template <class Real>
Shape find_shape(const Vec3& gravity_world, double square_omega, double damping_ratio,
                 Lanczos<Real>& lanczos) {
  const bool heavy = std::isfinite(square_omega);
  const Vec3 shake_world = rotate(lanczos.tree.world_from_first, shake_in_first);
  if (heavy) lanczos.set_gravity(gravity_world, square_omega);
  const Pair pair = find_pair(shake_world, damping_ratio, lanczos);
  if (!(pair.square_time > 0) || !std::isfinite(pair.square_time)) return {};
  const Eigen::VectorXcd shaken = pair.shaken / pair.shaken.norm();
  const auto [shape, cosine, sine] =
      shapes_of<Real, 3>({pair.parts, shaken.real(), shaken.imag()}, lanczos);
  // Mean over time of the shaken plant's energy, of the shapes that its forces bend to: the same once they
  // are found, and smoother before.
  Shape result{.bending_share = lanczos.bending_by(cosine)};
  const std::vector<double> of_sine = lanczos.bending_by(sine);
  for (std::size_t i = 0; i < of_sine.size(); ++i) result.bending_share[i] += of_sine[i];
  double bending = 0;
  for (const double share : result.bending_share) bending += share;
  for (double& share : result.bending_share) share /= bending;
  // xᵀ (M - K_g/σ) x is 1, and xᵀ K x is ω².
  const double elastic = 1 / pair.square_time;
  const WeightStiffness weight = weight_stiffness(lanczos.tree, shape, gravity_world);
  const double modal_mass = heavy ? 1 + weight.by_gravity / square_omega : 1.0;
  if (!(bending > 0 && modal_mass > 0) || !std::isfinite(bending / modal_mass)) return {};
  result.elastic = elastic / modal_mass;
  result.by_gravity = weight.by_gravity / modal_mass;
  result.by_moments = weight.by_moments / modal_mass;
  result.mass_share =
      pair.modal_mass / modal_mass / (lanczos.tree.mass * dot(shake_world, shake_world));
  return result;
}

// Where weight makes it slower by more than a little it changes the shape, too: `standing` finds it. What
// hangs keeps the shape it has without weight. What would fall has gravity in its shape, but not the moments
// that joints carry.
template <class Real, class Standing>
Sway find_sway(const Vec3& gravity_world, double damping_ratio, LinkTree<Real>& tree,
               const Standing& standing) {
  Lanczos<Real> lanczos(tree);
  Shape shape =
      find_shape(gravity_world, std::numeric_limits<double>::infinity(), damping_ratio, lanczos);
  if (shape.by_gravity + shape.by_moments < -0.05 * shape.elastic) {
    Sway sway = standing();
    if (sway.elastic_frequency > 0) return sway;
  }
  constexpr int most_rounds = 6;
  double square_omega = shape.elastic;
  for (int round = 0; round < most_rounds && shape.elastic > 0; ++round) {
    const double found = std::max(shape.elastic + shape.by_gravity, 0.25 * shape.elastic);
    if (found > 0.95 * square_omega && round == 0) break;
    if (std::abs(found - square_omega) < 0.01 * square_omega) break;
    square_omega = found;
    Shape next = find_shape(gravity_world, square_omega, damping_ratio, lanczos);
    if (!(next.elastic > 0)) break;
    shape = std::move(next);
  }
  if (!(shape.elastic > 0)) return {};
  return {.elastic_frequency = std::sqrt(shape.elastic) / (2 * pi),
          .frequency = std::sqrt(std::max(shape.elastic + shape.by_gravity, 0.0)) / (2 * pi),
          .mass_share = shape.mass_share,
          .bending_share = std::move(shape.bending_share)};
}

// Mass, first moment and inertia about a joint, world axes.
template <class Real>
struct Heap {
  Real mass = 0;
  Vec3T<Real> first_moment;
  Sym3T<Real> inertia;
};

template <class Real>
void add(const Heap<Real>& heap, Heap<Real>& sum) {
  sum.mass += heap.mass;
  sum.first_moment += heap.first_moment;
  sum.inertia += heap.inertia;
}

// The same about a joint that lies d before its own:
//   c' = c + m d,  I' = I + (2 d·c + m d²) 1 - (d cᵀ + c dᵀ) - m d dᵀ.
template <class Real>
Heap<Real> shifted(const Heap<Real>& heap, const Vec3T<Real>& d) {
  const Vec3T<Real>& c = heap.first_moment;
  const Vec3T<Real> middle = c + d * (heap.mass / 2);
  // d cᵀ + c dᵀ + m d dᵀ = d bᵀ + b dᵀ of b = c + ½ m d
  const Sym3T<Real> products{
      2 * d.x * middle.x, d.x * middle.y + d.y * middle.x, d.x * middle.z + d.z * middle.x,
      2 * d.y * middle.y, d.y * middle.z + d.z * middle.y, 2 * d.z * middle.z};
  return {heap.mass, c + d * heap.mass,
          heap.inertia + identity_times(2 * dot(d, middle)) - products};
}

// Axes one by one, as chains of bodies that bear what rides on them.
template <class Real>
class AxisVibrations {
 public:
  // Changes the tree's masses.
  AxisVibrations(const Mechanism& mechanism, const Axes& axes, LinkTree<Real>& tree)
      : mechanism_(mechanism), axes_(axes), tree_(tree), sums_(as_size(axes.count)) {
    load_side_axes();
    // Oblique, so that neither plane of bending is missing.
    const Vec3T<Real> torque = as<Real>(rotate(tree.world_from_first, {1.0, 0.3, 0.7}));
    for (std::size_t i = 0; i < tree_.links.size(); ++i)
      tree_.turns[i].y = tree_.links[i].flexibility * torque;
  }

  // Powers of K⁻¹M: r' = y/√(yᵀ M r), y = K⁻¹ M r, 1/ω² = yᵀ M r / rᵀ M r.
  void iterate() {
    for (Sums& sum : sums_) {
      const bool finite = sum.y_m_r > 0 && std::isfinite(sum.y_m_r);
      sum = {.scale = finite ? static_cast<Real>(1 / std::sqrt(sum.y_m_r)) : Real(1)};
    }
    const auto out = [this](Index i, const Flow<Real>* parent, Flow<Real>& own) {
      const TreeLink<Real>& link = at(tree_.links, i);
      LinkTurns<Real>& turns = at(tree_.turns, i);
      turns.r = turns.y * sums_[as_size(at(axes_.of_body, i))].scale;
      const bool on = continues(i);
      own.turn = on ? parent->turn + turns.r : turns.r;
      own.move = on ? parent->move + cross(parent->turn, link.from_parent) : Vec3T<Real>{};
      own.torque = link.inertia * own.turn + cross(link.first_moment, own.move);
      own.force = cross(own.turn, link.first_moment) + own.move * link.mass;
    };
    const auto in = [this](Index i, Flow<Real>* parent, const Flow<Real>& own) {
      const TreeLink<Real>& link = at(tree_.links, i);
      LinkTurns<Real>& turns = at(tree_.turns, i);
      if (continues(i)) {
        parent->torque += own.torque + cross(link.from_parent, own.force);
        parent->force += own.force;
      }
      turns.y = link.flexibility * own.torque;
      Sums& sum = sums_[as_size(at(axes_.of_body, i))];
      sum.r_m_r += static_cast<double>(dot(turns.r, own.torque));
      sum.y_m_r += static_cast<double>(dot(turns.y, own.torque));
    };
    sweep<Flow<Real>>(tree_, out, in);
  }

  std::vector<double> frequencies() const {
    std::vector<double> result;
    result.reserve(sums_.size());
    for (const Sums& sum : sums_) {
      const double frequency = std::sqrt(sum.r_m_r / sum.y_m_r) / (2 * pi);
      result.push_back(std::isfinite(frequency) ? frequency : 0.0);
    }
    return result;
  }

 private:
  struct Sums {
    double r_m_r = 0, y_m_r = 0;
    Real scale = 1;
  };

  bool continues(Index i) const {
    const Index parent = at(mechanism_.parent, i);
    return parent != no_index && at(axes_.of_body, i) == at(axes_.of_body, parent);
  }

  void load_side_axes() {
    struct Carried {
      Heap<Real> by_side_axes, by_own_axis;
    };
    const auto out = [](Index, const Carried*, Carried& own) { own = {}; };
    const auto in = [this](Index i, Carried* parent, Carried& own) {
      TreeLink<Real>& link = at(tree_.links, i);
      add({link.mass, link.first_moment, link.inertia}, own.by_side_axes);
      const auto& [mass, first_moment, inertia] = own.by_side_axes;
      link.mass = mass;
      link.first_moment = first_moment;
      link.inertia = inertia;
      if (!parent) return;
      add(own.by_side_axes, own.by_own_axis);
      add(shifted(own.by_own_axis, link.from_parent),
          continues(i) ? parent->by_own_axis : parent->by_side_axes);
    };
    sweep<Carried>(tree_, out, in);
  }

  const Mechanism& mechanism_;
  const Axes& axes_;
  LinkTree<Real>& tree_;
  std::vector<Sums> sums_;  // by axis
};

template <class Real>
std::vector<double> find_axis_frequencies(const Mechanism& mechanism, const Axes& axes,
                                          LinkTree<Real>& tree) {
  AxisVibrations<Real> vibrations(mechanism, axes, tree);
  constexpr int iterations = 3;
  for (int i = 0; i < iterations; ++i) vibrations.iterate();
  return vibrations.frequencies();
}

PoseTree tree_of(const Mechanism& mechanism, const State* state) {
  if (body_count(mechanism) > many_bodies) return link_tree<float>(mechanism, state);
  return link_tree<double>(mechanism, state);
}

Sway sway_of(const Mechanism& mechanism, const Vec3& gravity_world, const State* state,
             double damping_ratio, PoseTree& tree) {
  if (mechanism.body.empty()) return {};
  // What is damped by more than the critical ratio does not swing.
  const double ratio = std::clamp(damping_ratio, narrowest_band, 1.0);
  const auto standing = [&] { return standing_sway(mechanism, gravity_world, state, ratio); };
  const auto find = [&](auto& links) { return find_sway(gravity_world, ratio, links, standing); };
  Sway sway = std::visit(find, tree);
  if (sway.elastic_frequency > 0 || std::holds_alternative<LinkTree<double>>(tree)) return sway;
  // What is out of a float's range gave zero.
  tree = link_tree<double>(mechanism, state);
  return std::visit(find, tree);
}

}  // namespace

Sway main_sway(const Mechanism& mechanism, const Vec3& gravity_world, const State* state) {
  constexpr double usual_ratio = 0.05;  // which the frequency does not depend on
  PoseTree tree = tree_of(mechanism, state);
  return sway_of(mechanism, gravity_world, state, usual_ratio, tree);
}

PoseTree rest_tree(const Mechanism& mechanism) { return tree_of(mechanism, nullptr); }

Sway main_sway(const Mechanism& mechanism, const Vec3& gravity_world, double damping_ratio,
               PoseTree& tree) {
  return sway_of(mechanism, gravity_world, nullptr, damping_ratio, tree);
}

Axes axes_of(const Plant& plant, const Mechanism& mechanism) {
  Axes axes{.of_body = std::vector<Index>(plant.segments.size()), .count = 0};
  for (Index i = 0; i < segment_count(plant); ++i) {
    const Index parent = at(plant.segments, i).parent;
    if (parent == no_index) at(axes.of_body, i) = axes.count++;
    const Index next = next_on_axis(plant, mechanism.subtree_size, i);
    const Index end = i + at(mechanism.subtree_size, i);
    for (Index child = i + 1; child < end; child += at(mechanism.subtree_size, child)) {
      at(axes.of_body, child) = child == next ? at(axes.of_body, i) : axes.count++;
    }
  }
  return axes;
}

std::vector<double> axis_frequencies(const Mechanism& mechanism, const Axes& axes, PoseTree tree) {
  return std::visit([&](auto& links) { return find_axis_frequencies(mechanism, axes, links); },
                    tree);
}

}  // namespace thigmo
