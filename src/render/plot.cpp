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

// As many digits as tell the ticks apart.
std::string tick_text(double value, double step) {
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
  const bool small = step < 1e-4 || std::abs(value) >= 1e6;
  if (small) return value == 0 ? "0" : fmt::format("{:.3g}", value);
  return fmt::format("{:.{}f}", std::abs(value) < 1e-9 * step ? 0.0 : value, decimals);
}

struct PanelArea {
  double left, top, right, bottom;  // of the frame [pixels]
  Range x, y;
  Point2 place(double px, double py) const {
    return {left + (px - x.low) / (x.high - x.low) * (right - left),
            bottom - (py - y.low) / (y.high - y.low) * (bottom - top)};
  }
};

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
      ticks.text.push_back(fmt::format("{:.3g}", std::pow(10.0, at)));
    }
  }
  return ticks;
}

PlotPanel in_logarithms(const PlotPanel& panel) {
  PlotPanel result = panel;
  for (PlotLine& line : result.lines) {
    std::vector<double> x, y;
    for (std::size_t i = 0; i < std::min(line.x.size(), line.y.size()); ++i) {
      if (!(line.x[i] > 0 && line.y[i] > 0)) continue;
      x.push_back(std::log10(line.x[i]));
      y.push_back(std::log10(line.y[i]));
    }
    line.x = std::move(x);
    line.y = std::move(y);
  }
  for (PlotNote& note : result.notes) {
    note.x = std::log10(note.x);
    note.y = std::log10(note.y);
  }
  return result;
}

void draw_axes(const PlotPanel& panel, const PanelArea& area, Canvas& canvas) {
  const Ticks xs = panel.logarithmic ? logarithmic_ticks(area.x, 9) : linear_ticks(area.x, 9);
  const Ticks ys = panel.logarithmic ? logarithmic_ticks(area.y, 9) : linear_ticks(area.y, 5);
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
  while (text_width(title, 11) > 0.7 * (area.right - area.left)) title.remove_suffix(1);
  canvas.text({area.left, area.top - 10}, title, ink, {.height = 11, .line_width = 1.6});
}

void draw_lines(const PlotPanel& panel, const PanelArea& area, Canvas& canvas) {
  canvas.clip({area.left, area.top}, {area.right, area.bottom});
  for (const PlotLine& line : panel.lines) {
    std::vector<Point2> points;
    for (std::size_t i = 0; i < std::min(line.x.size(), line.y.size()); ++i) {
      points.push_back(area.place(line.x[i], line.y[i]));
    }
    canvas.polyline(points, 1.7, line.colour);
  }
  canvas.unclip();
}

void draw_legend(const PlotPanel& panel, const PanelArea& area, Canvas& canvas) {
  double x = area.right;
  for (std::size_t i = panel.lines.size(); i-- > 0;) {
    const PlotLine& line = panel.lines[i];
    if (line.label.empty()) continue;
    x -= text_width(line.label, 9);
    canvas.text({x, area.top - 10}, line.label, ink);
    canvas.polyline(std::array{Point2{x - 28, area.top - 14.5}, Point2{x - 8, area.top - 14.5}},
                    2.2, line.colour);
    x -= 48;
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
    const PlotPanel panel = panels[i].logarithmic ? in_logarithms(panels[i]) : panels[i];
    const double top = each * static_cast<double>(i);
    const PanelArea area{.left = 88.0,
                         .top = top + 36,
                         .right = width - 24.0,
                         .bottom = top + each - 52,
                         .x =
                             [&] {
                               const Range r = range_of(panel, false);
                               return r.high > r.low ? r : padded(r);
                             }(),
                         .y = padded(range_of(panel, true))};
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
