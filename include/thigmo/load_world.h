#pragma once

// Worlds from scenarios, plants that were made elsewhere, and surfaces with meshes from files.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "thigmo/world.h"

namespace thigmo {

// From a scenario file; overrides are "key=value" as in `thigmo run --set`.
Outcome<World> load_world(const std::string& scenario_file,
                          const std::vector<std::string>& overrides = {});
// From the text of a scenario; files it names are looked up in `folder`.
Outcome<World> parse_world(const std::string& scenario_text, const std::string& folder = ".",
                           const std::vector<std::string>& overrides = {});

// A tree that was drawn or scanned elsewhere; formats.h says in which files. It stands as it was modelled.
struct PlantFile {
  std::string file;
  std::string species = "oak";    // what it is made of
  double scale = 1;               // metres in the file's unit
  std::optional<bool> z_up = {};  // else what the format says
  std::optional<int> pieces =
      {};  // of each of its segments; else as far as bending between forks needs it
};
// `notes` takes what was completed or repaired.
Outcome<GrownPlant> read_plant(const PlantFile& request, Diagnostics* notes = nullptr);

// As World::surface, with the meshes of organs read from the files that the detail names.
Outcome<PlantSurface> surface_with_organs(const World& world, PlantId plant,
                                          const SurfaceDetail& detail);

}  // namespace thigmo
