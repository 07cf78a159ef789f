#include "render/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/assert.h"
#include "render/spectrum.h"

namespace thigmo {
namespace {

constexpr Colour paper{255, 255, 255}, ink{40, 44, 52}, grid{228, 231, 236}, frame{150, 156, 166};
// Okabe and Ito's palette, told apart by colour-blind readers.
constexpr std::array<Colour, 3> line_colours{{{0, 114, 178}, {0, 158, 115}, {213, 94, 0}}};

struct Range {
  double low = 0, high = 1;
};

Range padded(Range range) {
  const double span = range.high - range.low;
  const double pad = span > 0 ? 0.06 * span : std::max(1e-6, std::abs(range.low) * 0.1);
  return {range.low - pad, range.high + pad};
}

Range range_of(const PlotPanel& panel, bool of_y) {
  Range range{1e300, -1e300};
  for (const PlotLine& line : panel.lines) {
    for (const double v : of_y ? line.y : line.x) {
      range = {std::min(range.low, v), std::max(range.high, v)};
    }
  }
  return range.low > range.high ? Range{0, 1} : range;
}

bool is_bars(const PlotLine& line) { return line.style == PlotStyle::bars; }

Range x_range(const PlotPanel& panel) {
  if (!panel.x_names.empty()) return {-0.5, static_cast<double>(panel.x_names.size()) - 0.5};
  const Range range = range_of(panel, false);
  const bool only_lines =
      std::all_of(panel.lines.begin(), panel.lines.end(),
                  [](const PlotLine& line) { return line.style == PlotStyle::line; });
  return only_lines && range.high > range.low ? range : padded(range);
}

Range y_range(const PlotPanel& panel) {
  Range range = range_of(panel, true);
  const bool bars = std::any_of(panel.lines.begin(), panel.lines.end(), is_bars);
  if (!bars || panel.logarithmic_y) return padded(range);
  // Bars stand on zero.
  range = {std::min(range.low, 0.0), std::max(range.high, 0.0)};
  const double pad = 0.06 * (range.high - range.low);
  return {range.low < 0 ? range.low - pad : 0, range.high > 0 ? range.high + pad : 0};
}

// As many digits as tell the ticks apart.
std::string tick_text(double value, double step) {
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
  const bool small = step < 1e-4 || std::abs(value) >= 1e6;
  if (small) return value == 0 ? "0" : fmt::format("{:.3g}", value);
  return fmt::format("{:.{}f}", std::abs(value) < 1e-9 * step ? 0.0 : value, decimals);
}

constexpr double title_height = 11, legend_row_height = 19;  // [pixels]

struct PanelArea {
  double left, top, right, bottom;  // of the frame [pixels]
  double title_line;                // where the title stands [pixels]
  Range x, y;
  Point2 place(double px, double py) const {
    return {left + (px - x.low) / (x.high - x.low) * (right - left),
            bottom - (py - y.low) / (y.high - y.low) * (bottom - top)};
  }
};

// Widens the range that has more pixels than it needs.
void make_scales_equal(PanelArea& area) {
  const auto widen = [](Range& range, double span) {
    const double middle = 0.5 * (range.low + range.high);
    range = {middle - 0.5 * span, middle + 0.5 * span};
  };
  const double across = area.right - area.left, down = area.bottom - area.top;
  const double metres_per_pixel =
      std::max((area.x.high - area.x.low) / across, (area.y.high - area.y.low) / down);
  widen(area.x, metres_per_pixel * across);
  widen(area.y, metres_per_pixel * down);
}

// Lines of a grid, with what is written beside them.
struct Ticks {
  std::vector<double> at;
  std::vector<std::string> text;
};

Ticks linear_ticks(const Range& range, int count) {
  Ticks ticks{.at = axis_ticks(range.low, range.high, count), .text = {}};
  const double step = ticks.at.size() > 1 ? ticks.at[1] - ticks.at[0] : 1;
  for (const double value : ticks.at) ticks.text.push_back(tick_text(value, step));
  return ticks;
}

// Powers of ten, of a range of their exponents; within few of them 2 and 5 as well.
Ticks logarithmic_ticks(const Range& range, int count) {
  Ticks ticks;
  const double each = std::max(1.0, std::ceil((range.high - range.low) / count));
  const bool fine = range.high - range.low < 4;
  for (double k = std::floor(range.low / each) * each; k <= range.high; k += each) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double at = k + std::log10(factor);
      if (at < range.low - 1e-9 || at > range.high + 1e-9 || (factor > 1 && !fine)) continue;
      ticks.at.push_back(at);
      ticks.text.push_back(fmt::format("{:.6g}", factor * std::pow(10.0, k)));
    }
  }
  return ticks;
}

// With the logarithms of what stands on a logarithmic axis.
PlotPanel on_scales(const PlotPanel& panel) {
  const auto shown = [&panel](double x, double y) {
    return (!panel.logarithmic_x || x > 0) && (!panel.logarithmic_y || y > 0);
  };
  const auto x_of = [&panel](double x) { return panel.logarithmic_x ? std::log10(x) : x; };
  const auto y_of = [&panel](double y) { return panel.logarithmic_y ? std::log10(y) : y; };
  PlotPanel result = panel;
  for (PlotLine& line : result.lines) {
    std::vector<double> x, y;
    for (std::size_t i = 0; i < std::min(line.x.size(), line.y.size()); ++i) {
      if (!shown(line.x[i], line.y[i])) continue;
      x.push_back(x_of(line.x[i]));
      y.push_back(y_of(line.y[i]));
    }
    line.x = std::move(x);
    line.y = std::move(y);
  }
  for (PlotNote& note : result.notes) note.x = x_of(note.x), note.y = y_of(note.y);
  return result;
}

Ticks named_ticks(const std::vector<std::string>& names) {
  Ticks ticks{.at = {}, .text = names};
  for (std::size_t i = 0; i < names.size(); ++i) ticks.at.push_back(static_cast<double>(i));
  return ticks;
}

void draw_axes(const PlotPanel& panel, const PanelArea& area, Canvas& canvas) {
  const Ticks xs = !panel.x_names.empty() ? named_ticks(panel.x_names)
                   : panel.logarithmic_x  ? logarithmic_ticks(area.x, 9)
                                          : linear_ticks(area.x, 9);
  const Ticks ys = panel.logarithmic_y ? logarithmic_ticks(area.y, 9) : linear_ticks(area.y, 5);
  for (std::size_t i = 0; i < xs.at.size(); ++i) {
    const double px = area.place(xs.at[i], area.y.low).x;
    canvas.polyline(std::array{Point2{px, area.top}, Point2{px, area.bottom}}, 1, grid);
    canvas.text({px, area.bottom + 17}, xs.text[i], ink, {.anchor_x = 0.5});
  }
  for (std::size_t i = 0; i < ys.at.size(); ++i) {
    const double py = area.place(area.x.low, ys.at[i]).y;
    canvas.polyline(std::array{Point2{area.left, py}, Point2{area.right, py}}, 1, grid);
    canvas.text({area.left - 8, py + 4.5}, ys.text[i], ink, {.anchor_x = 1});
  }
  canvas.polyline(std::array{Point2{area.left, area.top}, Point2{area.right, area.top},
                             Point2{area.right, area.bottom}, Point2{area.left, area.bottom},
                             Point2{area.left, area.top}},
                  1, frame);
  canvas.text({0.5 * (area.left + area.right), area.bottom + 38}, panel.x_label, ink,
              {.anchor_x = 0.5});
  canvas.text({18, 0.5 * (area.top + area.bottom)}, panel.y_label, ink,
              {.anchor_x = 0.5, .upwards = true});
  std::string_view title = panel.title;
  while (text_width(title, title_height) > area.right - area.left) title.remove_suffix(1);
  canvas.text({area.left, area.title_line}, title, ink,
              {.height = title_height, .line_width = 1.6});
}

// Bars of several series stand side by side over their number.
void draw_bars(const PlotPanel& panel, const PanelArea& area, Canvas& canvas) {
  double spacing = panel.x_names.empty() ? area.x.high - area.x.low : 1;
  double count = 0;
  for (const PlotLine& line : panel.lines) {
    if (!is_bars(line)) continue;
    ++count;
    for (std::size_t i = 1; i < line.x.size(); ++i) {
      spacing = std::min(spacing, std::abs(line.x[i] - line.x[i - 1]));
    }
  }
  const double width = 0.8 * spacing / std::max(count, 1.0);
  const double foot = std::max(area.y.low, panel.logarithmic_y ? area.y.low : 0.0);
  double left = -0.4 * spacing;
  for (const PlotLine& line : panel.lines) {
    if (!is_bars(line)) continue;
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const Point2 a = area.place(line.x[i] + left, line.y[i]);
      const Point2 b = area.place(line.x[i] + left + width, foot);
      canvas.rectangle({a.x, std::min(a.y, b.y)}, {b.x - 1, std::max(a.y, b.y)}, line.colour);
    }
    left += width;
  }
}

void draw_lines(const PlotPanel& panel, const PanelArea& area, Canvas& canvas) {
  canvas.clip({area.left, area.top}, {area.right, area.bottom});
  draw_bars(panel, area, canvas);
  for (const PlotLine& line : panel.lines) {
    std::vector<Point2> points;
    for (std::size_t i = 0; i < std::min(line.x.size(), line.y.size()); ++i) {
      points.push_back(area.place(line.x[i], line.y[i]));
    }
    if (line.style == PlotStyle::line) canvas.polyline(points, 1.7, line.colour);
    if (line.style == PlotStyle::dots) {
      for (const Point2& point : points) canvas.polyline(std::array{point, point}, 7, line.colour);
    }
  }
  canvas.unclip();
}

constexpr double legend_height = 9, legend_sample = 28, legend_gap = 20;  // [pixels]

double legend_width(const PlotLine& line) {
  return line.label.empty() ? 0
                            : legend_sample + text_width(line.label, legend_height) + legend_gap;
}

// Which row of the legend each line stands in: the first is the title's, where all fit beside it.
std::vector<int> legend_rows(const PlotPanel& panel, double width) {
  double all = 0;
  for (const PlotLine& line : panel.lines) all += legend_width(line);
  const bool beside = text_width(panel.title, title_height) + legend_gap + all <= width;
  std::vector<int> rows;
  int row = beside || all == 0 ? 0 : 1;
  double used = 0;
  for (const PlotLine& line : panel.lines) {
    used += legend_width(line);
    if (!beside && used > width && used > legend_width(line)) ++row, used = legend_width(line);
    rows.push_back(row);
  }
  return rows;
}

void draw_legend(const PlotPanel& panel, const PanelArea& area, Canvas& canvas) {
  const std::vector<int> rows = legend_rows(panel, area.right - area.left);
  double x = area.right;
  for (std::size_t i = panel.lines.size(); i-- > 0;) {
    const PlotLine& line = panel.lines[i];
    if (line.label.empty()) continue;
    if (i + 1 < rows.size() && rows[i + 1] != rows[i]) x = area.right;
    const double y = area.title_line + legend_row_height * rows[i], middle = y - 4.5;
    x -= text_width(line.label, legend_height);
    canvas.text({x, y}, line.label, ink);
    switch (line.style) {
      case PlotStyle::line:
        canvas.polyline(std::array{Point2{x - 28, middle}, Point2{x - 8, middle}}, 2.2,
                        line.colour);
        break;
      case PlotStyle::dots:
        canvas.polyline(std::array{Point2{x - 14, middle}, Point2{x - 14, middle}}, 7, line.colour);
        break;
      case PlotStyle::bars:
        canvas.rectangle({x - 24, middle - 5}, {x - 8, middle + 5}, line.colour);
        break;
    }
    x -= legend_sample + legend_gap;
  }
}

void draw_notes(const PlotPanel& panel, const PanelArea& area, Canvas& canvas) {
  for (const PlotNote& note : panel.notes) {
    const Point2 at = area.place(note.x, note.y);
    canvas.polyline(std::array{at, at}, 7, ink);
    const bool at_right = at.x + 14 + text_width(note.text, 10) > area.right;
    canvas.text({at_right ? at.x - 10 : at.x + 10, std::max(at.y + 4, area.top + 16)}, note.text,
                ink, {.height = 10, .anchor_x = at_right ? 1.0 : 0.0, .line_width = 1.4});
  }
}

// Cuts a spectrum off above what holds 99.5 % of the motion.
double interesting_frequency(const std::vector<Spectrum>& spectra) {
  const std::size_t bins = spectra.front().frequencies.size();
  std::vector<double> power(bins, 0.0);
  double total = 0;
  for (const Spectrum& s : spectra) {
    for (std::size_t b = 0; b < bins; ++b) {
      power[b] += s.amplitudes[b] * s.amplitudes[b];
      total += s.amplitudes[b] * s.amplitudes[b];
    }
  }
  double sum = 0;
  std::size_t b = 0;
  while (b + 1 < bins && sum < 0.995 * total) sum += power[b++];
  return std::min(spectra.front().frequencies.back(), 1.6 * spectra.front().frequencies[b]);
}

}  // namespace

std::vector<double> axis_ticks(double low, double high, int count) {
  std::vector<double> ticks;
  const double span = high - low;
  if (!(span > 0) || !std::isfinite(span)) return {low};
  const double raw = span / std::max(1, count);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= raw * 0.999) step = factor * power;
  }
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) {
    ticks.push_back(k * step);
  }
  return ticks;
}

Image draw_plot(std::span<const PlotPanel> panels, int width, int height) {
  THIGMO_ASSERT(width >= 200 && height >= 150);
  Canvas canvas(width, height, paper);
  const double each =
      static_cast<double>(height) / static_cast<double>(std::max<std::size_t>(1, panels.size()));
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const PlotPanel panel = on_scales(panels[i]);
    const double top = each * static_cast<double>(i);
    const std::vector<int> rows = legend_rows(panel, width - 112.0);
    PanelArea area{.left = 88.0,
                   .top = top + 36 + (rows.empty() ? 0.0 : legend_row_height * rows.back()),
                   .right = width - 24.0,
                   .bottom = top + each - 52,
                   .title_line = top + 26,
                   .x = x_range(panel),
                   .y = y_range(panel)};
    if (panel.equal_scale) make_scales_equal(area);
    draw_axes(panel, area, canvas);
    draw_lines(panel, area, canvas);
    draw_legend(panel, area, canvas);
    draw_notes(panel, area, canvas);
  }
  return std::move(canvas.image());
}

Image plot_sway(std::string_view title, std::span<const double> times,
                std::span<const Vec3> tip_world, int width, int height) {
  THIGMO_ASSERT(times.size() == tip_world.size());
  PlotPanel motion{.title = fmt::format("{}: tip displacement", title),
                   .x_label = "time [s]",
                   .y_label = "displacement [m]",
                   .lines = {},
                   .notes = {}};
  PlotPanel content{.title = "amplitude spectrum",
                    .x_label = "frequency [Hz]",
                    .y_label = "amplitude [m]",
                    .lines = {},
                    .notes = {}};
  std::vector<Spectrum> spectra;
  constexpr std::array<double Vec3::*, 3> parts{&Vec3::x, &Vec3::y, &Vec3::z};
  constexpr std::array<const char*, 3> names{"x", "y (up)", "z"};
  for (std::size_t k = 0; k < 3; ++k) {
    PlotLine line{
        .label = names[k], .x = {times.begin(), times.end()}, .y = {}, .colour = line_colours[k]};
    for (const Vec3& p : tip_world) line.y.push_back(p.*parts[k] - tip_world.front().*parts[k]);
    spectra.push_back(amplitude_spectrum(times, line.y));
    motion.lines.push_back(std::move(line));
  }
  if (!spectra.front().frequencies.empty()) {
    const double top_frequency = interesting_frequency(spectra);
    SpectrumPeak peak;
    for (std::size_t k = 0; k < 3; ++k) {
      const Spectrum& s = spectra[k];
      const auto shown = static_cast<std::ptrdiff_t>(
          std::upper_bound(s.frequencies.begin(), s.frequencies.end(), top_frequency) -
          s.frequencies.begin());
      content.lines.push_back({.label = names[k],
                               .x = {s.frequencies.begin(), s.frequencies.begin() + shown},
                               .y = {s.amplitudes.begin(), s.amplitudes.begin() + shown},
                               .colour = line_colours[k]});
      const SpectrumPeak own = highest_peak(s);
      if (own.amplitude > peak.amplitude) peak = own;
    }
    if (peak.amplitude > 0) {
      content.notes.push_back({.x = peak.frequency,
                               .y = peak.amplitude,
                               .text = fmt::format("peak {:.3g} Hz", peak.frequency)});
    }
  }
  const std::array panels{std::move(motion), std::move(content)};
  return draw_plot(panels, width, height);
}

}  // namespace thigmo
