#pragma once

#include "environment/wind_sampler.h"

namespace thigmo {

// Another wind comes up while what blew dies away: at a moment t between begin and end the air moves with
//   u(x, t) = (1 - s) u_before(x) + s u(x, t),  s = (t - begin) / (end - begin).
// What blew is held as it was at `begin`: a wind that is changed again and again, by somebody who drags it about,
// costs no more than one that is changed once.
struct WindEase {
  AirLattice before;          // at `begin`
  double begin = 0, end = 0;  // [s]
  AirLattice air;             // as of the last call of ease_wind
  bool begun = false;         // whether there was one
};

// `air` is how the air moves now, `after` the lattice of the wind that comes up.
WindEase make_wind_ease(const AirLattice& air, const AirLattice& after, double begin, double end);

// Brings the air to a moment; `after` is that of the wind that comes up, then. Allocates nothing.
void ease_wind(double time, const AirLattice& after, WindEase& ease);

}  // namespace thigmo
