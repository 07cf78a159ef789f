#include "environment/wind.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.h"

namespace thigmo {
namespace {

constexpr double pi = std::numbers::pi;

// Waves per velocity component, and the band of reduced frequencies n L / U they cover: it holds
// 99 % of the variance of the spectra below.
constexpr int waves_per_component = 40;
constexpr double lowest_reduced = 0.005, highest_reduced = 20.0;

// Ratios of standard deviations across and up to along the wind (IEC 61400-1, 6.3: 0.8 and 0.5).
constexpr double across_ratio = 0.8, up_ratio = 0.5;

// Von Kármán's spectra n S(n) / σ² against x = n L / U; along the wind, and across it with the
// length L/2 of isotropic turbulence.
double spectrum_along(double x) { return 4 * x / std::pow(1 + 70.8 * x * x, 5.0 / 6.0); }
double spectrum_across(double x) {
  return 4 * x * (1 + 755.2 * x * x) / std::pow(1 + 283.2 * x * x, 11.0 / 6.0);
}

// A wave's crest runs with the mean wind (frozen turbulence, k = ω/U along it). Across the wind the
// wave number is drawn from a two-dimensional Cauchy law of scale a = C n / U, whose mean cosine at
// distance r is exp(-a r): Davenport's coherence.
Vec3 draw_wave_vector(const Vec3& along, const Vec3& side, const Vec3& up, double omega,
                      double speed, double decay, std::uint64_t key) {
  const double a = decay * omega / (2 * pi) / speed;
  const double u = unit_from_bits(mix_bits(key, 11));
  const double angle = 2 * pi * unit_from_bits(mix_bits(key, 12));
  // P(radius > ρ) = a / sqrt(a² + ρ²)
  const double across = a * std::sqrt(std::max(0.0, 1.0 / ((1 - u) * (1 - u)) - 1.0));
  return along * (omega / speed) + side * (across * std::cos(angle)) +
         up * (across * std::sin(angle));
}

}  // namespace

Wind make_wind(const WindModel& model) {
  Wind wind{.mean_world = model.kind == WindKind::still ? Vec3{} : model.mean_world};
  const double speed = length(wind.mean_world);
  if (model.kind != WindKind::gusty || speed == 0 || model.intensity == 0) return wind;

  const Vec3 along = wind.mean_world / speed;
  // Up is the vertical made perpendicular to the wind; a vertical wind has none and takes any.
  const Vec3 vertical = Vec3{0, 1, 0} - along * along.y;
  const Vec3 up = length(vertical) > 1e-6 ? normalized(vertical) : any_perpendicular(along);
  const Vec3 across = cross(along, up);

  const double sigma = model.intensity * speed;
  wind.axes_world = {along, across, up};
  const struct {
    int axis;
    double sigma, length;
    double (*spectrum)(double);
  } components[] = {{0, sigma, model.length_scale, spectrum_along},
                    {1, across_ratio * sigma, model.length_scale / 2, spectrum_across},
                    {2, up_ratio * sigma, model.length_scale / 2, spectrum_across}};
  const double log_step = std::log(highest_reduced / lowest_reduced) / waves_per_component;
  std::uint64_t number = 0;
  for (const auto& component : components) {
    for (int i = 0; i < waves_per_component; ++i, ++number) {
      const std::uint64_t key = mix_bits(model.seed, number);
      const double x = lowest_reduced * std::exp(log_step * (i + unit_from_bits(mix_bits(key, 1))));
      const double omega = 2 * pi * x * speed / component.length;
      // σ² ∫ S dn over the band = σ² (n S) d(ln n); a cosine of amplitude A has variance A²/2.
      const double amplitude = component.sigma * std::sqrt(2 * component.spectrum(x) * log_step);
      wind.waves.push_back(
          {.axis = component.axis,
           .amplitude = amplitude,
           .wave_vector = draw_wave_vector(along, across, up, omega, speed, model.decay, key),
           .omega = omega,
           .phase = 2 * pi * unit_from_bits(mix_bits(key, 2))});
    }
  }
  return wind;
}

Vec3 wind_velocity(const Wind& wind, const Vec3& point_world, double time) {
  Vec3 velocity = wind.mean_world;
  for (const GustWave& wave : wind.waves) {
    velocity += wind.axes_world[static_cast<std::size_t>(wave.axis)] * wave.amplitude *
                std::cos(dot(wave.wave_vector, point_world) - wave.omega * time + wave.phase);
  }
  return velocity;
}

WindSampler make_wind_sampler(const Wind& wind, const Box& around) {
  WindSampler sampler;
  AirLattice& air = sampler.air;
  if (wind.waves.empty()) {
    air.velocity_world = {air_node(wind.mean_world)};
    return sampler;
  }
  // The box with room to sway, four cells along its longest side.
  const Vec3 size = around.max - around.min;
  const double longest = std::max({size.x, size.y, size.z, 1e-3});
  const Vec3 margin = Vec3{1, 1, 1} * (0.125 * longest);
  air.origin_world = around.min - margin;
  air.spacing = longest / 4.0;
  const auto nodes = [&](double extent) {
    return 1 + static_cast<int>(std::ceil((extent + 0.25 * longest) / air.spacing));
  };
  air.nodes_x = nodes(size.x);
  air.nodes_y = nodes(size.y);
  air.nodes_z = nodes(size.z);
  const auto count = static_cast<std::size_t>(air.nodes_x) * static_cast<std::size_t>(air.nodes_y) *
                     static_cast<std::size_t>(air.nodes_z);
  air.velocity_world.resize(count);
  for (std::vector<double>& gust : sampler.gust) gust.resize(count);
  sampler.node_cosine.reserve(count * wind.waves.size());
  sampler.node_sine.reserve(count * wind.waves.size());
  for (const GustWave& wave : wind.waves) {
    for (int z = 0; z < air.nodes_z; ++z) {
      for (int y = 0; y < air.nodes_y; ++y) {
        for (int x = 0; x < air.nodes_x; ++x) {
          const Vec3 node = air.origin_world + Vec3{1.0 * x, 1.0 * y, 1.0 * z} * air.spacing;
          const double angle = dot(wave.wave_vector, node) + wave.phase;
          sampler.node_cosine.push_back(wave.amplitude * std::cos(angle));
          sampler.node_sine.push_back(wave.amplitude * std::sin(angle));
        }
      }
    }
  }
  return sampler;
}

// cos(k·x + phase - ω t) = cos(k·x + phase) cos(ω t) + sin(k·x + phase) sin(ω t)
void sample_wind(const Wind& wind, double time, WindSampler& sampler) {
  if (sampler.node_cosine.empty()) return;  // made for a wind that does not change
  const std::size_t nodes = sampler.air.velocity_world.size();
  for (std::vector<double>& gust : sampler.gust) std::fill(gust.begin(), gust.end(), 0.0);
  const double* cosine = sampler.node_cosine.data();
  const double* sine = sampler.node_sine.data();
  for (const GustWave& wave : wind.waves) {
    const double c = std::cos(wave.omega * time), s = std::sin(wave.omega * time);
    double* gust = sampler.gust[static_cast<std::size_t>(wave.axis)].data();
    for (std::size_t node = 0; node < nodes; ++node)
      gust[node] += cosine[node] * c + sine[node] * s;
    cosine += nodes;
    sine += nodes;
  }
  for (std::size_t node = 0; node < nodes; ++node) {
    const Vec3 v = wind.mean_world + wind.axes_world[0] * sampler.gust[0][node] +
                   wind.axes_world[1] * sampler.gust[1][node] +
                   wind.axes_world[2] * sampler.gust[2][node];
    sampler.air.velocity_world[node] = air_node(v);
  }
}

}  // namespace thigmo
