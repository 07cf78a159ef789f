#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace thigmo {

// SHA-256 (FIPS 180-4), for comparing strings with the fingerprints of the oracle file. The round
// constants are the first 32 fractional bits of the cube roots of the first 64 primes, the start
// values those of the square roots of the first 8.
inline std::string sha256(std::string_view text) {
  const auto is_prime = [](int n) {
    for (int d = 2; d * d <= n; ++d) {
      if (n % d == 0) return false;
    }
    return n > 1;
  };
  // 35 bits of the root are needed; a double has 53.
  const auto fraction_bits = [](double root) {
    return static_cast<std::uint32_t>((root - std::floor(root)) * 0x1p32);
  };
  std::array<std::uint32_t, 64> constants{};
  std::array<std::uint32_t, 8> state{};
  for (int p = 2, i = 0; i < 64; ++p) {
    if (!is_prime(p)) continue;
    constants[static_cast<std::size_t>(i)] = fraction_bits(std::cbrt(p));
    if (i < 8) state[static_cast<std::size_t>(i)] = fraction_bits(std::sqrt(p));
    ++i;
  }
  std::string bytes(text);
  const std::uint64_t bits = static_cast<std::uint64_t>(text.size()) * 8;
  bytes += static_cast<char>(0x80);
  while (bytes.size() % 64 != 56) bytes += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(bits >> shift);
  const auto rotate = [](std::uint32_t x, int n) { return (x >> n) | (x << (32 - n)); };
  for (std::size_t block = 0; block < bytes.size(); block += 64) {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 64; ++i) {
      w[i / 4] = (w[i / 4] << 8) | static_cast<unsigned char>(bytes[block + i]);
    }
    for (std::size_t i = 16; i < 64; ++i) {
      const std::uint32_t a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ (a >> 3)) + w[i - 7] +
             (rotate(b, 17) ^ rotate(b, 19) ^ (b >> 10));
    }
    std::array<std::uint32_t, 8> v = state;
    for (std::size_t i = 0; i < 64; ++i) {
      const std::uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
      const std::uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
      const std::uint32_t t1 = v[7] + s1 + choice + constants[i] + w[i];
      const std::uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
      const std::uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
      v = {t1 + s0 + majority, v[0], v[1], v[2], v[3] + t1, v[4], v[5], v[6]};
    }
    for (std::size_t i = 0; i < 8; ++i) state[i] += v[i];
  }
  std::string hex;
  for (const std::uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[(word >> shift) & 15];
  }
  return hex;
}

}  // namespace thigmo
