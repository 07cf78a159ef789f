#include "mechanics/modes/modes.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.h"
#include "mechanics/modes/mass_matrix.h"
#include "mechanics/modes/modes_follower.h"

// K φ = ω² M φ in the absolute rotations φ of all bodies: K the Hessian of the static energy, a block
// tree that is factored once in O(n); M v one sweep out and one sweep in. The largest eigenvalues
// 1/ω² of K⁻¹M are found in the Krylov space of a block of vectors, M-orthogonal, with Ritz vectors
// kept when it has grown too large (thick restart). The block makes equal frequencies come out as
// often as they are there.

namespace thigmo {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Vec3* as_vectors(double* numbers) { return reinterpret_cast<Vec3*>(numbers); }

class KrylovSpace {
 public:
  KrylovSpace(const Mechanism& mechanism, const Statics& statics, const ModeOptions& options)
      : mechanism_(mechanism),
        blocks_(statics.blocks),
        mass_(mechanism, statics),
        rows_(static_cast<Eigen::Index>(3 * mechanism.body.size())) {
    wanted_ = std::min<Eigen::Index>(options.count, rows_);
    width_ = std::min<Eigen::Index>(std::clamp<Eigen::Index>(wanted_ / 2, 4, 8), rows_);
    most_ = std::min<Eigen::Index>(rows_, std::max<Eigen::Index>(6 * wanted_, 120));
    basis_.resize(rows_, most_ + width_);
    mass_basis_.resize(rows_, most_ + width_);
    tolerance_ = options.tolerance;
    torque_.resize(mechanism.body.size());
    relative_.resize(mechanism.body.size());
    absolute_.resize(mechanism.body.size());
  }

  Factored factor_stiffness() { return factor(mechanism_.parent, true, blocks_); }

  Modes run() {
    Modes result;
    result.converged = false;
    append(start());
    constexpr int most_rounds = 400;
    for (int round = 0; round < most_rounds && size_ > expanded_; ++round) {
      expand(result);
      if (size_ < std::min(2 * wanted_, rows_)) continue;
      if (rayleigh_ritz()) {
        result.converged = true;
        break;
      }
      if (size_ + width_ > most_ + width_) restart();
    }
    if (size_ == expanded_) {  // the space is all there is
      rayleigh_ritz();
      result.converged = true;
    }
    collect(result);
    return result;
  }

 private:
  MatrixXd start() const {
    MatrixXd block(rows_, width_);
    for (Eigen::Index column = 0; column < width_; ++column) {
      for (Eigen::Index row = 0; row < rows_; ++row) {
        block(row, column) =
            unit_from_bits(mix_bits(7, static_cast<std::uint64_t>(column * rows_ + row))) - 0.5;
      }
    }
    return block;
  }

  // M-orthogonal to the space and to itself, twice against rounding; what the space held already is
  // left out. The new vectors are the old ones times `factor`⁻¹.
  void append(MatrixXd block) {
    MatrixXd total = MatrixXd::Identity(block.cols(), block.cols());
    MatrixXd mass_block(rows_, block.cols());
    for (int pass = 0; pass < 2 && block.cols() > 0; ++pass) {
      if (size_ > 0) {
        block -= basis_.leftCols(size_) * (mass_basis_.leftCols(size_).transpose() * block);
      }
      mass_block.resize(rows_, block.cols());
      for (Eigen::Index k = 0; k < block.cols(); ++k) {
        mass_.apply(as_vectors(block.col(k).data()), as_vectors(mass_block.col(k).data()));
      }
      const Eigen::SelfAdjointEigenSolver<MatrixXd> gram(block.transpose() * mass_block);
      const VectorXd& size = gram.eigenvalues();
      const double largest = size(size.size() - 1);
      // Directions that shrank this far are rounding.
      const double least = pass == 0 ? std::max(1e-26 * first_size_, 1e-24 * largest) : 1e-10;
      if (size_ == 0 && pass == 0) first_size_ = largest;
      const Eigen::Index kept = (size.array() > least).count();
      const MatrixXd turn = gram.eigenvectors().rightCols(kept) *
                            size.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
      block = (block * turn).eval();
      mass_block = (mass_block * turn).eval();
      total = (gram.eigenvectors().rightCols(kept) * size.tail(kept).cwiseSqrt().asDiagonal())
                  .transpose() *
              total;
    }
    last_factor_ = total;  // old block = new block · total + what the space held
    basis_.middleCols(size_, block.cols()) = block;
    mass_basis_.middleCols(size_, block.cols()) = mass_block;
    size_ += block.cols();
  }

  // K⁻¹M of the newest vectors: columns of the projected matrix, and the next block.
  void expand(Modes& result) {
    const Eigen::Index fresh = size_ - expanded_;
    MatrixXd next(rows_, fresh);
    for (Eigen::Index k = 0; k < fresh; ++k) {
      const Vec3* right = as_vectors(mass_basis_.col(expanded_ + k).data());
      std::copy(right, right + torque_.size(), torque_.begin());
      solve(mechanism_.parent, blocks_, torque_, relative_, absolute_);
      std::copy(absolute_.begin(), absolute_.end(), as_vectors(next.col(k).data()));
      ++result.solves;
    }
    MatrixXd grown = MatrixXd::Zero(size_, size_);
    grown.topLeftCorner(expanded_, expanded_) = projected_;
    const MatrixXd columns = mass_basis_.leftCols(size_).transpose() * next;
    grown.rightCols(fresh) = columns;
    grown.bottomLeftCorner(fresh, expanded_) = columns.topRows(expanded_).transpose();
    grown.bottomRightCorner(fresh, fresh) =
        0.5 * (columns.bottomRows(fresh) + columns.bottomRows(fresh).transpose());
    projected_ = grown;
    last_fresh_ = fresh;
    expanded_ = size_;
    append(std::move(next));
  }

  // True when the wanted Ritz pairs leave residuals below the tolerance: of the part of the shape
  // that the last block did, what it left outside the space.
  bool rayleigh_ritz() {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(projected_);
    const Eigen::Index m = projected_.rows();
    value_ = solver.eigenvalues().reverse();
    shape_ = solver.eigenvectors().rowwise().reverse();
    const Eigen::Index count = std::min(wanted_, m);
    if (last_factor_.rows() == 0) return true;
    for (Eigen::Index k = 0; k < count; ++k) {
      const double residual = (last_factor_ * shape_.col(k).tail(last_fresh_)).norm();
      if (residual > tolerance_ * std::abs(value_(k))) return false;
    }
    return count == wanted_;
  }

  void restart() {
    const Eigen::Index kept = std::min(wanted_ + 2 * width_, expanded_);
    const Eigen::Index fresh = size_ - expanded_;
    const MatrixXd small = shape_.leftCols(kept);
    const MatrixXd block = basis_.middleCols(expanded_, fresh);
    const MatrixXd mass_block = mass_basis_.middleCols(expanded_, fresh);
    basis_.leftCols(kept) = (basis_.leftCols(expanded_) * small).eval();
    mass_basis_.leftCols(kept) = (mass_basis_.leftCols(expanded_) * small).eval();
    basis_.middleCols(kept, fresh) = block;
    mass_basis_.middleCols(kept, fresh) = mass_block;
    projected_ = value_.head(kept).asDiagonal();
    expanded_ = kept;
    size_ = kept + fresh;
  }

  void collect(Modes& result) const {
    const Eigen::Index count = std::min<Eigen::Index>(wanted_, value_.size());
    for (Eigen::Index k = 0; k < count; ++k) {
      Mode mode{.frequency = std::sqrt(1 / value_(k)) / (2 * std::numbers::pi), .turn_world = {}};
      VectorXd vector = basis_.leftCols(shape_.rows()) * shape_.col(k);
      const Vec3* turns = as_vectors(vector.data());
      mode.turn_world.assign(turns, turns + mechanism_.body.size());
      result.modes.push_back(std::move(mode));
    }
  }

  const Mechanism& mechanism_;
  std::vector<TreeBlock> blocks_;
  MassMatrix mass_;
  Eigen::Index rows_, wanted_ = 0, width_ = 0, most_ = 0;
  double tolerance_ = 0;
  MatrixXd basis_, mass_basis_;  // columns: vectors, and M times them
  Eigen::Index size_ = 0;        // columns in use
  Eigen::Index expanded_ = 0;    // of them, those that K⁻¹M was applied to
  Eigen::Index last_fresh_ = 0;  // of them, in the last round
  double first_size_ = 0;
  MatrixXd projected_;  // basisᵀ M K⁻¹ M basis, of the expanded ones
  MatrixXd last_factor_;
  VectorXd value_;
  MatrixXd shape_;
  std::vector<Vec3> torque_, relative_, absolute_;
};

}  // namespace

Modes find_modes(const Mechanism& mechanism, const Loads& loads, const State& state,
                 const ModeOptions& options) {
  if (mechanism.body.empty() || options.count <= 0) return {};
  Statics statics;
  evaluate_statics(mechanism, loads, 1.0, state, statics);
  return has_follower_loads(loads) ? find_follower_modes(mechanism, loads, statics, options)
                                   : modes_of(mechanism, statics, options);
}

Modes modes_of(const Mechanism& mechanism, const Statics& statics, const ModeOptions& options) {
  Modes none;
  KrylovSpace space(mechanism, statics, options);
  const Factored factored = space.factor_stiffness();
  if (!factored.regular || factored.negative > 0) {
    none.stable = false;
    none.negative_directions = factored.negative;
    return none;
  }
  return space.run();
}

double damping_ratio_of(const Mode& mode, const Mechanism& mechanism, const State& state) {
  const Pose pose = pose_of(mechanism, state);
  double by_joints = 0;
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const Index p = mechanism.parent[i];
    const Vec3 before = p == no_index ? Vec3{} : at(mode.turn_world, p);
    const Vec3 bent = rotate(conjugate(pose.world_from_segment[i]), mode.turn_world[i] - before);
    const Body& body = mechanism.body[i];
    by_joints += dot(bent, joint_stiffness(body) * bent) * body.damping_time;
  }
  return (by_joints + mechanism.mass_damping) / (4 * std::numbers::pi * mode.frequency);
}

Vec3 effective_mass(const Mode& mode, const Mechanism& mechanism, const State& state) {
  const Pose pose = pose_of(mechanism, state);
  const std::vector<Vec3> move = joint_displacements(mechanism, state, mode.turn_world);
  Vec3 momentum;
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const Body& body = mechanism.body[i];
    momentum += move[i] * body.mass +
                cross(mode.turn_world[i], rotate(pose.world_from_segment[i], body.first_moment));
  }
  return scale(momentum, momentum);
}

std::vector<Vec3> joint_displacements(const Mechanism& mechanism, const State& state,
                                      const std::vector<Vec3>& turn_world) {
  const Pose pose = pose_of(mechanism, state);
  std::vector<Vec3> move(turn_world.size());
  for (std::size_t i = 0; i < move.size(); ++i) {
    if (mechanism.parent[i] == no_index) continue;
    const auto p = as_size(mechanism.parent[i]);
    move[i] = move[p] + cross(turn_world[p], pose.base_world[i] - pose.base_world[p]);
  }
  return move;
}

}  // namespace thigmo
