#pragma once

#include <vector>

#include "mechanics/statics/floor.h"
#include "mechanics/statics/statics.h"

namespace thigmo {

// The ground is held off by an augmented Lagrangian: a tip at the gap g above it is pushed with
// f = max(0, λ - k g), of the energy (f² - λ²)/(2k); when all else is in balance λ becomes f, until
// no tip is below the ground by more than rounding. Its stiffness couples all bodies on the path to
// the root, but only through the height of their joints: the elimination carries that along.
struct FloorPushes {
  const Floor* floor = nullptr;  // none: nothing below, and all is empty
  // Of every body's tip.
  std::vector<double> push = {};       // the multiplier λ [N]
  std::vector<double> gap = {};        // g [m]
  std::vector<double> stiffness = {};  // k [N/m]
  std::vector<double> carried = {};    // pushes on it and beyond [N]
  double reach = 0;                    // from a base to the farthest tip [m]
};

// No push yet on any tip of the plant in this pose.
FloorPushes start_pushes(const Mechanism& mechanism, const State& state, const Floor* floor);

// What the ground adds to the statics of the pose.
void add_pushes(const Mechanism& mechanism, FloorPushes& pushes, Statics& statics,
                std::vector<HeightBlock>& heights);

// How far the pushes are from keeping every tip above the ground, in parts of what they may be.
double unsettled(const FloorPushes& pushes);

// λ becomes f.
void renew(FloorPushes& pushes);

std::vector<PointLoad> pushes_as_loads(const Mechanism& mechanism, const FloorPushes& pushes);

}  // namespace thigmo
