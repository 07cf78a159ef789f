#include "scenario/scenario_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scenario/scenario_points.h"
#include "thigmo/formats.h"

namespace thigmo {
namespace {

// How pictures and videos look, and how finely surfaces are made.
void read_view(TomlReader& reader, OutputSource& output) {
  const auto range = [&](const char* key, double low, double high) {
    const std::optional<double> value = reader.number(key);
    if (!value || (*value >= low && *value <= high)) return value;
    reader.complain_at_key(key, fmt::format("'{}' lies between {} and {}", key, low, high));
    return std::optional<double>();
  };
  output.azimuth = range("azimuth", -360, 360);
  output.elevation = range("elevation", -89, 89);
  output.zoom = range("zoom", 0.01, 1000).value_or(output.zoom);
  output.eye = reader.vector("eye");
  output.target = reader.vector("target");
  if (output.target && !output.eye) reader.complain_missing("eye", "where the camera stands");
  output.field_of_view = range("field_of_view", 1, 120).value_or(output.field_of_view);
  output.aperture = range("aperture", 0, 10).value_or(output.aperture);
  output.focus = range("focus", 1e-6, 1e6);
  output.ground = reader.truth("ground").value_or(output.ground);
  output.wireframe = reader.truth("wireframe").value_or(output.wireframe);
  output.colour = reader.text("colour").value_or("");
  for (const SurfaceKey& key : surface_keys) {
    SurfaceDetail& detail = output.surface;
    const std::string name(key.name);
    if (const auto* sides = std::get_if<int SurfaceDetail::*>(&key.member)) {
      const auto value = reader.integer(name.c_str(), static_cast<std::int64_t>(key.least),
                                        static_cast<std::int64_t>(key.most));
      if (value) detail.*(*sides) = static_cast<int>(*value);
    } else if (const auto* number = std::get_if<double SurfaceDetail::*>(&key.member)) {
      detail.*(*number) = range(name.c_str(), key.least, key.most).value_or(detail.*(*number));
    } else if (const auto* truth = std::get_if<bool SurfaceDetail::*>(&key.member)) {
      detail.*(*truth) = reader.truth(name.c_str()).value_or(detail.*(*truth));
    }
  }
}

}  // namespace

OrganMesh read_organ(const toml::table& table, TomlSource& source) {
  TomlReader reader(table, "[[organ]]", source);
  OrganMesh organ;
  if (auto value = reader.choice("kind", {organ_kind_names.begin(), organ_kind_names.end()})) {
    organ.kind = organ_kind_names[*value];
  } else if (!table.contains("kind")) {
    reader.complain_missing("kind",
                            fmt::format("kind = \"{}\"", fmt::join(organ_kind_names, "\" or \"")));
  }
  if (auto value = reader.text("file")) {
    organ.file = value->starts_with("/") ? *value : folder_of(source.file) + *value;
  } else if (!table.contains("file")) {
    reader.complain_missing("file", "file = \"leaf.obj\" or \"leaf.glb\"");
  }
  reader.finish();
  return organ;
}

OutputSource read_output(const toml::table& table, const Scenario& scenario, TomlSource& source) {
  TomlReader reader(table, "[[output]]", source);
  OutputSource output;
  output.file = reader.text("file").value_or("");
  if (output.file.empty()) {
    reader.complain_missing("file", "file = \"tree.glb\", \"still.png\" or \"clip.mp4\"");
  }
  // Only a plain name: a run writes nowhere but into its output folder.
  if (output.file.find_first_of("/\\") != std::string::npos || output.file == "..") {
    reader.complain_at_key("file", "'file' is a name inside the output folder, without a path");
  }
  if (output.file == "probes.csv" || output.file == "summary.json" || output.file == "energy.csv") {
    reader.complain_at_key("file", fmt::format("'{}' is written by every run", output.file));
  }
  const bool plot = reader.choice("kind", {"plot"}).has_value();
  const FileFormat* format = find_format(output.file);
  if (has_kind(output.file, FormatKind::picture)) {
    output.kind = plot ? OutputKind::plot : OutputKind::picture;
  } else if (has_kind(output.file, FormatKind::video)) {
    output.kind = OutputKind::video;
  } else if (!output.file.empty() && (format == nullptr || !format->writes)) {
    reader.complain_at_key(
        "file", fmt::format("no format is known for '{}'", output.file),
        "formats: " + format_endings([](const FileFormat& f) { return f.writes; }));
  }
  if (auto value = reader.integer("max_joints", 1, 65'535))
    output.max_joints = static_cast<Index>(*value);
  if (auto value = reader.truth("lines")) output.lines = *value;
  if (auto value = reader.choice("style", {usd_styles.begin(), usd_styles.end()}))
    output.style = static_cast<UsdStyle>(*value);
  read_view(reader, output);
  if (auto value = reader.number("rate", Range::positive)) {
    output.rate = *value;
    if (*value > 1000)
      reader.complain_at_key("rate", fmt::format("{} frames a second are not possible", *value),
                             "above 0, and 1000 at most");
  }
  if (auto value = reader.number("time", Range::not_negative)) output.time = *value;
  if (auto value = reader.integer("width", 16, 16384)) output.width = static_cast<int>(*value);
  if (auto value = reader.integer("height", 16, 16384)) output.height = static_cast<int>(*value);
  if (auto value = reader.integer("samples", 1, 65536)) output.samples = static_cast<int>(*value);
  if (output.kind == OutputKind::video && (output.width % 2 || output.height % 2)) {
    reader.complain_at_key("file", "a video needs an even 'width' and 'height'");
  }
  if (has_format(output.file, Format::pivots) && scenario.plants.size() != 1) {
    reader.complain_at_key("file", "Pivot Painter textures hold one plant");
  }
  if (plot && !has_format(output.file, Format::png)) {
    reader.complain_at_key("kind", "a plot is a .png file");
  }
  for (const OutputSource& other : scenario.outputs) {
    if (other.file == output.file) {
      reader.complain_at_key("file", fmt::format("two outputs are named '{}'", output.file));
    }
  }
  output.probe = reader.text("probe").value_or("");
  if (output.kind == OutputKind::plot) {
    const bool known = std::any_of(scenario.probes.begin(), scenario.probes.end(),
                                   [&](const ProbeSource& p) { return p.name == output.probe; });
    if (!known) reader.complain_missing("probe", "the name of the [[probe]] to plot");
  }
  reader.finish();
  return output;
}

}  // namespace thigmo
