#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "plant/plant.h"

namespace thigmo {

// Segments [first, first + count).
struct SegmentRange {
  Index first = 0, count = 0;
};

// What a run leaves for meshes, files and pictures: the poses of one plant at frame times, in memory
// or wherever `read` finds them. Long motions of large plants do not fit the memory.
struct Motion {
  std::vector<double> times;  // [s], rising
  std::vector<Pose> poses;    // one per time; none where `read` has them
  // Puts a range of segments at a frame into `pose`, which it gives room for all segments.
  std::function<void(std::size_t frame, SegmentRange range, Pose& pose)> read = nullptr;
  Index segments = 0;  // of `read`
};

// The frames [from, until) of a motion in which a plant is there; in the others its poses are held.
struct Life {
  std::size_t from = 0, until = std::numeric_limits<std::size_t>::max();
};

// A plant, where it stands at rest and how it moved. Plant and motion must outlive this view.
struct MovingPlant {
  const Plant* plant = nullptr;
  const Motion* motion = nullptr;
  PlantFrame stands = {};
  std::string name = {};  // of one of several that share a plant; else the plant's own
  Life life = {};
};
inline const std::string& name_of(const MovingPlant& moving) {
  return moving.name.empty() ? moving.plant->name : moving.name;
}
inline Pose rest_pose(const MovingPlant& moving) { return rest_pose(*moving.plant, moving.stands); }

// A plant in one pose. Both must outlive this view.
struct PosedPlant {
  const Plant* plant = nullptr;
  const Pose* pose = nullptr;  // null: at rest
};
// Its pose. The one at rest stands in `scratch`.
inline const Pose& pose_of(const PosedPlant& posed, Pose& scratch) {
  if (posed.pose != nullptr) return *posed.pose;
  return scratch = rest_pose(*posed.plant);
}

inline bool moves(const MovingPlant& moving) {
  return moving.motion != nullptr && !moving.motion->times.empty();
}

inline bool is_there(const MovingPlant& moving, std::size_t frame) {
  return frame >= moving.life.from && frame < moving.life.until;
}
// Whether it is there in every frame.
inline bool stays(const MovingPlant& moving) {
  return moving.life.from == 0 &&
         (!moves(moving) || moving.life.until >= moving.motion->times.size());
}

// The pose at a frame; only the ranges where they are given. It stands in the motion's memory, or in
// `scratch` until that is used again.
inline const Pose& pose_at(const Motion& motion, std::size_t frame,
                           std::span<const SegmentRange> ranges, Pose& scratch) {
  if (!motion.read) return motion.poses[frame];
  for (const SegmentRange& range : ranges) motion.read(frame, range, scratch);
  return scratch;
}
inline const Pose& pose_at(const Motion& motion, std::size_t frame, Pose& scratch) {
  const SegmentRange all{0, motion.segments};
  return pose_at(motion, frame, {&all, 1}, scratch);
}

}  // namespace thigmo
