#include "api/common.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "io/disk/file.h"
#include "material/species.h"

namespace thigmo {

std::vector<ProbeReading> read_probes(const Simulation& simulation) {
  std::vector<ProbeReading> readings;
  for (const Probe& probe : simulation.probes) {
    const PointMotion motion = probe_motion(simulation, probe);
    readings.push_back({.name = probe.name,
                        .position = numbers(motion.position_world),
                        .velocity = numbers(motion.velocity_world)});
  }
  return readings;
}

Result<std::string> read_any(std::string_view path, std::string_view folder) {
  namespace fs = std::filesystem;
  if (!folder.empty()) {
    std::error_code failed;
    const fs::path inside = fs::canonical(fs::path(folder), failed);
    if (failed) return error(failed.message());
    const fs::path file = fs::canonical(fs::path(path), failed);
    if (failed) return error(failed.message());
    if (std::mismatch(inside.begin(), inside.end(), file.begin(), file.end()).first !=
        inside.end()) {
      return error("a link leads out of the model's folder");
    }
  }
  Result<std::string> text = read_file(std::string(path));
  if (text) text->erase(0, text->size() - without_byte_order_mark(*text).size());
  return text;
}

Diagnostic out_of_memory() {
  return error("out of memory: there is not enough for what was asked",
               "ask for less (fewer steps, segments, frames or pixels), or give it more memory");
}

Result<std::optional<Material>> material_of(const std::string& species) {
  if (species.empty()) return std::optional<Material>();
  if (const Species* found = find_species(species)) return std::optional(material_from(*found));
  std::vector<std::string> names;
  for (const Species& known : all_species()) names.emplace_back(known.name);
  const std::string near = closest_word(species, names);
  return error(fmt::format("there is no species '{}'", species),
               near.empty() ? "" : fmt::format("did you mean '{}'?", near));
}

}  // namespace thigmo
