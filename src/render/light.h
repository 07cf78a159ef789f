#pragma once

#include "math/vector.h"

namespace thigmo {

// A clear day: a sun with a soft edge and a sky that pales towards the horizon. Linear RGB.
struct Daylight {
  Vec3 towards_sun_world{0.55, 0.62, 0.42};
  double sun_angle_deg = 2.2;  // diameter of the disc; wider than the true 0.53° for soft shadows
  Vec3 sun_colour{3.6, 3.25, 2.7};  // irradiance on a surface that faces it
  Vec3 zenith_colour{0.14, 0.32, 0.72};
  Vec3 horizon_colour{0.66, 0.77, 0.88};
  Vec3 ground_colour{0.21, 0.27, 0.09};  // reflectance
  double exposure = 0.82;
};

// The sky's radiance in a direction; below the horizon, that of the far ground.
Vec3 sky_radiance(const Daylight& light, const Vec3& direction_world);

// A filmic curve and the sRGB transfer function: radiance to 0..255.
struct Pixel {
  unsigned char r, g, b;
};
Pixel tone_map(const Vec3& radiance, double exposure);

}  // namespace thigmo
