#pragma once

#include <string_view>

namespace thigmo {

// A glyph as pen strokes on a grid: pairs of digits are x and y, a blank lifts the pen. The
// baseline is y = 2, capitals reach y = 8, small letters y = 6, tails y = 0.
struct Glyph {
  std::string_view strokes;
  int width = 4;  // of the ink; the pen then moves on by two more
};

inline constexpr double glyph_baseline = 2, glyph_capital_height = 6, glyph_gap = 2;

// The glyph of a printable ASCII character; that of '?' for any other byte.
Glyph glyph_of(char c);

}  // namespace thigmo
