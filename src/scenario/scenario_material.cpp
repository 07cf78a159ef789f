#include "scenario/scenario_material.h"
#include "material/species.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/scenario_keys.h"

namespace thigmo {
namespace {

std::vector<std::string> species_names() {
  std::vector<std::string> names;
  for (const Species& species : all_species()) names.emplace_back(species.name);
  return names;
}

constexpr std::string_view material_keys[] = {"species",  "young",   "density", "damping_ratio",
                                              "strength", "poisson", "shear",   "shear_ratio"};

// How it twists: by Poisson's ratio, by the shear modulus or by its ratio to Young's.
void read_shear(TomlReader& reader, Material& material) {
  const auto poisson = reader.number("poisson");
  const auto shear = reader.number("shear", Range::positive);
  const auto ratio = reader.number("shear_ratio", Range::positive);
  if (poisson.has_value() + shear.has_value() + ratio.has_value() > 1) {
    reader.complain_at_key(ratio ? "shear_ratio" : "shear",
                           "'poisson', 'shear' and 'shear_ratio' say the same in three ways",
                           "give one of them");
  }
  if (poisson && !(*poisson > -1.0 && *poisson <= 0.5)) {
    reader.complain_at_key("poisson",
                           fmt::format("'poisson' must lie in (-1, 0.5], not {}", *poisson),
                           "wood twists more easily: give its 'shear_ratio' instead");
  }
  if (poisson) {
    material.poisson = *poisson;
    material.shear_ratio = 0;
  }
  if (shear) material.shear_ratio = *shear / material.young;
  if (ratio) material.shear_ratio = *ratio;
}

// order = 2, or order = [from, to].
void read_orders(TomlReader& reader, WoodSource& wood) {
  const toml::node* node = reader.node("order");
  if (!node) return;
  std::vector<std::int64_t> ends;
  if (const toml::array* list = node->as_array()) {
    for (const toml::node& end : *list) {
      if (const auto* value = end.as_integer()) ends.push_back(value->get());
    }
    if (list->size() != 2) ends.clear();
  } else if (const auto* value = node->as_integer()) {
    ends = {value->get(), value->get()};
  }
  if (ends.size() != 2 || ends[0] < 0 || ends[1] < ends[0] || ends[1] > INT32_MAX) {
    reader.complain(node, "'order' must be a whole number, or two from the lower to the higher",
                    "order = 0 is the trunk, order = [1, 2] its branches and theirs");
    return;
  }
  wood.first_order = static_cast<Index>(ends[0]);
  wood.last_order = static_cast<Index>(ends[1]);
}

WoodSource read_wood(const toml::table& table, const Material& own, const KeyedMaterial& keyed,
                     TomlSource& source) {
  TomlReader reader(table, "[[plant.wood]]", source);
  WoodSource wood{.place = reader.place_of_table(), .material = {}, .keyed = keyed};
  wood.material = read_material(reader, own, wood.keyed);
  wood.hollow = read_hollow(reader);
  if (auto value = reader.integer("axis", 0, INT32_MAX)) wood.axis = static_cast<Index>(*value);
  read_orders(reader, wood);
  if (auto value = reader.number("radius_above", Range::not_negative)) wood.radius_above = *value;
  if (auto value = reader.number("radius_below", Range::positive)) {
    wood.radius_below = *value;
    if (!(*value > wood.radius_above)) {
      reader.complain_at_key("radius_below", "'radius_below' must be larger than 'radius_above'");
    }
  }
  const auto conditions = {"axis", "order", "radius_above", "radius_below"};
  if (std::none_of(conditions.begin(), conditions.end(),
                   [&](const char* key) { return reader.has(key); })) {
    reader.complain(nullptr, "a [[plant.wood]] must say which segments are made of it",
                    "by 'axis', 'order', 'radius_above' or 'radius_below'");
  }
  if (!says_material(reader) && !reader.has("hollow")) {
    reader.complain(nullptr, "a [[plant.wood]] must say what is different there",
                    "by 'species', 'young', 'density', 'hollow' …");
  }
  reader.finish();
  return wood;
}

}  // namespace

bool says_material(TomlReader& reader) {
  return std::any_of(std::begin(material_keys), std::end(material_keys),
                     [&](std::string_view key) { return reader.has(key); });
}

// The species if one is named, then single properties on top of it.
Material read_material(TomlReader& reader, Material material, KeyedMaterial& keyed) {
  if (const std::optional<std::size_t> choice = reader.choice("species", species_names())) {
    material = material_from(all_species()[*choice]);
    keyed = {};
  }
  // Far beyond any matter, and within what frequencies and masses can be counted with.
  const auto within = [&](const char* key, double low, double high, std::optional<double> value,
                          double& target) {
    if (!value) return;
    if (*value < low || *value > high) {
      reader.complain_at_key(key, fmt::format("'{}' lies between {} and {}", key, low, high));
    }
    target = *value;
  };
  within("young", 1e-9, 1e18,
         read_number_or_keys(reader, "young", Range::positive, keyed.stiffness), material.young);
  for (const double factor : keyed.stiffness.values) {
    double young = 0;
    within("young", 1e-9, 1e18, factor * material.young, young);
  }
  if (is_keyed(reader, "density")) {
    reader.complain_at_key("density", "'density' cannot be given by keys",
                           "what comes or goes has a speed of its own: say [[change]] mass");
  } else {
    within("density", 1e-6, 1e9, reader.number("density", Range::positive), material.density);
  }
  if (auto value = read_number_or_keys(reader, "damping_ratio", Range::not_negative, keyed.damping))
    material.damping_ratio = *value;
  if (auto value = reader.number("strength", Range::positive)) material.strength = *value;
  read_shear(reader, material);
  return material;
}

Material default_material() { return material_from(*find_species("oak")); }

std::optional<double> read_hollow(TomlReader& reader) {
  const std::optional<double> hollow = reader.number("hollow", Range::not_negative);
  if (hollow && *hollow > 0.99) {
    reader.complain_at_key("hollow",
                           "'hollow' is the inner radius over the outer one, at most 0.99");
    return std::nullopt;
  }
  return hollow;
}

std::vector<WoodSource> read_woods(TomlReader& reader, const Material& own,
                                   const KeyedMaterial& keyed, TomlSource& source) {
  std::vector<WoodSource> woods;
  for (const toml::table* table : reader.tables("wood")) {
    woods.push_back(read_wood(*table, own, keyed, source));
  }
  return woods;
}

}  // namespace thigmo
