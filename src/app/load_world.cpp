#include "thigmo/load_world.h"

#include "api/world.h"
#include "app/common.h"
#include "app/surface.h"

namespace thigmo {
namespace {

Result<Simulation> simulation_from(const std::string& file, const std::string& text,
                                   const std::vector<std::string>& overrides) {
  const Result<Scenario> scenario = parse_scenario(file, text, overrides);
  if (!scenario) return scenario.diagnostics();
  Result<Simulation> simulation = make_simulation(*scenario, read_any, read_tree);
  if (!simulation) return simulation.diagnostics();
  return simulation;
}

}  // namespace

Outcome<World> load_world(const std::string& scenario_file,
                          const std::vector<std::string>& overrides) {
  return attempt([&]() -> Result<World> {
    const Result<std::string> text = read_file(scenario_file);
    if (!text) return text.diagnostics();
    Result<Simulation> simulation = simulation_from(scenario_file, *text, overrides);
    if (!simulation) return simulation.diagnostics();
    return WorldAccess::world_of(std::move(*simulation));
  });
}

Outcome<World> parse_world(const std::string& scenario_text, const std::string& folder,
                           const std::vector<std::string>& overrides) {
  return attempt([&]() -> Result<World> {
    Result<Simulation> simulation =
        simulation_from(folder + "/scenario text", scenario_text, overrides);
    if (!simulation) return simulation.diagnostics();
    return WorldAccess::world_of(std::move(*simulation));
  });
}

Outcome<PlantSurface> surface_with_organs(const World& world, PlantId plant,
                                          const SurfaceDetail& detail) {
  return attempt([&]() -> Result<PlantSurface> {
    const Result<MeshOptions> options = mesh_options(detail);
    if (!options) return options.diagnostics();
    return WorldAccess::surface(world, plant, *options);
  });
}

}  // namespace thigmo
