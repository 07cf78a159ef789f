#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulation/simulation.h"

namespace thigmo {

// A plant as it was while a stretch of frames was recorded.
struct EpochPlant {
  PlantId id;
  std::string name;
  std::shared_ptr<const PlantModel> model;
  std::vector<SegmentId> ids;  // of its segments
  PlantFrame stands;
  std::vector<PointLoad> points = {};  // that stand on it in the last of these frames
};

// A run of recorded frames in which plants, their segments and their shapes stay the same.
struct Epoch {
  std::size_t first_frame = 0;
  std::vector<EpochPlant> plants;
  Vec3 gravity_world;  // in the last of these frames [m/s²]
};

// The plants of a simulation as they are now. Who holds the epoch holds their models: edits make others.
Epoch epoch_of(const Simulation& simulation, std::size_t first_frame);

// Whether the plants still are those of an epoch; with `exactly` also the mechanisms that move them, else their
// shapes alone.
bool goes_on(const Epoch& epoch, const Simulation& simulation, bool exactly);

}  // namespace thigmo
