#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "api/read_log.h"
#include "base/budget.h"
#include "grammar/grammar.h"
#include "io/geo/obj.h"
#include "io/gltf/gltf_mesh.h"
#include "io/read_plant.h"
#include "scenario/make_simulation.h"
#include "scenario/scenario.h"
#include "simulation/save/fields.h"
#include "simulation/save/snapshot.h"
#include "simulation/simulation.h"

namespace thigmo::testing {

// Everything that reads a file of somebody else. The first five read plants.
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
  snapshot,
  log
};
inline constexpr std::array reader_names{"obj",       "geo",        "json",     "csv", "gltf",
                                         "organ_obj", "organ_gltf", "lsys",     "abs", "sbt",
                                         "scenario",  "path",       "snapshot", "log"};

// A reader's two answers, something sound or a reason, and what must not be.
enum class Answer { sound, refused, broken };

inline Answer refusal(const Diagnostics& diagnostics) {
  const bool says_why = !diagnostics.empty() && !diagnostics.front().message.empty();
  return says_why ? Answer::refused : Answer::broken;
}
inline Answer sound_if(bool sound) { return sound ? Answer::sound : Answer::broken; }

inline bool is_sound(const OrganSurface& surface) {
  const std::size_t count = surface.positions.size();
  if (surface.normals.size() != count || surface.uvs.size() != count ||
      surface.tangents.size() != count || surface.indices.size() % 3 != 0)
    return false;
  if (72.0 * static_cast<double>(count) + 4.0 * static_cast<double>(surface.indices.size()) > 1e9)
    return false;
  for (std::size_t v = 0; v < count; ++v) {
    const Vec4f& t = surface.tangents[v];
    if (!is_finite(surface.positions[v]) || !is_finite(surface.normals[v]) ||
        !std::isfinite(surface.uvs[v].x + surface.uvs[v].y) ||
        !std::isfinite(t.x + t.y + t.z + t.w))
      return false;
  }
  return std::all_of(surface.indices.begin(), surface.indices.end(),
                     [count](std::uint32_t i) { return i < count; });
}

inline bool is_sound(const ImportedPlant& imported) {
  const std::size_t segments = imported.plant.segments.size();
  if (!check_structure(imported.plant)) return false;
  for (const Attribute& a : imported.attributes) {
    if (a.values.size() != segments * static_cast<std::size_t>(a.size)) return false;
    for (const double value : a.values) {
      if (a.type == Attribute::Type::integer && !fits_integer(value)) return false;
      if (a.type == Attribute::Type::word && !fits_word(value, a.words.size())) return false;
    }
  }
  return static_cast<double>(segments) * sizeof(Segment) <= Budget{}.bytes;
}

inline Answer answer_of_surface(Reader reader, std::string_view bytes) {
  const Result<OrganSurface> surface = reader == Reader::organ_obj
                                           ? surface_from_obj(bytes, "hostile")
                                           : surface_from_gltf(bytes, "hostile");
  return surface ? sound_if(is_sound(*surface)) : refusal(surface.diagnostics());
}

inline Answer answer_of_path(std::string_view bytes) {
  const auto read = [bytes](std::string_view) -> Result<std::string> { return std::string(bytes); };
  PathSource source;
  source.file = "hostile.csv";
  const Result<RootPath> path = make_path(source, 1, read);
  return path ? Answer::sound : refusal(path.diagnostics());
}

// The scenario of which tools/fuzz saves a snapshot to begin with.
inline Simulation rod_for_snapshots() {
  static const Scenario scenario =
      *parse_scenario("hostile.toml", "[[plant]]\nkind = \"rod\"\nsegments = 3\n");
  return std::move(*make_simulation(scenario, {}));
}

// With the checksum that these bytes should have.
inline std::string signed_again(std::string_view bytes) {
  const std::string_view fields = bytes.substr(0, bytes.size() - sizeof(std::uint64_t));
  const std::uint64_t sum = checksum_of(fields);
  std::string good(fields);
  good.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return good;
}

// Of bytes that a forger has signed.
inline bool answers_forgers_well(std::string_view bytes) {
  if (bytes.size() < sizeof(std::uint64_t)) return true;
  Result<Simulation> forged = read_snapshot(signed_again(bytes), "hostile");
  if (!forged) return refusal(forged.diagnostics()) == Answer::refused;
  forged->options.most_passes = 100;
  step(*forged, 0.01, 1);
  return !forged->finite || std::all_of(forged->plants.begin(), forged->plants.end(),
                                        [](const auto& plant) { return is_finite(plant.state); });
}

// Into that simulation, which is as it was where they are refused and can go on where they are not.
inline Answer answer_of_snapshot(std::string_view bytes) {
  if (!answers_forgers_well(bytes)) return Answer::broken;
  Simulation simulation = rod_for_snapshots();
  const std::uint64_t fresh = state_hash(simulation);
  const Result<Done> done = restore_run(bytes, "hostile", simulation);
  if (!done && state_hash(simulation) != fresh) return Answer::broken;
  if (!done) return refusal(done.diagnostics());
  step(simulation, 0.01, 1);
  return Answer::sound;
}

inline Answer answer_of_grammar(const std::string& file, std::string_view bytes) {
  const auto grammar = parse_grammar(file, bytes);
  if (!grammar) return refusal(grammar.diagnostics());
  GrowOptions options;
  options.limits = {.symbols = 5000,
                    .steps = 200,
                    .nesting = 500,
                    .memory_bytes = 10'000'000,
                    .work = 200'000,
                    .recursion = 20};
  const auto growth = grow(*grammar, options);
  return growth ? sound_if(bool(check_structure(growth->plant))) : refusal(growth.diagnostics());
}

inline Answer answer_of_tree(Format format, std::string_view bytes) {
  const Result<ImportedPlant> plant = read_plant(format, bytes, "hostile");
  return plant ? sound_if(is_sound(*plant)) : refusal(plant.diagnostics());
}

// What a reader makes of these bytes.
inline Answer answer_of(Reader reader, std::string_view bytes) {
  switch (reader) {
    case Reader::organ_obj:
    case Reader::organ_gltf:
      return answer_of_surface(reader, bytes);
    case Reader::lsys:
    case Reader::abs:
    case Reader::sbt:
      return answer_of_grammar(
          std::string("hostile.") + reader_names[static_cast<std::size_t>(reader)], bytes);
    case Reader::scenario: {
      const Result<Scenario> scenario = parse_scenario("hostile.toml", bytes);
      return scenario ? Answer::sound : refusal(scenario.diagnostics());
    }
    case Reader::path:
      return answer_of_path(bytes);
    case Reader::snapshot:
      return answer_of_snapshot(bytes);
    case Reader::log: {
      const Result<Done> log = check_log(bytes, "hostile");
      return log ? Answer::sound : refusal(log.diagnostics());
    }
    default:
      return answer_of_tree(std::array{Format::obj, Format::geo, Format::geo_json, Format::csv,
                                       Format::gltf}[static_cast<std::size_t>(reader)],
                            bytes);
  }
}

inline bool answers_well(Reader reader, std::string_view bytes) {
  return answer_of(reader, bytes) != Answer::broken;
}

}  // namespace thigmo::testing
