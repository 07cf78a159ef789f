#pragma once

#include <cstdint>

#include "base/random.h"
#include "plant/plant.h"
#include "plant/rod.h"

namespace thigmo::support {

inline Material beam_material() {
  // The cantilever of Garcia 2023, section 8.3.
  return {.name = "beam",
          .density = 923,
          .young = 8.1e9,
          .poisson = 0.3,
          .damping_ratio = 0.05,
          .strength = 1e8};
}

inline Plant cantilever(int segments, Material material = beam_material()) {
  return make_rod({.segments = segments,
                   .length = 1.0,
                   .radius_base = 0.01,
                   .radius_tip = 0.01,
                   .direction = {1, 0, 0},
                   .up = {0, 1, 0},
                   .material = std::move(material)});
}

// A crooked tree: every segment bends and twists away from its parent, some fork.
inline Plant random_tree(int segments, std::uint64_t seed, Material material = beam_material()) {
  Plant plant{.name = "random", .materials = {std::move(material)}};
  std::vector<Index> path;
  for (int i = 0; i < segments; ++i) {
    const std::uint64_t key = mix_bits(seed, static_cast<std::uint64_t>(i));
    const auto unit = [key](std::uint64_t draw) { return unit_from_bits(mix_bits(key, draw)); };
    // Depth first: go on from the last segment, or fall back towards the root.
    while (path.size() > 1 && unit(path.size() + 10) < 0.3) path.pop_back();
    Segment segment{.parent = path.empty() ? no_index : path.back()};
    segment.length = 0.05 + 0.1 * unit(1);
    segment.radius_base = 0.004 + 0.004 * unit(2);
    segment.radius_tip = segment.radius_base * (0.7 + 0.3 * unit(3));
    const Vec3 turn{1.4 * unit(4) - 0.7, 1.4 * unit(5) - 0.7, 1.4 * unit(6) - 0.7};
    segment.parent_from_segment = exp_rotation(turn);
    if (!path.empty()) {
      segment.base_in_parent = {0, plant.segments[static_cast<std::size_t>(path.back())].length, 0};
    }
    plant.segments.push_back(segment);
    path.push_back(static_cast<Index>(i));
  }
  return plant;
}

}  // namespace thigmo::support
