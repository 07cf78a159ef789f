#pragma once

// Winds, and the air around a plant, field by field. What a sampler has worked out follows from its wind, its box
// and the moment.

#include "simulation/save/fields.h"
#include "simulation/simulation.h"

namespace thigmo {

// A wind that a saved mean and gusts make; refused where they are none.
void make_saved_wind(const Vec3& mean, bool gusty, Wind& wind, FieldReader& reader);

template <class Archive, class AnyWind>
void visit_wind(Archive& archive, AnyWind& wind) {
  archive.number("mean of a wind", wind.mean_world);
  bool gusty = has_gusts(wind);
  archive.truth("truth of gusts", gusty);
  if (gusty) {
    archive.number("deviation of gusts", wind.sigma, Must::be_positive);
    archive.number("length of gusts", wind.length_scale, Must::be_positive);
    archive.number("decay of gusts", wind.decay, Must::not_be_negative);
    archive.number("seed of gusts", wind.seed);
  }
  if constexpr (Archive::reads) make_saved_wind(Vec3(wind.mean_world), gusty, wind, archive);
}

template <class Archive, class AnyNode>
void visit_node(Archive& archive, AnyNode& node) {
  for (auto* value : {&node.x, &node.y, &node.z, &node.ragged_x, &node.ragged_y, &node.ragged_z}) {
    archive.number("velocity of the air", *value);
  }
}

void check_lattice(const AirLattice& air, FieldReader& reader);

template <class Archive, class AnyLattice>
void visit_lattice(Archive& archive, AnyLattice& air) {
  for (auto& axis : air.axes_world) archive.number("axis of the air", axis);
  for (auto& first : air.first) archive.number("place of the air", first);
  archive.number("spacing of the air", air.spacing_along, Must::be_positive);
  archive.number("spacing of the air", air.spacing_across, Must::be_positive);
  for (auto* nodes : {&air.nodes_along, &air.nodes_across, &air.nodes_up}) {
    archive.number("nodes of the air", *nodes, Must::be_positive);
  }
  archive.number("ring of the air", air.ring_start, Must::not_be_negative);
  visit_list(archive, "velocities of the air", air.velocity_world, 6 * sizeof(float),
             [&](auto& node) { visit_node(archive, node); });
  if constexpr (Archive::reads) check_lattice(air, archive);
}

// Whether the box and the ease of a plant's air can be; and then the air itself.
void check_air(const SimulatedPlant& plant, FieldReader& reader);
void make_air(SimulatedPlant& plant);

template <class Archive, class AnyPlant>
void visit_air(Archive& archive, AnyPlant& plant) {
  visit_wind(archive, plant.wind_model);
  archive.number("place of the air", plant.wind.around.min);
  archive.number("place of the air", plant.wind.around.max);
  archive.number("moment of the air", plant.wind.moment);
  if (has_gusts(plant.wind_model)) {
    bool by_keys = !plant.keyed_air.velocity_world.empty();
    archive.truth("truth of gusts by keys", by_keys);
    if (by_keys) archive.number("strength of gusts", plant.gust_strength);
    if constexpr (Archive::reads) {
      if (by_keys) plant.keyed_air.velocity_world.resize(1);  // see make_air
    }
  } else {
    auto& nodes = plant.wind.air.velocity_world;
    if constexpr (Archive::reads) nodes.resize(1);
    visit_node(archive, nodes[0]);
  }
  visit_optional(archive, "truth of a wind that comes up", plant.wind_ease, [&](auto& ease) {
    visit_lattice(archive, ease.before);
    archive.number("begin of a wind", ease.begin);
    archive.number("end of a wind", ease.end);
    archive.truth("truth of a wind that has begun", ease.begun);
  });
  if constexpr (Archive::reads) check_air(plant, archive);
}

}  // namespace thigmo
