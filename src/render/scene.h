#pragma once

#include <memory>
#include <span>
#include <vector>

#include "mesh/mesh.h"

namespace thigmo {

// A plant in one pose. Both must outlive this view.
struct PosedPlant {
  const Plant* plant = nullptr;
  const Pose* pose = nullptr;  // null: at rest
};

// What a ray met.
struct Hit {
  bool found = false;
  double distance = 0;  // [m]
  Vec3 normal_world{};  // unit, of the side that was hit for sheets, outward for stems
  Vec3 colour{};        // reflectance, linear RGB
  bool sheet = false;   // light shines through
};

// The plants as Embree sees them: stems as tapered round curves, organs as triangles. Rays are
// traced from any number of threads.
class Scene {
 public:
  Scene(std::span<const PosedPlant> plants, int threads, int leaf_rows);
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
