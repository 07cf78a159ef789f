#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace thigmo {

// IEEE 754 binary16 bits of a number, rounded to nearest even; what is too large becomes infinite.
inline std::uint16_t half_from_float(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fff'ffffu;
  if (magnitude > 0x7f80'0000u) return static_cast<std::uint16_t>(sign | 0x7e00u);  // not a number
  // 65520 is where rounding reaches beyond the largest half, 65504.
  if (magnitude >= 0x477f'f000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x3880'0000u) {
    // Below 2^-14 halves are multiples of 2^-24.
    const auto steps = static_cast<std::uint32_t>(std::nearbyint(std::fabs(value) * 0x1p24f));
    return static_cast<std::uint16_t>(sign | steps);
  }
  const std::uint32_t rebased = magnitude - 0x3800'0000u;  // exponent bias 127 to 15
  const std::uint32_t rounded = rebased + 0x0fffu + ((rebased >> 13) & 1u);
  return static_cast<std::uint16_t>(sign | (rounded >> 13));
}

}  // namespace thigmo
