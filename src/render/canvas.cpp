#include "render/canvas.h"

#include <algorithm>
#include <cmath>

#include "render/font.h"

namespace thigmo {
namespace {

// Distance from p to the line from a to b.
double distance_to_line(Point2 p, Point2 a, Point2 b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double squared = dx * dx + dy * dy;
  const double along = squared > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / squared : 0.0;
  const double t = std::clamp(along, 0.0, 1.0);
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

}  // namespace

Canvas::Canvas(int width, int height, Colour background)
    : Canvas(make_image(width, height, background)) {}

Canvas::Canvas(Image image)
    : image_(std::move(image)),
      coverage_(image_.rgb.size() / 3, 0.0f),
      clip_{0, 0, image_.width, image_.height},
      touched_{image_.width, image_.height, 0, 0} {}

void Canvas::clip(Point2 low, Point2 high) {
  clip_ = {std::max(0, static_cast<int>(std::floor(low.x))),
           std::max(0, static_cast<int>(std::floor(low.y))),
           std::min(image_.width, static_cast<int>(std::ceil(high.x))),
           std::min(image_.height, static_cast<int>(std::ceil(high.y)))};
}

void Canvas::unclip() { clip_ = {0, 0, image_.width, image_.height}; }

// A pixel is covered as far as the line reaches into it. The largest coverage of all pieces
// counts, so that the joints of a polyline do not show as darker beads.
void Canvas::cover(Point2 a, Point2 b, double line_width) {
  const double reach = 0.5 * line_width + 0.5;
  const auto bounded = [](double value, int low, int high) {
    return static_cast<int>(std::clamp(value, static_cast<double>(low), static_cast<double>(high)));
  };
  const Area area{bounded(std::min(a.x, b.x) - reach, clip_.left, clip_.right),
                  bounded(std::min(a.y, b.y) - reach, clip_.top, clip_.bottom),
                  bounded(std::max(a.x, b.x) + reach + 1, clip_.left, clip_.right),
                  bounded(std::max(a.y, b.y) + reach + 1, clip_.top, clip_.bottom)};
  for (int y = area.top; y < area.bottom; ++y) {
    for (int x = area.left; x < area.right; ++x) {
      const double distance = distance_to_line({x + 0.5, y + 0.5}, a, b);
      const auto covered = static_cast<float>(std::clamp(reach - distance, 0.0, 1.0));
      float& here = coverage_[static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.width) +
                              static_cast<std::size_t>(x)];
      here = std::max(here, covered);
    }
  }
  touched_ = {std::min(touched_.left, area.left), std::min(touched_.top, area.top),
              std::max(touched_.right, area.right), std::max(touched_.bottom, area.bottom)};
}

void Canvas::paint(Colour colour) {
  for (int y = touched_.top; y < touched_.bottom; ++y) {
    for (int x = touched_.left; x < touched_.right; ++x) {
      float& covered =
          coverage_[static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.width) +
                    static_cast<std::size_t>(x)];
      if (covered <= 0) continue;
      std::uint8_t* pixel = pixel_at(image_, x, y);
      for (std::size_t c = 0; c < 3; ++c) {
        const float mixed =
            static_cast<float>(pixel[c]) * (1 - covered) + static_cast<float>(colour[c]) * covered;
        pixel[c] = static_cast<std::uint8_t>(std::lround(mixed));
      }
      covered = 0;
    }
  }
  touched_ = {image_.width, image_.height, 0, 0};
}

void Canvas::polyline(std::span<const Point2> points, double line_width, Colour colour) {
  for (std::size_t i = 1; i < points.size(); ++i) cover(points[i - 1], points[i], line_width);
  paint(colour);
}

void Canvas::rectangle(Point2 low, Point2 high, Colour colour) {
  const auto edge = [](double value, int limit) {
    return std::clamp(static_cast<int>(std::lround(value)), 0, limit);
  };
  for (int y = edge(low.y, image_.height); y < edge(high.y, image_.height); ++y) {
    for (int x = edge(low.x, image_.width); x < edge(high.x, image_.width); ++x) {
      std::copy(colour.begin(), colour.end(), pixel_at(image_, x, y));
    }
  }
}

void Canvas::text(Point2 at, std::string_view words, Colour colour, const TextStyle& style) {
  const double unit = style.height / glyph_capital_height;
  double pen = -style.anchor_x * text_width(words, style.height);
  for (const char c : words) {
    const Glyph glyph = glyph_of(c);
    const auto place = [&](std::size_t i) {
      const double x = pen + unit * (glyph.strokes[i] - '0');
      const double y = unit * (glyph.strokes[i + 1] - '0' - glyph_baseline);
      return style.upwards ? Point2{at.x - y, at.y - x} : Point2{at.x + x, at.y - y};
    };
    for (std::size_t i = 0; i + 3 < glyph.strokes.size(); i += 2) {
      if (glyph.strokes[i + 2] == ' ') {
        ++i;  // the pen is lifted: the next pair starts a stroke
        continue;
      }
      cover(place(i), place(i + 2), style.line_width);
    }
    pen += unit * (glyph.width + glyph_gap);
  }
  paint(colour);
}

double text_width(std::string_view words, double height) {
  double units = 0;
  for (const char c : words) units += glyph_of(c).width + glyph_gap;
  return std::max(0.0, units - glyph_gap) * height / glyph_capital_height;
}

}  // namespace thigmo
