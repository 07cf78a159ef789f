#include "render/colour_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/canvas.h"

namespace thigmo {
namespace {

// sRGB anchors at equal steps, of evenly rising lightness.
constexpr std::array<Vec3, 5> anchors{
    {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};

Vec3 mapped(double part) {
  const double place = std::clamp(part, 0.0, 1.0) * (anchors.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(place), anchors.size() - 2);
  const double t = place - static_cast<double>(i);
  return anchors[i] * (1 - t) + anchors[i + 1] * t;
}

double linear_from_srgb(double x) {
  return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}

}  // namespace

Vec3 map_colour(double part) {
  const Vec3 c = mapped(part) / 255.0;
  return {linear_from_srgb(c.x), linear_from_srgb(c.y), linear_from_srgb(c.z)};
}

std::array<std::uint8_t, 3> map_colour_bytes(double part) {
  const Vec3 c = mapped(part);
  return {static_cast<std::uint8_t>(std::lround(c.x)), static_cast<std::uint8_t>(std::lround(c.y)),
          static_cast<std::uint8_t>(std::lround(c.z))};
}

void draw_legend(const Legend& legend, Image& image) {
  constexpr Colour paper{250, 250, 248}, ink{40, 44, 52};
  const double width = std::min(240.0, 0.4 * image.width), margin = 14;
  const double left = image.width - width - 2 * margin, top = image.height - 62.0;
  Canvas canvas(std::move(image));
  canvas.rectangle({left - margin, top - 8}, {left + width + margin, top + 52}, paper);
  for (double x = 0; x < width; x += 1) {
    canvas.rectangle({left + x, top + 16}, {left + x + 1, top + 30}, map_colour_bytes(x / width));
  }
  canvas.text({left, top + 9}, legend.title, ink);
  canvas.text({left, top + 45}, fmt::format("{:.4g}", legend.low), ink);
  canvas.text({left + width, top + 45}, fmt::format("{:.4g}", legend.high), ink, {.anchor_x = 1});
  image = std::move(canvas.image());
}

}  // namespace thigmo
