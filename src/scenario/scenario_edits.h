#pragma once

#include "scenario/scenario.h"
#include "scenario/toml_reader.h"

namespace thigmo {

// [[cut]], [[remove]], [[graft]], [[change]], [[thicken]] and [[extend]].
void read_edits(TomlReader& reader, TomlSource& source, Scenario& scenario);

}  // namespace thigmo
