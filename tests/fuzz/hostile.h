#pragma once

#include <array>
#include <string>
#include <string_view>

#include "grammar/grammar.h"
#include "io/gltf_mesh.h"
#include "io/obj.h"
#include "io/read_plant.h"
#include "simulation/scenario.h"

namespace thigmo::testing {

// Everything that reads a file of somebody else. The first five are PlantFormat's.
enum class Reader { obj, geo, json, csv, gltf, organ_obj, organ_gltf, lsys, abs, sbt, scenario };
inline constexpr std::array reader_names{"obj",  "geo",       "json",       "csv",
                                         "gltf", "organ_obj", "organ_gltf", "lsys",
                                         "abs",  "sbt",       "scenario"};

inline bool says_why(const Diagnostics& diagnostics) {
  return !diagnostics.empty() && !diagnostics.front().message.empty();
}

inline bool surface_answers_well(Reader reader, std::string_view bytes) {
  const Result<OrganSurface> surface = reader == Reader::organ_obj
                                           ? surface_from_obj(bytes, "hostile")
                                           : surface_from_gltf(bytes, "hostile");
  if (!surface) return says_why(surface.diagnostics());
  for (const std::uint32_t i : surface->indices) {
    if (i >= surface->positions.size()) return false;
  }
  return true;
}

inline bool grammar_answers_well(const std::string& file, std::string_view bytes) {
  const auto grammar = parse_grammar(file, bytes);
  if (!grammar) return says_why(grammar.diagnostics());
  GrowOptions options;
  options.limits = {.symbols = 5000,
                    .steps = 200,
                    .nesting = 500,
                    .memory_bytes = 10'000'000,
                    .work = 200'000,
                    .recursion = 20};
  const auto growth = grow(*grammar, options);
  if (!growth) return says_why(growth.diagnostics());
  return structure_error(growth->plant).empty();
}

inline bool tree_answers_well(PlantFormat format, std::string_view bytes) {
  const Result<ImportedPlant> plant = read_plant(format, bytes, "hostile");
  if (!plant) return says_why(plant.diagnostics());
  if (!structure_error(plant->plant).empty()) return false;
  for (const Attribute& a : plant->attributes) {
    if (a.values.size() != plant->plant.segments.size() * static_cast<std::size_t>(a.size))
      return false;
  }
  return true;
}

// Gives bytes to a reader and insists on one of its two answers: something sound, or a reason.
inline bool answers_well(Reader reader, std::string_view bytes) {
  switch (reader) {
    case Reader::organ_obj:
    case Reader::organ_gltf:
      return surface_answers_well(reader, bytes);
    case Reader::lsys:
    case Reader::abs:
    case Reader::sbt:
      return grammar_answers_well(
          std::string("hostile.") + reader_names[static_cast<std::size_t>(reader)], bytes);
    case Reader::scenario: {
      const Result<Scenario> scenario = parse_scenario("hostile.toml", bytes);
      return scenario || says_why(scenario.diagnostics());
    }
    default:
      return tree_answers_well(static_cast<PlantFormat>(reader), bytes);
  }
}

}  // namespace thigmo::testing
