#include "render/spectrum.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "base/assert.h"

namespace thigmo {
namespace {

using std::numbers::pi;
constexpr std::size_t most_bins = 2048;

}  // namespace

// A(f) = 2 / Σw · | Σ w_k (x_k - mean) exp(-2πi f t_k) |, summed plainly at the frequencies wanted:
// at most 2048 of them, so long series cost time in proportion to their length.
Spectrum amplitude_spectrum(std::span<const double> times, std::span<const double> values) {
  THIGMO_ASSERT(times.size() == values.size());
  Spectrum spectrum;
  const std::size_t count = values.size();
  if (count < 4 || !(times.back() > times.front())) return spectrum;
  const double interval = (times.back() - times.front()) / static_cast<double>(count - 1);
  double mean = 0;
  for (const double x : values) mean += x;
  mean /= static_cast<double>(count);
  std::vector<double> windowed(count);
  double weight_sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double phase = 2 * pi * static_cast<double>(k) / static_cast<double>(count - 1);
    const double weight = 0.5 * (1.0 - std::cos(phase));
    weight_sum += weight;
    windowed[k] = weight * (values[k] - mean);
  }
  // Eight times as fine as the series resolves, so that peaks look like peaks.
  const std::size_t bins = std::min(most_bins, 4 * count);
  for (std::size_t b = 0; b < bins; ++b) {
    const double cycles = 0.5 * static_cast<double>(b) / static_cast<double>(bins - 1);
    const std::complex<double> turn = std::polar(1.0, -2 * pi * cycles);
    std::complex<double> wave = 1.0, sum = 0.0;
    for (const double x : windowed) {
      sum += x * wave;
      wave *= turn;
    }
    spectrum.frequencies.push_back(cycles / interval);
    spectrum.amplitudes.push_back(2.0 * std::abs(sum) / weight_sum);
  }
  return spectrum;
}

SpectrumPeak highest_peak(const Spectrum& spectrum) {
  if (spectrum.amplitudes.empty()) return {};
  const auto& a = spectrum.amplitudes;
  const auto top = static_cast<std::size_t>(std::max_element(a.begin(), a.end()) - a.begin());
  if (top == 0 || top + 1 == a.size()) {
    return {.frequency = spectrum.frequencies[top], .amplitude = a[top]};
  }
  const double curvature = a[top - 1] - 2 * a[top] + a[top + 1];
  const double offset = curvature < 0 ? 0.5 * (a[top - 1] - a[top + 1]) / curvature : 0.0;
  const double step = spectrum.frequencies[1] - spectrum.frequencies[0];
  return {.frequency = spectrum.frequencies[top] + offset * step,
          .amplitude = a[top] - 0.25 * (a[top - 1] - a[top + 1]) * offset};
}

}  // namespace thigmo
