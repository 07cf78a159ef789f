#include "mesh/tube.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mesh/tube_rings.h"

namespace thigmo {
namespace {

// Beyond this turn a child looks like a side branch, whatever its thickness.
const double continuation_cosine = std::cos(70.0 * std::numbers::pi / 180.0);

// Whether `child` continues its parent better than `rival` does.
bool continues_better(const Segment& parent, const Segment& child, const Segment& rival) {
  const bool child_same = child.axis == parent.axis, rival_same = rival.axis == parent.axis;
  if (child_same != rival_same) return child_same;
  return child.radius_base > rival.radius_base;
}

bool can_continue(const Segment& parent, const Segment& child) {
  if (!stands_on_tip(parent, child.base_in_parent)) return false;
  if (child.axis == parent.axis) return true;
  return rotate(child.parent_from_segment, Vec3{0, 1, 0}).y > continuation_cosine;
}

// Whether branches or organs sit near the end of each segment; `next` goes on from it. Pieces of blades
// along a segment do not count: they bend with it.
std::vector<char> bearing_ends(const Plant& plant, const std::vector<Index>& next) {
  std::vector<char> bears(plant.segments.size(), 0);
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    const Index parent = plant.segments[i].parent;
    if (parent == no_index || at(next, parent) == static_cast<Index>(i)) continue;
    at(bears, parent) = 1;
  }
  for (const Organ& organ : plant.organs) {
    if (rotate(segment_from_organ(organ), Vec3{0, 1, 0}).y > 0.97) continue;
    const Segment& s = segment_at(plant, organ.segment);
    const Index bearer = base_in_segment(organ).y > 0.5 * s.length ? organ.segment : s.parent;
    if (bearer != no_index) at(bears, bearer) = 1;
  }
  return bears;
}

// Directions that lie within 60° of each other lead on always, so that no ring is in another's way for
// longer than a few radii.
bool may_turn_back(const Plant& plant, const Tube& tube) {
  double turn = 0;
  for (std::size_t k = 1; k < tube.segments.size(); ++k) {
    const Segment& s = segment_at(plant, tube.segments[k]);
    const double cosine = rotate(s.parent_from_segment, Vec3{0, 1, 0}).y;
    turn += std::acos(std::clamp(cosine, -1.0, 1.0));
    if (turn > std::numbers::pi / 3) return true;
  }
  return false;
}

// Where a stem turns back too sharply for one wall, another tube begins, as a side branch does.
void split_at_sharp_turns(const Plant& plant, const MeshOptions& options,
                          std::vector<Tube>& tubes) {
  std::vector<Tube> added;
  Pose rest;
  for (Tube& tube : tubes) {
    if (!may_turn_back(plant, tube)) continue;
    if (rest.base_world.empty()) rest = rest_pose(plant);
    const std::vector<std::size_t> turns = sharp_turns(plant, rest, tube, options);
    for (std::size_t i = turns.size(); i-- > 0;) {
      const auto at = static_cast<std::ptrdiff_t>(turns[i]);
      added.push_back({.segments = {tube.segments.begin() + at, tube.segments.end()},
                       .bears = {tube.bears.begin() + at, tube.bears.end()}});
      tube.segments.resize(turns[i]);
      tube.bears.resize(turns[i]);
    }
  }
  if (added.empty()) return;
  tubes.insert(tubes.end(), added.begin(), added.end());
  std::sort(tubes.begin(), tubes.end(),
            [](const Tube& a, const Tube& b) { return a.segments.front() < b.segments.front(); });
}

}  // namespace

bool is_flat(const Plant& plant, const Tube& tube) {
  return std::any_of(tube.segments.begin(), tube.segments.end(),
                     [&](Index s) { return is_flat(at(plant.segments, s)); });
}

std::vector<Tube> find_tubes(const Plant& plant, const MeshOptions& options) {
  const std::size_t count = plant.segments.size();
  std::vector<Index> next(count, no_index);
  for (std::size_t i = 0; i < count; ++i) {
    const Segment& child = plant.segments[i];
    if (child.parent == no_index) continue;
    const Segment& parent = segment_at(plant, child.parent);
    Index& best = at(next, child.parent);
    if (!can_continue(parent, child)) continue;
    if (best == no_index || continues_better(parent, child, segment_at(plant, best))) {
      best = static_cast<Index>(i);
    }
  }
  const std::vector<char> bears = bearing_ends(plant, next);
  std::vector<Tube> tubes;
  for (std::size_t i = 0; i < count; ++i) {
    const Index parent = plant.segments[i].parent;
    const bool starts = parent == no_index || at(next, parent) != static_cast<Index>(i);
    if (!starts) continue;
    Tube& tube = tubes.emplace_back();
    for (Index s = static_cast<Index>(i); s != no_index; s = at(next, s)) {
      tube.segments.push_back(s);
      tube.bears.push_back(at(bears, s));
    }
  }
  split_at_sharp_turns(plant, options, tubes);
  return tubes;
}

}  // namespace thigmo
