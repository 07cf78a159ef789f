#include "render/bark.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.h"
#include "render/noise.h"

namespace thigmo {
namespace {

// Height of the bark at an angle (in turns) and a length along the axis counted in grains.
double ridge(double turns, double along_grains) {
  const double coarse = value_noise(turns * 14, along_grains * 0.35, 14, 1);
  const double fine = value_noise(turns * 40, along_grains * 1.4, 40, 2);
  return 0.65 * coarse + 0.35 * fine;
}

// How deep a place lies in the fissures of old bark, 0 to 1: narrow furrows along the axis, at whole
// numbers of x = 30 turns + noise, which wander, part and meet, and are deeper here and shallower there.
double fissure(double turns, double along_grains) {
  const double bend = 2.6 * value_noise(turns * 12, along_grains * 0.1, 12, 3) +
                      0.8 * value_noise(turns * 30, along_grains * 0.4, 30, 4);
  const double x = 30 * turns + bend;
  const double off = std::abs(x - std::round(x)) / 0.33;
  if (off >= 1) return 0.0;
  const double depth = 0.35 + 0.65 * value_noise(turns * 30, along_grains * 0.15, 30, 5);
  return depth * (1 - off) * (1 - off) * (1 + 2 * off);
}

// Old bark cracks: not below 3 cm of thickness, fully from 16 cm on.
double age_of(double radius) { return std::clamp((radius - 0.015) / 0.065, 0.0, 1.0); }

double height_at(double turns, double along_grains, double age) {
  const double grain = ridge(turns, along_grains);
  if (!(age > 0)) return grain;
  // Between its furrows old bark is even.
  return grain + age * (0.6 * (0.5 - grain) - 0.6 * fissure(turns, along_grains));
}

}  // namespace

Bark bark_at(const BarkPlace& place) {
  // Young shoots are smooth; bark gets rough as it thickens.
  const double rough = std::clamp((place.radius - 0.002) / 0.02, 0.0, 1.0);
  if (rough == 0.0) return {.tint = {1, 1, 1}, .normal_world = place.normal_world};
  const Vec3 other = cross(place.across_world, place.axis_world);
  const double turns =
      std::atan2(dot(place.normal_world, other), dot(place.normal_world, place.across_world)) /
          (2.0 * std::numbers::pi) +
      0.5;
  // The grain's scale must not change from segment to segment, or ridges would jump at joints: it
  // is that of a stem 3 cm thick. Each tube starts elsewhere, so that neighbours do not repeat.
  constexpr double grain_m = 0.015;
  const double start = 1000.0 * unit_from_bits(mix_bits(static_cast<std::uint64_t>(place.tube)));
  const double v = start + place.along / grain_m;
  const double age = age_of(place.radius);
  const double here = height_at(turns, v, age);
  constexpr double step = 0.01;
  const double slope_around =
      (height_at(turns + step, v, age) - here) / step / (2.0 * std::numbers::pi);
  // Against the angle's sense.
  const Vec3 around = normalized(cross(place.axis_world, place.normal_world), place.across_world);
  const Vec3 normal = place.normal_world + around * (0.22 * rough * slope_around);
  const double shade = 1.0 + rough * (0.9 * here - 0.5);
  return {.tint = {shade, shade * (1.0 - 0.03 * here), shade * (1.0 - 0.06 * here)},
          .normal_world = normalized(normal)};
}

}  // namespace thigmo
