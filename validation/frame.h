#pragma once

#include <vector>

#include "thigmo/thigmo.h"

// A space frame of finite elements that shares nothing with the engine, to hold it against.
namespace thigmo::validation {

// A round bar; `from` is 0 for the clamp, else the number of the bar, counted from 1, at whose far end
// it begins.
struct FrameBar {
  int from = 0;
  Numbers3 base = {}, tip = {};  // [m]
  double radius = 0;             // [m]
};

struct FrameWood {
  double young = 0, shear = 0, density = 0;  // [Pa], [Pa], [kg/m³]
};

struct FrameAnswer {
  std::vector<double> frequencies_hz;  // rising
  std::vector<Numbers3> moved;  // of each bar's far end under its weight, small deflections [m]
};

// Beams of Euler and Bernoulli with Saint-Venant's torsion, each bar in `pieces` elements, consistent
// masses; the weight acts along -y with 9.81 m/s².
FrameAnswer solve_frame(const std::vector<FrameBar>& bars, const FrameWood& wood, int pieces);

}  // namespace thigmo::validation
