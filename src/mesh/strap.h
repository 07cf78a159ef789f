#pragma once

#include <span>
#include <vector>

#include "mesh/tube.h"

namespace thigmo {

// A long leaf that grammars draw piece by piece, each fixed to one segment of its midrib: needles
// and grass blades that lie along consecutive segments of a tube and cover them. It is drawn as one
// sheet that bends with the midrib.
struct Strap {
  std::size_t tube = 0;
  std::vector<Index> pieces;  // organs, in order along the tube
};

std::vector<Strap> find_straps(const Plant& plant, std::span<const Tube> tubes,
                               const MeshOptions& options);

// `width_factor`: how much wider it is than the plant says; `number` varies its look.
void add_strap(const Plant& plant, const Tube& tube, const Strap& strap, double width_factor,
               Index number, SkinnedMesh& mesh);

}  // namespace thigmo
