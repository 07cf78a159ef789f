#include "io/textures/exr.h"

#include "base/assert.h"
#include "io/text/bytes.h"

namespace thigmo {
namespace {

void put_name(const char* text, Bytes& out) {
  out.put(text);
  out.put(char{0});
}

void put_attribute(const char* name, const char* type, const std::string& value, Bytes& out) {
  put_name(name, out);
  put_name(type, out);
  out.put(static_cast<std::int32_t>(value.size()));
  out.put(std::string_view(value));
}

template <class... Numbers>
std::string packed(Numbers... numbers) {
  Bytes bytes;
  (bytes.put(numbers), ...);
  return bytes.take();
}

// Channels stand in alphabetical order, here and in every line.
constexpr std::array<const char*, 4> channel_names{"A", "B", "G", "R"};
constexpr std::array<std::size_t, 4> channel_places{3, 2, 1, 0};

std::string channel_list() {
  Bytes out;
  for (const char* name : channel_names) {
    put_name(name, out);
    out.put(std::int32_t{1});  // half
    out.put(std::int32_t{0});  // linear flag and three reserved bytes
    out.put(std::int32_t{1});  // every column
    out.put(std::int32_t{1});  // every row
  }
  out.put(char{0});
  return out.take();
}

}  // namespace

std::string exr_bytes(const HalfImage& image) {
  THIGMO_ASSERT(image.width > 0 && image.height > 0);
  const auto width = static_cast<std::size_t>(image.width);
  const auto height = static_cast<std::size_t>(image.height);
  THIGMO_ASSERT(image.rgba.size() == width * height);
  Bytes out;
  out.put(std::uint32_t{20000630});  // magic number
  out.put(std::uint32_t{2});         // version, scan lines
  const std::string window = packed(std::int32_t{0}, std::int32_t{0}, std::int32_t{image.width - 1},
                                    std::int32_t{image.height - 1});
  put_attribute("channels", "chlist", channel_list(), out);
  put_attribute("compression", "compression", std::string(1, '\0'), out);
  put_attribute("dataWindow", "box2i", window, out);
  put_attribute("displayWindow", "box2i", window, out);
  put_attribute("lineOrder", "lineOrder", std::string(1, '\0'), out);
  put_attribute("pixelAspectRatio", "float", packed(1.0f), out);
  put_attribute("screenWindowCenter", "v2f", packed(0.0f, 0.0f), out);
  put_attribute("screenWindowWidth", "float", packed(1.0f), out);
  out.put(char{0});
  const std::uint64_t line_bytes = 8 + 4 * 2 * width;
  const std::uint64_t first_line = out.text().size() + 8 * height;
  for (std::size_t y = 0; y < height; ++y)
    out.put(static_cast<std::uint64_t>(first_line + y * line_bytes));
  for (std::size_t y = 0; y < height; ++y) {
    out.put(static_cast<std::int32_t>(y));
    out.put(static_cast<std::int32_t>(line_bytes - 8));
    for (const std::size_t place : channel_places) {
      for (std::size_t x = 0; x < width; ++x) out.put(image.rgba[y * width + x][place]);
    }
  }
  return out.take();
}

}  // namespace thigmo
