#pragma once

#include <span>
#include <vector>

namespace thigmo {

// How much of each frequency is in a series sampled at even times: a sine of amplitude a shows a
// peak of height a. The mean is taken off; a Hann window keeps strong peaks from leaking.
struct Spectrum {
  std::vector<double> frequencies;  // [Hz], evenly spaced from 0 to half the sampling rate
  std::vector<double> amplitudes;   // in the unit of the values
};
Spectrum amplitude_spectrum(std::span<const double> times, std::span<const double> values);

// The highest point of the spectrum, found between the samples by a parabola through three.
struct SpectrumPeak {
  double frequency = 0;  // [Hz]
  double amplitude = 0;
};
SpectrumPeak highest_peak(const Spectrum& spectrum);

}  // namespace thigmo
