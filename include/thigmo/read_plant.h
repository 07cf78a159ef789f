#pragma once

// Trees that were drawn or scanned elsewhere, as plants for worlds. In thigmo_app.

#include <optional>
#include <string>

#include "thigmo/plant.h"

namespace thigmo {

// A file of a format that is read (docs/files.md): lines, cylinders, a table of segments, a skeleton.
struct TreeFile {
  std::string file;
  double scale = 1;               // metres in the file's unit
  std::optional<bool> z_up = {};  // else what the format says
  std::optional<int> pieces =
      {};  // of each of its segments; else as far as bending between forks needs it
  std::string species = "oak";
};

// The tree as it stands; `notes` takes what was completed or repaired.
Outcome<GrownPlant> read_plant(const TreeFile& tree, Diagnostics* notes = nullptr);

}  // namespace thigmo
