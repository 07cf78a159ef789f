#pragma once

// Stems as beams: how flexible a stretch of one is, and which joint stands for it.

#include <vector>

#include "plant/plant.h"

namespace thigmo {

// Joint flexibility of a stretch of tapering stem, angle per moment: ∫ ds / (E I) and ∫ ds / (G J).
// `from` and `to` are fractions of the segment's length.
Vec3 stretch_compliance(const Segment& segment, const Material& material, double from, double to);

// For each segment the one child that continues its beam, else -1. A segment whose tip carries
// nothing, several children, or a child at an angle has none.
std::vector<Index> beam_continuations(const Plant& plant);

// The flexibility that each joint has beyond that of its own stretch of beam: the end correction
// where beams begin, zero elsewhere and in sum. `next` as from beam_continuations.
std::vector<Vec3> flexibility_shifts(const Plant& plant, const std::vector<Index>& next);

// The flexibility of each joint: the stretches of beam that it stands for, without the end correction [rad/(N m)].
std::vector<Vec3> joint_flexibilities(const Plant& plant, const std::vector<Index>& next);
// The same of one joint, found among its neighbours alone; subtree sizes are of all segments.
Vec3 joint_flexibility_at(const Plant& plant, const std::vector<Index>& subtree_sizes, Index joint);

}  // namespace thigmo
