#include "environment/wind_ease.h"

#include <algorithm>

#include "base/index.h"

namespace thigmo {
namespace {

std::size_t node_count(const AirLattice& air) { return air.velocity_world.size(); }

// Where a node is, by its numbers along, across and up.
Vec3 node_position(const AirLattice& air, int i, int j, int k) {
  return air.axes_world[0] * (air.first[0] + air.spacing_along * i) +
         air.axes_world[1] * (air.first[1] + air.spacing_across * j) +
         air.axes_world[2] * (air.first[2] + air.spacing_across * k);
}

// Part `kept` of what a node holds, and `velocity` on top.
AirNode blended(const AirNode& node, double kept, const Vec3& velocity) {
  return air_node(Vec3{node.x, node.y, node.z} * kept + velocity,
                  Vec3{node.ragged_x, node.ragged_y, node.ragged_z} * kept);
}

// The nodes of a lattice become kept × what they hold + added × what another one has there.
void blend(double kept, double added, const AirLattice& other, AirLattice& air) {
  if (node_count(air) == 1) {
    air.velocity_world[0] =
        blended(air.velocity_world[0], kept, air_velocity(other, Vec3{}) * added);
    return;
  }
  const std::size_t ring = as_size(air.nodes_along) + 1;
  for (int k = 0; k < air.nodes_up; ++k) {
    for (int j = 0; j < air.nodes_across; ++j) {
      AirNode* node = &air.velocity_world[as_size(k * air.nodes_across + j) * ring];
      for (int i = 0; i < air.nodes_along; ++i) {
        const int place = (air.ring_start + i) % air.nodes_along;
        const Vec3 there = air_velocity(other, node_position(air, i, j, k));
        node[place] = blended(node[place], kept, there * added);
      }
      node[ring - 1] = node[0];
    }
  }
}

}  // namespace

WindEase make_wind_ease(const AirLattice& air, const AirLattice& after, double begin, double end) {
  WindEase ease{.before = air, .begin = begin, .end = end, .air = air};
  ease.air.velocity_world.reserve(std::max(node_count(air), node_count(after)));
  return ease;
}

void ease_wind(double time, const AirLattice& after, WindEase& ease) {
  ease.begun = true;
  const double s = std::clamp((time - ease.begin) / (ease.end - ease.begin), 0.0, 1.0);
  // The finer lattice has the nodes, so that neither wind loses its gusts.
  if (node_count(after) >= node_count(ease.before)) {
    ease.air = after;
    blend(s, 1 - s, ease.before, ease.air);
  } else {
    ease.air = ease.before;
    blend(1 - s, s, after, ease.air);
  }
}

}  // namespace thigmo
