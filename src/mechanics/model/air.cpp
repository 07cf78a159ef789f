#include "mechanics/model/air.h"

#include <algorithm>

#include "mechanics/model/air_lanes.h"

namespace thigmo {

void strengthen(double factor, AirLattice& air) {
  for (AirNode& node : air.velocity_world) {
    node = air_node(Vec3{node.x, node.y, node.z} * factor,
                    Vec3{node.ragged_x, node.ragged_y, node.ragged_z} * factor);
  }
}

AirView view_of(const AirLattice& air) {
  const auto axis = [&air](std::size_t i, double spacing, int nodes) {
    return AirView::Axis{.cells_per_m = air.axes_world[i] / spacing,
                         .first = air.first[i] / spacing,
                         .last_cell = static_cast<double>(std::max(nodes - 2, 0)),
                         .last_node = static_cast<double>(nodes - 1)};
  };
  const int ring = air.nodes_along + 1;
  return {.axes = {axis(0, air.spacing_along, air.nodes_along),
                   axis(1, air.spacing_across, air.nodes_across),
                   axis(2, air.spacing_across, air.nodes_up)},
          .places = static_cast<double>(air.nodes_along),
          .ring_start = static_cast<double>(air.ring_start),
          .ring = static_cast<double>(ring),
          .nodes_across = static_cast<double>(air.nodes_across),
          .nodes = air.velocity_world.data(),
          .nodes_to_across = ring,
          .nodes_to_up = ring * air.nodes_across,
          .uniform = air.velocity_world.size() == 1};
}

void fetch(const AirLattice& air) {
  constexpr std::size_t nodes_a_line = 64 / sizeof(AirNode);
  for (std::size_t i = 0; i < air.velocity_world.size(); i += nodes_a_line)
    __builtin_prefetch(&air.velocity_world[i], 0, 2);
}

Vec3 air_velocity(const AirLattice& air, const Vec3& point_world) {
  struct Plain;
  using One = Single<double, Plain>;
  if (air.velocity_world.size() == 1) {
    const AirNode& node = air.velocity_world[0];
    return {node.x, node.y, node.z};
  }
  const Vec3T<One> v =
      air_velocity(view_of(air), Vec3T<One>{point_world.x, point_world.y, point_world.z});
  return {v.x.value, v.y.value, v.z.value};
}

}  // namespace thigmo
