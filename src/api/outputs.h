#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "api/common.h"
#include "api/formats.h"
#include "plant/motion.h"
#include "simulation/between_steps.h"

namespace thigmo {

// Keeps the poses and probe readings that a scenario's outputs will need: poses in a nameless file,
// so that the memory does not grow with the length of the run.
class Recorder {
 public:
  // The file is in `folder`; refused when the disk has no room for it, or an output cannot hold the plants'
  // sizes.
  static Result<Recorder> open(const Scenario& scenario, const Simulation& simulation,
                               const std::string& folder);

  // Called before the first step and after each.
  Result<Done> record(const Simulation& simulation);

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

  // Frames at k / rate, and single moments.
  struct Series {
    double rate = 0;  // [1/s]
    std::size_t next = 0;
  };
  std::optional<double> next_time() const;
  Result<Done> append(const Simulation& simulation);
  void pass(double time);

  std::vector<Series> series_;
  std::vector<double> moments_;  // falling [s]
  double step_;                  // [s]
  double duration_;
  double start_;                    // [s]
  StepBegin begin_;                 // of the step that is being taken, where a frame falls into it
  std::unique_ptr<PoseFile> file_;  // motions hold on to its place
  std::vector<double> times_;       // of its frames [s]
  std::vector<Pose> poses_;         // scratch
  Precision precision_ = Precision::full;  // the lowest of what will be written
  std::vector<double> sizes_;              // of the plants [m]
  bool keep_probes_ = false;
  std::vector<double> probe_times_;
  std::vector<std::vector<Vec3>> probe_tracks_;
};

// What would stop an output, known before anything is simulated: names of values, meshes of organs, the
// program that encodes videos.
Result<Done> check_outputs(const Scenario& scenario);

// Refuses more frames than a folder should have files.
Result<Done> check_frame_files(PlantFile format, std::size_t frames);

// Frames of an animation, at k / rate for k = 0, 1, …
std::size_t frames_at_rate(double duration, double rate);

// The frames that a run from `start` [s] on has of an animation: at least one, which may be its start.
struct FrameRange {
  std::size_t first = 0, count = 0;
};
FrameRange frames_from(const Scenario& scenario, double start, double rate);

// Every file that an output of a run from `start` [s] on writes, as a name inside the run's folder.
std::vector<std::string> output_files(const OutputSource& output, const Scenario& scenario,
                                      double start);

// Whether every file of the run can be written, and none twice, before any work is done for it. The
// folder must be there.
Result<Done> check_run_files(const Scenario& scenario, const RunRequest& request,
                             const Inputs& inputs, double start);

// Writes one output into the folder; nothing when the request is cancelled.
Result<WrittenFiles> write_output(const OutputSource& output, const Scenario& scenario,
                                  const Simulation& simulation, const Recorder& recorder,
                                  std::span<const std::shared_ptr<const PlantColumns>> columns,
                                  const Inputs& inputs, const RunRequest& request);

}  // namespace thigmo
