#include "io/png.h"

#include <png.h>

#include "base/assert.h"

namespace thigmo {

namespace {

std::string encode(int width, int height, png_uint_32 format, const void* pixels) {
  THIGMO_ASSERT(width > 0 && height > 0);
  png_image description{};
  description.version = PNG_IMAGE_VERSION;
  description.width = static_cast<png_uint_32>(width);
  description.height = static_cast<png_uint_32>(height);
  description.format = format;
  // The simplified writer takes an upper bound and gives back the true size.
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(description);
  std::string bytes(size, '\0');
  const int written =
      png_image_write_to_memory(&description, bytes.data(), &size, 0, pixels, 0, nullptr);
  THIGMO_ASSERT(written != 0);
  bytes.resize(size);
  return bytes;
}

}  // namespace

std::string png_bytes(const Image& image) {
  return encode(image.width, image.height, PNG_FORMAT_RGB, image.rgb.data());
}

std::string png16_bytes(int width, int height, std::span<const std::uint16_t> rgb) {
  THIGMO_ASSERT(rgb.size() ==
                3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  return encode(width, height, PNG_FORMAT_LINEAR_RGB, rgb.data());
}

}  // namespace thigmo
