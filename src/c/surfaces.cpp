#include "c/border.h"
#include "c/values.h"

// Surfaces, for programs that draw plants themselves.

namespace thigmo {
namespace {

SurfaceDetail detail_of(const thigmo_surface_detail& detail) {
  return {.sides = detail.sides,
          .min_radius = detail.min_radius,
          .leaf_share = detail.leaf_share,
          .root_flare = detail.root_flare,
          .weld = detail.weld != 0};
}

// Calls work(surface, world) where the surface has the plant's segments.
template <class Work>
thigmo_code on_both(thigmo_surface surface, thigmo_world world, thigmo_plant plant, Work&& work) {
  return on(surface, [&](SurfaceOfC& its) {
    return on(world, [&](const WorldOfC& the) -> thigmo_code {
      const Outcome<std::size_t> segments = the.world.segment_count(id_of(plant));
      if (!segments) return code_of(segments);
      if (*segments != its.surface.segment_count()) {
        return refuse(THIGMO_BAD_ARGUMENT, "the plant has other segments than the surface",
                      "make the surface anew after edits that change how many there are");
      }
      return work(its, the.world);
    });
  });
}

}  // namespace
}  // namespace thigmo

using namespace thigmo;

thigmo_surface_detail thigmo_default_surface_detail(void) {
  const SurfaceDetail detail;
  return {.sides = detail.sides,
          .weld = detail.weld ? 1 : 0,
          .min_radius = detail.min_radius,
          .leaf_share = detail.leaf_share,
          .root_flare = detail.root_flare};
}

thigmo_code thigmo_surface_create(thigmo_world world, thigmo_plant plant,
                                  const thigmo_surface_detail* detail, thigmo_surface* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    Outcome<PlantSurface> made =
        its.world.surface(id_of(plant), detail == nullptr ? SurfaceDetail{} : detail_of(*detail));
    if (!made) return code_of(made);
    *to = handles_of(thigmo_surface{}).add(std::make_shared<SurfaceOfC>(std::move(*made)));
    return THIGMO_OK;
  });
}

thigmo_code thigmo_surface_mesh(thigmo_surface surface, thigmo_mesh* to) {
  return on(surface, [&](const SurfaceOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    const SurfaceMesh& mesh = its.surface.at_rest();
    *to = {.vertices = mesh.positions.size() / 3,
           .indices = mesh.indices.size(),
           .positions = mesh.positions.data(),
           .normals = mesh.normals.data(),
           .colours = mesh.colours.data(),
           .uvs = mesh.uvs.data(),
           .index = mesh.indices.data(),
           .joints = mesh.joints.data(),
           .weights = mesh.weights.data()};
    return THIGMO_OK;
  });
}

thigmo_code thigmo_surface_follow(thigmo_surface surface, thigmo_world world, thigmo_plant plant,
                                  thigmo_shape* to) {
  return on_both(surface, world, plant, [&](SurfaceOfC& its, const World& the) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    const PlantSurface::Shape shape = its.surface.follow(the.transforms(id_of(plant)));
    *to = {.vertices = shape.vertices, .positions = shape.positions, .normals = shape.normals};
    return THIGMO_OK;
  });
}

thigmo_code thigmo_surface_joint_matrices(thigmo_surface surface, thigmo_world world,
                                          thigmo_plant plant, float* to, size_t room,
                                          size_t* count) {
  return on_both(surface, world, plant, [&](SurfaceOfC& its, const World& the) -> thigmo_code {
    const std::size_t numbers = 16 * its.surface.segment_count();
    const thigmo_code code = check_room(numbers, to, room, count);
    if (code != THIGMO_OK || to == nullptr) return code;
    return code_of(
        its.surface.joint_matrices(the.transforms(id_of(plant)), std::span(to, numbers)));
  });
}

thigmo_code thigmo_surface_free(thigmo_surface surface) { return free_handle(surface); }
