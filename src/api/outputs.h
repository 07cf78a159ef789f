#pragma once

#include <vector>

#include "api/common.h"
#include "api/formats.h"
#include "plant/motion.h"

namespace thigmo {

// Keeps the poses and probe readings that a scenario's outputs will need.
class Recorder {
 public:
  Recorder(const Scenario& scenario, const Simulation& simulation);

  // Why the outputs cannot be recorded: too many frames for the memory they may take.
  Result<Done> check() const;

  // Called before the first step and after each.
  void record(const Simulation& simulation);

  // The poses of a plant nearest to each frame of an animation at `rate` frames per second.
  Motion motion_at_rate(std::size_t plant, double rate) const;
  // The pose of a plant nearest to a time.
  const Pose& pose_at(std::size_t plant, double time) const;

  const std::vector<double>& probe_times() const { return probe_times_; }
  const std::vector<Vec3>& probe_track(std::size_t probe) const { return probe_tracks_[probe]; }

 private:
  std::size_t nearest_frame(double time) const;

  std::vector<double> wanted_times_;  // rising [s]
  std::size_t next_wanted_ = 0;
  double half_step_;
  Index segments_;
  double duration_;
  std::vector<Motion> motions_;  // per plant
  bool keep_probes_ = false;
  std::vector<double> probe_times_;
  std::vector<std::vector<Vec3>> probe_tracks_;
};

// What would stop an output, known before anything is simulated: names of values, meshes of organs.
Result<Done> check_outputs(const Scenario& scenario);

// Writes one output into the folder; nothing when the request is cancelled.
Result<WrittenFiles> write_output(const OutputSource& output, const Scenario& scenario,
                                  const Simulation& simulation, const Recorder& recorder,
                                  const RunRequest& request);

}  // namespace thigmo
