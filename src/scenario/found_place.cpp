#include "scenario/found_place.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"

namespace thigmo {
namespace {

Diagnostic not_there(const PointOnPlant& place, std::string message) {
  Diagnostic said = place.place;
  said.message = std::move(message);
  return said;
}

// The point at a part of the length of some segments, one behind the other.
AxisPoint point_along(const Plant& plant, const std::vector<Index>& path, double along) {
  double total = 0;
  for (const Index i : path) total += segment_at(plant, i).length;
  double left = along * total;
  for (const Index i : path) {
    const double length = segment_at(plant, i).length;
    // What lies at an end by rounding is there.
    if (left <= length * (1 + 1e-12))
      return {.segment = i, .fraction = std::min(1.0, left / length)};
    left -= length;
  }
  return {.segment = path.back(), .fraction = 1};
}

Result<AxisPoint> point_on_segment(const Plant& plant, const PointOnPlant& place,
                                   std::string_view what) {
  const bool in_pieces = !plant.whole_ends.empty();
  const Index count =
      in_pieces ? static_cast<Index>(plant.whole_ends.size()) : segment_count(plant);
  if (place.number >= count) {
    return not_there(
        place, fmt::format("{} is at segment {}, but the plant '{}' has segments 0 to {}", what,
                           place.number, plant.name, count - 1));
  }
  std::vector<Index> path;
  const auto [first, last] = pieces_of(plant, place.number);
  for (Index i = first; i <= last; ++i) path.push_back(i);
  return point_along(plant, path, place.along);
}

Result<AxisPoint> point_on_axis(const Plant& plant, const PointOnPlant& place,
                                std::string_view what) {
  std::vector<Index> path;
  Index most = 0;
  for (Index i = 0; i < segment_count(plant); ++i) {
    const Index axis = segment_at(plant, i).axis;
    if (axis == place.number) path.push_back(i);
    most = std::max(most, axis);
  }
  if (!path.empty()) return point_along(plant, path, place.along);
  return not_there(place, fmt::format("{} is on axis {}, but the plant '{}' has no such axis; the "
                                      "highest number is {}",
                                      what, place.number, plant.name, most));
}

}  // namespace

PiecesOfSegment pieces_of(const Plant& plant, Index segment) {
  if (plant.whole_ends.empty()) return {segment, segment};
  const Index last = at(plant.whole_ends, segment);
  // Where the segment that stands before it in the plant ends: they do not stand in the file's order.
  Index before = no_index;
  for (const Index end : plant.whole_ends) {
    if (end < last) before = std::max(before, end);
  }
  return {before + 1, last};
}

Result<FoundPlace> find_place(const Plant& plant, const PointOnPlant& place,
                              std::string_view what) {
  Result<AxisPoint> point = AxisPoint{};
  switch (place.kind) {
    case PointOnPlant::Kind::tip:
      point = AxisPoint{.segment = main_axis(plant).back(), .fraction = 1.0};
      break;
    case PointOnPlant::Kind::main_axis:
      point = point_on_main_axis(plant, place.along);
      break;
    case PointOnPlant::Kind::segment:
      point = point_on_segment(plant, place, what);
      break;
    case PointOnPlant::Kind::axis:
      point = point_on_axis(plant, place, what);
      break;
  }
  if (!point) return point.diagnostics();
  const double length = at(plant.segments, point->segment).length;
  return FoundPlace{.body = point->segment,
                    .point_in_body = {0, length * point->fraction, 0},
                    .along = point->fraction};
}

std::size_t plant_number(const Simulation& simulation, std::string_view name) {
  for (std::size_t i = 0; i < simulation.plants.size(); ++i) {
    if (simulation.plants[i].name == name) return i;
  }
  THIGMO_ASSERT(false && "the scenario's names are checked when it is read");
  return 0;
}

}  // namespace thigmo
