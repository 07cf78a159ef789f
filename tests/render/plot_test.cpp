#include "render/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "render/font.h"
#include "render/spectrum.h"

namespace thigmo {
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

TEST(Plot, SwayNeedsNoMotionToBeDrawn) {
  EXPECT_EQ(plot_sway("still", std::vector<double>{0.0}, std::vector<Vec3>{{0, 1, 0}}).width, 960);
}

}  // namespace
}  // namespace thigmo
