#pragma once

#include "simulation/simulation.h"

namespace thigmo {

// What acts on a plant at this moment, with room for it: edits and restored worlds have no loads of a last step.
struct LoadsNow {
  std::vector<PointLoad> points;
  std::vector<GrabLoad> grabs;
  Loads loads;

  LoadsNow(const Simulation& simulation, std::size_t plant);
  LoadsNow(const LoadsNow&) = delete;
  LoadsNow& operator=(const LoadsNow&) = delete;
};

}  // namespace thigmo
