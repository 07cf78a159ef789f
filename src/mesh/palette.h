#pragma once

#include "mesh/mesh.h"

namespace thigmo {

// Colour index 0 is the natural colour of the kind; others are entries of a table of plant colours
// (browns, greens, autumn and flower colours), repeated when they run out. Linear RGB.
Vec3f segment_colour(const Segment& segment);

// Of a place on it that is so thick [m].
Vec3f segment_colour(const Segment& segment, double radius);

// Of bare wood where a stem was cut, so thick [m].
Vec3f cut_colour(const Segment& segment, double radius);

// As above, a little different from organ to organ, as leaves of one tree are.
Vec3f organ_colour(const Organ& organ, Index number);

// The colour of the eye of a flower.
Vec3f flower_eye_colour();

Surface organ_surface(OrganKind kind);

}  // namespace thigmo
