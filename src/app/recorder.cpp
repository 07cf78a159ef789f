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

// Whether what a file of fixed vertices shows is there from the first frame to the last.
Result<Done> check_stay(std::span<const Epoch> epochs, const Simulation& simulation,
                        const std::string& output) {
  for (const Track& track : make_tracks(epochs, simulation.registry)) {
    if (track.first_epoch == 0 && track.last_epoch + 1 == epochs.size()) continue;
    return comes_or_goes(track.name, output);
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
  for (const OutputSource& output : scenario.outputs) {
    exactly_ = exactly_ || !output.colour.empty();
    const FileFormat* format = written_format(output.file);
    if (output.kind == OutputKind::plants && format != nullptr && has_fixed_vertices(*format)) {
      fixed_output_ = output.file;
    }
  }
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
    recorder.largest_ = std::max(recorder.largest_, recorder.sizes_.back());
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
    if (Result<Done> done = note_plants(simulation); !done) return done;
    times_.push_back(time);
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const Plant& plant = simulation.plants[i].model->plant;
      if (Result<Done> done = check_reach(plant, poses[i], sizes_[i], precision_); !done)
        return done;
    }
    return file_->append(poses);
  };
}

Result<Done> Recorder::note_plants(const Simulation& simulation) {
  if (epochs_.empty() || !goes_on(epochs_.back(), simulation, exactly_)) {
    const bool first = epochs_.empty();
    epochs_.push_back(epoch_of(simulation, file_->frames()));
    std::vector<Index> segments;
    for (const SimulatedPlant& plant : simulation.plants) {
      segments.push_back(segment_count(plant.model->plant));
    }
    file_->change_plants(std::move(segments));
    // Pieces are told apart where the plants of the start are.
    if (!first || sizes_.size() != simulation.plants.size())
      sizes_.assign(simulation.plants.size(), largest_);
    if (!first && !fixed_output_.empty()) {
      if (Result<Done> done = check_stay(epochs_, simulation, fixed_output_); !done) return done;
    }
  }
  if (!exactly_) return Done{};
  Epoch& epoch = epochs_.back();
  epoch.gravity_world = simulation.gravity_world;
  for (std::size_t i = 0; i < epoch.plants.size(); ++i) {
    epoch.plants[i].points = standing_loads(simulation, i);
  }
  return Done{};
}

void Recorder::end(const Simulation& simulation) {
  if (epochs_.size() > 1) tracks_ = make_tracks(epochs_, simulation.registry);
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

std::vector<std::size_t> Recorder::frames_at(double rate, std::vector<double>& times) const {
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
  return frames;
}

Film Recorder::film_at_rate(double rate, AllColumns columns) const {
  Film film;
  std::vector<double> times;
  film.frames = frames_at(rate, times);
  if (epochs_.size() == 1) {
    const std::vector<EpochPlant>& plants = epochs_.front().plants;
    for (std::size_t i = 0; i < plants.size(); ++i) {
      film.motions.push_back(file_->motion(i, times, film.frames));
      film.plants.push_back({.plant = &plants[i].model->plant,
                             .motion = nullptr,
                             .stands = plants[i].stands,
                             .name = plants[i].name});
    }
    film.columns.assign(columns.begin(), columns.end());
  }
  for (const Track& track : tracks_) {
    const Life life = life_of(track, epochs_, film.frames);
    if (life.from >= std::min(life.until, film.frames.size())) continue;
    film.motions.push_back(motion_of(track, epochs_, *file_, times, film.frames));
    film.plants.push_back({.plant = track.plant.get(),
                           .motion = nullptr,
                           .stands = track.stands,
                           .name = track.name,
                           .life = life});
    film.columns.push_back(columns_of(track, epochs_, columns));
  }
  for (std::size_t i = 0; i < film.plants.size(); ++i) film.plants[i].motion = &film.motions[i];
  return film;
}

const Epoch& Recorder::epoch_of_frame(std::size_t frame) const {
  return epochs_[epoch_at(epochs_, frame)];
}

std::vector<Pose> Recorder::poses_at(std::size_t frame) const {
  const Epoch& epoch = epoch_of_frame(frame);
  std::vector<Pose> poses(epoch.plants.size());
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Motion motion = file_->motion(i, {times_[frame]}, {frame});
    pose_at(motion, 0, poses[i]);
  }
  return poses;
}

}  // namespace thigmo
