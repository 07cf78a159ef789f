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
// writers without holding it in memory. Whatever happens, nothing of it stays on the disk.
class PoseFile {
 public:
  // In this folder; `segments` of each plant.
  static Result<PoseFile> open(const std::string& folder, std::vector<Index> segments);
  PoseFile(PoseFile&& other) noexcept;
  PoseFile& operator=(PoseFile&&) = delete;
  ~PoseFile();

  // One pose for each plant.
  Result<Done> append(std::span<const Pose> poses);
  std::size_t frames() const { return frames_; }

  // The poses of one plant at these frames of the file. The file must outlive the motion.
  Motion motion(std::size_t plant, std::vector<double> times,
                std::vector<std::size_t> frames) const;

  // A read that failed leaves its pose as it was and is told here: to be asked before what was made
  // of the poses is used.
  std::optional<Diagnostic> failure() const;

  // What a frame takes on the disk, and what is free in a folder; none where that is not known.
  static double bytes_per_segment();
  static std::optional<double> free_bytes(const std::string& folder);

 private:
  PoseFile(int descriptor, std::string folder, std::vector<Index> segments);
  void read(std::size_t plant, std::size_t frame, SegmentRange range, Pose& pose) const;
  // Frames of plants and segments from a place in the file on; false: it could not be read.
  bool read_placed(std::size_t first, std::span<std::byte> to) const;

  int descriptor_ = -1;
  std::string folder_;
  std::vector<Index> segments_;
  std::vector<std::size_t> first_;  // place of each plant within a frame, and of all together
  std::size_t frames_ = 0;
  std::vector<char> buffer_;
  mutable int failed_code_ = 0;
};

}  // namespace thigmo
