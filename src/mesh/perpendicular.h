#pragma once

#include "math/vector.h"

namespace thigmo {

// The direction of the part of `v` that is perpendicular to the unit vector `axis`; any such direction
// where `v` is so nearly along the axis that rounding alone would choose.
inline Vec3 perpendicular_part(const Vec3& v, const Vec3& axis) {
  const Vec3 across = v - axis * dot(v, axis);
  return dot(across, across) > 1e-12 * dot(v, v) ? normalized(across) : any_perpendicular(axis);
}

}  // namespace thigmo
