#include "plant/plant.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "base/assert.h"

namespace thigmo {

bool is_flat(const Segment& segment) { return segment.height_base != 0 || segment.height_tip != 0; }

bool is_rectangle(const Segment& segment) {
  return is_flat(segment) && segment.outline == Outline::rectangle;
}

void set_rectangle(const Rectangle& base, const Rectangle& tip, Segment& segment) {
  segment.radius_base = 0.5 * base.width;
  segment.radius_tip = 0.5 * tip.width;
  segment.height_base = base.height;
  segment.height_tip = tip.height;
}

Rectangle rectangle_at(const Segment& s, double fraction) {
  return {.width = 2 * (s.radius_base + (s.radius_tip - s.radius_base) * fraction),
          .height = s.height_base + (s.height_tip - s.height_base) * fraction};
}

Section section_of(const Segment& s, const Rectangle& sides) {
  if (is_rectangle(s)) return rectangular_section(sides.width, sides.height);
  return elliptic_section(sides.width, is_flat(s) ? sides.height : sides.width, s.hollow);
}

Section section_at(const Segment& s, double fraction) {
  return section_of(s, rectangle_at(s, fraction));
}

bool stands_on_tip(const Segment& segment, const Vec3& base_in_segment) {
  constexpr double near_tip = 0.02;  // of its length
  const Vec3 gap = base_in_segment - Vec3{0, segment.length, 0};
  return length(gap) <= near_tip * segment.length;
}

double stem_volume(const Segment& s) {
  // Simpson's rule is exact for products of two linear sides.
  if (is_flat(s)) {
    const auto area = [&](double fraction) {
      const Rectangle r = rectangle_at(s, fraction);
      return r.width * r.height;
    };
    const double box = s.length * (area(0) + 4 * area(0.5) + area(1)) / 6;
    if (is_rectangle(s)) return box;
    return box * std::numbers::pi / 4 * (1 - s.hollow * s.hollow);
  }
  const double a = s.radius_base, b = s.radius_tip;
  return s.length * std::numbers::pi * (a * a + a * b + b * b) / 3 * (1 - s.hollow * s.hollow);
}

bool is_narrow_leaf(const Organ& organ) {
  return organ.kind == OrganKind::leaf &&
         (organ.shape == needle_shape || organ.shape == blade_shape);
}

void set_place(const Vec3& base_in_segment, const Quat& segment_from_organ, Organ& organ) {
  const auto single = [](double value) { return static_cast<float>(value); };
  const Vec3& b = base_in_segment;
  const Quat& q = segment_from_organ;
  organ.base = {single(b.x), single(b.y), single(b.z)};
  organ.rotation = {single(q.w), single(q.x), single(q.y), single(q.z)};
}

Vec3 base_in_segment(const Organ& organ) { return {organ.base.x, organ.base.y, organ.base.z}; }

Quat segment_from_organ(const Organ& organ) {
  const QuatT<float>& q = organ.rotation;
  return normalized(Quat{q.w, q.x, q.y, q.z});
}

Index segment_count(const Plant& plant) { return static_cast<Index>(plant.segments.size()); }

std::vector<Index> subtree_sizes(const Plant& plant) {
  std::vector<Index> sizes(plant.segments.size(), 1);
  for (std::size_t i = plant.segments.size(); i-- > 0;) {
    const Index parent = plant.segments[i].parent;
    if (parent != no_index) at(sizes, parent) += sizes[i];
  }
  return sizes;
}

Vec3 move_origin_to_root(Plant& plant) {
  if (plant.segments.empty()) return {};
  const Vec3 root = plant.segments.front().base_in_parent;
  for (Segment& segment : plant.segments) {
    if (segment.parent == no_index) segment.base_in_parent -= root;
  }
  return root;
}

Pose rest_pose(const Plant& plant, const PlantFrame& stands) {
  Pose pose{.base_world = {}, .world_from_segment = {}, .root = stands};
  pose.base_world.reserve(plant.segments.size());
  pose.world_from_segment.reserve(plant.segments.size());
  // Roots of a plant that is not turned keep the digits of their rotation.
  const bool turned = !(stands.world_from_plant == Quat{});
  for (const Segment& segment : plant.segments) {
    const bool is_root = segment.parent == no_index;
    const auto p = as_size(segment.parent);
    const Quat world_from_parent = is_root ? stands.world_from_plant : pose.world_from_segment[p];
    const Vec3 parent_world = is_root ? stands.origin_world : pose.base_world[p];
    pose.base_world.push_back(parent_world + rotate(world_from_parent, segment.base_in_parent));
    pose.world_from_segment.push_back(
        is_root && !turned ? segment.parent_from_segment
                           : normalized(world_from_parent * segment.parent_from_segment));
  }
  return pose;
}

Vec3 point_on_segment(const Plant& plant, const Pose& pose, Index segment, double fraction) {
  const auto i = as_size(segment);
  const Vec3 along{0, plant.segments[i].length * fraction, 0};
  return pose.base_world[i] + rotate(pose.world_from_segment[i], along);
}

Box bounding_box(const Plant& plant, const Pose& pose) {
  if (plant.segments.empty()) return {};
  Box box{.min = pose.base_world[0], .max = pose.base_world[0]};
  const auto extend = [&box](const Vec3& p) {
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y), std::min(box.min.z, p.z)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y), std::max(box.max.z, p.z)};
  };
  for (Index i = 0; i < segment_count(plant); ++i) {
    extend(point_on_segment(plant, pose, i, 0.0));
    extend(point_on_segment(plant, pose, i, 1.0));
  }
  return box;
}

Index next_on_axis(const Plant& plant, const std::vector<Index>& subtree_sizes, Index segment) {
  const Index end = segment + at(subtree_sizes, segment);
  Index next = no_index, next_size = 0;
  for (Index child = segment + 1; child < end; child += at(subtree_sizes, child)) {
    if (at(plant.segments, child).axis == at(plant.segments, segment).axis) return child;
    if (at(subtree_sizes, child) > next_size) {
      next = child;
      next_size = at(subtree_sizes, child);
    }
  }
  return next;
}

std::vector<Index> main_axis(const Plant& plant) {
  std::vector<Index> path;
  if (plant.segments.empty()) return path;
  const std::vector<Index> sizes = subtree_sizes(plant);
  for (Index here = 0; here != no_index; here = next_on_axis(plant, sizes, here)) {
    path.push_back(here);
  }
  return path;
}

AxisPoint point_on_main_axis(const Plant& plant, double fraction) {
  const std::vector<Index> path = main_axis(plant);
  THIGMO_ASSERT(!path.empty());
  double total = 0;
  for (Index i : path) total += at(plant.segments, i).length;
  double left = fraction * total;
  for (Index i : path) {
    const double length = at(plant.segments, i).length;
    if (left <= length && length > 0) return {.segment = i, .fraction = left / length};
    left -= length;
  }
  return {.segment = path.back(), .fraction = 1.0};
}

Result<Done> check_structure(const Plant& plant) {
  if (plant.materials.empty()) return error("the plant has no material");
  std::vector<Index> open;  // path from a root to the last segment
  for (Index i = 0; i < segment_count(plant); ++i) {
    const Segment& s = at(plant.segments, i);
    if (s.parent < no_index || s.parent >= i) {
      return error(
          fmt::format("segment {} has parent {}, which does not stand before it", i, s.parent));
    }
    while (!open.empty() && open.back() != s.parent) open.pop_back();
    if (s.parent != no_index && open.empty()) {
      return error(fmt::format("segment {} is not in the subtree of its parent {}", i, s.parent));
    }
    open.push_back(i);
    if (!(s.length > 0) || !std::isfinite(s.length)) {
      return error(fmt::format("segment {} has length {}", i, s.length));
    }
    if (!(s.radius_base > 0) || !(s.radius_tip >= 0) || !std::isfinite(s.radius_base) ||
        !std::isfinite(s.radius_tip)) {
      return error(fmt::format("segment {} has radii {} and {}", i, s.radius_base, s.radius_tip));
    }
    if (s.material < 0 || static_cast<std::size_t>(s.material) >= plant.materials.size()) {
      return error(
          fmt::format("segment {} has material {} of {}", i, s.material, plant.materials.size()));
    }
    if (!(s.hollow >= 0 && s.hollow < 1)) {
      return error(fmt::format("segment {} is hollow to {} of its radius", i, s.hollow));
    }
    if (is_flat(s) && !(s.height_base > 0 && s.height_tip >= 0 && std::isfinite(s.height_base) &&
                        std::isfinite(s.height_tip))) {
      return error(
          fmt::format("segment {} has the heights {} and {}", i, s.height_base, s.height_tip));
    }
    // Files may hold rotations in single precision.
    const Quat& q = s.parent_from_segment;
    if (!(std::abs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-5)) {
      return error(fmt::format("segment {} has a rest rotation that is no unit quaternion", i));
    }
    if (!is_finite(s.base_in_parent)) return error(fmt::format("segment {} starts nowhere", i));
  }
  Index last = 0;
  for (const Organ& organ : plant.organs) {
    if (organ.segment < 0 || organ.segment >= segment_count(plant)) {
      return error(
          fmt::format("an organ sits on segment {} of {}", organ.segment, segment_count(plant)));
    }
    if (organ.segment < last) {
      return error(
          fmt::format("an organ on segment {} stands after one on {}", organ.segment, last));
    }
    last = organ.segment;
  }
  return Done{};
}

}  // namespace thigmo
