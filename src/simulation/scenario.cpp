#include "simulation/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "simulation/scenario_parts.h"
#include "simulation/toml_reader.h"

namespace thigmo {
namespace {

constexpr std::int64_t most_segments = 10'000'000;

}  // namespace

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

namespace {

// Unit direction of a vector key that may not vanish.
std::optional<Vec3> read_direction(TomlReader& reader, std::string_view key) {
  const std::optional<Vec3> value = reader.vector(key);
  if (!value) return std::nullopt;
  if (length(*value) == 0) {
    reader.complain_at_key(key, fmt::format("'{}' must not be the zero vector", key));
    return std::nullopt;
  }
  return normalized(*value);
}

// What lies in a rod's width and height, and what it has inside.
void read_section(TomlReader& reader, RodDescription& rod) {
  const auto outline = reader.choice("section", {"rectangle", "ellipse"});
  if (outline) rod.outline = static_cast<Outline>(*outline);
  if (outline && !rod.rectangle) {
    reader.complain_at_key("section", "a 'section' needs its 'width' and 'height'",
                           "without them a rod is round");
  }
  const std::optional<double> hollow = read_hollow(reader);
  if (hollow && rod.rectangle && rod.outline == Outline::rectangle) {
    reader.complain_at_key("hollow", "only round and elliptic rods are hollow",
                           "section = \"ellipse\", or a 'radius' instead of 'width' and 'height'");
  }
  rod.hollow = hollow.value_or(0);
}

RodDescription read_rod(TomlReader& reader, const std::string& name) {
  RodDescription rod{.name = name};
  rod.material = read_material(reader, default_material());
  if (auto value = reader.integer("segments", 1, most_segments))
    rod.segments = static_cast<int>(*value);
  if (auto value = reader.number("length", Range::positive)) rod.length = *value;
  if (auto value = reader.number("radius", Range::positive)) rod.radius_base = *value;
  rod.radius_tip = rod.radius_base;
  if (auto value = reader.number("radius_tip", Range::not_negative)) rod.radius_tip = *value;
  const auto width = reader.number("width", Range::positive);
  const auto height = reader.number("height", Range::positive);
  if (width && height) {
    rod.rectangle = Rectangle{.width = *width, .height = *height};
    if (reader.has("radius") || reader.has("radius_tip")) {
      reader.complain_at_key(reader.has("radius") ? "radius" : "radius_tip",
                             "a rod has either 'radius' or 'width' and 'height'");
    }
  } else if (width || height) {
    reader.complain_at_key(width ? "width" : "height",
                           "a rectangular rod needs both 'width' and 'height'");
  }
  const auto width_tip = reader.number("width_tip", Range::not_negative);
  const auto height_tip = reader.number("height_tip", Range::not_negative);
  if (rod.rectangle && (width_tip || height_tip)) {
    rod.rectangle_tip = Rectangle{.width = width_tip.value_or(rod.rectangle->width),
                                  .height = height_tip.value_or(rod.rectangle->height)};
  } else if (width_tip || height_tip) {
    reader.complain_at_key(width_tip ? "width_tip" : "height_tip",
                           "only a rod with 'width' and 'height' tapers in them");
  }
  read_section(reader, rod);
  if (auto value = reader.vector("position")) rod.base_world = *value;
  if (auto value = read_direction(reader, "direction")) rod.direction = *value;
  rod.up = any_perpendicular(rod.direction);
  const auto up = read_direction(reader, "up");
  if (auto value = up) {
    if (length(cross(rod.direction, *value)) < 1e-6) {
      reader.complain_at_key("up", "'up' must not be parallel to 'direction'");
    } else {
      rod.up = *value;
    }
  }
  if (auto value = reader.vector("curvature")) rod.curvature = *value;
  // A plain rod's section is turned so that it falls about an axis of it: along x or z nothing then rounds it
  // out of its plane, and what is unstable there has nothing to grow from.
  const Vec3 level = cross(rod.direction, {0, 1, 0});
  const bool plain = !up && !rod.rectangle && dot(rod.curvature, rod.curvature) == 0;
  if (plain && length(level) > 1e-6) rod.up = normalized(level);
  if (auto value = reader.number("tip_mass", Range::not_negative)) rod.tip_mass = *value;
  if (auto value = reader.number("tip_radius", Range::not_negative)) {
    rod.tip_radius = *value;
    if (*value > 0 && rod.tip_mass == 0) {
      reader.complain_at_key("tip_radius", "a disc of radius 'tip_radius' needs its 'tip_mass'");
    }
  }
  return rod;
}

GrammarSource read_grammar(TomlReader& reader, const std::string& folder) {
  GrammarSource source;
  if (says_material(reader)) source.material = read_material(reader, default_material());
  if (auto value = reader.text("grammar")) {
    source.file = value->starts_with("/") ? *value : folder + *value;
  }
  if (auto value = reader.integer("steps", 0, 1'000'000)) source.steps = static_cast<int>(*value);
  if (auto value = reader.integer("seed", 0, INT64_MAX))
    source.seed = static_cast<std::uint64_t>(*value);
  if (auto value = reader.number("angle")) source.angle_degrees = *value;
  source.smallest_body = reader.number("smallest_body", Range::not_negative);
  if (auto value = reader.vector("position")) source.base_world = *value;
  if (const toml::table* parameters = reader.table("parameters")) {
    for (const auto& [key, value] : *parameters) {
      if (value.is_number()) {
        source.parameters[std::string(key.str())] = value.value<double>().value_or(0);
      } else {
        reader.complain(&value, fmt::format("the parameter '{}' must be a number", key.str()));
      }
    }
  }
  return source;
}

TreeSource read_tree(TomlReader& reader, TomlSource& toml) {
  TreeSource source;
  source.material = read_material(reader, default_material());
  if (auto value = reader.text("file")) {
    source.file = value->starts_with("/") ? *value : folder_of(toml.file) + *value;
  }
  source.hollow = read_hollow(reader).value_or(0);
  source.woods = read_woods(reader, source.material, toml);
  if (auto value = reader.number("scale", Range::positive)) source.scale = *value;
  if (auto value = reader.choice("up_axis", {"y", "z"})) source.z_up = *value == 1;
  if (auto value = reader.integer("pieces", 1, 100)) source.pieces = static_cast<int>(*value);
  if (auto value = reader.vector("position")) source.base_world = *value;
  return source;
}

// The plant of a [[plant]], or the plants where it says that there are several: NAME.0, NAME.1, …
std::vector<PlantSource> read_plants(const toml::table& table, std::size_t table_number,
                                     std::size_t plant_number, TomlSource& source) {
  TomlReader reader(table, "[[plant]]", source);
  PlantSource plant;
  plant.name = reader.text("name").value_or(fmt::format("plant{}", table_number));
  const bool grammar = reader.has("grammar");
  const bool rod = reader.choice("kind", {"rod"}).has_value();
  const bool tree = reader.has("file");
  if (grammar + rod + tree != 1) {
    reader.complain(nullptr,
                    "a [[plant]] is one of kind = \"rod\", grammar = \"file.lsys\" and file = "
                    "\"tree.obj\"");
  }
  if (!tree && reader.has("wood")) {
    reader.complain_at_key("wood", "only a plant from a 'file' has [[plant.wood]]",
                           grammar ? "a grammar says itself what its segments are made of"
                                   : "a rod is of one material: give its keys to the [[plant]]");
  }
  if (tree) {
    plant.source = read_tree(reader, source);
  } else if (grammar) {
    plant.source = read_grammar(reader, folder_of(source.file));
  } else {
    plant.source = read_rod(reader, plant.name);
  }
  if (auto start =
          reader.choice("start", {"rest", "modelled-pose-is-equilibrium", "equilibrium"})) {
    plant.start = static_cast<StartPose>(*start);
  }
  plant.root_spring = reader.number("root_spring", Range::positive);
  plant.root = read_root(reader);
  plant.damping = read_damping(reader);
  const std::vector<Placement> places = read_places(reader, source);
  reader.finish();
  if (places.empty()) return {plant};
  if (auto* file = std::get_if<TreeSource>(&plant.source)) file->base_world = Vec3{};
  std::vector<PlantSource> plants(places.size(), plant);
  for (std::size_t i = 0; i < places.size(); ++i) {
    plants[i].name = fmt::format("{}.{}", plant.name, i);
    plants[i].place = places[i];
    if (i > 0) plants[i].like = plant_number;
  }
  return plants;
}

// Still air is no air unless its density is given: closed forms are for a vacuum.
void read_wind(const toml::table& table, TomlSource& source, Scenario& scenario) {
  TomlReader reader(table, "[wind]", source);
  WindModel& wind = scenario.wind;
  if (auto kind = reader.choice("kind", {"still", "uniform", "gusty"})) {
    wind.kind = static_cast<WindKind>(*kind);
  } else if (!table.contains("kind")) {
    reader.complain_missing("kind", "kind = \"still\", \"uniform\" or \"gusty\"");
  }
  if (auto value = reader.vector("mean")) {
    wind.mean_world = *value;
    if (!(length(*value) <= fastest_wind)) {
      reader.complain_at_key(
          "mean", fmt::format("'mean' is faster than {:g} m/s, which is no wind", fastest_wind));
    }
  }
  if (auto value = reader.number("intensity", Range::not_negative)) wind.intensity = *value;
  if (auto value = reader.number("length_scale", Range::positive)) wind.length_scale = *value;
  if (auto value = reader.number("decay", Range::not_negative)) wind.decay = *value;
  if (auto value = reader.integer("seed", 0, INT64_MAX))
    wind.seed = static_cast<std::uint64_t>(*value);
  if (wind.kind != WindKind::still && !table.contains("mean")) {
    reader.complain_missing("mean", "the mean wind in m/s, for example mean = [6, 0, 0]");
  }
  const auto has_no_effect = [&](const char* key, std::string_view why) {
    if (reader.has(key))
      scenario.notes.push_back(warning(fmt::format("[wind]: '{}' has no effect {}", key, why)));
  };
  for (const char* key : {"intensity", "length_scale", "decay", "seed"}) {
    if (wind.kind != WindKind::gusty) {
      has_no_effect(key, "unless kind = \"gusty\"");
    } else if (length(wind.mean_world) == 0) {
      has_no_effect(key, "where the mean wind is zero: gusts are a part of it");
    }
  }
  if (wind.kind == WindKind::still) has_no_effect("mean", "where kind = \"still\"");
  if (wind.kind != WindKind::still) scenario.drag = DragModel{};
  if (auto value = reader.number("air_density", Range::not_negative))
    scenario.drag.air_density = *value;
  if (auto value = reader.number("stem_drag", Range::not_negative))
    scenario.drag.stem_coefficient = *value;
  if (auto value = reader.number("organ_drag", Range::not_negative))
    scenario.drag.organ_coefficient = *value;
  if (auto value = reader.number("streamlining_speed", Range::not_negative))
    scenario.drag.streamlining_speed = *value;
  reader.finish();
}

ForceSource read_force(const toml::table& table, const Scenario& scenario, TomlSource& source) {
  TomlReader reader(table, "[[force]]", source);
  ForceSource force;
  force.plant = read_plant_name(reader, scenario, "force");
  force.at = read_place(reader);
  if (auto value = reader.vector("vector")) force.force = *value;
  if (auto value = reader.vector("moment")) force.moment = *value;
  if (auto value = reader.truth("follower")) force.follower = *value;
  if (auto value = reader.number("start")) force.start = *value;
  if (auto value = reader.number("end")) {
    force.end = *value;
    if (*value <= force.start) reader.complain_at_key("end", "'end' must come after 'start'");
  }
  if (auto value = reader.number("frequency", Range::positive)) force.frequency = *value;
  if (auto value = reader.number("phase")) {
    force.phase_degrees = *value;
    if (!reader.has("frequency")) {
      reader.complain_at_key("phase", "a force with a 'phase' needs its 'frequency'");
    }
  }
  if (!reader.has("vector") && !reader.has("moment")) {
    reader.complain_missing("vector", "vector = [N, N, N] or moment = [N m, N m, N m]");
  }
  reader.finish();
  return force;
}

ProbeSource read_probe(const toml::table& table, const Scenario& scenario, TomlSource& source) {
  TomlReader reader(table, "[[probe]]", source);
  ProbeSource probe;
  probe.name = reader.text("name").value_or("");
  if (probe.name.empty()) reader.complain_missing("name", "name = \"tip\"");
  if (probe.name.find_first_of(",\"\n\r") != std::string::npos) {
    reader.complain_at_key("name", "a probe's name must not hold commas, quotes or line ends");
  }
  for (const ProbeSource& other : scenario.probes) {
    if (other.name == probe.name) {
      reader.complain_at_key("name", fmt::format("two probes are named '{}'", probe.name));
    }
  }
  probe.plant = read_plant_name(reader, scenario, "probe");
  probe.at = read_place(reader);
  reader.finish();
  return probe;
}

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
  if (auto value = reader.integer("sides", 3, 256)) output.sides = static_cast<int>(*value);
  output.min_radius = range("min_radius", 0, 1e6).value_or(output.min_radius);
  output.leaf_share = range("leaf_share", 0.001, 1).value_or(output.leaf_share);
  output.root_flare = range("root_flare", 0, 10).value_or(output.root_flare);
  output.weld = reader.truth("weld").value_or(output.weld);
  output.tangents = reader.truth("tangents").value_or(output.tangents);
}

OrganMeshSource read_organ(const toml::table& table, TomlSource& source) {
  TomlReader reader(table, "[[organ]]", source);
  OrganMeshSource organ;
  constexpr std::array kinds{"leaf", "flower", "petal", "fruit", "bud"};
  if (auto value = reader.choice("kind", {kinds.begin(), kinds.end()})) {
    organ.kind = kinds[*value];
  } else if (!table.contains("kind")) {
    reader.complain_missing("kind", "kind = \"leaf\", \"flower\", \"petal\", \"fruit\" or \"bud\"");
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
  const auto is_plants = [&output](std::string_view end) { return output.file.ends_with(end); };
  if (output.file.ends_with(".png")) {
    output.kind = plot ? OutputKind::plot : OutputKind::picture;
  } else if (output.file.ends_with(".mp4")) {
    output.kind = OutputKind::video;
  } else if (!output.file.empty() && std::none_of(std::begin(plant_output_endings),
                                                  std::end(plant_output_endings), is_plants)) {
    reader.complain_at_key(
        "file", fmt::format("no format is known for '{}'", output.file),
        fmt::format("formats: .png, .mp4, {}", fmt::join(plant_output_endings, ", ")));
  }
  if (auto value = reader.integer("max_joints", 1, 65'535))
    output.max_joints = static_cast<Index>(*value);
  if (auto value = reader.truth("lines")) output.lines = *value;
  if (auto value = reader.choice("style", {"skeleton", "points", "curves"}))
    output.style = std::array{"skeleton", "points", "curves"}[*value];
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
  if (output.file.ends_with(".pp2") && scenario.plants.size() != 1) {
    reader.complain_at_key("file", "Pivot Painter textures hold one plant");
  }
  if (plot && !output.file.ends_with(".png")) {
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

// Without a [[probe]], every plant has one at its tip, of several equal ones the first.
void add_default_probes(Scenario& scenario) {
  for (const PlantSource& plant : scenario.plants) {
    if (plant.like) continue;
    const bool alone = scenario.plants.size() == 1;
    scenario.probes.push_back({.name = alone ? "tip" : plant.name + ".tip", .plant = plant.name});
  }
}

Scenario read_scenario(const toml::table& table, TomlSource& source) {
  TomlReader reader(table, "the scenario", source);
  Scenario scenario;
  if (auto value = reader.text("title")) scenario.title = *value;
  if (auto value = reader.number("duration", Range::positive)) scenario.duration = *value;
  if (auto value = reader.number("step", Range::positive)) scenario.step = *value;
  if (auto value = reader.number("numerical_damping", Range::not_negative)) {
    scenario.options.numerical_damping = *value;
    if (*value > 1)
      reader.complain_at_key("numerical_damping", "'numerical_damping' lies between 0 and 1");
  }
  if (auto value = reader.integer("most_passes", 1, 100'000'000))
    scenario.options.most_passes = static_cast<int>(*value);
  if (auto value = reader.choice("too_violent", {"coarser", "stop"}))
    scenario.options.stop_when_violent = *value == 1;
  if (auto value = reader.vector("gravity")) scenario.gravity = *value;
  std::set<std::string> names;
  std::size_t number = 0;
  std::vector<std::string> recipes;  // of the plants
  for (const toml::table* table_of_plant : reader.tables("plant")) {
    for (PlantSource& plant :
         read_plants(*table_of_plant, number, scenario.plants.size(), source)) {
      if (!names.insert(plant.name).second) {
        reader.complain(table_of_plant, fmt::format("two plants are named '{}'", plant.name));
      }
      scenario.plants.push_back(std::move(plant));
      recipes.push_back(recipe_of(*table_of_plant));
    }
    ++number;
  }
  if (scenario.plants.empty()) {
    reader.complain(nullptr, "the scenario has no plant",
                    "add a [[plant]] with grammar = \"file.lsys\" or kind = \"rod\"");
  }
  if (const toml::table* wind = reader.table("wind")) read_wind(*wind, source, scenario);
  for (const toml::table* force : reader.tables("force")) {
    scenario.forces.push_back(read_force(*force, scenario, source));
  }
  for (const toml::table* motion : reader.tables("motion")) {
    scenario.motions.push_back(read_motion(*motion, scenario, source));
  }
  for (const toml::table* pull : reader.tables("pull")) {
    scenario.pulls.push_back(read_pull(*pull, scenario, source));
  }
  if (const toml::table* ground = reader.table("ground")) {
    scenario.ground = read_ground(*ground, source);
  }
  if (auto value = reader.truth("energy")) scenario.energy = *value;
  for (const toml::table* probe : reader.tables("probe")) {
    scenario.probes.push_back(read_probe(*probe, scenario, source));
  }
  if (scenario.probes.empty()) add_default_probes(scenario);
  share_equal_plants(recipes, scenario.plants);
  for (const toml::table* organ : reader.tables("organ")) {
    scenario.organs.push_back(read_organ(*organ, source));
  }
  for (const toml::table* output : reader.tables("output")) {
    scenario.outputs.push_back(read_output(*output, scenario, source));
  }
  // One written with few digits is no longer than the whole.
  if (reader.has("step") && scenario.step > 1.001 * scenario.duration) {
    reader.complain_at_key("step",
                           fmt::format("a step of {} s is longer than the whole of {} s",
                                       scenario.step, scenario.duration),
                           "give a longer 'duration' or a shorter 'step'");
  }
  const double steps = scenario.duration / scenario.step;
  if (steps > 1e9) {
    reader.complain_at_key("step",
                           fmt::format("{:.3g} steps are more than a run may have (1e9)", steps));
  }
  reader.finish();
  return scenario;
}

}  // namespace

Result<Scenario> parse_scenario(std::string_view file, std::string_view text,
                                const std::vector<std::string>& overrides) {
  TomlSource source{.file = std::string(file), .text = std::string(text), .diagnostics = {}};
  Result<toml::table> table = parse_toml(source);
  if (!table) return table.diagnostics();
  for (const std::string& assignment : overrides) {
    const Result<Done> done = override_toml(*table, assignment);
    if (!done) return done.diagnostics();
  }
  Scenario scenario = read_scenario(*table, source);
  if (!source.diagnostics.empty()) return source.diagnostics;
  // Every other key may make another motion, those of later versions too.
  for (const char* key :
       {"title", "duration", "energy", "most_passes", "too_violent", "probe", "organ", "output"})
    table->erase(key);
  Hasher hasher;
  add_to_hash(*table, hasher);
  scenario.fingerprint = hasher.value();
  return scenario;
}

}  // namespace thigmo
