#pragma once

// What moves plants by their roots and branches: [[motion]], [[grab]], [ground], and the root keys of
// a [[plant]].

#include "scenario/scenario.h"
#include "scenario/toml_reader.h"

namespace thigmo {

// What holds a plant's root: the keys root, release, velocity, spin, pot_mass, pot_radius.
RootSource read_root(TomlReader& reader);

// The tables [[motion]], [[grab]] and [ground].
MotionSource read_motion(const toml::table& table, const Scenario& scenario, TomlSource& source);
GrabSource read_grab(const toml::table& table, std::string_view name, const Scenario& scenario,
                     TomlSource& source);
GroundForm read_ground(const toml::table& table, TomlSource& source);

}  // namespace thigmo
