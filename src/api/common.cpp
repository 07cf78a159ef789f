#include "api/common.h"

#include <fmt/format.h>

#include "io/file.h"

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

Result<std::string> read_any(std::string_view path) { return read_file(std::string(path)); }

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
