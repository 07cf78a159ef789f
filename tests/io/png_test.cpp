#include "io/textures/png.h"

#include <gtest/gtest.h>
#include <png.h>

namespace thigmo::png_test {
namespace {

// libpng's own reader gives the pixels back.
TEST(Png, DecodesToTheSamePixels) {
  Image image = make_image(37, 11, {0, 0, 0});
  for (std::size_t i = 0; i < image.rgb.size(); ++i)
    image.rgb[i] = static_cast<std::uint8_t>(i * 7);
  const std::string bytes = png_bytes(image);
  png_image reader{};
  reader.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&reader, bytes.data(), bytes.size()), 0);
  EXPECT_EQ(reader.width, 37u);
  EXPECT_EQ(reader.height, 11u);
  reader.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(reader));
  ASSERT_NE(png_image_finish_read(&reader, nullptr, pixels.data(), 0, nullptr), 0);
  EXPECT_EQ(pixels, image.rgb);
}

}  // namespace
}  // namespace thigmo::png_test
