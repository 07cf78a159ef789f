#include "api/common.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "io/file.h"
#include "io/read_plant.h"
#include "io/scanner.h"

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

Result<std::map<std::string, double>> parameters_of(const std::vector<std::string>& overrides) {
  std::map<std::string, double> parameters;
  for (const std::string& text : overrides) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto value = equals == std::string::npos
                           ? std::nullopt
                           : number_from_text(std::string_view(text).substr(equals + 1));
    if (name.empty() || !value) {
      return error(fmt::format("'{}' sets no constant of the grammar", text),
                   "write NAME=number, for example --set AGE=4");
    }
    parameters[name] = *value;
  }
  return parameters;
}

Result<Plant> read_tree(const TreeSource& source, std::vector<std::string>& notes) {
  const std::optional<PlantFormat> format = plant_format(source.file);
  if (!format) {
    return error(fmt::format("no format is known for '{}'", source.file),
                 fmt::format("trees are read from {}", plant_format_endings()));
  }
  const Result<std::string> bytes = read_file(source.file);
  if (!bytes) return bytes.diagnostics();
  ImportOptions options{.scale = source.scale};
  if (source.z_up) options.up = *source.z_up ? UpAxis::z : UpAxis::y;
  Result<ImportedPlant> imported = read_plant(*format, *bytes, source.file, options);
  if (!imported) return imported.diagnostics();
  for (const std::string& note : imported->notes) {
    notes.push_back(fmt::format("{}: {}", source.file, note));
  }
  return std::move(imported->plant);
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
