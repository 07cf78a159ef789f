#include "environment/wind_ease.h"

#include <gtest/gtest.h>

namespace thigmo::wind_ease_test {
namespace {

const Box room{{-2, 0, -2}, {2, 4, 2}};
const std::vector<Vec3> points{{0, 1, 0}, {1.3, 2.2, -0.4}, {-1.7, 0.1, 1.6}, {1.9, 3.9, 1.9}};

Wind uniform(const Vec3& mean) {
  return make_wind({.kind = WindKind::uniform, .mean_world = mean});
}
Wind gusty(const Vec3& mean) {
  return make_wind({.kind = WindKind::gusty,
                    .mean_world = mean,
                    .intensity = 0.3,
                    .length_scale = 8,
                    .seed = 9});
}

WindSampler blowing(const Wind& wind, double time) {
  WindSampler sampler = make_wind_sampler(wind, room);
  sample_wind(wind, time, sampler);
  return sampler;
}

// Between lattice nodes both winds are interpolated, in lattices of their own; nodes are single numbers.
double largest_difference(const AirLattice& air, const AirLattice& a, double part_a,
                          const AirLattice& b, double part_b) {
  double most = 0;
  for (const Vec3& point : points) {
    const Vec3 expected = air_velocity(a, point) * part_a + air_velocity(b, point) * part_b;
    most = std::max(most, length(air_velocity(air, point) - expected));
  }
  return most;
}

TEST(WindEase, BeginsWithWhatBlewAndEndsWithWhatBlows) {
  const double begin = 3, end = 5;
  struct Pair {
    Wind before, after;
    double tolerance;  // [m/s]
  };
  // Where gusts meet gusts, one of them is taken to the other's nodes.
  for (const Pair& pair : {Pair{uniform({4, 0, 1}), uniform({0, 0, -7}), 1e-5},
                           Pair{uniform({4, 0, 1}), gusty({6, 0, 2}), 1e-5},
                           Pair{gusty({6, 0, 2}), uniform({0, 0, 0}), 1e-5},
                           Pair{gusty({6, 0, 2}), gusty({-3, 0, 5}), 1.0}}) {
    const WindSampler before = blowing(pair.before, begin);
    WindSampler after = blowing(pair.after, begin);
    WindEase ease = make_wind_ease(before.air, after.air, begin, end);
    for (const double part : {0.0, 0.25, 0.5, 1.0}) {
      const double time = begin + part * (end - begin);
      sample_wind(pair.after, time, after);
      ease_wind(time, after.air, ease);
      EXPECT_LT(largest_difference(ease.air, before.air, 1 - part, after.air, part), pair.tolerance)
          << part;
    }
  }
}

// Somebody drags the wind about: each change begins where the air is.
TEST(WindEase, ManyChangesDoNotJump) {
  AirLattice air = blowing(uniform({5, 0, 0}), 0).air;
  const double dt = 1.0 / 60;
  for (int i = 0; i < 240; ++i) {
    const double time = i * dt, strength = 5 + 0.05 * i;
    const WindSampler after = blowing(uniform({strength, 0, 0}), time + dt);
    WindEase ease = make_wind_ease(air, after.air, time, time + 1);
    ease_wind(time + dt, after.air, ease);
    const double change = length(air_velocity(ease.air, {}) - air_velocity(air, {}));
    EXPECT_LT(change, 0.06);
    air = ease.air;
  }
  // It lags by a second behind a wind that rises by 3 m/s in one.
  EXPECT_NEAR(air_velocity(air, {}).x, 5 + 0.05 * 239 - 3, 0.2);
}

}  // namespace
}  // namespace thigmo::wind_ease_test
