#include "mechanics/statics/chain.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/assert.h"

namespace thigmo {
namespace {

struct TipLoads {
  std::vector<Vec3> force, moment;  // at each element's tip, world axes [N], [N m]
};

double segment_mass(const Segment& s, const Material& material) {
  return material.density * stem_volume(s);
}

// Every load at the nearest element tip; what is nearest to the base of a root does no work.
TipLoads tip_loads(const Plant& plant, const Loads& loads) {
  const std::size_t n = plant.segments.size();
  TipLoads tips{.force = std::vector<Vec3>(n), .moment = std::vector<Vec3>(n)};
  const auto add = [&](std::size_t i, bool far_end, const Vec3& force) {
    if (far_end) {
      tips.force[i] += force;
    } else if (plant.segments[i].parent != no_index) {
      at(tips.force, plant.segments[i].parent) += force;
    }
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Segment& s = plant.segments[i];
    const double mass = segment_mass(s, at(plant.materials, s.material));
    add(i, true, loads.gravity_world * (0.5 * mass));
    add(i, false, loads.gravity_world * (0.5 * mass));
  }
  for (const Organ& organ : plant.organs) {
    const auto i = as_size(organ.segment);
    add(i, base_in_segment(organ).y >= 0.5 * plant.segments[i].length,
        loads.gravity_world * organ.mass);
  }
  for (const PointLoad& load : loads.points) {
    THIGMO_ASSERT(!load.follower);
    const auto i = as_size(load.body);
    add(i, load.point_in_body.y >= 0.5 * plant.segments[i].length, load.force);
    tips.moment[i] += load.moment;
  }
  return tips;
}

class ChainSolver {
 public:
  ChainSolver(const Plant& plant, const Loads& loads, const ChainOptions& options,
              const PlantFrame& stands)
      : plant_(plant), options_(options), stands_(stands), loads_(tip_loads(plant, loads)) {
    const Pose rest = rest_pose(plant, stands);
    subtree_ = subtree_sizes(plant);
    for (std::size_t i = 0; i < plant.segments.size(); ++i) {
      const Segment& s = plant.segments[i];
      nodes_.push_back(make_chain_node(options.element, s, at(plant.materials, s.material),
                                       rest.base_world[i], rest.world_from_segment[i]));
      length_ += s.length;
    }
    total_force_.resize(nodes_.size());
    total_moment_.resize(nodes_.size());
    beyond_.resize(nodes_.size());
    sums_.resize(nodes_.size());
    outer_.resize(nodes_.size());
  }

  ChainPose run() {
    ChainPose result;
    ChainReport& report = result.report;
    for (int step = 1; step <= options_.load_increments; ++step) {
      const double fraction = static_cast<double>(step) / options_.load_increments;
      const bool at_rest = iterate(fraction, report);
      if (at_rest) report.load_fraction = fraction;
      if (!std::isfinite(report.last_move) || !(at_rest || options_.go_on)) break;
    }
    report.converged = report.load_fraction == 1;
    collect(result);
    return result;
  }

 private:
  // End iterations: sweeps until nothing moves.
  bool iterate(double fraction, ChainReport& report) {
    std::vector<Vec3> before(nodes_.size());
    for (int i = 0; i < options_.most_iterations; ++i) {
      for (std::size_t k = 0; k < nodes_.size(); ++k)
        before[k] = tip_of(options_.element, nodes_[k]);
      sweep(fraction);
      ++report.iterations;
      double moved = 0;
      for (std::size_t k = 0; k < nodes_.size(); ++k) {
        moved = std::max(moved, length(tip_of(options_.element, nodes_[k]) - before[k]));
      }
      report.last_move = moved;
      if (!std::isfinite(moved)) return false;
      if (moved <= options_.tolerance * length_) return true;
    }
    return false;
  }

  void sweep(double fraction) {
    if (options_.form == ChainForm::quadratic) {
      sweep_quadratic(fraction);
    } else {
      sweep_linear(fraction);
    }
  }

  // Algorithm 3.1; the descendants of i are the contiguous range behind it.
  void sweep_quadratic(double fraction) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const std::size_t end = i + static_cast<std::size_t>(subtree_[i]);
      const Vec3 tip = tip_of(options_.element, nodes_[i]);
      Vec3 force, from_moments, from_forces;
      for (std::size_t j = i; j < end; ++j) {
        force += loads_.force[j] * fraction;
        from_moments += loads_.moment[j] * fraction;
        from_forces += cross(tip_of(options_.element, nodes_[j]) - tip, loads_.force[j] * fraction);
      }
      const RigidMotion motion =
          update_element(options_.element, force, from_moments + from_forces, nodes_[i]);
      for (std::size_t j = i + 1; j < end; ++j) {
        transform_element(options_.element, motion, nodes_[j]);
      }
    }
  }

  // Algorithm 4.1. With R_Σ the motion of all before i, and P the tips where the sweep began,
  //   Σ_j (P_j - P_i) × F_j = a - b,  a = Σ (R_Σ P_j) × F_j,  b = (R_Σ P_i) × F_Σ.
  // a is linear in the entries r_αβ of R_Σ (rows α = x, y, z; columns β = x, y, z, 1):
  //   a = Σ r_αβ σ_αβ,  σ_αβ = Σ_j P_jβ (e_α × F_j).
  void sweep_linear(double fraction) {
    prepare_sums(fraction);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Index parent = plant_.segments[i].parent;
      const RigidMotion before = parent == no_index ? RigidMotion{} : at(beyond_, parent);
      const Vec3 a = options_.form == ChainForm::linear ? by_entries(before, sums_[i])
                                                        : by_outer_product(before, i);
      transform_element(options_.element, before, nodes_[i]);
      const Vec3 b = cross(tip_of(options_.element, nodes_[i]), total_force_[i]);
      const RigidMotion motion =
          update_element(options_.element, total_force_[i], a - b + total_moment_[i], nodes_[i]);
      beyond_[i] = motion * before;
    }
  }

  // σ_αβ of an element: three rows of four vectors.
  using Sums = std::array<std::array<Vec3, 4>, 3>;
  struct OuterSums {
    Mat3 place_force;  // Σ P Fᵀ
    Vec3 force;        // Σ F: the row of the places' fourth coordinate
  };

  void prepare_sums(double fraction) {
    const std::size_t n = nodes_.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3 f = loads_.force[i] * fraction;
      const Vec3 p = tip_of(options_.element, nodes_[i]);
      total_force_[i] = f;
      total_moment_[i] = loads_.moment[i] * fraction;
      if (options_.form == ChainForm::linear) {
        const double place[4] = {p.x, p.y, p.z, 1};
        const Vec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (std::size_t row = 0; row < 3; ++row) {
          for (std::size_t column = 0; column < 4; ++column) {
            sums_[i][row][column] = cross(units[row], f) * place[column];
          }
        }
      } else {
        outer_[i] = {.place_force = {f * p.x, f * p.y, f * p.z}, .force = f};
      }
    }
    for (std::size_t i = n; i-- > 0;) {
      if (plant_.segments[i].parent == no_index) continue;
      const auto p = as_size(plant_.segments[i].parent);
      total_force_[p] += total_force_[i];
      total_moment_[p] += total_moment_[i];
      if (options_.form == ChainForm::linear) {
        for (std::size_t row = 0; row < 3; ++row) {
          for (std::size_t column = 0; column < 4; ++column) {
            sums_[p][row][column] += sums_[i][row][column];
          }
        }
      } else {
        outer_[p].place_force = outer_[p].place_force + outer_[i].place_force;
        outer_[p].force += outer_[i].force;
      }
    }
  }

  static Vec3 by_entries(const RigidMotion& r, const Sums& sums) {
    const Vec3 rows[3] = {r.turn.row_x, r.turn.row_y, r.turn.row_z};
    const double shift[3] = {r.shift.x, r.shift.y, r.shift.z};
    Vec3 a;
    for (std::size_t row = 0; row < 3; ++row) {
      a += sums[row][0] * rows[row].x + sums[row][1] * rows[row].y + sums[row][2] * rows[row].z +
           sums[row][3] * shift[row];
    }
    return a;
  }

  // Q = R_Σ S, a = (q_yz - q_zy, q_zx - q_xz, q_xy - q_yx).
  Vec3 by_outer_product(const RigidMotion& r, std::size_t i) const {
    const OuterSums& s = outer_[i];
    const Mat3 q = r.turn * s.place_force +
                   Mat3{s.force * r.shift.x, s.force * r.shift.y, s.force * r.shift.z};
    return {q.row_y.z - q.row_z.y, q.row_z.x - q.row_x.z, q.row_x.y - q.row_y.x};
  }

  void collect(ChainPose& result) const {
    result.pose.root = stands_;
    result.points_each = options_.element == ChainElement::one_joint ? 3 : 5;
    for (const ChainNode& node : nodes_) {
      result.points_world.push_back(node.point);
      const Vec3 tip = tip_of(options_.element, node);
      result.tip_world.push_back(tip);
      const ChainFrame& frame = node.tip_axis;
      const Quat world_from_tip = quat_from_columns(frame[2], frame[0], frame[1]);
      result.world_from_tip.push_back(world_from_tip);
      const Vec3 chord = normalized(tip - node.point[0], frame[0]);
      result.pose.base_world.push_back(node.point[0]);
      result.pose.world_from_segment.push_back(
          normalized(rotation_between(frame[0], chord) * world_from_tip));
    }
  }

  const Plant& plant_;
  ChainOptions options_;
  PlantFrame stands_;
  TipLoads loads_;
  std::vector<Index> subtree_;
  double length_ = 0;  // of all elements [m]
  std::vector<ChainNode> nodes_;
  std::vector<Vec3> total_force_, total_moment_;
  std::vector<RigidMotion> beyond_;  // how all beyond each element moved in this sweep
  std::vector<Sums> sums_;
  std::vector<OuterSums> outer_;
};

}  // namespace

ChainPose bend_chain(const Plant& plant, const Loads& loads, const ChainOptions& options,
                     const PlantFrame& stands) {
  return ChainSolver(plant, loads, options, stands).run();
}

Vec3 point_on_chain(const ChainPose& chain, std::size_t segment, double fraction) {
  const std::array<Vec3, 5>& point = chain.points_world[segment];
  const std::size_t links = chain.points_each - 1;
  double whole = 0;
  for (std::size_t k = 0; k < links; ++k) whole += length(point[k + 1] - point[k]);
  double left = fraction * whole;
  for (std::size_t k = 0; k < links; ++k) {
    const double link = length(point[k + 1] - point[k]);
    if (left < link) return point[k] + (point[k + 1] - point[k]) * (left / link);
    left -= link;
  }
  return point[links];
}

}  // namespace thigmo
