#include "mechanics/statics/newton_system.h"

#include <algorithm>

namespace thigmo {
namespace {

// Torques of a force at a point of body j about all joints before it.
std::vector<std::pair<std::size_t, Vec3>> torques_on_path(const Mechanism& mechanism,
                                                          const Statics& statics, std::size_t j,
                                                          const Vec3& arm, const Vec3& force) {
  std::vector<std::pair<std::size_t, Vec3>> path = {{j, cross(arm, force)}};
  for (std::size_t i = j; mechanism.parent[i] != no_index;) {
    const auto p = as_size(mechanism.parent[i]);
    path.emplace_back(p, cross(statics.places[i].from_parent, force));
    i = p;
  }
  return path;
}

void stiffen(double extra, std::vector<TreeBlock>& blocks) {
  if (extra == 0) return;
  for (TreeBlock& b : blocks) b.joint = b.joint * (1 + extra);
}

}  // namespace

NewtonSystem::NewtonSystem(const Mechanism& mechanism, bool symmetric, bool turning)
    : absolute(mechanism.body.size()),
      relative(mechanism.body.size()),
      mechanism_(mechanism),
      symmetric_(symmetric),
      torque_(mechanism.body.size()),
      other_(turning ? mechanism.body.size() : 0),
      other_relative_(other_.size()) {}

Factored NewtonSystem::factor_in_place(double extra, Statics& statics) {
  stiffen(extra, statics.blocks);
  factors_ = &statics.blocks;
  height_factors_ = &heights;
  return factor(mechanism_.parent, symmetric_, statics.blocks, heights);
}

Factored NewtonSystem::factor_copy(double extra, const Statics& statics) {
  kept_factors_ = statics.blocks;
  stiffen(extra, kept_factors_);
  kept_heights_ = heights;
  factors_ = &kept_factors_;
  height_factors_ = &kept_heights_;
  return factor(mechanism_.parent, symmetric_, kept_factors_, kept_heights_);
}

void NewtonSystem::collect(const Loads& loads, double fraction, const Statics& statics) {
  followers_.clear();
  for (const PointLoad& load : loads.points) {
    if (!load.follower || squared_length(load.force) == 0) continue;
    const auto j = as_size(load.body);
    const Mat3& r = statics.world_from_body[j];
    for (const Vec3& unit : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
      followers_.push_back(
          {.column = torques_on_path(mechanism_, statics, j, r * load.point_in_body, unit),
           .body = j,
           .force = r * load.force * fraction,
           .unit = unit});
    }
  }
}

bool NewtonSystem::add_follower_forces(const Loads& loads, double fraction,
                                       const Statics& statics) {
  collect(loads, fraction, statics);
  if (followers_.empty()) return true;
  const std::size_t m = followers_.size();
  DenseMatrix matrix(m);
  for (std::size_t column = 0; column < m; ++column) {
    std::fill(torque_.begin(), torque_.end(), Vec3{});
    for (const auto& [body, torque] : followers_[column].column) torque_[body] = torque;
    thigmo::solve(mechanism_.parent, *factors_, *height_factors_, torque_, other_relative_, other_);
    for (std::size_t row = 0; row < m; ++row) {
      matrix.at(row, column) = (row == column) + row_times(followers_[row], other_);
    }
  }
  turning_matrix_ = DenseLu(std::move(matrix));
  return turning_matrix_.regular();
}

void NewtonSystem::solve(const std::vector<Vec3>& torque) {
  torque_ = torque;
  thigmo::solve(mechanism_.parent, *factors_, *height_factors_, torque_, relative, absolute);
  if (followers_.empty()) return;
  // φ = φ₀ - H⁻¹U (1 + VᵀH⁻¹U)⁻¹ Vᵀφ₀
  std::vector<double> right;
  for (const FollowerTerm& term : followers_) right.push_back(row_times(term, absolute));
  const std::vector<double> amount = turning_matrix_.solve(std::move(right));
  std::fill(torque_.begin(), torque_.end(), Vec3{});
  for (std::size_t k = 0; k < followers_.size(); ++k) {
    for (const auto& [body, part] : followers_[k].column) torque_[body] += part * amount[k];
  }
  thigmo::solve(mechanism_.parent, *factors_, *height_factors_, torque_, other_relative_, other_);
  for (std::size_t i = 0; i < absolute.size(); ++i) {
    absolute[i] -= other_[i];
    relative[i] -= other_relative_[i];
  }
}

double NewtonSystem::stiffest_joint() const {
  double stiffest = 0;
  for (const TreeBlock& b : *factors_) {
    stiffest = std::max(stiffest, b.joint.xx + b.joint.yy + b.joint.zz);
  }
  return stiffest;
}

}  // namespace thigmo
