#pragma once

#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "base/budget.h"
#include "grammar/grammar.h"
#include "io/gltf_mesh.h"
#include "io/obj.h"
#include "io/read_plant.h"
#include "simulation/scenario.h"
#include "simulation/simulation.h"
#include "simulation/snapshot.h"

namespace thigmo::testing {

// Everything that reads a file of somebody else. The first five are PlantFormat's.
enum class Reader {
  obj,
  geo,
  json,
  csv,  // and SWC
  gltf,
  organ_obj,
  organ_gltf,
  lsys,
  abs,
  sbt,
  scenario,
  path,  // a table of the keys of a motion
  snapshot
};
inline constexpr std::array reader_names{"obj",       "geo",        "json",    "csv", "gltf",
                                         "organ_obj", "organ_gltf", "lsys",    "abs", "sbt",
                                         "scenario",  "path",       "snapshot"};

inline bool says_why(const Diagnostics& diagnostics) {
  return !diagnostics.empty() && !diagnostics.front().message.empty();
}

inline bool surface_answers_well(Reader reader, std::string_view bytes) {
  const Result<OrganSurface> surface = reader == Reader::organ_obj
                                           ? surface_from_obj(bytes, "hostile")
                                           : surface_from_gltf(bytes, "hostile");
  if (!surface) return says_why(surface.diagnostics());
  const std::size_t count = surface->positions.size();
  if (surface->normals.size() != count || surface->uvs.size() != count ||
      surface->tangents.size() != count || surface->indices.size() % 3 != 0)
    return false;
  if (72.0 * static_cast<double>(count) + 4.0 * static_cast<double>(surface->indices.size()) > 1e9)
    return false;
  for (std::size_t v = 0; v < count; ++v) {
    const Vec4f& t = surface->tangents[v];
    if (!is_finite(surface->positions[v]) || !is_finite(surface->normals[v]) ||
        !std::isfinite(surface->uvs[v].x + surface->uvs[v].y) ||
        !std::isfinite(t.x + t.y + t.z + t.w))
      return false;
  }
  for (const std::uint32_t i : surface->indices) {
    if (i >= count) return false;
  }
  return true;
}

inline bool path_answers_well(std::string_view bytes) {
  const auto read = [bytes](std::string_view) -> Result<std::string> { return std::string(bytes); };
  PathSource source;
  source.file = "hostile.csv";
  const Result<BasePath> path = make_path(source, 1, read);
  return path || says_why(path.diagnostics());
}

// Into a small simulation, which is as it was where they are refused and can go on where they are not.
inline bool snapshot_answers_well(std::string_view bytes) {
  static const Scenario scenario =
      *parse_scenario("hostile.toml", "[[plant]]\nkind = \"rod\"\nsegments = 3\n");
  Result<Simulation> made = make_simulation(scenario, {});
  Simulation& simulation = *made;
  const std::uint64_t fresh = state_hash(simulation);
  const Result<Done> done = read_snapshot(bytes, "hostile", simulation);
  if (!done) return says_why(done.diagnostics()) && state_hash(simulation) == fresh;
  step(simulation, 0.01, 1);
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
    for (const double value : a.values) {
      if (a.type == Attribute::Type::integer && !fits_integer(value)) return false;
      if (a.type == Attribute::Type::word && !fits_word(value, a.words.size())) return false;
    }
  }
  return static_cast<double>(plant->plant.segments.size()) * sizeof(Segment) <= Budget{}.bytes;
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
    case Reader::path:
      return path_answers_well(bytes);
    case Reader::snapshot:
      return snapshot_answers_well(bytes);
    default:
      return tree_answers_well(static_cast<PlantFormat>(reader), bytes);
  }
}

}  // namespace thigmo::testing
