#include "app/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/formats.h"
#include "app/surface.h"
#include "app/view.h"
#include "mesh/mesh_size.h"

namespace thigmo {
namespace {

// What the output's numbers hold.
Precision precision_of(const OutputSource& output) {
  if (output.kind == OutputKind::plot) return Precision::full;
  const FileFormat* format = written_format(output.file);
  return format != nullptr ? precision_of(*format, output.lines) : Precision::single;
}

// The frames of an output; 0: it needs no poses.
std::size_t frames_of(const OutputSource& output, double duration) {
  switch (output.kind) {
    case OutputKind::picture:
      return 1;
    case OutputKind::plot:
      return 0;
    case OutputKind::plants:
    case OutputKind::video:
      break;
  }
  return frames_at_rate(duration, output.rate);
}

double frame_count(const Scenario& scenario) {
  double count = 0;
  for (const OutputSource& output : scenario.outputs) {
    count += static_cast<double>(frames_of(output, scenario.duration));
  }
  return count;
}

std::vector<double> frame_times(const Scenario& scenario) {
  std::vector<double> times;
  for (const OutputSource& output : scenario.outputs) {
    const double first = std::min(output.time, scenario.duration);
    for (std::size_t k = 0; k < frames_of(output, scenario.duration); ++k) {
      times.push_back(output.kind == OutputKind::picture ? first
                                                         : static_cast<double>(k) / output.rate);
    }
  }
  return times;
}

// Every time once, in order. A run that goes on from a snapshot has nothing before it: what is asked for
// there is as at its start.
std::vector<double> merged(std::vector<double> times, double start, double tolerance) {
  std::sort(times.begin(), times.end());
  std::vector<double> merged;
  for (const double time : times) {
    const bool too_early = time < start - tolerance;
    if (merged.empty()) merged.push_back(too_early ? start : time);
    if (time > merged.back() + tolerance) merged.push_back(time);
  }
  return merged;
}

// Whether the surfaces that will be written or drawn fit the memory. Of pictures it is not known yet how
// finely leaves are drawn: as coarsely as they may be.
Result<Done> check_meshes(const Scenario& scenario, const Simulation& simulation) {
  std::vector<MovingPlant> plants;
  for (const SimulatedPlant& plant : simulation.plants) plants.push_back(standing(plant));
  for (const OutputSource& output : scenario.outputs) {
    const bool picture = output.kind == OutputKind::picture || output.kind == OutputKind::video;
    if (precision_of(output) == Precision::full || (picture && output.wireframe)) continue;
    if (!picture && output.kind != OutputKind::plants) continue;
    Result<MeshOptions> surface = mesh_options(surface_detail(output, scenario.organs));
    if (!surface) return surface.diagnostics();
    if (picture) surface->leaf_rows = coarsest_leaf_rows;
    const Result<Done> done =
        check_mesh(plants, *surface, picture ? MeshUse::picture : MeshUse::file);
    if (!done) return done;
  }
  return Done{};
}

}  // namespace

std::size_t frames_at_rate(double duration, double rate) {
  return static_cast<std::size_t>(std::floor(duration * rate + 1e-6)) + 1;
}

Recorder::Recorder(const Scenario& scenario, const Simulation& simulation)
    : step_(scenario.step),
      duration_(scenario.duration),
      start_(simulation.time),
      probe_tracks_(simulation.probes.size()) {
  keep_probes_ =
      std::any_of(scenario.outputs.begin(), scenario.outputs.end(),
                  [](const OutputSource& output) { return output.kind == OutputKind::plot; });
}

Result<Recorder> Recorder::open(const Scenario& scenario, const Simulation& simulation,
                                const std::string& folder) {
  Recorder recorder(scenario, simulation);
  const double frames = frame_count(scenario);
  if (frames == 0) return recorder;
  std::vector<Index> segments;
  for (const SimulatedPlant& plant : simulation.plants) {
    const Plant& modelled = plant.model->plant;
    segments.push_back(segment_count(modelled));
    const Pose rest = rest_pose(modelled, plant.stands);
    recorder.sizes_.push_back(plant_size(modelled, rest));
    for (const OutputSource& output : scenario.outputs) {
      const Precision precision = precision_of(output);
      if (const Result<Done> done = check_sizes(modelled, rest, precision); !done)
        return done.diagnostics();
      recorder.precision_ = std::max(recorder.precision_, precision);
    }
  }
  if (const Result<Done> done = check_meshes(scenario, simulation); !done)
    return done.diagnostics();
  const double bytes = frames * segment_count(simulation) * PoseFile::bytes_per_segment();
  const std::optional<double> room = PoseFile::free_bytes(folder);
  if (room && bytes > *room) {
    return error(fmt::format("{:.0f} frames of {} segments take {:.3g} MB while they are written, "
                             "and '{}' has room for {:.3g} MB",
                             frames, segment_count(simulation), bytes / 1e6, folder, *room / 1e6),
                 "give the outputs a lower rate or the run a shorter duration");
  }
  Result<PoseFile> file = PoseFile::open(folder, std::move(segments));
  if (!file) return file.diagnostics();
  recorder.file_ = std::make_unique<PoseFile>(std::move(*file));
  recorder.wanted_ = merged(frame_times(scenario), recorder.start_, same_time * scenario.step);
  return recorder;
}

void Recorder::attend(const Simulation& simulation, Course& course) {
  course.same_time = same_time;
  course.frames = wanted_;
  // Refused where a plant has gone farther than what will be written can hold.
  course.at_frame = [this, &simulation](double time,
                                        const std::vector<Pose>& poses) -> Result<Done> {
    times_.push_back(time);
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const Plant& plant = simulation.plants[i].model->plant;
      if (Result<Done> done = check_reach(plant, poses[i], sizes_[i], precision_); !done)
        return done;
    }
    return file_->append(poses);
  };
}

void Recorder::record_probes(const Simulation& simulation) {
  if (!keep_probes_) return;
  probe_times_.push_back(simulation.time);
  for (std::size_t i = 0; i < probe_tracks_.size(); ++i) {
    probe_tracks_[i].push_back(probe_motion(simulation, simulation.probes[i]).position_world);
  }
}

std::size_t Recorder::nearest_frame(double time) const {
  const auto after = std::lower_bound(times_.begin(), times_.end(), time);
  if (after == times_.begin()) return 0;
  if (after == times_.end()) return times_.size() - 1;
  const auto index = static_cast<std::size_t>(after - times_.begin());
  return time - times_[index - 1] < times_[index] - time ? index - 1 : index;
}

Motion Recorder::motion_at_rate(std::size_t plant, double rate) const {
  std::vector<double> times;
  std::vector<std::size_t> frames;
  for (std::size_t i = 0; i < frames_at_rate(duration_, rate); ++i) {
    const double time = static_cast<double>(i) / rate;
    const std::size_t frame = nearest_frame(time);
    // Not those before a snapshot from which the run went on.
    if (std::abs(times_[frame] - time) > same_time * step_) continue;
    times.push_back(time);
    frames.push_back(frame);
  }
  if (times.empty()) {
    times.push_back(times_.front());
    frames.push_back(0);
  }
  return file_->motion(plant, std::move(times), std::move(frames));
}

Pose Recorder::pose_at(std::size_t plant, double time) const {
  const Motion motion = file_->motion(plant, {time}, {nearest_frame(time)});
  Pose pose;
  return thigmo::pose_at(motion, 0, pose);
}

}  // namespace thigmo
