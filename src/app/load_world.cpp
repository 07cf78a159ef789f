#include "thigmo/load_world.h"

#include <fmt/format.h>

#include <cmath>

#include "api/grown_plant.h"
#include "api/world.h"
#include "app/common.h"
#include "app/surface.h"
#include "io/disk/file.h"
#include "io/read_plant.h"
#include "plant/subdivide.h"
#include "thigmo/formats.h"

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

Outcome<GrownPlant> read_plant(const PlantFile& request, Diagnostics* notes) {
  return attempt([&]() -> Result<GrownPlant> {
    const FileFormat* format = find_format(request.file);
    if (format == nullptr || !reads_plants(*format)) {
      return error(fmt::format("'{}' is no tree that can be read", request.file),
                   "trees are read from " + format_endings(reads_plants));
    }
    if (!(std::isfinite(request.scale) && request.scale > 0)) {
      return error(fmt::format("a file's unit cannot be {} m", request.scale),
                   "give a scale above 0");
    }
    constexpr int most_pieces = 1000;
    if (request.pieces && (*request.pieces < 1 || *request.pieces > most_pieces)) {
      return error(fmt::format("a segment cannot be cut into {} pieces", *request.pieces),
                   fmt::format("1 to {} are possible", most_pieces));
    }
    if (const auto material = material_of(request.species); !material)
      return material.diagnostics();
    const Result<std::string> bytes = read_file(request.file);
    if (!bytes) return bytes.diagnostics();
    ImportOptions options{.scale = request.scale, .species = request.species};
    if (request.z_up) options.up = *request.z_up ? UpAxis::z : UpAxis::y;
    const Result<ImportedPlant> imported =
        read_plant(format->format, *bytes, request.file, options);
    if (!imported) return imported.diagnostics();
    for (const std::string& words : imported->notes) {
      if (notes) notes->push_back(note(words, request.file));
    }
    return GrownPlantAccess::grown(subdivided(imported->plant, request.pieces), false);
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
