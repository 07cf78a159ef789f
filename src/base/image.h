#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thigmo {

// A picture ready to be shown: 8 bits of sRGB a channel, rows from the top. It stands in base
// because pictures are made in render and encoded in io, and neither knows the other.
struct Image {
  int width = 0, height = 0;      // [pixels]
  std::vector<std::uint8_t> rgb;  // 3 bytes a pixel
};

inline Image make_image(int width, int height, std::array<std::uint8_t, 3> colour) {
  Image image{.width = width, .height = height, .rgb = {}};
  const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  image.rgb.reserve(pixels * 3);
  for (std::size_t i = 0; i < pixels; ++i) {
    image.rgb.insert(image.rgb.end(), colour.begin(), colour.end());
  }
  return image;
}

inline std::uint8_t* pixel_at(Image& image, int x, int y) {
  return &image.rgb[(static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                     static_cast<std::size_t>(x)) *
                    3];
}
inline const std::uint8_t* pixel_at(const Image& image, int x, int y) {
  return pixel_at(const_cast<Image&>(image), x, y);
}

}  // namespace thigmo
