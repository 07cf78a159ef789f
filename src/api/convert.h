#pragma once

#include "base/result.h"
#include "math/vector.h"
#include "simulation/simulation.h"
#include "thigmo/thigmo.h"

namespace thigmo {

inline Failure failure_from(const Diagnostics& diagnostics) { return {to_string(diagnostics)}; }

inline Numbers3 numbers(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Vec3 vector(const Numbers3& v) { return {v[0], v[1], v[2]}; }

inline std::vector<ProbeReading> read_probes(const Simulation& simulation) {
  std::vector<ProbeReading> readings;
  for (const Probe& probe : simulation.probes) {
    const PointMotion motion = probe_motion(simulation, probe);
    readings.push_back({.name = probe.name,
                        .position = numbers(motion.position_world),
                        .velocity = numbers(motion.velocity_world)});
  }
  return readings;
}

}  // namespace thigmo
