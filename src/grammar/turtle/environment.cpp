#include "grammar/turtle/environment.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace thigmo {

namespace {

using Column = std::pair<std::int64_t, std::int64_t>;

std::int64_t cell(double x, double size) {
  // A plant is not wider than a billion cells; beyond that all is one cell.
  return static_cast<std::int64_t>(std::clamp(std::floor(x / size), -1e9, 1e9));
}

class LightFromAbove : public Environment {
 public:
  explicit LightFromAbove(double column_size) : size_(column_size) {}

  void answer(const Plant& plant, std::span<EnvironmentQuery> queries) override {
    const Pose pose = rest_pose(plant);
    std::map<Column, std::vector<std::pair<double, double>>> columns;  // height, area
    const auto add = [&](const Vec3& p, double area) {
      columns[{cell(p.x, size_), cell(p.z, size_)}].push_back({p.y, area});
    };
    for (Index i = 0; i < segment_count(plant); ++i) {
      const Segment& s = at(plant.segments, i);
      // What a rod of this direction hides of the light from above.
      const Vec3 along = rotate(at(pose.world_from_segment, i), {0, 1, 0});
      const double level = std::sqrt(std::max(0.0, 1.0 - along.y * along.y));
      add(point_on_segment(plant, pose, i, 0.5), (s.radius_base + s.radius_tip) * s.length * level);
    }
    for (const Organ& organ : plant.organs) {
      const auto s = as_size(organ.segment);
      const Vec3 center =
          base_in_segment(organ) + rotate(segment_from_organ(organ), {0, 0.5 * organ.length, 0});
      // A flat organ hides what its shadow on the ground covers, a round one the same from all sides.
      const bool flat = organ.kind == OrganKind::leaf || organ.kind == OrganKind::flower;
      const Vec3 normal =
          rotate(pose.world_from_segment[s], rotate(segment_from_organ(organ), {0, 0, 1}));
      add(pose.base_world[s] + rotate(pose.world_from_segment[s], center),
          organ.drag_area * (flat ? std::abs(normal.y) : 1.0));
    }
    // Sorted from the top, with the area summed up to each: a query is one search.
    for (auto& [column, areas] : columns) {
      std::stable_sort(areas.begin(), areas.end(),
                       [](const auto& a, const auto& b) { return a.first > b.first; });
      for (std::size_t i = 1; i < areas.size(); ++i) areas[i].second += areas[i - 1].second;
    }
    for (EnvironmentQuery& query : queries) {
      if (query.values.empty()) continue;
      const Vec3& p = query.position_world;
      double above = 0;
      const auto found = columns.find({cell(p.x, size_), cell(p.z, size_)});
      if (found != columns.end()) {
        const auto& areas = found->second;
        const auto first_below = std::partition_point(
            areas.begin(), areas.end(), [&](const auto& item) { return item.first > p.y + 1e-9; });
        if (first_below != areas.begin()) above = (first_below - 1)->second;
      }
      query.values[0] = std::exp(-above / (size_ * size_));
    }
  }

 private:
  double size_;
};

double distance_to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 ab = b - a;
  const double t = std::clamp(dot(p - a, ab) / std::max(squared_length(ab), 1e-300), 0.0, 1.0);
  return length(p - (a + ab * t));
}

class FreeSpace : public Environment {
 public:
  explicit FreeSpace(double reach) : reach_(reach) {}

  void answer(const Plant& plant, std::span<EnvironmentQuery> queries) override {
    const Pose pose = rest_pose(plant);
    // Segments in every cell that their box, widened by the reach, touches; a query looks at one.
    using Cell = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
    std::map<Cell, std::vector<std::size_t>> asked;
    const double size = 2.0 * reach_;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      const Vec3& p = queries[q].position_world;
      asked[{cell(p.x, size), cell(p.y, size), cell(p.z, size)}].push_back(q);
      if (!queries[q].values.empty()) queries[q].values[0] = reach_;
    }
    for (Index i = 0; i < segment_count(plant); ++i) {
      const Vec3 a = point_on_segment(plant, pose, i, 0.0);
      const Vec3 b = point_on_segment(plant, pose, i, 1.0);
      const auto low = [&](double x, double y) { return cell(std::min(x, y) - reach_, size); };
      const auto high = [&](double x, double y) { return cell(std::max(x, y) + reach_, size); };
      const auto meet = [&](std::size_t q) {
        EnvironmentQuery& query = queries[q];
        if (query.segment == i || query.values.empty()) return;
        query.values[0] =
            std::min(query.values[0], distance_to_segment(query.position_world, a, b));
      };
      const double cells = (static_cast<double>(high(a.x, b.x) - low(a.x, b.x)) + 1) *
                           (static_cast<double>(high(a.y, b.y) - low(a.y, b.y)) + 1) *
                           (static_cast<double>(high(a.z, b.z) - low(a.z, b.z)) + 1);
      if (cells > static_cast<double>(asked.size())) {  // a long segment: ask everybody
        for (std::size_t q = 0; q < queries.size(); ++q) meet(q);
        continue;
      }
      for (auto x = low(a.x, b.x); x <= high(a.x, b.x); ++x) {
        for (auto y = low(a.y, b.y); y <= high(a.y, b.y); ++y) {
          for (auto z = low(a.z, b.z); z <= high(a.z, b.z); ++z) {
            const auto found = asked.find({x, y, z});
            if (found == asked.end()) continue;
            for (const std::size_t q : found->second) meet(q);
          }
        }
      }
    }
  }

 private:
  double reach_;
};

}  // namespace

std::unique_ptr<Environment> light_from_above(double column_size) {
  return std::make_unique<LightFromAbove>(column_size);
}

std::unique_ptr<Environment> free_space(double reach) { return std::make_unique<FreeSpace>(reach); }

}  // namespace thigmo
