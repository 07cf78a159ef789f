#include "io/png.h"

#include <png.h>

#include "base/assert.h"

namespace thigmo {

std::string png_bytes(const Image& image) {
  THIGMO_ASSERT(image.width > 0 && image.height > 0);
  png_image description{};
  description.version = PNG_IMAGE_VERSION;
  description.width = static_cast<png_uint_32>(image.width);
  description.height = static_cast<png_uint_32>(image.height);
  description.format = PNG_FORMAT_RGB;
  // The simplified writer reports an upper bound first, then the true size.
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(description);
  std::string bytes(size, '\0');
  const int written =
      png_image_write_to_memory(&description, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr);
  THIGMO_ASSERT(written != 0);
  bytes.resize(size);
  return bytes;
}

}  // namespace thigmo
