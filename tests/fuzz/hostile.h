#pragma once

#include <string>
#include <string_view>

#include "io/gltf_mesh.h"
#include "io/obj.h"
#include "io/read_plant.h"

namespace thigmo::testing {

// Gives bytes to a reader and insists on one of its two answers: a sound plant, or a reason. The
// first byte chooses the reader, so that one fuzz target reaches them all.
inline bool answers_well(std::string_view bytes) {
  if (bytes.empty()) return true;
  const unsigned choice = static_cast<unsigned char>(bytes.front()) % 7;
  bytes.remove_prefix(1);
  if (choice >= 5) {
    const Result<OrganSurface> surface =
        choice == 5 ? surface_from_obj(bytes, "hostile") : surface_from_gltf(bytes, "hostile");
    if (!surface) return !surface.diagnostics().empty();
    for (const std::uint32_t i : surface->indices) {
      if (i >= surface->positions.size()) return false;
    }
    return true;
  }
  const Result<ImportedPlant> plant =
      read_plant(static_cast<PlantFormat>(choice), bytes, "hostile");
  if (!plant) return !plant.diagnostics().empty() && !plant.diagnostics().front().message.empty();
  if (!structure_error(plant->plant).empty()) return false;
  for (const Attribute& a : plant->attributes) {
    if (a.values.size() != plant->plant.segments.size() * static_cast<std::size_t>(a.size))
      return false;
  }
  return true;
}

}  // namespace thigmo::testing
