#include "render/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "render/font.h"
#include "render/spectrum.h"

namespace thigmo::plot_test {
namespace {

// A sine shows as a peak of its own frequency and amplitude. The Hann window's main lobe is four
// bins wide and eight samples of the spectrum fall into each, so the parabola is good to 0.5 %.
TEST(Spectrum, SinePeaksAtItsFrequencyWithItsAmplitude) {
  for (const double f : {0.83, 2.0, 7.31}) {
    std::vector<double> times, values;
    for (int k = 0; k < 600; ++k) {
      times.push_back(k / 60.0);
      values.push_back(3.0 + 0.25 * std::sin(2 * std::numbers::pi * f * k / 60.0 + 0.4));
    }
    const SpectrumPeak peak = highest_peak(amplitude_spectrum(times, values));
    EXPECT_NEAR(peak.frequency, f, 0.005 * f);
    EXPECT_NEAR(peak.amplitude, 0.25, 0.005 * 0.25 + 0.001);
  }
}

TEST(Spectrum, TooShortSeriesHasNone) {
  EXPECT_TRUE(
      amplitude_spectrum(std::vector<double>{0, 1}, std::vector<double>{1, 2}).frequencies.empty());
  EXPECT_EQ(highest_peak({}).amplitude, 0);
}

TEST(Plot, TicksAreRoundAndInside) {
  for (const auto& [low, high] :
       {std::pair{0.0, 8.0}, {-0.013, 0.027}, {1e-9, 3e-9}, {-5e5, 2e6}}) {
    const std::vector<double> ticks = axis_ticks(low, high, 6);
    EXPECT_GE(ticks.size(), 3u);
    EXPECT_LE(ticks.size(), 13u);
    const double step = ticks[1] - ticks[0];
    const double lead = step / std::pow(10.0, std::floor(std::log10(step * 1.0000001)));
    EXPECT_TRUE(std::abs(lead - 1) < 1e-6 || std::abs(lead - 2) < 1e-6 || std::abs(lead - 5) < 1e-6)
        << lead;
    EXPECT_GE(ticks.front(), low - 1e-9 * step);
    EXPECT_LE(ticks.back(), high + 1e-9 * step);
  }
}

TEST(Font, EveryPrintableGlyphIsWellFormed) {
  for (char c = 32; c < 127; ++c) {
    const Glyph glyph = glyph_of(c);
    std::size_t i = 0;
    while (i < glyph.strokes.size()) {
      if (glyph.strokes[i] == ' ') {
        ++i;
        continue;
      }
      ASSERT_LT(i + 1, glyph.strokes.size()) << c;
      EXPECT_GE(glyph.strokes[i], '0') << c;
      EXPECT_LE(glyph.strokes[i] - '0', glyph.width) << c;
      EXPECT_GE(glyph.strokes[i + 1], '0') << c;
      EXPECT_LE(glyph.strokes[i + 1], '9') << c;
      i += 2;
    }
  }
}

// The line of a constant function is where the axes say, in its own colour.
TEST(Plot, DrawsTheLineAtItsHeight) {
  const std::array panels{
      PlotPanel{.title = "t",
                .x_label = "x",
                .y_label = "y",
                .lines = {{.label = "low", .x = {0, 1}, .y = {0, 0}, .colour = {255, 0, 0}},
                          {.label = "high", .x = {0, 1}, .y = {1, 1}, .colour = {0, 0, 255}}},
                .notes = {}}};
  const Image image = draw_plot(panels, 400, 300);
  int red_row = -1, blue_row = -1;
  for (int y = 30; y < 300; ++y) {
    const std::uint8_t* p = pixel_at(image, 200, y);
    if (p[0] > 200 && p[1] < 60 && p[2] < 60) red_row = y;
    if (p[2] > 200 && p[1] < 60 && p[0] < 60) blue_row = y;
  }
  // The frame goes from row 36 to 248 and shows -0.06 to 1.06.
  EXPECT_NEAR(red_row, 248 - 212 * 0.06 / 1.12, 1.5);
  EXPECT_NEAR(blue_row, 36 + 212 * 0.06 / 1.12, 1.5);
}

PlotPanel panel_of(std::vector<PlotLine> lines) {
  return {.title = "t", .x_label = "x", .y_label = "y", .lines = std::move(lines), .notes = {}};
}

// The box around all pixels of pure red.
struct RedBox {
  int left = 1 << 30, top = 1 << 30, right = -1, bottom = -1;
};
RedBox red_box(const Image& image) {
  RedBox box;
  for (int y = 30; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const std::uint8_t* p = pixel_at(image, x, y);
      if (!(p[0] > 200 && p[1] < 60 && p[2] < 60)) continue;
      box = {std::min(box.left, x), std::min(box.top, y), std::max(box.right, x),
             std::max(box.bottom, y)};
    }
  }
  return box;
}

// Frames go from column 88 to 24 before the right edge, and from row 36 to 52 above the bottom.
TEST(Plot, BarsStandOnZeroAndShareTheirPlace) {
  PlotPanel panel = panel_of(
      {{.label = "", .x = {0, 1}, .y = {1, 3}, .colour = {255, 0, 0}, .style = PlotStyle::bars},
       {.label = "", .x = {0, 1}, .y = {2, 2}, .colour = {0, 0, 255}, .style = PlotStyle::bars}});
  panel.x_names = {"one", "two"};
  const RedBox red = red_box(draw_plot({&panel, 1}, 400, 300));
  const double across = 400 - 24 - 88, down = 300 - 52 - 36;
  EXPECT_NEAR(red.bottom, 300 - 52, 2);
  EXPECT_NEAR(red.top, 300 - 52 - down * 3 / (3 * 1.06), 2);
  // The first of two bars begins 0.4 before its place, on an axis from -0.5 to 1.5; the last red one
  // ends at its place.
  EXPECT_NEAR(red.left, 88 + across * 0.1 / 2, 2);
  EXPECT_NEAR(red.right, 88 + across * 1.5 / 2, 2);
}

TEST(Plot, DotsAreNotJoined) {
  const PlotPanel panel = panel_of(
      {{.label = "", .x = {0, 1}, .y = {0, 1}, .colour = {255, 0, 0}, .style = PlotStyle::dots}});
  const Image image = draw_plot({&panel, 1}, 400, 300);
  int count = 0;
  for (int y = 36; y < 248; ++y) {
    for (int x = 88; x < 376; ++x) count += pixel_at(image, x, y)[1] < 60 ? 1 : 0;
  }
  // Two discs 7 pixels wide.
  EXPECT_NEAR(count, 2 * std::numbers::pi * 3.5 * 3.5, 20);
}

// One logarithmic axis leaves the other as it is: the middle of 1 to 100 is 10.
TEST(Plot, AxesAreLogarithmicEachOnItsOwn) {
  PlotPanel panel = panel_of(
      {{.label = "", .x = {0, 2}, .y = {1, 100}, .colour = {200, 200, 255}},
       {.label = "", .x = {1}, .y = {10}, .colour = {255, 0, 0}, .style = PlotStyle::dots},
       {.label = "", .x = {1}, .y = {-5}, .colour = {255, 0, 0}, .style = PlotStyle::dots}});
  panel.logarithmic_y = true;
  const RedBox red = red_box(draw_plot({&panel, 1}, 400, 300));
  EXPECT_NEAR(0.5 * (red.left + red.right), 0.5 * (88 + 376), 1.5);
  EXPECT_NEAR(0.5 * (red.top + red.bottom), 0.5 * (36 + 248), 1.5);
}

TEST(Plot, EqualScaleShowsASquareAsASquare) {
  PlotPanel panel =
      panel_of({{.label = "", .x = {0, 1, 1, 0, 0}, .y = {0, 0, 1, 1, 0}, .colour = {255, 0, 0}}});
  panel.equal_scale = true;
  const RedBox red = red_box(draw_plot({&panel, 1}, 600, 300));
  EXPECT_NEAR(red.right - red.left, red.bottom - red.top, 2);
  EXPECT_GT(red.right - red.left, 150);
}

// A legend too long for the title's row gets rows of its own, 19 pixels each, and the frame begins below.
TEST(Plot, LongLegendsGetRowsOfTheirOwn) {
  PlotPanel panel = panel_of({{.label = "", .x = {0, 1}, .y = {0, 1}, .colour = {255, 0, 0}}});
  const auto top_of_line = [](int rows) {
    const double top = 36 + 19 * rows, bottom = 300 - 52;
    return top + (bottom - top) * 0.06 / 1.12;
  };
  EXPECT_NEAR(red_box(draw_plot({&panel, 1}, 400, 300)).top, top_of_line(0), 2);
  for (int i = 0; i < 3; ++i) {
    panel.lines.push_back({.label = "a label of more than half", .x = {}, .y = {}});
  }
  EXPECT_NEAR(red_box(draw_plot({&panel, 1}, 400, 300)).top, top_of_line(3), 2);
}

TEST(Plot, SwayNeedsNoMotionToBeDrawn) {
  EXPECT_EQ(plot_sway("still", std::vector<double>{0.0}, std::vector<Vec3>{{0, 1, 0}}).width, 960);
}

}  // namespace
}  // namespace thigmo::plot_test
