#include "scenario/scenario_plants.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/scenario_damping.h"
#include "scenario/scenario_material.h"
#include "scenario/scenario_places.h"
#include "scenario/scenario_points.h"
#include "scenario/scenario_supports.h"

namespace thigmo {
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

RodDescription read_rod(TomlReader& reader, const std::string& name, KeyedMaterial& keyed) {
  RodDescription rod{.name = name};
  rod.material = read_material(reader, default_material(), keyed);
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

GrammarSource read_grammar(TomlReader& reader, const std::string& folder, KeyedMaterial& keyed) {
  GrammarSource source;
  if (says_material(reader)) source.material = read_material(reader, default_material(), keyed);
  if (auto value = reader.text("grammar")) {
    source.file = value->starts_with("/") ? *value : folder + *value;
  }
  if (auto value = reader.integer("steps", 0, 1'000'000)) source.steps = static_cast<int>(*value);
  if (auto value = reader.integer("seed", 0, INT64_MAX))
    source.seed = static_cast<std::uint64_t>(*value);
  if (auto value = reader.number("angle")) source.angle_degrees = *value;
  source.smallest_body = reader.number("smallest_body", Range::not_negative);
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

TreeSource read_tree(TomlReader& reader, KeyedMaterial& keyed, TomlSource& toml) {
  TreeSource source;
  source.material = read_material(reader, default_material(), keyed);
  if (auto value = reader.text("file")) {
    source.file = value->starts_with("/") ? *value : folder_of(toml.file) + *value;
  }
  source.hollow = read_hollow(reader).value_or(0);
  source.woods = read_woods(reader, source.material, keyed, toml);
  if (auto value = reader.number("scale", Range::positive)) source.scale = *value;
  if (auto value = reader.choice("up_axis", {"y", "z"})) source.z_up = *value == 1;
  if (auto value = reader.integer("pieces", 1, 100)) source.pieces = static_cast<int>(*value);
  return source;
}

void read_particles(const toml::table& table, ParticleSettings& settings, TomlSource& source) {
  TomlReader reader(table, "particles", source);
  if (auto value = reader.integer("supports", 2, 4)) settings.supports = static_cast<int>(*value);
  if (settings.supports == 3) {
    reader.complain_at_key("supports",
                           "an angular constraint has 2 supports in a plane and 4 in space");
  }
  if (auto value = reader.integer("iterations", 0, 100'000)) {
    settings.iterations = static_cast<int>(*value);
  }
  if (auto value = reader.number("power", Range::positive)) settings.power = *value;
  if (settings.power >= 2) {
    reader.complain_at_key("power", "the 'power' must be below 2",
                           "at 1 all of an error is put right");
  }
  if (auto value = reader.number("velocity_kept", Range::positive)) settings.velocity_kept = *value;
  if (settings.velocity_kept > 1) {
    reader.complain_at_key("velocity_kept", "'velocity_kept' is at most 1");
  }
  if (auto value = reader.truth("twist")) settings.twist = *value;
  reader.finish();
}

bool changes_by_keys(const PlantSource& plant) {
  const auto changes = [](const KeyedMaterial& keyed) {
    return !keyed.stiffness.empty() || !keyed.damping.empty();
  };
  const auto* tree = std::get_if<TreeSource>(&plant.source);
  return changes(plant.keyed) ||
         (tree != nullptr &&
          std::any_of(tree->woods.begin(), tree->woods.end(),
                      [&](const WoodSource& wood) { return changes(wood.keyed); }));
}

// What moves the plant. Keys of what particles do not have are complained about.
void read_method(TomlReader& reader, PlantSource& plant, TomlSource& source) {
  if (auto method = reader.choice("method", {"articulated", "particles"})) {
    plant.method = static_cast<Method>(*method);
  }
  const toml::table* particles = reader.table("particles");
  if (plant.method == Method::articulated) {
    if (particles == nullptr) return;
    return reader.complain_at_key("particles",
                                  "'particles' are the keys of method = \"particles\"");
  }
  if (particles != nullptr) read_particles(*particles, plant.particles, source);
  if (changes_by_keys(plant)) {
    reader.complain_at_key("method", "woods that change by keys do not change particles",
                           "give 'young' and 'damping_ratio' as plain numbers");
  }
  for (const char* key : {"damping", "damping_frequencies", "damping_ratios", "mass_damping",
                          "start", "root_spring", "pot_mass", "pot_radius"}) {
    if (!reader.has(key)) continue;
    reader.complain_at_key(key, fmt::format("'{}' is not for method = \"particles\"", key),
                           "particles start at rest, and have neither joints nor dampers");
  }
}

}  // namespace

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
    plant.source = read_tree(reader, plant.keyed, source);
  } else if (grammar) {
    plant.source = read_grammar(reader, folder_of(source.file), plant.keyed);
  } else {
    plant.source = read_rod(reader, plant.name, plant.keyed);
  }
  if (auto start =
          reader.choice("start", {"rest", "modelled-pose-is-equilibrium", "equilibrium"})) {
    plant.start = static_cast<StartPose>(*start);
  }
  plant.root_spring = reader.number("root_spring", Range::positive);
  plant.root = read_root(reader);
  plant.damping = read_damping(reader);
  read_method(reader, plant, source);
  const std::vector<Placement> places = read_places(reader, source);
  const bool several = !places.empty() && !reader.has("position");
  reader.finish();
  if (!places.empty()) plant.place = places.front();
  if (!several) return {plant};
  std::vector<PlantSource> plants(places.size(), plant);
  for (std::size_t i = 0; i < places.size(); ++i) {
    plants[i].name = fmt::format("{}.{}", plant.name, i);
    plants[i].place = places[i];
    if (i > 0) plants[i].like = plant_number;
  }
  return plants;
}

}  // namespace thigmo
