#include "thigmo/plot.h"

#include <fmt/format.h>

#include <array>

#include "app/common.h"
#include "io/disk/file.h"
#include "io/textures/png.h"
#include "render/plot.h"

namespace thigmo {
namespace {

PlotStyle style_of(SeriesStyle style) {
  switch (style) {
    case SeriesStyle::line:
      return PlotStyle::line;
    case SeriesStyle::dots:
      return PlotStyle::dots;
    case SeriesStyle::bars:
      return PlotStyle::bars;
  }
  return PlotStyle::line;
}

Result<std::string> write_plot_file(const Plot& plot, const std::string& file) {
  // Okabe and Ito's palette, told apart by colour-blind readers.
  constexpr std::array<Colour, 8> colours{{{0, 114, 178},
                                           {213, 94, 0},
                                           {0, 158, 115},
                                           {204, 121, 167},
                                           {86, 180, 233},
                                           {230, 159, 0},
                                           {0, 0, 0},
                                           {150, 150, 150}}};
  for (const PlotSeries& series : plot.series) {
    if (series.colour >= static_cast<int>(colours.size())) {
      return error("a plot has eight colours, numbered from 0");
    }
    if (series.x.size() != series.y.size()) {
      return error(fmt::format("the series '{}' has {} numbers along x and {} along y",
                               series.label, series.x.size(), series.y.size()));
    }
  }
  if (plot.width < 200 || plot.height < 150) return error("a plot has 200 x 150 pixels at least");
  PlotPanel panel{.title = plot.title,
                  .x_label = plot.x_label,
                  .y_label = plot.y_label,
                  .lines = {},
                  .notes = {},
                  .logarithmic_x = plot.logarithmic_x,
                  .logarithmic_y = plot.logarithmic_y,
                  .equal_scale = plot.equal_scale,
                  .x_names = plot.x_names};
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const PlotSeries& series = plot.series[i];
    const std::size_t colour = series.colour >= 0 ? static_cast<std::size_t>(series.colour) : i;
    panel.lines.push_back({.label = series.label,
                           .x = series.x,
                           .y = series.y,
                           .colour = colours[colour % colours.size()],
                           .style = style_of(series.style)});
  }
  const Image image = draw_plot({&panel, 1}, plot.width, plot.height);
  const Result<Done> done = write_file(file, png_bytes(image));
  if (!done) return done.diagnostics();
  return file;
}

}  // namespace

Outcome<std::string> write_plot(const Plot& plot, const std::string& file) {
  return attempt([&] { return write_plot_file(plot, file); });
}

}  // namespace thigmo
