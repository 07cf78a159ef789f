#include "scenario/scenario_points.h"

#include <fmt/format.h>

#include <algorithm>

namespace thigmo {

std::string folder_of(const std::string& file) { return file.substr(0, file.rfind('/') + 1); }

PointOnPlant read_place(TomlReader& reader) {
  const toml::node* at = reader.node("at");
  if (!at) return {};
  if (const auto text = at->value<std::string>(); at->is_string() && text == "tip") return {};
  if (at->is_integer()) {
    const auto number = at->value<std::int64_t>().value_or(-1);
    if (number >= 0 && number < most_segments) {
      return {.kind = PointOnPlant::Kind::segment, .segment = static_cast<Index>(number)};
    }
  } else if (at->is_floating_point()) {
    const double fraction = at->value<double>().value_or(-1);
    if (fraction >= 0 && fraction <= 1)
      return {.kind = PointOnPlant::Kind::fraction, .fraction = fraction};
  }
  reader.complain(at,
                  "'at' must be \"tip\", a segment number (0, 1, 2 …) or a fraction (0.0 to 1.0)");
  return {};
}

std::string read_plant_name(TomlReader& reader, const Scenario& scenario, std::string_view what) {
  std::vector<std::string> names;
  for (const PlantSource& plant : scenario.plants) names.push_back(plant.name);
  if (!reader.has("plant")) {
    if (names.size() != 1) reader.complain_missing("plant", "the name of a [[plant]]");
    return names.empty() ? "" : names[0];
  }
  const std::optional<std::string> name = reader.text("plant");
  if (name && std::find(names.begin(), names.end(), *name) == names.end()) {
    const std::string near = closest_word(*name, names);
    reader.complain_at_key("plant",
                           fmt::format("there is no plant named '{}' for this {}", *name, what),
                           near.empty() ? "" : fmt::format("did you mean '{}'?", near));
  }
  return name.value_or("");
}

}  // namespace thigmo
