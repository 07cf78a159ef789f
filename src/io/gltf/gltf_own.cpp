#include "io/gltf/gltf_own.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace thigmo::gltf {
namespace {

// What our own writer leaves in the extras of joints, gathered from all skins.
struct OwnSegments {
  using Type = Attribute::Type;
  std::vector<SegmentRow> rows;
  Attribute axis{.name = "axis", .type = Type::integer, .values = {}};
  Attribute order{.name = "order", .type = Type::integer, .values = {}};
  Attribute up{.name = "up", .type = Type::vector, .size = 3, .values = {}};
  Attribute plant{.name = "plant", .type = Type::integer, .values = {}};
  int plants = 0;
  bool has_up = true;
};

// One segment of a skin, before they are put in order.
struct OwnSegment {
  Vec3 start_in_joint, end_in_joint;
  double radius_base = 0, radius_tip = 0, number = 0, parent = 0, axis = 0, order = 0;
  const Transform* joint = nullptr;
};

// The segments that a joint's extras tell of; false where there are none.
bool read_own(const Json& node, std::size_t joint, std::vector<OwnSegment>& segments) {
  const Json* extras = part(node, "extras");
  if (extras == nullptr) return false;
  if (extras->contains("segment")) {
    std::array<double, 6> own{};
    if (!read_numbers(*extras, "segment", own)) return false;
    segments.push_back({.end_in_joint = {0, own[0], 0},
                        .radius_base = own[1],
                        .radius_tip = own[2],
                        .number = static_cast<double>(joint),
                        .parent = own[3],
                        .axis = own[4],
                        .order = own[5]});
    return own[0] > 0;
  }
  const Json* numbers = list(*extras, "segments");
  constexpr std::size_t width = 12;
  if (numbers == nullptr || numbers->empty() || numbers->size() % width != 0) return false;
  std::vector<double> own(numbers->size());
  if (!read_numbers(*extras, "segments", own)) return false;
  for (std::size_t k = 0; k < own.size(); k += width) {
    const double* n = &own[k];
    segments.push_back({.start_in_joint = {n[6], n[7], n[8]},
                        .end_in_joint = {n[9], n[10], n[11]},
                        .radius_base = n[4],
                        .radius_tip = n[5],
                        .number = n[0],
                        .parent = n[1],
                        .axis = n[2],
                        .order = n[3]});
  }
  return true;
}

// Adds the segments of a skin in the order of their numbers; false where they are not 0, 1, 2, … with
// parents before their children.
bool add_own_segments(const Nodes& nodes, const std::vector<Index>& joints, OwnSegments& own) {
  std::vector<OwnSegment> segments;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const std::size_t before = segments.size();
    if (!read_own(at(*nodes.list, joints[k]), k, segments)) return false;
    for (std::size_t i = before; i < segments.size(); ++i)
      segments[i].joint = &at(nodes.world_from, joints[k]);
  }
  std::sort(segments.begin(), segments.end(),
            [](const OwnSegment& a, const OwnSegment& b) { return a.number < b.number; });
  const auto first = static_cast<Index>(own.rows.size());
  own.has_up = own.has_up && segments.size() == joints.size();
  ++own.plants;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const OwnSegment& s = segments[i];
    const auto number = static_cast<double>(i);
    if (s.number != number || !(s.radius_base >= 0 && s.radius_tip >= 0) ||
        !(s.parent >= -1 && s.parent < number && s.parent == std::floor(s.parent)))
      return false;
    if (!fits_integer(s.axis) || !fits_integer(s.order)) return false;
    const auto parent = static_cast<Index>(s.parent);
    own.rows.push_back({.start_world = s.joint->linear * s.start_in_joint + s.joint->offset,
                        .end_world = s.joint->linear * s.end_in_joint + s.joint->offset,
                        .parent = parent == no_index ? no_index : first + parent,
                        .radius_start = s.radius_base,
                        .radius_end = s.radius_tip});
    if (!is_finite(own.rows.back().start_world) || !is_finite(own.rows.back().end_world))
      return false;
    own.axis.values.push_back(s.axis);
    own.order.values.push_back(s.order);
    own.plant.values.push_back(own.plants);
    const Vec3 z = s.joint->linear * Vec3{0, 0, 1};
    own.up.values.insert(own.up.values.end(), {z.x, z.y, z.z});
  }
  return true;
}

}  // namespace

std::optional<SegmentTable> own_segments(const Nodes& nodes,
                                         const std::vector<std::vector<Index>>& skins) {
  OwnSegments own;
  std::vector<bool> used(nodes.parent.size(), false);
  for (const std::vector<Index>& joints : skins) {
    const auto is_used = [&](Index j) { return at(used, j); };
    // Another mesh on the same skeleton.
    if (std::all_of(joints.begin(), joints.end(), is_used)) continue;
    if (std::any_of(joints.begin(), joints.end(), is_used)) return std::nullopt;
    for (const Index j : joints) at(used, j) = true;
    if (!add_own_segments(nodes, joints, own)) return std::nullopt;
  }
  if (own.rows.empty()) return std::nullopt;
  SegmentTable table;
  table.rows = std::move(own.rows);
  table.attributes = {std::move(own.axis), std::move(own.order)};
  if (own.has_up) table.attributes.push_back(std::move(own.up));
  if (own.plants > 1) table.attributes.push_back(std::move(own.plant));
  return table;
}

}  // namespace thigmo::gltf
