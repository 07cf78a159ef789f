#pragma once

#include <span>
#include <vector>

#include "mesh/tube.h"

namespace thigmo {

// Which tubes are drawn: those that are thick enough somewhere (options.min_radius), and what bears them.
std::vector<char> drawn_tubes(const Plant& plant, std::span<const Tube> tubes,
                              const MeshOptions& options);

// The plant's organs, seated on stems that are drawn. One whose stem is left out is carried down to where
// the twig was cut, and spread along the stem there by as much as it is brought nearer, so that a crown
// stays dense. It has no segment where nothing is drawn below it.
std::vector<Organ> seated_organs(const Plant& plant, const Pose& rest, std::span<const Tube> tubes,
                                 const MeshOptions& options);

}  // namespace thigmo
