#include "scenario/scenario_points.h"

#include <fmt/format.h>

#include <algorithm>

namespace thigmo {
namespace {

// { segment = 3, along = 0.4 } or { axis = 2, along = 0.5 }
void read_along(const toml::table& table, TomlSource& source, PointOnPlant& point) {
  TomlReader reader(table, "'at'", source);
  const auto segment = reader.integer("segment", 0, most_segments - 1);
  const auto axis = reader.integer("axis", 0, INT32_MAX);
  point.kind = axis ? PointOnPlant::Kind::axis : PointOnPlant::Kind::segment;
  point.number = static_cast<Index>(axis ? *axis : segment.value_or(0));
  if (table.contains("segment") == table.contains("axis")) {
    reader.complain(&table, "'at' must say along which 'segment' or 'axis'",
                    "at = { segment = 3, along = 0.4 }");
  }
  if (auto value = reader.number("along")) {
    point.along = *value;
    if (!(*value >= 0 && *value <= 1)) {
      reader.complain_at_key("along", fmt::format("'along' lies between 0 and 1, not {}", *value),
                             "0 is the base of the segment or axis, 1 its tip");
    }
  } else if (!table.contains("along")) {
    reader.complain_missing("along", "a part of the length: 0 is the base, 1 the tip");
  }
  reader.finish();
}

}  // namespace

std::string folder_of(const std::string& file) { return file.substr(0, file.rfind('/') + 1); }

PointOnPlant read_place(TomlReader& reader, TomlSource& source, BareSegment bare) {
  const toml::node* at = reader.node("at");
  if (!at) return {};
  PointOnPlant point{.place = reader.place_of(*at)};
  if (const toml::table* table = at->as_table()) {
    read_along(*table, source, point);
    return point;
  }
  if (const auto text = at->value<std::string>(); at->is_string() && text == "tip") return point;
  if (at->is_integer()) {
    const auto number = at->value<std::int64_t>().value_or(-1);
    if (number >= 0 && number < most_segments) {
      point.kind = PointOnPlant::Kind::segment;
      point.number = static_cast<Index>(number);
      point.along = bare == BareSegment::base ? 0 : 1;
      return point;
    }
  } else if (at->is_floating_point()) {
    const double fraction = at->value<double>().value_or(-1);
    if (fraction >= 0 && fraction <= 1) {
      point.kind = PointOnPlant::Kind::main_axis;
      point.along = fraction;
      return point;
    }
  }
  reader.complain(at,
                  "'at' must be \"tip\", a segment number (0, 1, 2 …), a fraction (0.0 to 1.0) or "
                  "a place along a segment",
                  "at = { segment = 3, along = 0.4 }");
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
