#pragma once

// What plants are made of: the keys species, young, density … of a [[plant]] and of its [[plant.wood]].

#include <optional>
#include <vector>

#include "scenario/scenario.h"
#include "scenario/toml_reader.h"

namespace thigmo {

// Whether any of the keys species, young, density … is there, and the material that they make of
// another one.
bool says_material(TomlReader& reader);
// What is given by keys goes to `keyed`, which is that of the other one.
Material read_material(TomlReader& reader, Material material, KeyedMaterial& keyed);
Material default_material();  // oak

// The inner over the outer radius of a tube.
std::optional<double> read_hollow(TomlReader& reader);

// The [[plant.wood]] of a tree from a file; `own` is its material elsewhere.
std::vector<WoodSource> read_woods(TomlReader& reader, const Material& own,
                                   const KeyedMaterial& keyed, TomlSource& source);

}  // namespace thigmo
