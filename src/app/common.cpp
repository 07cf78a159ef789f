#include "app/common.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "io/read_plant.h"

namespace thigmo {

void Inputs::add(const std::string& path) {
  if (const std::optional<FileIdentity> file = identity_of(path)) files_.insert(*file);
}

void Inputs::add(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) add(path);
}

ReadFile Inputs::reader() {
  return ReadFile([this](std::string_view path, std::string_view folder) {
    add(std::string(path));
    return read_any(path, folder);
  });
}

bool Inputs::has(const std::string& path) const {
  const std::optional<FileIdentity> file = identity_of(path);
  return file && files_.contains(*file);
}

Result<Done> Inputs::spare(const std::string& path, std::string_view writer,
                           std::string_view hint) const {
  if (!has(path)) return Done{};
  return error(
      fmt::format("'{}' is a file that is read, and would be written over by {}", path, writer),
      std::string(hint));
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

namespace {

Result<ImportedPlant> import_tree(const TreeSource& source, Diagnostics& notes) {
  const FileFormat* format = find_format(source.file);
  if (format == nullptr || !reads_plants(*format)) {
    return error(fmt::format("no format is known for '{}'", source.file),
                 "trees are read from " + format_endings(reads_plants));
  }
  const Result<std::string> bytes = read_file(source.file);
  if (!bytes) return bytes.diagnostics();
  ImportOptions options{.scale = source.scale};
  if (source.z_up) options.up = *source.z_up ? UpAxis::z : UpAxis::y;
  Result<ImportedPlant> imported = read_plant(format->format, *bytes, source.file, options);
  if (!imported) return imported.diagnostics();
  for (const std::string& words : imported->notes) notes.push_back(note(words, source.file));
  return imported;
}

// Each piece of a segment has what the segment had.
void spread(const std::vector<Index>& whole_ends, std::size_t pieces, Attribute& column) {
  std::vector<std::size_t> whole(pieces);
  for (std::size_t i = 0; i < whole_ends.size(); ++i) {
    at(whole, whole_ends[i]) = i + 1;
  }
  for (std::size_t i = pieces; i-- > 0;) {
    if (whole[i] == 0) whole[i] = whole[i + 1];
  }
  const auto size = as_size(column.size);
  std::vector<double> values;
  for (const std::size_t number : whole) {
    for (std::size_t c = 0; c < size; ++c) values.push_back(column.values[(number - 1) * size + c]);
  }
  column.values = std::move(values);
}

}  // namespace

Result<Plant> read_tree(const TreeSource& source, Diagnostics& notes) {
  Result<ImportedPlant> imported = import_tree(source, notes);
  if (!imported) return imported.diagnostics();
  return std::move(imported->plant);
}

ReadTree read_tree_keeping(TreeColumns& columns) {
  return [&columns](const TreeSource& source, Diagnostics& notes) -> Result<Plant> {
    Result<ImportedPlant> imported = import_tree(source, notes);
    if (!imported) return imported.diagnostics();
    columns[&source] = {.attributes = std::move(imported->attributes),
                        .start_attributes = std::move(imported->start_attributes)};
    return std::move(imported->plant);
  };
}

std::vector<std::shared_ptr<const PlantColumns>> columns_of(const Scenario& scenario,
                                                            const Simulation& simulation,
                                                            TreeColumns columns) {
  std::vector<std::shared_ptr<const PlantColumns>> all(scenario.plants.size());
  for (std::size_t i = 0; i < scenario.plants.size(); ++i) {
    const PlantSource& source = scenario.plants[i];
    if (source.like) {
      all[i] = all[*source.like];
      continue;
    }
    const auto* tree = std::get_if<TreeSource>(&source.source);
    const auto found = tree != nullptr ? columns.find(tree) : columns.end();
    if (found == columns.end()) continue;
    PlantColumns own = std::move(found->second);
    const Plant& plant = simulation.plants[i].model->plant;
    for (std::vector<Attribute>* list : {&own.attributes, &own.start_attributes}) {
      std::erase_if(*list, [](const Attribute& column) { return column.name == "mass"; });
    }
    for (Attribute& column : own.attributes) {
      spread(plant.whole_ends, plant.segments.size(), column);
    }
    all[i] = std::make_shared<const PlantColumns>(std::move(own));
  }
  return all;
}

Diagnostics notes_on_motion(const Simulation& simulation) {
  // Parts of the largest kinetic energy.
  constexpr double largest_energy_gain = 0.02, notable_energy_loss = 0.01;
  Diagnostics notes;
  if (simulation.braked_joints > 0) {
    notes.push_back(
        warning(fmt::format("joints that whirled too fast for any substep were braked {} times",
                            simulation.braked_joints)));
  }
  if (simulation.coarse_steps > 0 && simulation.finite) {
    notes.push_back(warning(
        fmt::format("{} steps were too violent for {} passes over a plant: the rest of each "
                    "was taken coarsely, with brakes",
                    simulation.coarse_steps, simulation.options.most_passes),
        "take a shorter step, or allow more most_passes"));
  }
  if (simulation.energy_gain > largest_energy_gain) {
    notes.push_back(
        warning(fmt::format("a plant that nothing drives gained {:.2g} % of its swing's energy",
                            100 * simulation.energy_gain),
                "take a shorter step or more numerical_damping"));
  }
  const double taken = energy_taken_by_scheme(simulation);
  if (taken > notable_energy_loss) {
    notes.push_back(
        note(fmt::format("motions too fast for the step took {:.2g} % of the swing's "
                         "energy from a plant that nothing damps",
                         100 * taken)));
  }
  return notes;
}

std::vector<std::string> files_named(const Scenario& scenario) {
  std::vector<std::string> files;
  for (const OrganMesh& organ : scenario.organs) files.push_back(organ.file);
  for (const MotionSource& motion : scenario.motions) {
    if (!motion.path.file.empty()) files.push_back(motion.path.file);
  }
  for (const GrabSource& grab : scenario.grabs) {
    if (!grab.path.file.empty()) files.push_back(grab.path.file);
  }
  for (const PlantSource& plant : scenario.plants) {
    if (const auto* tree = std::get_if<TreeSource>(&plant.source)) files.push_back(tree->file);
    if (const auto* grown = std::get_if<GrammarSource>(&plant.source)) files.push_back(grown->file);
  }
  return files;
}

}  // namespace thigmo
