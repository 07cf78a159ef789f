#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "grammar/grammar.h"
#include "mechanics/model/root_motion.h"

namespace thigmo {

// A to and fro: amplitude · sin(2π f (t - start) + phase), faded in and out over `ramp`.
struct WaveSource {
  Vec3 amplitude;        // [m]
  Vec3 turn_degrees;     // rotation vector
  double frequency = 1;  // [Hz]
  double phase_degrees = 0;
  double start = 0;                 // [s]
  std::optional<double> end = {};   // [s]; none: the end of the run
  std::optional<double> ramp = {};  // [s]; none: one period
};

// A motion as a scenario gives it: keys, a file of keys, or waves that add up.
struct PathSource {
  std::vector<std::array<double, 7>> keys;  // time [s], x, y, z [m], rotation vector [degrees]
  std::string file;                         // as the scenario names it, behind its folder
  std::vector<WaveSource> waves;
};

// The smooth motion that it says.
Result<RootPath> make_path(const PathSource& source, double duration, const ReadFile& read_file);

}  // namespace thigmo
