#pragma once

#include <vector>

#include "plant/plant.h"

namespace thigmo {

// What a run leaves for meshes, files and pictures: the poses of one plant at frame times.
struct Motion {
  std::vector<double> times;  // [s], rising
  std::vector<Pose> poses;    // one per time
};

// A plant and how it moved. Both must outlive this view.
struct MovingPlant {
  const Plant* plant = nullptr;
  const Motion* motion = nullptr;
};

}  // namespace thigmo
