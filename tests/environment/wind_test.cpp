#include "environment/wind.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace thigmo {
namespace {

constexpr double pi = std::numbers::pi;

WindModel gusty(std::uint64_t seed) {
  return {.kind = WindKind::gusty,
          .mean_world = {8, 0, 0},
          .intensity = 0.2,
          .length_scale = 40,
          .seed = seed};
}

TEST(Wind, StillAndUniformAreWhatTheySay) {
  EXPECT_EQ(length(wind_velocity(make_wind({.mean_world = {3, 0, 0}}), {1, 2, 3}, 4)), 0);
  const Wind uniform = make_wind({.kind = WindKind::uniform, .mean_world = {3, 1, 0}});
  EXPECT_EQ(wind_velocity(uniform, {1, 2, 3}, 4), (Vec3{3, 1, 0}));
}

// Mean over 32 ten-minute records: variance of each component within 6 % (physics.json S1).
TEST(Wind, VarianceIsTheIntensityAskedFor) {
  Vec3 sum, square;
  int count = 0;
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    const Wind wind = make_wind(gusty(seed));
    for (int i = 0; i < 600; ++i, ++count) {
      const Vec3 gust = wind_velocity(wind, {0, 10, 0}, i) - wind.mean_world;
      sum += gust;
      square += scale(gust, gust);
    }
  }
  const Vec3 variance = square / count - scale(sum / count, sum / count);
  const double sigma = 0.2 * 8;
  EXPECT_NEAR(variance.x / (sigma * sigma), 1.0, 0.06);
  EXPECT_NEAR(variance.z / (0.64 * sigma * sigma), 1.0, 0.06);
  EXPECT_NEAR(variance.y / (0.25 * sigma * sigma), 1.0, 0.06);
}

// Band-averaged spectrum along the wind against von Kármán's, 15 % (physics.json S1).
TEST(Wind, SpectrumIsVonKarmans) {
  const double length_over_speed = 40.0 / 8.0, variance = 1.6 * 1.6;
  for (double n : {0.02, 0.1, 0.5, 1.5}) {  // centre of an octave band [Hz]
    double power = 0;
    const int records = 48, lines = 24;
    const double low = n / std::sqrt(2.0), high = n * std::sqrt(2.0);
    for (int record = 0; record < records; ++record) {
      const Wind wind = make_wind(gusty(static_cast<std::uint64_t>(record) + 100));
      // Energy of the waves inside the band: what a spectrum of any length would show there.
      for (const GustWave& wave : wind.waves) {
        const double frequency = wave.omega / (2 * pi);
        if (wave.axis == 0 && frequency >= low && frequency < high) {
          power += wave.amplitude * wave.amplitude / 2 / records;
        }
      }
    }
    double expected = 0;
    for (int line = 0; line < lines; ++line) {
      const double x = low * std::pow(high / low, (line + 0.5) / lines) * length_over_speed;
      expected +=
          variance * 4 * x / std::pow(1 + 70.8 * x * x, 5.0 / 6.0) * std::log(high / low) / lines;
    }
    EXPECT_NEAR(power / expected, 1.0, 0.15) << n << " Hz";
  }
}

// Across the wind the mean product of the same wave at two points falls as exp(-C n r / U).
TEST(Wind, CoherenceIsDavenports) {
  const double r = 2.0, speed = 8;
  for (double n : {0.1, 0.4, 1.0}) {
    double sum = 0;
    int count = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      for (const GustWave& wave : make_wind(gusty(seed)).waves) {
        const double frequency = wave.omega / (2 * pi);
        if (std::abs(std::log(frequency / n)) > 0.1) continue;
        sum += std::cos(wave.wave_vector.z * r);
        ++count;
      }
    }
    ASSERT_GT(count, 100);
    EXPECT_NEAR(sum / count, std::exp(-10 * n * r / speed), 0.1) << n;
  }
}

// The sampler is the field itself at its nodes.
TEST(Wind, SamplerAgreesWithTheFieldAtNodes) {
  const Wind wind = make_wind(gusty(5));
  WindSampler sampler = make_wind_sampler(wind, {.min = {-1, 0, -1}, .max = {1, 4, 1}});
  sample_wind(wind, 12.5, sampler);
  const AirLattice& air = sampler.air;
  for (int z = 0; z < air.nodes_z; ++z) {
    for (int y = 0; y < air.nodes_y; ++y) {
      for (int x = 0; x < air.nodes_x; ++x) {
        const Vec3 node = air.origin_world + Vec3{1.0 * x, 1.0 * y, 1.0 * z} * air.spacing;
        EXPECT_NEAR(length(air_velocity(air, node) - wind_velocity(wind, node, 12.5)), 0, 1e-6);
      }
    }
  }
  // Outside, the nearest edge value holds.
  const Vec3 corner = wind_velocity(wind, air.origin_world, 12.5);
  EXPECT_NEAR(length(air_velocity(air, {-1e6, -1e6, -1e6}) - corner), 0, 1e-6);
}

TEST(Wind, SameSeedSameWind) {
  EXPECT_EQ(wind_velocity(make_wind(gusty(1)), {1, 2, 3}, 4),
            wind_velocity(make_wind(gusty(1)), {1, 2, 3}, 4));
  EXPECT_NE(wind_velocity(make_wind(gusty(1)), {1, 2, 3}, 4),
            wind_velocity(make_wind(gusty(2)), {1, 2, 3}, 4));
}

}  // namespace
}  // namespace thigmo
