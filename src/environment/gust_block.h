#pragma once

#include <array>
#include <cstdint>

#include "math/vector.h"

namespace thigmo {

enum class WindKind { still, uniform, gusty };

// What a scenario says about the wind.
struct WindModel {
  WindKind kind = WindKind::still;
  Vec3 mean_world;             // [m/s]
  double intensity = 0.25;     // standard deviation along the wind / mean speed [-]
  double length_scale = 20.0;  // integral length of the gusts along the wind [m]
  double decay = 10.0;         // C in Davenport's coherence exp(-C n r / U) [-]
  std::uint64_t seed = 1;
};

// Gusts are frozen into the air that the mean wind carries along: at ξ = (distance along the wind) - U t
// and y, z across and up they are
//   u(ξ, y, z) = Σ over bands Σ over blocks  w(ξ) Σ over lines  Re A e^(i (k ξ + k_y y + k_z z)).
// A band is an octave of wave numbers k. Along ξ it is cut into blocks that overlap by half, each with
// waves of its own; their windows w = sin(π (ξ - start) / length) have squares that add up to one, so that
// the variance is the same everywhere. Lines of a block are as far apart as its length resolves. So the
// spectrum is continuous, nothing ever comes again, and any place and moment costs the same.
struct Wind {
  Vec3 mean_world;                   // [m/s]
  std::array<Vec3, 3> axes_world{};  // along, across and up: unit vectors
  double speed = 0;                  // of the mean [m/s]
  double sigma = 0;                  // standard deviation along the wind; 0: no gusts [m/s]
  double length_scale = 0;           // [m]
  double decay = 0;                  // [-]
  std::uint64_t seed = 0;
};

// Wave numbers from 0.0012 to 20 over the length scale hold 97 % of the variance.
inline constexpr int gust_bands = 14;
inline constexpr double highest_reduced = 20.0;
inline constexpr int lines_per_block = 8;

// A complex number, without the care that std::complex takes of infinities.
struct Phasor {
  double re = 1, im = 0;
};
inline Phasor operator*(const Phasor& a, const Phasor& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
Phasor phasor_of(double angle);  // e^(i angle)

struct GustLine {
  double across = 0, up = 0;          // wave numbers [rad/m]
  std::array<Phasor, 3> amplitude{};  // along, across, up [m/s]
};

struct GustBlock {
  double start = 0, length = 0;  // along ξ [m]
  double lowest = 0,
         line_step =
             0;  // wave numbers along the wind: of the first line, from one to the next [rad/m]
  std::array<GustLine, lines_per_block> lines{};
};

// From the shortest waves (0) to the longest.
double band_highest(const Wind& wind, int band);  // wave number [1/m]
double band_middle(const Wind& wind, int band);   // [1/m]

// The last block that has begun where ξ is; the one before it has not ended yet.
std::int64_t block_at(const Wind& wind, int band, double xi);

// The block's waves: a function of seed, band and number.
GustBlock draw_block(const Wind& wind, int band, std::int64_t number);

// w e^(i k ξ) of a block's lines.
std::array<Phasor, lines_per_block> line_phases(const GustBlock& block, double xi);

}  // namespace thigmo
