#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace thigmo {

// Random numbers are pure functions of their keys, so that they depend neither on threads nor on
// the order of evaluation. The mixer is the finaliser of SplitMix64 (Steele et al. 2014).
constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

constexpr std::uint64_t mix_bits(std::uint64_t a, std::uint64_t b) {
  return mix_bits(mix_bits(a) ^ (b + 0x2545f4914f6cdd1du));
}

constexpr std::uint64_t mix_bits(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return mix_bits(mix_bits(a, b), c);
}

// Uniform in [0, 1), 53 bits.
constexpr double unit_from_bits(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

// Standard normal, by Box and Muller from two derived uniforms.
inline double normal_from_bits(std::uint64_t bits) {
  const double u = 1.0 - unit_from_bits(mix_bits(bits, 1));  // (0, 1]: the logarithm is finite
  const double v = unit_from_bits(mix_bits(bits, 2));
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

}  // namespace thigmo
