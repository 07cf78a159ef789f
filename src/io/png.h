#pragma once

#include <string>

#include "base/image.h"

namespace thigmo {

// The bytes of a PNG file: 8-bit RGB, sRGB.
std::string png_bytes(const Image& image);

}  // namespace thigmo
