#pragma once

// Worlds from scenarios, and surfaces with meshes from files.

#include <cstddef>
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

// As World::surface, with the meshes of organs read from the files that the detail names.
Outcome<PlantSurface> surface_with_organs(const World& world, PlantId plant,
                                          const SurfaceDetail& detail);

}  // namespace thigmo
