#include "environment/wind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.h"

namespace thigmo {
namespace {

using std::numbers::pi;

// Ratios of standard deviations across and up to along the wind (IEC 61400-1, 6.3: 0.8 and 0.5).
constexpr double across_ratio = 0.8, up_ratio = 0.5;

// Von Kármán's spectra n S(n) / σ² against x = n L / U; along the wind, and across it with the
// length L/2 of isotropic turbulence.
double spectrum_along(double x) { return 4 * x / std::pow(1 + 70.8 * x * x, 5.0 / 6.0); }
double spectrum_across(double x) {
  return 4 * x * (1 + 755.2 * x * x) / std::pow(1 + 283.2 * x * x, 11.0 / 6.0);
}

double block_length(const Wind& wind, int band) {
  // Lines fill the octave and are 1 / length apart.
  return lines_per_block / (band_highest(wind, band) / 2);
}

// Where a line is of its band, along ξ and in its block.
struct LinePlace {
  int band;
  std::int64_t block;
  std::uint64_t line;
};

// Two numbers in [0, 1), spread over lines and blocks more evenly than chance would: multiples of
// irrational numbers (Roberts' sequence along ξ, 1/φ and √2 - 1 over the lines) from a random start. So a
// short record already has all wave numbers across the wind in their right parts.
std::array<double, 2> even_pair(const Wind& wind, const LinePlace& at) {
  const auto number = static_cast<std::uint64_t>(at.block);
  const std::uint64_t key = mix_bits(wind.seed, static_cast<std::uint64_t>(at.band));
  return {unit_from_bits(mix_bits(key, 1) + number * 0xc13fa9a902a6328fu +
                         at.line * 0x9e3779b97f4a7c15u),
          unit_from_bits(mix_bits(key, 2) + number * 0x91e10da5c79e7b1du +
                         at.line * 0x6a09e667f3bcc909u)};
}

// One wave of a number along the wind [1/m], for a part of the spectrum that is `width` wide. Across the
// wind its wave number is drawn from a two-dimensional Cauchy law of scale a = C n / U, whose mean cosine
// at distance r is exp(-a r): Davenport's coherence.
GustLine draw_line(const Wind& wind, double wave_number, double width, const LinePlace& at,
                   std::uint64_t key) {
  GustLine line;
  const double a = wind.decay * wave_number;
  const auto [u, turn] = even_pair(wind, at);
  // P(radius > ρ) = a / sqrt(a² + ρ²)
  const double radius = a * std::sqrt(std::max(0.0, 1.0 / ((1 - u) * (1 - u)) - 1.0));
  line.across = radius * std::cos(2 * pi * turn);
  line.up = radius * std::sin(2 * pi * turn);
  // σ² S dn = σ² (n S) dn / n; a cosine of amplitude A has variance A²/2.
  const double x = wave_number * wind.length_scale;
  const double part = 2 * width / wave_number;
  const double along = spectrum_along(x), across = spectrum_across(x / 2);
  const double amplitude[3] = {wind.sigma * std::sqrt(part * along),
                               wind.sigma * across_ratio * std::sqrt(part * across),
                               wind.sigma * up_ratio * std::sqrt(part * across)};
  for (std::size_t c = 0; c < 3; ++c) {
    const Phasor phase = phasor_of(2 * pi * unit_from_bits(mix_bits(key, at.line, c)));
    line.amplitude[c] = {amplitude[c] * phase.re, amplitude[c] * phase.im};
  }
  return line;
}

}  // namespace

Phasor phasor_of(double angle) { return {std::cos(angle), std::sin(angle)}; }

double band_highest(const Wind& wind, int band) {
  return std::ldexp(highest_reduced / wind.length_scale, -band);
}

double band_middle(const Wind& wind, int band) { return band_highest(wind, band) / std::sqrt(2.0); }

std::int64_t block_at(const Wind& wind, int band, double xi) {
  return static_cast<std::int64_t>(
      std::clamp(std::floor(xi / (block_length(wind, band) / 2)), -9e15, 9e15));
}

GustBlock draw_block(const Wind& wind, int band, std::int64_t number) {
  GustBlock block;
  block.length = block_length(wind, band);
  block.start = static_cast<double>(number) * (block.length / 2);
  const std::uint64_t key =
      mix_bits(wind.seed, static_cast<std::uint64_t>(band), static_cast<std::uint64_t>(number));
  // A random shift of all lines makes every wave number of the octave equally likely.
  const double lowest = band_highest(wind, band) / 2, width = 1 / block.length;
  const double shift = unit_from_bits(mix_bits(key, lines_per_block));
  block.lowest = 2 * pi * (lowest + shift * width);
  block.line_step = 2 * pi * width;
  for (std::uint64_t m = 0; m < block.lines.size(); ++m) {
    const double wave_number = lowest + (static_cast<double>(m) + shift) * width;
    block.lines[m] = draw_line(wind, wave_number, width, {band, number, m}, key);
  }
  return block;
}

std::array<Phasor, lines_per_block> line_phases(const GustBlock& block, double xi) {
  std::array<Phasor, lines_per_block> phases;
  const double from_start = xi - block.start;
  const double window = std::sin(pi * std::clamp(from_start / block.length, 0.0, 1.0));
  Phasor phase = phasor_of(block.lowest * from_start);
  phase = {window * phase.re, window * phase.im};
  const Phasor step = phasor_of(block.line_step * from_start);
  for (Phasor& line : phases) {
    line = phase;
    phase = phase * step;
  }
  return phases;
}

Result<Done> check_wind(const WindModel& model) {
  const double speed = length(model.mean_world);
  if (!std::isfinite(speed)) return error("a wind must have a finite speed");
  if (speed > fastest_wind) {
    return error(
        fmt::format("{:g} m/s are faster than {:g} m/s, which is no wind", speed, fastest_wind));
  }
  const auto not_negative = [](double value) { return value >= 0 && std::isfinite(value); };
  if (!not_negative(model.intensity) || !not_negative(model.decay) ||
      !not_negative(model.length_scale) || model.length_scale == 0) {
    return error(fmt::format("there are no gusts of intensity {:g}, length {:g} m and decay {:g}",
                             model.intensity, model.length_scale, model.decay),
                 "intensity and decay are 0 or more, the length is above 0");
  }
  return Done{};
}

Wind make_wind(const WindModel& model) {
  Wind wind{.mean_world = model.kind == WindKind::still ? Vec3{} : model.mean_world};
  wind.speed = length(wind.mean_world);
  if (model.kind != WindKind::gusty || wind.speed == 0) return wind;
  if (!(model.intensity > 0 && model.length_scale > 0)) return wind;

  const Vec3 along = wind.mean_world / wind.speed;
  // Up is the vertical made perpendicular to the wind; a vertical wind has none and takes any.
  const Vec3 vertical = Vec3{0, 1, 0} - along * along.y;
  const Vec3 up = length(vertical) > 1e-6 ? normalized(vertical) : any_perpendicular(along);
  wind.axes_world = {along, cross(along, up), up};
  wind.sigma = model.intensity * wind.speed;
  wind.length_scale = model.length_scale;
  wind.decay = model.decay;
  wind.seed = model.seed;
  return wind;
}

Vec3 wind_velocity(const Wind& wind, const Vec3& point_world, double time) {
  Vec3 velocity = wind.mean_world;
  if (!has_gusts(wind)) return velocity;
  const double xi = dot(point_world, wind.axes_world[0]) - wind.speed * time;
  const double y = dot(point_world, wind.axes_world[1]), z = dot(point_world, wind.axes_world[2]);
  for (int band = 0; band < gust_bands; ++band) {
    const std::int64_t last = block_at(wind, band, xi);
    for (const std::int64_t number : {last - 1, last}) {
      const GustBlock block = draw_block(wind, band, number);
      const auto phases = line_phases(block, xi);
      for (std::size_t m = 0; m < block.lines.size(); ++m) {
        const GustLine& line = block.lines[m];
        const Phasor wave = phases[m] * phasor_of(line.across * y + line.up * z);
        for (std::size_t c = 0; c < 3; ++c)
          velocity += wind.axes_world[c] * (line.amplitude[c] * wave).re;
      }
    }
  }
  return velocity;
}

}  // namespace thigmo
