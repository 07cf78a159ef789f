#include "render/light.h"

#include <algorithm>
#include <cmath>

namespace thigmo {
namespace {

// The rational fit of the ACES film curve of Narkowicz 2015.
double film_curve(double x) {
  return std::clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

// IEC 61966-2-1
double srgb_from_linear(double x) {
  return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1.0 / 2.4) - 0.055;
}

unsigned char byte_of(double radiance, double exposure) {
  return static_cast<unsigned char>(
      std::lround(255.0 * srgb_from_linear(film_curve(std::max(0.0, radiance) * exposure))));
}

}  // namespace

Vec3 sky_radiance(const Daylight& light, const Vec3& direction_world) {
  const double height = std::max(0.0, direction_world.y);
  // Paler through the longer way of air near the horizon, and warmer round the sun.
  const double blue = 1.0 - std::exp(-4.5 * height);
  const Vec3 sky = light.horizon_colour * (1.0 - blue) + light.zenith_colour * blue;
  const double towards = std::max(0.0, dot(direction_world, normalized(light.towards_sun_world)));
  const double near_sun = towards * towards * towards;
  return sky + light.sun_colour * (0.08 * near_sun * near_sun);
}

Pixel tone_map(const Vec3& radiance, double exposure) {
  return {byte_of(radiance.x, exposure), byte_of(radiance.y, exposure),
          byte_of(radiance.z, exposure)};
}

}  // namespace thigmo
