#pragma once

#include <cmath>
#include <cstdint>

#include "base/random.h"

namespace thigmo {

// Smooth value noise in 0..1 on a lattice of side 1, with a whole period in x (0: none).
inline double value_noise(double x, double y, std::int64_t period, std::uint64_t key) {
  const double fx = std::floor(x), fy = std::floor(y);
  const auto wrap = [period](std::int64_t i) {
    return period > 0 ? ((i % period) + period) % period : i;
  };
  const auto lattice = [key](std::int64_t i, std::int64_t j) {
    return unit_from_bits(
        mix_bits(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j), key));
  };
  const auto x0 = wrap(static_cast<std::int64_t>(fx)), x1 = wrap(x0 + 1);
  const auto y0 = static_cast<std::int64_t>(fy);
  const double tx = x - fx, ty = y - fy;
  const double sx = tx * tx * (3 - 2 * tx), sy = ty * ty * (3 - 2 * ty);
  const double low = lattice(x0, y0) * (1 - sx) + lattice(x1, y0) * sx;
  const double high = lattice(x0, y0 + 1) * (1 - sx) + lattice(x1, y0 + 1) * sx;
  return low * (1 - sy) + high * sy;
}

}  // namespace thigmo
