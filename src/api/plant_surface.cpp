#include "api/plant_surface.h"

namespace thigmo {
namespace {

void append(const std::vector<Vec3f>& from, std::vector<float>& to) {
  to.reserve(3 * from.size());
  for (const Vec3f& v : from) to.insert(to.end(), {v.x, v.y, v.z});
}

}  // namespace

PlantSurface::PlantSurface(std::unique_ptr<Content> content) : content_(std::move(content)) {
  const SkinnedMesh& mesh = content_->mesh;
  SurfaceMesh& at_rest = content_->at_rest;
  append(mesh.positions, at_rest.positions);
  append(mesh.normals, at_rest.normals);
  append(mesh.colours, at_rest.colours);
  for (const Vec2f& uv : mesh.uvs) at_rest.uvs.insert(at_rest.uvs.end(), {uv.x, uv.y});
  at_rest.indices = mesh.indices;
}
PlantSurface::PlantSurface(PlantSurface&&) noexcept = default;
PlantSurface& PlantSurface::operator=(PlantSurface&&) noexcept = default;
PlantSurface::~PlantSurface() = default;

const SurfaceMesh& PlantSurface::at_rest() const { return content_->at_rest; }

std::size_t PlantSurface::segment_count() const { return content_->mesh.rest.base_world.size(); }

PlantSurface::Shape PlantSurface::follow(const std::vector<Transform>& transforms) {
  static_assert(sizeof(Vec3f) == 3 * sizeof(float));
  Content& c = *content_;
  if (transforms.size() != segment_count()) return {};
  c.pose.base_world.clear();
  c.pose.world_from_segment.clear();
  for (const auto& [position, rotation] : transforms) {
    c.pose.base_world.push_back({position[0], position[1], position[2]});
    c.pose.world_from_segment.push_back({rotation[0], rotation[1], rotation[2], rotation[3]});
  }
  deform(c.mesh, c.pose, c.shape);
  if (c.shape.positions.empty()) return {};
  return {.positions = &c.shape.positions.front().x,
          .normals = &c.shape.normals.front().x,
          .vertices = c.shape.positions.size()};
}

}  // namespace thigmo
