#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace thigmo {

// A picture of half floats, given by their bits, so that integers can be smuggled through them.
struct HalfImage {
  int width = 0, height = 0;
  std::vector<std::array<std::uint16_t, 4>> rgba;  // rows from the top
};

// OpenEXR, single part, scan lines, not compressed.
std::string exr_bytes(const HalfImage& image);

}  // namespace thigmo
