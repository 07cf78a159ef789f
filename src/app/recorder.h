#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/disk/pose_file.h"
#include "plant/motion.h"
#include "plant/sizes.h"
#include "scenario/scenario.h"
#include "simulation/advance.h"

namespace thigmo {

// Part of a step that does not tell two times apart: a step written with few digits may end its run by a
// thousandth of it too early (step_count).
inline constexpr double same_time = 2e-3;

// Frames of an animation, at k / rate for k = 0, 1, …
std::size_t frames_at_rate(double duration, double rate);

// Keeps the poses and probe readings that a scenario's outputs will need: poses in a nameless file,
// so that the memory does not grow with the length of the run.
class Recorder {
 public:
  // The file is in `folder`; refused when the disk has no room for it, or an output cannot hold the plants'
  // sizes.
  static Result<Recorder> open(const Scenario& scenario, const Simulation& simulation,
                               const std::string& folder);

  // Asks a course for the frames of the outputs, and keeps them. The recorder must outlive it.
  void attend(const Simulation& simulation, Course& course);
  // Keeps where the probes are, if a plot needs it: before the first step and after each.
  void record_probes(const Simulation& simulation);

  // The poses of a plant at each frame of an animation at `rate` frames per second, those that were
  // reached. The recorder must outlive them.
  Motion motion_at_rate(std::size_t plant, double rate) const;
  // The pose of a plant at a time that an output asked for.
  Pose pose_at(std::size_t plant, double time) const;
  const PoseFile* source() const { return file_.get(); }
  double start() const { return start_; }  // when the recorded run began [s]

  const std::vector<double>& probe_times() const { return probe_times_; }
  const std::vector<Vec3>& probe_track(std::size_t probe) const { return probe_tracks_[probe]; }

 private:
  Recorder(const Scenario& scenario, const Simulation& simulation);
  std::size_t nearest_frame(double time) const;

  double step_;                            // [s]
  double duration_;                        // [s]
  double start_;                           // [s]
  std::vector<double> wanted_;             // times of all frames and pictures, rising [s]
  std::unique_ptr<PoseFile> file_;         // motions hold on to its place
  std::vector<double> times_;              // of its frames [s]
  Precision precision_ = Precision::full;  // the lowest of what will be written
  std::vector<double> sizes_;              // of the plants [m]
  bool keep_probes_ = false;
  std::vector<double> probe_times_;
  std::vector<std::vector<Vec3>> probe_tracks_;
};

}  // namespace thigmo
