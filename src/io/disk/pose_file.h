#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "plant/motion.h"

namespace thigmo {

// The poses of some plants, frame by frame, in a file without a name: what a run keeps for its
// writers without holding it in memory. Whatever happens, nothing of it stays on the disk. Which plants there
// are may change between two frames.
class PoseFile {
 public:
  // In this folder; `segments` of each plant.
  static Result<PoseFile> open(const std::string& folder, std::vector<Index> segments);
  PoseFile(PoseFile&& other) noexcept;
  PoseFile& operator=(PoseFile&&) = delete;
  ~PoseFile();

  // From the next frame on there are other plants: `segments` of each.
  void change_plants(std::vector<Index> segments);

  // One pose for each plant.
  Result<Done> append(std::span<const Pose> poses);
  std::size_t frames() const { return frames_; }

  // The poses of one plant at these frames of the file, between which the plants do not change. The file must
  // outlive the motion.
  Motion motion(std::size_t plant, std::vector<double> times,
                std::vector<std::size_t> frames) const;

  // Puts a range of a plant's segments at a frame into a pose, which has room for them from `to` on.
  void read_segments(std::size_t plant, std::size_t frame, SegmentRange range, Index to,
                     Pose& pose) const;
  // Where the plant's own frame is.
  void read_root(std::size_t plant, std::size_t frame, PlantFrame& root) const;

  // A read that failed leaves its pose as it was and is told here: to be asked before what was made
  // of the poses is used.
  std::optional<Diagnostic> failure() const;

  // What a frame takes on the disk, and what is free in a folder; none where that is not known.
  static double bytes_per_segment();
  static std::optional<double> free_bytes(const std::string& folder);

 private:
  // A run of frames with the same plants. Places count frames of plants and of segments.
  struct Layout {
    std::size_t first_frame = 0;
    std::size_t first_place = 0;  // of that frame in the file
    std::vector<Index> segments;
    std::vector<std::size_t> first;  // place of each plant within a frame, and of all together
    std::size_t place(std::size_t frame) const {
      return first_place + (frame - first_frame) * first.back();
    }
  };

  PoseFile(int descriptor, std::string folder);
  const Layout& layout_at(std::size_t frame) const;
  // From a place in the file on; false: it could not be read.
  bool read_placed(std::size_t first, std::span<std::byte> to) const;

  int descriptor_ = -1;
  std::string folder_;
  std::vector<Layout> layouts_;
  std::size_t frames_ = 0;
  std::vector<char> buffer_;
  mutable int failed_code_ = 0;
};

}  // namespace thigmo
