#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/epoch.h"
#include "app/tracks.h"
#include "io/disk/pose_file.h"
#include "io/tables/attribute.h"
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

// The plants of an animation as files show them; see tracks.h. Recorder and film must outlive the plants.
struct Film {
  std::vector<std::size_t> frames;  // of the recording
  std::vector<Motion> motions;
  std::vector<MovingPlant> plants;
  std::vector<std::shared_ptr<const PlantColumns>> columns;  // of each plant
};

// The columns that came with the plants of the begin.
using AllColumns = std::span<const std::shared_ptr<const PlantColumns>>;

// Keeps the poses and probe readings that a scenario's outputs will need: poses in a nameless file,
// so that the memory does not grow with the length of the run. Plants may be edited meanwhile: those of before
// are kept in memory.
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

  // Once the last frame is kept, and before they are asked for.
  void end(const Simulation& simulation);

  // The plants at each frame of an animation at `rate` frames per second, those that were reached.
  Film film_at_rate(double rate, AllColumns columns) const;
  // The recorded frame nearest to a time that an output asked for.
  std::size_t nearest_frame(double time) const;
  // The plants that there were at a frame, and their poses.
  const Epoch& epoch_of_frame(std::size_t frame) const;
  std::vector<Pose> poses_at(std::size_t frame) const;
  // Whether these still are the plants of the recording's end.
  bool is_last(const Epoch& epoch) const { return &epoch == &epochs_.back(); }
  const PoseFile* source() const { return file_.get(); }
  double start() const { return start_; }  // when the recorded run began [s]

  const std::vector<double>& probe_times() const { return probe_times_; }
  const std::vector<Vec3>& probe_track(std::size_t probe) const { return probe_tracks_[probe]; }

 private:
  Recorder(const Scenario& scenario, const Simulation& simulation);
  // Begins another epoch where plants have changed since the last frame.
  Result<Done> note_plants(const Simulation& simulation);
  std::vector<std::size_t> frames_at(double rate, std::vector<double>& times) const;

  double step_;                     // [s]
  double duration_;                 // [s]
  double start_;                    // [s]
  std::vector<double> wanted_;      // times of all frames and pictures, rising [s]
  std::unique_ptr<PoseFile> file_;  // motions hold on to its place
  std::vector<double> times_;       // of its frames [s]
  std::vector<Epoch> epochs_;
  std::vector<Track> tracks_;  // none: there is one epoch
  bool exactly_ = false;       // an output shows what mechanisms say
  std::string
      fixed_output_;  // one whose vertices are the same in every frame; empty: there is none
  Precision precision_ = Precision::full;  // the lowest of what will be written
  std::vector<double> sizes_;              // of the plants [m]
  double largest_ = 0;                     // of those at the start [m]
  bool keep_probes_ = false;
  std::vector<double> probe_times_;
  std::vector<std::vector<Vec3>> probe_tracks_;
};

}  // namespace thigmo
