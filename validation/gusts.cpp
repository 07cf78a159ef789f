#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "validation/validation.h"

namespace thigmo::validation {
namespace {

using std::numbers::pi;
constexpr double speed = 8, length_scale = 20, decay = 10, air = 1.225;

std::string gusts(double intensity, int seed) {
  return fmt::format(
      "gravity = [0, 0, 0]\n[wind]\nkind = \"gusty\"\nmean = [{}, 0, 0]\nintensity = {}\n"
      "length_scale = {}\ndecay = {}\nseed = {}\nair_density = {}\nstem_drag = 1.0\n",
      speed, intensity, length_scale, decay, seed, air);
}

// Von Kármán's spectra over the variance σ² along the wind [1/Hz]: along it, and of isotropic turbulence
// across it, there with the length L/2.
double spectrum_along(double n) {
  const double x = n * length_scale / speed;
  return 4 * x / std::pow(1 + 70.8 * x * x, 5.0 / 6.0) / n;
}
double spectrum_across(double n) {
  const double x = n * length_scale / 2 / speed;
  return 4 * x * (1 + 755.2 * x * x) / std::pow(1 + 283.2 * x * x, 11.0 / 6.0) / n;
}

template <class Function>
double integral(double from, double to, const Function& f) {
  const int count = 4000;
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += f(from + (to - from) * (i + 0.5) / count);
  return sum * (to - from) / count;
}

using Spectrum = std::vector<std::complex<double>>;

// Fourier's sum of a signal through Hann's window, scaled so that 2 |X|² sums up to the variance.
// Cooley and Tukey; the number of samples is a power of two.
Spectrum spectrum_of(const double* value, std::size_t count) {
  Spectrum x(count);
  for (std::size_t i = 0, j = 0; i < count; ++i) {
    const double window =
        1 - std::cos(2 * pi * static_cast<double>(i) / static_cast<double>(count));
    x[j] = value[i] * window * std::sqrt(2.0 / 3) / static_cast<double>(count);
    std::size_t bit = count / 2;
    for (; bit > 0 && (j & bit) != 0; bit /= 2) j ^= bit;
    j ^= bit;
  }
  for (std::size_t half = 1; half < count; half *= 2) {
    const std::complex<double> turn = std::polar(1.0, -pi / static_cast<double>(half));
    for (std::size_t first = 0; first < count; first += 2 * half) {
      std::complex<double> factor = 1;
      for (std::size_t i = first; i < first + half; ++i, factor *= turn) {
        const std::complex<double> low = x[i], high = x[i + half] * factor;
        x[i] = low + high;
        x[i + half] = low - high;
      }
    }
  }
  return x;
}

// Variance of a signal between two frequencies.
double band_variance(const std::vector<double>& value, double rate, double from, double to) {
  const Spectrum x = spectrum_of(value.data(), value.size());
  double sum = 0;
  for (std::size_t k = 1; k < x.size() / 2; ++k) {
    const double n = static_cast<double>(k) * rate / static_cast<double>(x.size());
    if (n >= from && n < to) sum += 2 * std::norm(x[k]);
  }
  return sum;
}

// A stiff bit of a rod that stands for an instrument.
std::string instrument(double across) {
  return fmt::format(
      "[[plant]]\nkind = \"rod\"\nsegments = 1\nlength = 0.01\nradius = 0.005\nyoung = 1e10\n"
      "density = 800\nposition = [0, 10, {}]\n",
      across);
}

// A cantilever's first mode, φ(L) = 1, at a part of its length; λ = 1.8751.
double first_mode(double part) {
  const double lambda = 1.875104068711961, a = lambda * part, sigma = 0.7340955137589128;
  return (std::cosh(a) - std::cos(a) - sigma * (std::sinh(a) - std::sin(a))) / 2;
}

}  // namespace

// Root coherence |S_ab| / sqrt(S_aa S_bb) of the gusts along the wind at two instruments side by side,
// octave by octave, in one record of ten minutes: exp(-C n r / U), weighted as the record's energy is.
void gust_coherence(CaseResult& result) {
  const double rate = 16, distances[] = {0.5, 1, 2, 4, 6};
  const std::size_t window = 1024, samples = 9600;
  std::string text = gusts(0.2, 1) + instrument(0);
  for (const double r : distances) text += instrument(r);
  World world = world_of(text);
  std::vector<std::vector<double>> gust(world.plant_count());
  for (std::size_t i = 0; i < samples; ++i) {
    world.step(1 / rate);
    for (std::size_t p = 0; p < gust.size(); ++p) {
      const double z = p == 0 ? 0 : distances[p - 1];
      gust[p].push_back(world.air_velocity(world.plant(p), {0, 10, z})[0] - speed);
    }
  }
  std::vector<std::vector<Spectrum>> pieces(gust.size());
  for (std::size_t p = 0; p < gust.size(); ++p) {
    for (std::size_t first = 0; first + window <= samples; first += window / 2)
      pieces[p].push_back(spectrum_of(&gust[p][first], window));
  }
  Plot plot{.title = "Gusts side by side, one record of 10 min, 8 m/s",
            .x_label = "frequency [Hz]",
            .y_label = "root coherence [-]",
            .logarithmic_x = true};
  for (std::size_t p = 1; p < gust.size(); ++p) {
    const double r = distances[p - 1];
    PlotSeries theory = line(fmt::format("{} m, Davenport", r), static_cast<int>(p) - 1);
    PlotSeries measured = dots(fmt::format("{} m", r), static_cast<int>(p) - 1);
    for (int i = 0; i <= 100; ++i) {
      const double n = 0.06 * std::pow(2 / 0.06, i / 100.0);
      add_point(theory, n, std::exp(-decay * n * r / speed));
    }
    for (const double low : {0.0625, 0.125, 0.25, 0.5, 1.0}) {
      double own = 0, other = 0, expected = 0;
      std::complex<double> shared = 0;
      const double per_hertz = static_cast<double>(window) / rate;
      for (auto k = static_cast<std::size_t>(std::ceil(low * per_hertz));
           static_cast<double>(k) < 2 * low * per_hertz; ++k) {
        const double davenport = std::exp(-decay * static_cast<double>(k) / per_hertz * r / speed);
        for (std::size_t i = 0; i < pieces[0].size(); ++i) {
          const std::complex<double> a = pieces[0][i][k], b = pieces[p][i][k];
          own += std::norm(a);
          other += std::norm(b);
          shared += a * std::conj(b);
          expected += davenport * std::norm(a);
        }
      }
      const double coherence = std::abs(shared) / std::sqrt(own * other);
      check_absolute(result, fmt::format("coherence at {} m, {} to {} Hz", r, low, 2 * low),
                     expected / own, coherence, 0.15);
      add_point(measured, low * std::sqrt(2.0), coherence);
    }
    plot.series.push_back(std::move(theory));
    plot.series.push_back(std::move(measured));
  }
  result.plots.push_back({.name = "gust_coherence", .plot = std::move(plot)});
}

// A stem of 0.5 Hz in ten minutes of gusts, 24 times. Its first mode q with φ(L) = 1 has
//   S_q = |H|² (ρ d U)² S_u J² / (m ∫φ²)²,  H = 1 / (ω² - Ω² + 2iζωΩ),
//   J² = ∫∫ φ(s) φ(s') exp(-C n |s - s'| / U) ds ds',  ζ = that of the wood + ρ d U / (2 m ω).
void gust_resonance(CaseResult& result) {
  const double f = 0.5, omega = 2 * pi * f, length = 2, radius = 0.01, density = 8000;
  const double line_mass = density * pi * radius * radius, intensity = 0.1, wood = 0.01;
  const double young = line_mass * std::pow(omega * length * length / 3.5160152685, 2) /
                       (pi / 4 * std::pow(radius, 4));
  const double slope = air * 2 * radius * speed;  // dF/du a length [kg/(m s)]
  const double damping = wood + slope / (2 * line_mass * omega);
  const int parts = 40;
  double mode_square = 0;
  for (int i = 0; i < parts; ++i)
    mode_square += std::pow(first_mode((i + 0.5) / parts), 2) * length / parts;
  const auto swing_spectrum = [&](double n) {
    double shared = 0;
    for (int i = 0; i < parts; ++i) {
      for (int j = 0; j < parts; ++j) {
        shared += first_mode((i + 0.5) / parts) * first_mode((j + 0.5) / parts) *
                  std::exp(-decay * n * std::abs(i - j) * length / parts / speed);
      }
    }
    shared *= length * length / parts / parts;
    const double w = 2 * pi * n;
    const double stiff = omega * omega - w * w, lag = 2 * damping * omega * w;
    return std::pow(slope * intensity * speed / (line_mass * mode_square), 2) * spectrum_along(n) *
           shared / (stiff * stiff + lag * lag);
  };
  // 200 lines are enough for a resonance 0.02 Hz wide, and J² is dear.
  double expected = 0;
  for (int i = 0; i < 200; ++i) expected += swing_spectrum(0.4 + (i + 0.5) * 1e-3) * 1e-3;

  const int records = 24, skipped = 1800;
  const double rate = 30;
  double mean = 0, square = 0;
  Plot plot{.title = "Resonance of a 0.5 Hz stem in 10 minutes of gusts",
            .x_label = "seed",
            .y_label = "variance at 0.4 to 0.6 Hz / spectral theory [-]",
            .series = {line("spectral theory"), dots("thigmo")}};
  for (int seed = 1; seed <= records; ++seed) {
    World world = world_of(gusts(intensity, seed) +
                           fmt::format("[[plant]]\nkind = \"rod\"\nsegments = 8\nlength = {}\n"
                                       "radius = {}\nyoung = {}\npoisson = 0.3\ndensity = {}\n"
                                       "damping_ratio = {}\ndirection = [0, 1, 0]\n",
                                       length, radius, young, density, wood));
    std::vector<double> tip;
    for (int i = 0; i < skipped; ++i) world.step(1 / rate);
    for (int i = 0; i < 16384; ++i) {
      world.step(1 / rate);
      tip.push_back(world.probes()[0].position[0]);
    }
    const double part = band_variance(tip, rate, 0.4, 0.6) / expected;
    mean += part / records;
    square += part * part / records;
    add_point(plot.series[0], seed, 1);
    add_point(plot.series[1], seed, part);
  }
  const double scatter = std::sqrt(square - mean * mean) / mean;
  check_absolute(result, "mean of 24 records / spectral theory", 1, mean, 0.1);
  // Of a Gaussian record of T = 546 s through a window that leaves half of it: 1/√(ζ ω T) and more.
  check_absolute(result, "their scatter", 0, scatter, 0.25);
  result.plots.push_back({.name = "gust_resonance", .plot = std::move(plot)});
}

// What the air does at 0.8 to 4 Hz along a trunk of 20 m, whose lattice has nodes every 0.65 m: at 4 Hz
// gusts differ within 0.2 m. Twelve records of 256 s; places are those of six cells.
void gust_variance(CaseResult& result) {
  const double rate = 16, intensity = 0.2, low = 0.8, high = 4;
  const std::size_t places = 41, samples = 4096;
  const int records = 12;
  std::vector<std::array<double, 3>> variance(places);
  for (int seed = 1; seed <= records; ++seed) {
    World world = world_of(gusts(intensity, seed) +
                           "[[plant]]\nkind = \"rod\"\nsegments = 2\nlength = 20\nradius = 0.3\n"
                           "young = 1e12\ndensity = 800\ndirection = [0, 1, 0]\n");
    std::vector<std::array<std::vector<double>, 3>> gust(places);
    for (std::size_t i = 0; i < samples; ++i) {
      world.step(1 / rate);
      for (std::size_t p = 0; p < places; ++p) {
        const Numbers3 v =
            world.air_velocity(world.plant(0), {0, 8 + 0.1 * static_cast<double>(p), 0});
        for (std::size_t c = 0; c < 3; ++c) gust[p][c].push_back(v[c]);
      }
    }
    for (std::size_t p = 0; p < places; ++p) {
      for (std::size_t c = 0; c < 3; ++c)
        variance[p][c] += band_variance(gust[p][c], rate, low, high) / records;
    }
  }
  const double sigma = intensity * speed;
  const double along = sigma * sigma * integral(low, high, spectrum_along),
               across = sigma * sigma * integral(low, high, spectrum_across);
  const double expected[3] = {along, 0.25 * across, 0.64 * across};
  const char* names[3] = {"along the wind", "up", "across"};
  Plot plot{.title = "Gusts at 0.8 to 4 Hz along a trunk of 20 m, 8 m/s",
            .x_label = "height [m]",
            .y_label = "variance / von Karman's spectrum [-]",
            .series = {line(names[0]), line(names[1]), line(names[2])}};
  for (std::size_t c = 0; c < 3; ++c) {
    double least = 1e9, most = 0;
    for (std::size_t p = 0; p < places; ++p) {
      const double part = variance[p][c] / expected[c];
      least = std::min(least, part);
      most = std::max(most, part);
      add_point(plot.series[c], 8 + 0.1 * static_cast<double>(p), part);
    }
    check_absolute(result, fmt::format("least variance {} / spectrum", names[c]), 1, least, 0.1);
    check_absolute(result, fmt::format("most variance {} / spectrum", names[c]), 1, most, 0.1);
  }
  result.plots.push_back({.name = "gust_variance", .plot = std::move(plot)});
}

}  // namespace thigmo::validation
