#pragma once

#include <span>
#include <string>

#include "base/image.h"

namespace thigmo {

// The bytes of a PNG file: 8-bit RGB, sRGB.
std::string png_bytes(const Image& image);

// 16 bits a channel, values as they are: data, not a picture.
std::string png16_bytes(int width, int height, std::span<const std::uint16_t> rgb);

}  // namespace thigmo
