#include "thigmo/read_plant.h"

#include <fmt/format.h>

#include <cmath>

#include "api/grown_plant.h"
#include "app/common.h"
#include "plant/subdivide.h"

namespace thigmo {
namespace {

Result<GrownPlant> read(const TreeFile& tree, Diagnostics& notes) {
  if (!(std::isfinite(tree.scale) && tree.scale > 0)) {
    return error(fmt::format("a tree cannot be scaled by {}", tree.scale),
                 "give the metres in the file's unit");
  }
  constexpr int most_pieces = 1000;
  if (tree.pieces && (*tree.pieces < 1 || *tree.pieces > most_pieces)) {
    return error(fmt::format("a segment cannot be cut into {} pieces", *tree.pieces),
                 fmt::format("1 to {} are possible", most_pieces));
  }
  const Result<std::optional<Material>> material = material_of(tree.species);
  if (!material) return material.diagnostics();
  Result<Plant> plant =
      read_tree({.file = tree.file, .scale = tree.scale, .z_up = tree.z_up}, notes);
  if (!plant) return plant.diagnostics();
  if (*material) {
    plant->materials = {**material};
    for (Segment& segment : plant->segments) segment.material = 0;
  }
  return GrownPlantAccess::grown(subdivided(*plant, tree.pieces), false);
}

}  // namespace

Outcome<GrownPlant> read_plant(const TreeFile& tree, Diagnostics* notes) {
  return attempt([&] {
    Diagnostics said;
    Result<GrownPlant> read_one = read(tree, said);
    if (notes) notes->insert(notes->end(), said.begin(), said.end());
    return read_one;
  });
}

}  // namespace thigmo
