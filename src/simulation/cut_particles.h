#pragma once

// What a cut does to a plant that particles move.

#include <optional>
#include <span>

#include "particles/split_particles.h"
#include "simulation/edit_places.h"

namespace thigmo {

// A cut this near to an end of a segment is there.
inline constexpr double nearest_cut = 1e-6;  // of its length

// A plant's particles while it is taken apart, and the names that its segments had.
struct CutParticles {
  ParticleSplit split;
  std::vector<SegmentId> ids;
};

// Destroys what a cut destroys; none where joints move the plant. What is beyond becomes trees 1, 2, …
std::optional<CutParticles> cut_particles(const FoundSegment& found, double along,
                                          const SimulatedPlant& plant);

// Gives a plant that was made of one of the trees its particles.
void carry_particles(const std::optional<CutParticles>& cut, int tree,
                     std::span<const SegmentSplit> splits, SimulatedPlant& plant);

}  // namespace thigmo
