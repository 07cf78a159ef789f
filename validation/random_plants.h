#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "thigmo/thigmo.h"

// Plants that no gardener would grow, for seeing what the engine can bear.
namespace thigmo::validation {

// Numbers that look random and are the same in every run and on every machine.
struct Draw {
  std::mt19937_64 bits;
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  // Evenly over the powers of ten.
  double over_decades(double low, double high);
  bool chance(double part) { return unit() < part; }
};

enum class Treatment {
  storm,       // gusts of a mean up to 60 m/s while the root is shaken and turned
  left_alone,  // let go from its straight pose under gravity
  thrown,      // without a hold, spinning
};

struct RandomPlant {
  std::string grammar;   // the text of a .lsys file; empty: the scenario has a rod
  std::string scenario;  // that names the grammar "plant.lsys"
  double damping_ratio = 0;
  Treatment treatment = Treatment::storm;
};

// The plant of that number: one in five a rod, the others branched; three in ten without damping.
RandomPlant random_plant(std::uint64_t number);

// The world it stands in; throws where that cannot be made.
World random_world(const RandomPlant& plant);

}  // namespace thigmo::validation
