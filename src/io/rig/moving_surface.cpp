#include "io/rig/moving_surface.h"

#include <algorithm>

#include "mesh/build.h"

namespace thigmo {
namespace {

void append_pose(const Pose& pose, Pose& all) {
  all.base_world.insert(all.base_world.end(), pose.base_world.begin(), pose.base_world.end());
  all.world_from_segment.insert(all.world_from_segment.end(), pose.world_from_segment.begin(),
                                pose.world_from_segment.end());
}

template <class T>
void append(const std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

void append_mesh(const SkinnedMesh& mesh, SkinnedMesh& all) {
  const auto vertices = static_cast<std::uint32_t>(all.positions.size());
  const auto joints = static_cast<Index>(all.rest.base_world.size());
  const auto indices = static_cast<std::uint32_t>(all.indices.size());
  append_pose(mesh.rest, all.rest);
  append(mesh.positions, all.positions);
  append(mesh.normals, all.normals);
  append(mesh.tangents, all.tangents);
  append(mesh.uvs, all.uvs);
  append(mesh.colours, all.colours);
  for (const std::uint32_t i : mesh.indices) all.indices.push_back(vertices + i);
  for (SkinGroup group : mesh.groups) {
    group.first_vertex += vertices;
    for (std::size_t k = 0; k < 4 && group.weight[k] > 0; ++k) group.joint[k] += joints;
    all.groups.push_back(group);
  }
  for (MeshPart part : mesh.parts) {
    part.first_index += indices;
    all.parts.push_back(part);
  }
}

}  // namespace

MovingSurface make_moving_surface(std::span<const MovingPlant> plants, const MeshOptions& options) {
  MovingSurface surface;
  surface.plants.assign(plants.begin(), plants.end());
  for (const MovingPlant& plant : plants) {
    SkinnedMesh mesh = build_mesh(*plant.plant, options, plant.stands);
    surface.first_part.push_back(surface.mesh.parts.size());
    if (plants.size() == 1) {
      surface.mesh = std::move(mesh);
    } else {
      append_mesh(mesh, surface.mesh);
    }
    if (moves(plant) && plant.motion->times.size() > surface.times.size()) {
      surface.times = plant.motion->times;
    }
  }
  if (surface.times.empty()) surface.times = {0.0};
  return surface;
}

void shape_at(const MovingSurface& surface, std::size_t frame, Deformed& out) {
  Pose pose, scratch;
  for (const MovingPlant& plant : surface.plants) {
    if (moves(plant)) {
      const std::size_t last = plant.motion->times.size() - 1;
      append_pose(pose_at(*plant.motion, std::min(frame, last), scratch), pose);
    } else {
      append_pose(rest_pose(plant), pose);
    }
  }
  deform(surface.mesh, pose, out);
}

double frame_rate(const MovingSurface& surface) {
  if (surface.times.size() < 2) return 0;
  return static_cast<double>(surface.times.size() - 1) /
         (surface.times.back() - surface.times.front());
}

}  // namespace thigmo
