#pragma once

namespace thigmo {

// Gauss's points and weights in 0 … 1: right for polynomials up to the fifth degree.
struct GaussPoint {
  double at, weight;
};
inline constexpr GaussPoint three_points[] = {
    {0.1127016653792583, 5.0 / 18}, {0.5, 8.0 / 18}, {0.8872983346207417, 5.0 / 18}};

}  // namespace thigmo
