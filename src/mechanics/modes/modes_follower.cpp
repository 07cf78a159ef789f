#include "mechanics/modes/modes_follower.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

// Follower loads have no energy: the stiffness K of K φ = ω² M φ is not symmetric, and two ω²
// may meet and leave the real axis, a vibration that the load feeds (flutter). K is small in the
// space Φ of the lowest vibrations that the joints alone would have, Φᵀ M Φ = 1: there ω² are the
// eigenvalues of Φᵀ K Φ (Galerkin's method).
//
// Without damping a round rod flutters under the least twisting moment (Nikolai's paradox): what the
// joints' own dampers put out, by the growth λ of λ² + λ ΦᵀDΦ + ΦᵀKΦ, is no flutter.

namespace thigmo {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Eigenvalues whose imaginary part is below this part of them are real but for rounding.
constexpr double rounding_part = 1e-5;

// The statics of springs alone, each as stiff as at rest: positive in any pose.
Statics springs_alone(const Mechanism& mechanism, const Statics& statics) {
  Statics springs = statics;
  for (std::size_t i = 0; i < springs.blocks.size(); ++i) {
    springs.blocks[i] = {
        .joint = conjugate(statics.world_from_body[i], joint_stiffness(mechanism.body[i])),
        .torque = {},
        .own = {},
        .inverse = {}};
  }
  return springs;
}

// K φ of all that couples parents and children, and bodies with themselves; see TreeBlock.
std::vector<Vec3> tree_times(const Mechanism& mechanism, const Statics& statics,
                             const std::vector<Vec3>& turn) {
  std::vector<Vec3> torque(turn.size());
  for (std::size_t i = 0; i < turn.size(); ++i) {
    const TreeBlock& b = statics.blocks[i];
    const Index parent = mechanism.parent[i];
    const Vec3 of_parent = parent == no_index ? Vec3{} : at(turn, parent);
    const Vec3 bent = b.joint * (turn[i] - of_parent);
    torque[i] += bent + b.own * turn[i] + 0.5 * cross(of_parent, b.torque);
    if (parent == no_index) continue;
    at(torque, parent) += 0.5 * cross(b.torque, turn[i]) - bent;
  }
  return torque;
}

// Φᵀ D Φ of the joints' dampers, and of damping in proportion to mass.
MatrixXd damping_in(const std::vector<Mode>& basis, const Mechanism& mechanism,
                    const Statics& statics) {
  const auto m = static_cast<Eigen::Index>(basis.size());
  MatrixXd small = MatrixXd::Identity(m, m) * mechanism.mass_damping;
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const Body& body = mechanism.body[i];
    const Sym3 block =
        conjugate(statics.world_from_body[i], joint_stiffness(body)) * body.damping_time;
    const Index parent = mechanism.parent[i];
    Eigen::Matrix3Xd bent(3, m), carried(3, m);
    for (Eigen::Index k = 0; k < m; ++k) {
      const std::vector<Vec3>& turn = basis[static_cast<std::size_t>(k)].turn_world;
      const Vec3 b = parent == no_index ? turn[i] : turn[i] - at(turn, parent);
      const Vec3 c = block * b;
      bent.col(k) << b.x, b.y, b.z;
      carried.col(k) << c.x, c.y, c.z;
    }
    small += bent.transpose() * carried;
  }
  return small;
}

// Whether a vibration grows in spite of the dampers.
bool grows(const MatrixXd& damping, const MatrixXd& stiffness) {
  const Eigen::Index m = stiffness.rows();
  MatrixXd first_order = MatrixXd::Zero(2 * m, 2 * m);
  first_order.topRightCorner(m, m).setIdentity();
  first_order.bottomLeftCorner(m, m) = -stiffness;
  first_order.bottomRightCorner(m, m) = -damping;
  const Eigen::VectorXcd rates = Eigen::EigenSolver<MatrixXd>(first_order, false).eigenvalues();
  return std::any_of(rates.begin(), rates.end(), [](const std::complex<double>& rate) {
    return rate.real() > 0.5 * rounding_part * std::abs(rate);
  });
}

// A follower force F at the point c of body j changes by φ_j × F: the torques
// -c_i × (φ_j × F) about all joints i on the way to the root, of which K φ is the negative.
void add_follower_force(const Mechanism& mechanism, const Statics& statics, const PointLoad& load,
                        const std::vector<Vec3>& turn, std::vector<Vec3>& torque) {
  const auto j = as_size(load.body);
  const Mat3& r = statics.world_from_body[j];
  const Vec3 change = cross(turn[j], r * load.force);
  torque[j] -= cross(r * load.point_in_body, change);
  for (std::size_t i = j; mechanism.parent[i] != no_index;) {
    const auto p = as_size(mechanism.parent[i]);
    torque[p] -= cross(statics.places[i].from_parent, change);
    i = p;
  }
}

// Φᵀ K Φ.
MatrixXd stiffness_in(const std::vector<Mode>& basis, const Mechanism& mechanism,
                      const Loads& loads, const Statics& statics) {
  const auto m = static_cast<Eigen::Index>(basis.size());
  MatrixXd small(m, m);
  for (Eigen::Index column = 0; column < m; ++column) {
    const std::vector<Vec3>& turn = basis[static_cast<std::size_t>(column)].turn_world;
    std::vector<Vec3> torque = tree_times(mechanism, statics, turn);
    for (const PointLoad& load : loads.points) {
      if (load.follower) add_follower_force(mechanism, statics, load, turn, torque);
    }
    for (Eigen::Index row = 0; row < m; ++row) {
      small(row, column) = inner(basis[static_cast<std::size_t>(row)].turn_world, torque);
    }
  }
  return small;
}

Mode mode_of(const std::vector<Mode>& basis, double omega_squared, const VectorXd& part) {
  Mode mode{.frequency = std::sqrt(omega_squared) / (2 * std::numbers::pi),
            .turn_world = std::vector<Vec3>(basis.front().turn_world.size())};
  const double size = part.norm();
  for (std::size_t k = 0; k < basis.size(); ++k) {
    const double share = part(static_cast<Eigen::Index>(k)) / size;
    for (std::size_t i = 0; i < mode.turn_world.size(); ++i) {
      mode.turn_world[i] += basis[k].turn_world[i] * share;
    }
  }
  return mode;
}

}  // namespace

bool has_follower_loads(const Loads& loads) {
  return std::any_of(loads.points.begin(), loads.points.end(), [](const PointLoad& load) {
    return squared_length(load.moment) > 0 || (load.follower && squared_length(load.force) > 0);
  });
}

Modes find_follower_modes(const Mechanism& mechanism, const Loads& loads, const Statics& statics,
                          const ModeOptions& options) {
  constexpr int least_basis = 60;
  Modes result = modes_of(mechanism, springs_alone(mechanism, statics),
                          {.count = std::max(least_basis, 6 * options.count)});
  const std::vector<Mode> basis = std::move(result.modes);
  result.modes.clear();
  if (!result.converged || basis.empty()) return result;

  const MatrixXd stiffness = stiffness_in(basis, mechanism, loads, statics);
  const Eigen::EigenSolver<MatrixXd> solver(stiffness);
  const Eigen::VectorXcd& value = solver.eigenvalues();
  std::vector<Eigen::Index> order(basis.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<Eigen::Index>(k);
  std::sort(order.begin(), order.end(),
            [&](Eigen::Index a, Eigen::Index b) { return value(a).real() < value(b).real(); });
  // The upper half of the space is there for the sake of the lower.
  const std::size_t judged = std::max<std::size_t>(
      order.size() / 2, std::min<std::size_t>(as_size(options.count), order.size()));
  for (std::size_t k = 0; k < judged; ++k) {
    const std::complex<double> square = value(order[k]);
    const bool flutters = std::abs(square.imag()) > rounding_part * std::abs(square);
    if (flutters) ++result.fluttering;
    if (!flutters && square.real() <= 0) ++result.negative_directions;
  }
  result.fluttering = (result.fluttering + 1) / 2;  // pairs
  if (result.fluttering > 0 && !grows(damping_in(basis, mechanism, statics), stiffness)) {
    result.fluttering = 0;
  }
  result.stable = result.fluttering == 0 && result.negative_directions == 0;
  if (!result.stable) return result;
  for (std::size_t k = 0; k < judged && k < as_size(options.count); ++k) {
    result.modes.push_back(
        mode_of(basis, value(order[k]).real(), solver.eigenvectors().col(order[k]).real()));
  }
  return result;
}

}  // namespace thigmo
