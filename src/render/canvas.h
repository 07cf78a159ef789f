#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "base/image.h"

namespace thigmo {

using Colour = std::array<std::uint8_t, 3>;

struct Point2 {
  double x = 0, y = 0;  // [pixels], from the top left corner
};

// Draws lines and text with soft edges on an image.
class Canvas {
 public:
  Canvas(int width, int height, Colour background);
  explicit Canvas(Image image);

  void polyline(std::span<const Point2> points, double line_width, Colour colour);
  void rectangle(Point2 low, Point2 high, Colour colour);

  // Text of the given height of capitals, in strokes. `anchor_x` 0: starts at the point, 0.5:
  // middle, 1: ends there; the point is on the baseline. Turned text runs upwards.
  struct TextStyle {
    double height = 9;  // [pixels]
    double anchor_x = 0;
    bool upwards = false;
    double line_width = 1.25;
  };
  void text(Point2 at, std::string_view words, Colour colour, const TextStyle& style);
  void text(Point2 at, std::string_view words, Colour colour) { text(at, words, colour, {}); }

  // Keeps what is drawn after it inside a rectangle.
  void clip(Point2 low, Point2 high);
  void unclip();

  const Image& image() const { return image_; }
  Image& image() { return image_; }

 private:
  void cover(Point2 a, Point2 b, double line_width);
  void paint(Colour colour);

  Image image_;
  std::vector<float> coverage_;
  struct Area {
    int left, top, right, bottom;
  };
  Area clip_, touched_;
};

// Width of a text in pixels.
double text_width(std::string_view words, double height);

}  // namespace thigmo
