#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mechanics/air.h"
#include "plant/plant.h"

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

// One plane wave of the turbulence: amplitude cos(k·x - ω t + phase) along one of the wind's axes.
struct GustWave {
  int axis = 0;          // of Wind::axes_world
  double amplitude = 0;  // [m/s]
  Vec3 wave_vector;      // [rad/m]
  double omega = 0;      // [rad/s]
  double phase = 0;      // [rad]
};

struct Wind {
  Vec3 mean_world;                   // [m/s]
  std::array<Vec3, 3> axes_world{};  // along, across and up: unit vectors
  std::vector<GustWave> waves;
};

Wind make_wind(const WindModel& model);

Vec3 wind_velocity(const Wind& wind, const Vec3& point_world, double time);

// The wind around one plant, prepared so that a new moment costs two products per wave and node.
struct WindSampler {
  AirLattice air;  // as of the last call of sample_wind
  // amplitude times cosine and sine of k·x + phase, wave by wave, node by node
  std::vector<double> node_cosine, node_sine;
  std::array<std::vector<double>, 3> gust;  // along each axis of the wind, node by node [m/s]
};

WindSampler make_wind_sampler(const Wind& wind, const Box& around);

// `wind` is the one the sampler was made for.
void sample_wind(const Wind& wind, double time, WindSampler& sampler);

}  // namespace thigmo
