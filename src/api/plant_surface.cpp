#include "api/plant_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/common.h"
#include "api/world_content.h"
namespace thigmo {
namespace {

void append(const std::vector<Vec3f>& from, std::vector<float>& to) {
  to.reserve(3 * from.size());
  for (const Vec3f& v : from) to.insert(to.end(), {v.x, v.y, v.z});
}

void put_pose(const std::vector<Transform>& transforms, Pose& pose) {
  pose.base_world.clear();
  pose.world_from_segment.clear();
  for (const auto& [position, rotation] : transforms) {
    pose.base_world.push_back({position[0], position[1], position[2]});
    pose.world_from_segment.push_back({rotation[0], rotation[1], rotation[2], rotation[3]});
  }
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
  at_rest.joints.reserve(4 * mesh.positions.size());
  at_rest.weights.reserve(4 * mesh.positions.size());
  for (const SkinGroup& group : mesh.groups) {
    for (std::uint32_t v = 0; v < group.vertex_count; ++v) {
      at_rest.joints.insert(at_rest.joints.end(), group.joint.begin(), group.joint.end());
      at_rest.weights.insert(at_rest.weights.end(), group.weight.begin(), group.weight.end());
    }
  }
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
  put_pose(transforms, c.pose);
  deform(c.mesh, c.pose, c.shape);
  if (c.shape.positions.empty()) return {};
  return {.positions = &c.shape.positions.front().x,
          .normals = &c.shape.normals.front().x,
          .vertices = c.shape.positions.size()};
}

Outcome<Done> PlantSurface::joint_matrices(const std::vector<Transform>& transforms,
                                           std::span<float> to) {
  return attempt([&]() -> Result<Done> {
    Content& c = *content_;
    if (transforms.size() != segment_count()) {
      return bad_argument(fmt::format("{} transforms are not those of {} segments",
                                      transforms.size(), segment_count()),
                          "make the surface anew after edits that change how many there are");
    }
    if (to.size() < 16 * segment_count()) {
      return bad_argument(fmt::format("there is room for {} numbers, and {} are needed", to.size(),
                                      16 * segment_count()));
    }
    put_pose(transforms, c.pose);
    find_pose_from_rest(c.mesh, c.pose, c.shape.pose_from_rest);
    float* next = to.data();
    for (const auto& [m, offset] : c.shape.pose_from_rest) {
      const std::array<float, 16> columns{m.row_x.x, m.row_y.x, m.row_z.x, 0,  //
                                          m.row_x.y, m.row_y.y, m.row_z.y, 0,  //
                                          m.row_x.z, m.row_y.z, m.row_z.z, 0,  //
                                          offset.x,  offset.y,  offset.z,  1};
      next = std::copy(columns.begin(), columns.end(), next);
    }
    return Done{};
  });
}

}  // namespace thigmo
