#pragma once

#include <span>

#include "base/result.h"
#include "plant/motion.h"
#include "thigmo/formats.h"

namespace thigmo {

// How far from the origin a thing may be, and how large [m]. The turtle goes no farther than the first. Where
// a ray meets a triangle three coordinates are multiplied, which single precision holds up to some 1e12 m for
// all of them, the camera's too. A half ends at 65504, and pivots are in centimetres.
double largest_size(Precision precision);
// Segments are no shorter or thinner: squares of less are lost in what is added to them [m].
inline constexpr double smallest_size = 1e-30;

// Whether a plant can be drawn or written like this: every size and coordinate, and the mass, below the
// largest; and large enough for how far away it is that its points are told apart. All that writes or draws
// plants asks before it begins.
Result<Done> check_sizes(const Plant& plant, const Pose& pose, Precision precision);

// The same where they begin.
Result<Done> check_sizes(std::span<const MovingPlant> plants, Precision precision);

// Whether a moving plant of this size [m] has stayed where it can be drawn or written.
Result<Done> check_reach(const Plant& plant, const Pose& pose, double size, Precision precision);

// Its larger extent, with its thickness and its organs [m].
double plant_size(const Plant& plant, const Pose& pose);

// Whether things of this size [m] can be told apart so far from the origin [m].
bool holds(Precision precision, double size, double farthest);
// What two neighbouring numbers differ by there [m].
double rounding(Precision precision, double farthest);

}  // namespace thigmo
