#pragma once

#include "base/result.h"
#include "environment/gust_block.h"

namespace thigmo {

// Gusts are as much finer as they are faster, and take as much longer to prepare [m/s].
inline constexpr double fastest_wind = 10'000;

// Whether this is a wind: finite, no faster than that, and with gusts of some length.
Result<Done> check_wind(const WindModel& model);

Wind make_wind(const WindModel& model);

inline bool has_gusts(const Wind& wind) { return wind.sigma > 0; }

// The field itself, which tests hold samplers against. Each call draws its waves anew: a sampler is the way to
// many moments.
Vec3 wind_velocity(const Wind& wind, const Vec3& point_world, double time);

}  // namespace thigmo
