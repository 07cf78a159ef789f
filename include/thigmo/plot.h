#pragma once

// Plots of numbers.

#include <string>
#include <vector>

#include "thigmo/base.h"

namespace thigmo {

enum class SeriesStyle { line, dots, bars };

struct PlotSeries {
  std::string label;
  std::vector<double> x, y;
  SeriesStyle style = SeriesStyle::line;
  int colour = -1;  // 0 to 7; -1: its number in the plot
};

struct Plot {
  std::string title, x_label, y_label;  // labels carry the unit: "time [s]"
  std::vector<PlotSeries> series;
  bool logarithmic_x = false, logarithmic_y = false;  // then what is not positive is left out
  bool equal_scale = false;                           // a metre is as long upwards as to the right
  std::vector<std::string> x_names = {};              // instead of the numbers 0, 1, 2 … below
  int width = 960, height = 540;                      // [pixels]
};

// Writes a PNG; its name.
Outcome<std::string> write_plot(const Plot& plot, const std::string& file);

}  // namespace thigmo
