#pragma once

#include <memory>
#include <span>
#include <vector>

#include "mesh/mesh.h"
#include "mesh/mesh_options.h"

namespace thigmo {

// A plant in one pose. All must outlive this view.
struct PosedPlant {
  const Plant* plant = nullptr;
  const Pose* pose = nullptr;           // null: at rest
  std::span<const double> values = {};  // one a segment, to colour it by; empty: its own colours
};

// Which values the ends of the colour map stand for.
struct ValueRange {
  double low = 0, high = 1;
};
inline double range_part(const ValueRange& range, double value) {
  return range.high > range.low ? (value - range.low) / (range.high - range.low) : 0.0;
}

// The smallest and largest value of all plants.
ValueRange value_range(std::span<const PosedPlant> plants);

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
