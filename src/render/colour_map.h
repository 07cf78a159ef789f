#pragma once

#include <string>

#include "base/image.h"
#include "math/vector.h"

namespace thigmo {

// From low to high as dark violet, blue, green, yellow: brightness rises with the value, so it reads
// in grey and for colour-blind eyes too. `part` is 0..1; beyond, the end colours.
Vec3 map_colour(double part);                               // linear RGB
std::array<std::uint8_t, 3> map_colour_bytes(double part);  // sRGB

// Draws a bar of the map with its range and title into the lower right corner.
struct Legend {
  std::string title;  // with the unit: "bending stress [MPa]"
  double low = 0, high = 1;
};
void draw_legend(const Legend& legend, Image& image);

}  // namespace thigmo
