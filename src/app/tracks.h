#pragma once

// Recorded plants as files show them: each of one shape, from its first frame to its last. A plant that was cut
// is there in its parts from the beginning; what was grafted stays a plant of its own.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/epoch.h"
#include "io/disk/pose_file.h"
#include "io/tables/attribute.h"

namespace thigmo {

// Where segments of a track are in an epoch: side by side on a plant's, so far above their bases [m].
struct TrackRun {
  SegmentRange segments;  // of the track
  Index plant = 0, from = 0;
  double height = 0;
};

struct Track {
  std::shared_ptr<const Plant> plant;
  std::string name;
  PlantFrame stands;
  std::size_t first_epoch = 0, last_epoch = 0;  // in which it is there
  std::vector<std::vector<TrackRun>> runs;      // in each of these epochs
};

// At least one for each plant that ever was there: plants of the first epoch in their order, each followed by
// its parts.
std::vector<Track> make_tracks(std::span<const Epoch> epochs, const Registry& registry);

// The motion of a track at frames of the file; where it is not there, it is as at the nearest frame where it
// is. Track, epochs and file must outlive it.
Motion motion_of(const Track& track, std::span<const Epoch> epochs, const PoseFile& file,
                 std::vector<double> times, std::vector<std::size_t> frames);

// The columns of a track's segments, of those that came with the plants of the first epoch; null where its
// plant has none. A root that was cut has nothing in those of roots.
std::shared_ptr<const PlantColumns> columns_of(
    const Track& track, std::span<const Epoch> epochs,
    std::span<const std::shared_ptr<const PlantColumns>> columns);

// In which of these frames of the file it is there.
Life life_of(const Track& track, std::span<const Epoch> epochs,
             std::span<const std::size_t> frames);

// The epoch of a frame of the file.
std::size_t epoch_at(std::span<const Epoch> epochs, std::size_t frame);

}  // namespace thigmo
