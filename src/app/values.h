#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "mechanics/model/loads.h"
#include "mechanics/model/mechanism.h"

namespace thigmo {

// A number for every segment, to colour it by.
struct SegmentValues {
  std::string title;  // with the unit: "bending stress [MPa]"
  std::vector<double> values;
};

// One of colour_values(). The mechanism's joints hold what bends and twists the plant in this pose;
// axial and shear forces are those of the loads.
SegmentValues segment_values(const std::string& name, const Plant& plant,
                             const Mechanism& mechanism, const Pose& pose, const Loads& loads = {});

// Whether it is one of colour_values(); the hint has those that are near.
Result<Done> check_value(const std::string& name);

}  // namespace thigmo
