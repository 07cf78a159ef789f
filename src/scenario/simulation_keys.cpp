#include "scenario/simulation_keys.h"

#include <vector>

namespace thigmo {
namespace {

// Gusts go with the speed of the wind. One that never blows has none.
KeyedValue<double> speed_over(double speed, const KeyedValue<Vec3>& mean) {
  KeyedValue<double> over{.times = mean.times, .values = {}};
  for (const Vec3& value : mean.values) over.values.push_back(length(value) / speed);
  return over;
}

void key_wind(const Scenario& scenario, Simulation& simulation) {
  if (scenario.keyed_wind.empty() || scenario.wind.kind == WindKind::still) return;
  if (!has_gusts(simulation.wind)) {
    simulation.keyed.uniform_wind = scenario.keyed_wind;
    const AirNode node = air_node(value_at(scenario.keyed_wind, 0));
    for (SimulatedPlant& plant : simulation.plants) plant.wind.air.velocity_world = {node};
    return;
  }
  simulation.keyed.gust_speed = speed_over(simulation.wind.speed, scenario.keyed_wind);
  // Steps find room for the air as it is by then.
  for (SimulatedPlant& plant : simulation.plants) {
    plant.keyed_air = plant.wind.air;
    strengthen(value_at(simulation.keyed.gust_speed, 0), plant.keyed_air);
  }
}

bool is_keyed(const KeyedMaterial& material) {
  return !material.stiffness.empty() || !material.damping.empty();
}

void key_woods(const PlantSource& source, std::size_t number, Simulation& simulation) {
  const Plant& plant = simulation.plants[number].model->plant;
  // A tree from a file may have several; all others count as one.
  std::vector<const KeyedMaterial*> materials = {&source.keyed};
  const auto* tree = std::get_if<TreeSource>(&source.source);
  for (std::size_t i = 0; tree && i < tree->woods.size(); ++i) {
    materials.push_back(&tree->woods[i].keyed);
  }
  std::vector<std::vector<Index>> segments(materials.size());
  for (Index i = 0; i < segment_count(plant); ++i) {
    const std::size_t wood = tree ? as_size(segment_at(plant, i).material) : 0;
    segments[wood].push_back(i);
  }
  for (std::size_t wood = 0; wood < materials.size(); ++wood) {
    const KeyedMaterial& keyed = *materials[wood];
    if (!is_keyed(keyed)) continue;
    add_keyed_wood(number, segments[wood], {.stiffness = keyed.stiffness, .damping = keyed.damping},
                   simulation);
  }
}

}  // namespace

void add_keyed_values(const Scenario& scenario, Simulation& simulation) {
  simulation.keyed.gravity_world = scenario.keyed_gravity;
  key_wind(scenario, simulation);
  for (std::size_t i = 0; i < scenario.plants.size(); ++i) {
    key_woods(scenario.plants[i], i, simulation);
  }
}

}  // namespace thigmo
