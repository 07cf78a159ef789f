#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/vector.h"
#include "render/canvas.h"

namespace thigmo {

enum class PlotStyle { line, dots, bars };

struct PlotLine {
  std::string label;
  std::vector<double> x, y;
  Colour colour{};
  PlotStyle style = PlotStyle::line;
};

// A point that is marked and named.
struct PlotNote {
  double x = 0, y = 0;
  std::string text;
};

struct PlotPanel {
  std::string title, x_label, y_label;  // labels carry the unit: "time [s]"
  std::vector<PlotLine> lines;
  std::vector<PlotNote> notes;
  // Points that are not positive are left out of a logarithmic axis.
  bool logarithmic_x = false, logarithmic_y = false;
  bool equal_scale = false;               // a metre is as long upwards as to the right
  std::vector<std::string> x_names = {};  // instead of the numbers 0, 1, 2 … below
};

// Panels below one another, each with ticks, grid and legend.
Image draw_plot(std::span<const PlotPanel> panels, int width = 960, int height = 640);

// How the tip of a plant moves: its way from where it was first over time, and the amplitude
// spectrum of that with the strongest frequency named.
Image plot_sway(std::string_view title, std::span<const double> times,
                std::span<const Vec3> tip_world, int width = 960, int height = 640);

// Round numbers that span low..high, about `count` of them.
std::vector<double> axis_ticks(double low, double high, int count);

}  // namespace thigmo
