#pragma once

#include <memory>
#include <span>
#include <vector>

#include "mesh/mesh.h"
#include "mesh/mesh_options.h"
#include "plant/motion.h"

namespace thigmo {

// Numbers of a plant's segments, one each, to colour it by; empty: its own colours.
using SegmentNumbers = std::span<const double>;

// Which values the ends of the colour map stand for.
struct ValueRange {
  double low = 0, high = 1;
};
inline double range_part(const ValueRange& range, double value) {
  return range.high > range.low ? (value - range.low) / (range.high - range.low) : 0.0;
}

// The smallest and largest value of all plants.
ValueRange value_range(std::span<const SegmentNumbers> values);

// The values of a plant; those of one behind the last have none.
inline SegmentNumbers values_of(std::span<const SegmentNumbers> values, std::size_t plant) {
  return plant < values.size() ? values[plant] : SegmentNumbers{};
}

// What a ray met.
struct Hit {
  bool found = false;
  double distance = 0;  // [m]
  Vec3 normal_world{};  // unit, of the side that was hit for sheets, outward for stems
  Vec3 colour{};        // reflectance, linear RGB
  bool sheet = false;   // light shines through
};

// The plants as Embree sees them: stems as tapered round curves through the rings of their tubes, organs
// and flat stems as triangles. Rays are traced from any number of threads.
class Scene {
 public:
  struct Options {
    int threads = 0;
    MeshOptions surface = {};
    std::span<const SegmentNumbers> values = {};  // of each plant; empty: none has any
    ValueRange range = {};
  };
  Scene(std::span<const PosedPlant> plants, const Options& options);
  Scene(Scene&&) noexcept;
  ~Scene();

  Hit nearest(const Vec3& origin_world, const Vec3& direction_world) const;
  bool occluded(const Vec3& origin_world, const Vec3& direction_world) const;

  // The size of the smallest step that leaves a surface [m].
  double step_off() const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace thigmo
