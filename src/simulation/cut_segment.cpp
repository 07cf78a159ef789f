#include "simulation/cut_segment.h"

#include <algorithm>

#include "mechanics/compile/matter.h"
#include "plant/slice.h"

namespace thigmo {
namespace {

// The organs of a segment, a run in the plant's list.
std::pair<std::vector<Organ>::iterator, std::vector<Organ>::iterator> organs_on(Index segment,
                                                                                Plant& plant) {
  const auto before = [](const Organ& organ, Index s) { return organ.segment < s; };
  return {std::lower_bound(plant.organs.begin(), plant.organs.end(), segment, before),
          std::lower_bound(plant.organs.begin(), plant.organs.end(), segment + 1, before)};
}

Matter matter_with_organs(const Plant& plant, const Segment& segment, const DragModel& drag,
                          std::span<const Organ> organs) {
  Matter matter = matter_of(plant, segment, drag);
  for (const Organ& organ : organs) add_organ(organ, drag, matter);
  return matter;
}

// A body of a part's matter. What the whole has been changed by since it was compiled, the part is too.
Body body_of_part(const Body& whole, const Matter& of_whole, const Matter& of_part, double length) {
  const auto ratio = [](double now, double compiled) { return compiled > 0 ? now / compiled : 1; };
  const double weight = ratio(whole.mass, of_whole.mass);
  const double across = ratio(whole.drag_across, of_whole.drag_across);
  const double around = ratio(whole.drag_around, of_whole.drag_around);
  Body part = whole;
  part.mass = of_part.mass * weight;
  part.first_moment = of_part.first_moment * weight;
  part.inertia = narrowed(of_part.inertia * weight);
  part.drag_point = narrowed(of_part.drag_point);
  part.drag_across = narrowed(of_part.drag_across * across);
  part.drag_around = narrowed(of_part.drag_around * around);
  part.length = static_cast<float>(length);
  return part;
}

// The runs of whole subtrees on a segment that stand beyond a height of it, the last first.
std::vector<SegmentRange> runs_beyond(Index segment, double height, const PlantParts& parts) {
  const std::vector<Index>& sizes = parts.mechanism.subtree_size;
  std::vector<SegmentRange> runs;
  const Index end = segment + at(sizes, segment);
  for (Index child = segment + 1; child < end; child += at(sizes, child)) {
    if (!(segment_at(parts.plant, child).base_in_parent.y > height)) continue;
    if (!runs.empty() && runs.back().first + runs.back().count == child) {
      runs.back().count += at(sizes, child);
    } else {
      runs.push_back({.first = child, .count = at(sizes, child)});
    }
  }
  std::reverse(runs.begin(), runs.end());
  return runs;
}

void move_children(Index first, double by, PlantParts& parts) {
  for (std::size_t i = as_size(first); i < parts.plant.segments.size(); ++i) {
    if (parts.plant.segments[i].parent != no_index) continue;
    parts.plant.segments[i].base_in_parent.y += by;
    parts.mechanism.body[i].base_in_parent.y += by;
  }
}

bool same_matter(const Body& a, const Body& b) {
  return a.mass == b.mass && a.first_moment == b.first_moment && a.inertia == b.inertia &&
         a.stiffness == b.stiffness && a.damping_time == b.damping_time && a.length == b.length;
}
bool same_shape(const Segment& a, const Segment& b) {
  return a.length == b.length && a.radius_base == b.radius_base && a.radius_tip == b.radius_tip &&
         a.material == b.material;
}

}  // namespace

void divide(CutSegment& cut) {
  cut.lower = part_of(cut.whole, 0, cut.along);
  cut.upper = part_of(cut.whole, cut.along, 1);
  cut.upper.parent = no_index;
  cut.upper.base_in_parent = {};
  cut.upper.parent_from_segment = {};
  cut.lower.cut_tip = cut.upper.cut_base = true;
}

PlantParts take_beyond(Index segment, double along, const DragModel& drag, PlantParts& parts,
                       std::shared_ptr<const CutSegment>& record) {
  auto cut = std::make_shared<CutSegment>();
  cut->along = along;
  cut->whole = segment_at(parts.plant, segment);
  cut->whole_body = at(parts.mechanism.body, segment);
  divide(*cut);
  const double height = cut->lower.length;

  // What stands beyond, as it stood.
  PlantParts beyond{.plant = {.name = parts.plant.name,
                              .materials = parts.plant.materials,
                              .damping = parts.plant.damping}};
  beyond.mechanism.mass_damping = parts.mechanism.mass_damping;
  beyond.mechanism.streamlining_speed = parts.mechanism.streamlining_speed;
  beyond.plant.segments = {cut->upper};
  beyond.mechanism.parent = {no_index};
  beyond.mechanism.subtree_size = {1};
  beyond.mechanism.body = {cut->whole_body};
  beyond.joints = {JointState{}};
  beyond.ids = {SegmentId{}};
  std::vector<PlantParts> branches;
  for (const SegmentRange& run : runs_beyond(segment, height, parts)) {
    branches.push_back(take_out(run, parts));
    move_children(0, -height, branches.back());
  }
  for (auto it = branches.rbegin(); it != branches.rend(); ++it) {
    put_in(std::move(*it), 0, true, beyond);
  }

  const auto [begin, end] = organs_on(segment, parts.plant);
  const std::vector<Organ> all(begin, end);
  const auto is_beyond = [height](const Organ& organ) { return organ.base.y > height; };
  const auto kept =
      std::stable_partition(begin, end, [&](const Organ& o) { return !is_beyond(o); });
  std::vector<Organ> lower(begin, kept), upper(kept, end);
  parts.plant.organs.erase(kept, end);
  for (Organ& organ : upper) {
    organ.segment = 0;
    organ.base.y -= static_cast<float>(height);
  }
  beyond.plant.organs.insert(beyond.plant.organs.begin(), upper.begin(), upper.end());

  const Matter whole = matter_with_organs(parts.plant, cut->whole, drag, all);
  cut->lower_body =
      body_of_part(cut->whole_body, whole, matter_with_organs(parts.plant, cut->lower, drag, lower),
                   cut->lower.length);
  cut->upper_body =
      body_of_part(cut->whole_body, whole, matter_with_organs(parts.plant, cut->upper, drag, upper),
                   cut->upper.length);
  cut->upper_body.base_in_parent = {};
  cut->upper_body.parent_from_rest = {};
  at(parts.plant.segments, segment) = cut->lower;
  at(parts.mechanism.body, segment) = cut->lower_body;
  beyond.mechanism.body[0] = cut->upper_body;
  record = std::move(cut);
  return beyond;
}

bool fits_together(const PlantParts& lower, Index segment, const PlantParts& upper,
                   const CutSegment& cut) {
  return same_matter(at(lower.mechanism.body, segment), cut.lower_body) &&
         same_matter(upper.mechanism.body[0], cut.upper_body) &&
         same_shape(segment_at(lower.plant, segment), cut.lower) &&
         same_shape(upper.plant.segments[0], cut.upper);
}

void join_segment(const CutSegment& cut, Index segment, PlantParts&& upper, PlantParts& lower) {
  const double height = cut.lower.length;
  // Where it stands it has not moved, whatever that is by now.
  Segment& joined = at(lower.plant.segments, segment);
  const Segment before = joined;
  joined = cut.whole;
  joined.parent = before.parent;
  joined.base_in_parent = before.base_in_parent;
  joined.parent_from_segment = before.parent_from_segment;
  Body& body = at(lower.mechanism.body, segment);
  const Body body_before = body;
  body = cut.whole_body;
  body.base_in_parent = body_before.base_in_parent;
  body.parent_from_rest = body_before.parent_from_rest;

  std::vector<Organ> organs;
  for (const Organ& organ : upper.plant.organs) {
    if (organ.segment != 0) break;
    organs.push_back(organ);
    organs.back().segment = segment;
    organs.back().base.y += static_cast<float>(height);
  }
  upper.plant.organs.erase(upper.plant.organs.begin(),
                           upper.plant.organs.begin() + static_cast<std::ptrdiff_t>(organs.size()));
  const auto [begin, end] = organs_on(segment, lower.plant);
  lower.plant.organs.insert(end, organs.begin(), organs.end());

  if (upper.joints.size() == 1) return;
  PlantParts branches =
      take_out({.first = 1, .count = static_cast<Index>(upper.joints.size()) - 1}, upper);
  move_children(0, height, branches);
  put_in(std::move(branches), segment, true, lower);
}

}  // namespace thigmo
