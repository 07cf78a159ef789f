#pragma once

// The pieces that reading a scenario is made of.

#include "simulation/scenario.h"
#include "simulation/toml_reader.h"

namespace thigmo {

// "a/b/" of "a/b/c.toml"; empty for a bare name.
std::string folder_of(const std::string& file);

// "tip" | segment number | fraction 0..1
PointOnPlant read_place(TomlReader& reader);

// The plant a force, probe or hand is on: by name, or the only one there is.
std::string read_plant_name(TomlReader& reader, const Scenario& scenario, std::string_view what);

// Whether any of the keys species, young, density … is there, and the material that they make of
// another one.
bool says_material(TomlReader& reader);
Material read_material(TomlReader& reader, Material material);
Material default_material();  // oak

// The inner over the outer radius of a tube.
std::optional<double> read_hollow(TomlReader& reader);

// The [[plant.wood]] of a tree from a file; `own` is its material elsewhere.
std::vector<WoodSource> read_woods(TomlReader& reader, const Material& own, TomlSource& source);

// What holds a plant's foot: the keys root, release, velocity, spin, pot_mass, pot_radius.
RootSource read_root(TomlReader& reader);

// How its wood is damped: the keys damping, damping_frequencies, damping_ratios and mass_damping.
Damping read_damping(TomlReader& reader);

// Where the plants of a [[plant]] stand that are several: the keys positions, turns and scatter. Empty
// where it is one.
std::vector<Placement> read_places(TomlReader& reader, TomlSource& source);

// What a [[plant]] says besides its name and position, as text that is the same where that is.
std::string recipe_of(const toml::table& plant);

// Makes plants of one recipe share a model: each stands by its placement from the origin, with the bits of
// one made at its place.
void share_equal_plants(const std::vector<std::string>& recipes, std::vector<PlantSource>& plants);

MotionSource read_motion(const toml::table& table, const Scenario& scenario, TomlSource& source);
PullSource read_pull(const toml::table& table, const Scenario& scenario, TomlSource& source);
GroundSource read_ground(const toml::table& table, TomlSource& source);

}  // namespace thigmo
