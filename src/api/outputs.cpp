#include "api/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "api/statics.h"
#include "api/surface.h"
#include "api/view.h"
#include "base/assert.h"
#include "io/file.h"
#include "io/png.h"
#include "io/video.h"
#include "mesh/mesh_size.h"
#include "render/plot.h"

namespace thigmo {
namespace {

// Part of a step that does not tell two times apart: a step written with few digits may end its run
// by a thousandth of it too early (step_count).
constexpr double same_time = 2e-3;

bool cancelled(const RunRequest& request) { return request.cancel && request.cancel->load(); }

void report(const RunRequest& request, const std::string& stage, double fraction) {
  if (request.on_progress) request.on_progress({.stage = stage, .fraction = fraction});
}

// What the output's numbers hold.
Precision precision_of(const OutputSource& output) {
  if (output.kind == OutputKind::plot) return Precision::full;
  const std::optional<PlantFile> format = plant_file(output.file);
  return format ? precision_of(*format, output.lines) : Precision::single;
}

// A view of several plants over their motions.
std::vector<MovingPlant> moving_plants(const Simulation& simulation,
                                       const std::vector<Motion>& motions) {
  std::vector<MovingPlant> moving;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    moving.push_back({.plant = &simulation.plants[i].plant, .motion = &motions[i]});
  }
  return moving;
}

std::vector<Motion> all_motions(const Simulation& simulation, const Recorder& recorder,
                                double rate) {
  std::vector<Motion> motions;
  for (std::size_t i = 0; i < simulation.plants.size(); ++i) {
    motions.push_back(recorder.motion_at_rate(i, rate));
  }
  return motions;
}

// Everything that a picture or video of an output needs beside the poses.
struct Studio {
  View view;
  RenderOptions options;
};
Result<Studio> make_studio(const OutputSource& output, const Scenario& scenario,
                           const RunRequest& request) {
  Studio studio{.view = view_of(output, scenario.organs), .options = {}};
  const Result<MeshOptions> surface = mesh_options(studio.view.surface);
  if (!surface) return surface.diagnostics();
  studio.options = {.width = output.width,
                    .height = output.height,
                    .samples = output.samples,
                    .threads = request.threads,
                    .surface = *surface,
                    .cancel = request.cancel};
  if (!output.ground) studio.options.ground_height.reset();
  return studio;
}

Result<Camera> camera_for(const Studio& studio, const Simulation& simulation,
                          const std::vector<Motion>& motions) {
  return camera_of(studio.view, moving_plants(simulation, motions),
                   static_cast<double>(studio.options.width) / studio.options.height);
}

// The plants of a simulation in the poses of a frame, which stand in `poses`.
std::vector<Sitter> sitters_at(const Simulation& simulation, const std::vector<Motion>& motions,
                               std::size_t frame, std::vector<Pose>& poses) {
  std::vector<Sitter> sitters;
  poses.resize(motions.size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const SimulatedPlant& plant = simulation.plants[i];
    sitters.push_back({&plant.plant, &plant.mechanism, &pose_at(motions[i], frame, poses[i]),
                       simulation.gravity_world, standing_loads(simulation, i)});
  }
  return sitters;
}

// Whether all poses that were drawn could be read.
Result<Done> check_source(const Recorder& recorder) {
  if (recorder.source() == nullptr) return Done{};
  if (const std::optional<Diagnostic> failure = recorder.source()->failure()) return *failure;
  return Done{};
}

Result<Done> write_picture(const std::string& path, const OutputSource& output,
                           const Scenario& scenario, const Simulation& simulation,
                           const Recorder& recorder, const RunRequest& request) {
  Result<Studio> studio = make_studio(output, scenario, request);
  if (!studio) return studio.diagnostics();
  std::vector<Motion> motions;
  for (std::size_t i = 0; i < simulation.plants.size(); ++i) {
    motions.push_back({.times = {output.time}, .poses = {recorder.pose_at(i, output.time)}});
  }
  std::vector<Pose> poses;
  const std::vector<Sitter> sitters = sitters_at(simulation, motions, 0, poses);
  studio->options.range = joined_range(studio->view, sitters, {});
  const Result<Camera> camera = camera_for(*studio, simulation, motions);
  if (!camera) return camera.diagnostics();
  const Result<Image> image = draw_view(studio->view, sitters, *camera, studio->options);
  if (!image) return image.diagnostics();
  if (cancelled(request)) return Done{};
  if (Result<Done> sound = check_source(recorder); !sound) return sound;
  return write_file(path, png_bytes(*image));
}

Result<Done> write_video(const std::string& path, const OutputSource& output,
                         const Scenario& scenario, const Simulation& simulation,
                         const Recorder& recorder, const RunRequest& request) {
  const std::vector<Motion> motions = all_motions(simulation, recorder, output.rate);
  Result<Studio> studio = make_studio(output, scenario, request);
  if (!studio) return studio.diagnostics();
  const Result<Camera> camera = camera_for(*studio, simulation, motions);
  if (!camera) return camera.diagnostics();
  Result<VideoWriter> video = VideoWriter::open(path, {.width = output.width,
                                                       .height = output.height,
                                                       .frames_per_second = output.rate,
                                                       .threads = request.threads});
  if (!video) return video.diagnostics();
  const std::size_t frames = motions.front().times.size();
  std::vector<Pose> poses;
  // A colour means the same value in every frame.
  std::optional<ValueRange> range;
  for (std::size_t frame = 0; frame < frames && !output.colour.empty(); ++frame) {
    range = joined_range(studio->view, sitters_at(simulation, motions, frame, poses), range);
  }
  studio->options.range = range.value_or(ValueRange{});
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const Result<Image> image = draw_view(
        studio->view, sitters_at(simulation, motions, frame, poses), *camera, studio->options);
    if (!image) return image.diagnostics();
    if (cancelled(request)) return Done{};
    const Result<Done> added = video->add(*image);
    if (!added) return added;
    report(request, output.file, static_cast<double>(frame + 1) / static_cast<double>(frames));
  }
  if (Result<Done> sound = check_source(recorder); !sound) return sound;
  return video->finish();
}

Result<Done> write_plot(const std::string& path, const OutputSource& output,
                        const Simulation& simulation, const Recorder& recorder,
                        const std::string& title) {
  std::size_t probe = 0;
  while (simulation.probes[probe].name != output.probe) ++probe;
  const Image plot = plot_sway(title, recorder.probe_times(), recorder.probe_track(probe),
                               output.width, output.height);
  return write_file(path, png_bytes(plot));
}

Result<WrittenFiles> one_file(const Result<Done>& done, const std::string& path) {
  if (!done) return done.diagnostics();
  return WrittenFiles{.paths = {path}};
}

Result<WrittenFiles> write_kind(const std::string& path, const OutputSource& output,
                                const Scenario& scenario, const Simulation& simulation,
                                const Recorder& recorder,
                                std::span<const std::shared_ptr<const PlantColumns>> columns,
                                const Inputs& inputs, const RunRequest& request) {
  switch (output.kind) {
    case OutputKind::plants: {
      const std::vector<Motion> motions = all_motions(simulation, recorder, output.rate);
      const std::optional<PlantFile> format = plant_file(output.file);
      THIGMO_ASSERT(format);
      const Result<MeshOptions> surface = mesh_options(surface_detail(output, scenario.organs));
      if (!surface) return surface.diagnostics();
      return write_plants(
          path, *format, moving_plants(simulation, motions),
          {.max_joints = output.max_joints,
           .lines = output.lines,
           .style = output.style,
           .surface = *surface,
           .columns = columns,
           .first_frame = frames_from(scenario, recorder.start(), output.rate).first,
           .inputs = &inputs,
           .source = recorder.source(),
           .cancel = request.cancel});
    }
    case OutputKind::picture:
      return one_file(write_picture(path, output, scenario, simulation, recorder, request), path);
    case OutputKind::video:
      return one_file(write_video(path, output, scenario, simulation, recorder, request), path);
    case OutputKind::plot:
      return one_file(write_plot(path, output, simulation, recorder, scenario.title), path);
  }
  THIGMO_ASSERT(false && "every kind of output is written");
  return WrittenFiles{};
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
  for (const OutputSource& output : scenario.outputs) {
    if (output.kind == OutputKind::picture) {
      moments_.push_back(std::min(output.time, scenario.duration));
    } else if (output.kind == OutputKind::plot) {
      keep_probes_ = true;
    } else {
      series_.push_back({.rate = output.rate});
    }
  }
  std::sort(moments_.begin(), moments_.end(), std::greater<>());
}

// Of the frames and moments to come.
std::optional<double> Recorder::next_time() const {
  std::optional<double> next;
  if (!moments_.empty()) next = moments_.back();
  for (const Series& series : series_) {
    if (series.next >= frames_at_rate(duration_, series.rate)) continue;
    const double time = static_cast<double>(series.next) / series.rate;
    next = std::min(next.value_or(time), time);
  }
  return next;
}

// All frames and moments of this time are done.
void Recorder::pass(double time) {
  while (!moments_.empty() && moments_.back() <= time + same_time * step_) moments_.pop_back();
  for (Series& series : series_) {
    while (series.next < frames_at_rate(duration_, series.rate) &&
           static_cast<double>(series.next) / series.rate <= time + same_time * step_) {
      ++series.next;
    }
  }
}

namespace {

// Whether the surfaces that will be written or drawn fit the memory. Of pictures it is not known yet how
// finely leaves are drawn: as coarsely as they may be.
Result<Done> check_meshes(const Scenario& scenario, const Simulation& simulation) {
  std::vector<MovingPlant> plants;
  for (const SimulatedPlant& plant : simulation.plants) plants.push_back({.plant = &plant.plant});
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

Result<Recorder> Recorder::open(const Scenario& scenario, const Simulation& simulation,
                                const std::string& folder) {
  Recorder recorder(scenario, simulation);
  if (recorder.series_.empty() && recorder.moments_.empty()) return recorder;
  std::vector<Index> segments;
  for (const SimulatedPlant& plant : simulation.plants) {
    segments.push_back(segment_count(plant.plant));
    const Pose rest = rest_pose(plant.plant);
    recorder.sizes_.push_back(plant_size(plant.plant, rest));
    for (const OutputSource& output : scenario.outputs) {
      const Precision precision = precision_of(output);
      if (const Result<Done> done = check_sizes(plant.plant, rest, precision); !done)
        return done.diagnostics();
      recorder.precision_ = std::max(recorder.precision_, precision);
    }
  }
  if (const Result<Done> done = check_meshes(scenario, simulation); !done)
    return done.diagnostics();
  auto frames = static_cast<double>(recorder.moments_.size());
  for (const Series& series : recorder.series_) {
    frames += static_cast<double>(frames_at_rate(scenario.duration, series.rate));
  }
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
  return recorder;
}

// Keeps `poses_`, unless a plant has gone farther than what will be written can hold.
Result<Done> Recorder::append(const Simulation& simulation) {
  for (std::size_t i = 0; i < poses_.size(); ++i) {
    const Plant& plant = simulation.plants[i].plant;
    if (Result<Done> done = check_reach(plant, poses_[i], sizes_[i], precision_); !done)
      return done;
  }
  return file_->append(poses_);
}

Result<Done> Recorder::record(const Simulation& simulation) {
  if (keep_probes_) {
    probe_times_.push_back(simulation.time);
    for (std::size_t i = 0; i < probe_tracks_.size(); ++i) {
      probe_tracks_[i].push_back(probe_motion(simulation, simulation.probes[i]).position_world);
    }
  }
  std::optional<double> next = next_time();
  // A run that goes on from a snapshot has nothing before it; what is asked for there is as there.
  if (times_.empty() && next && *next < simulation.time - same_time * step_) {
    poses_at(simulation, {}, simulation.time, poses_);
    times_.push_back(simulation.time);
    if (const Result<Done> done = append(simulation); !done) return done;
    while ((next = next_time()) && *next <= simulation.time + same_time * step_) pass(*next);
  }
  for (; next && *next <= simulation.time + same_time * step_; next = next_time()) {
    poses_at(simulation, begin_, *next, poses_);
    times_.push_back(*next);
    pass(*next);
    if (const Result<Done> done = append(simulation); !done) return done;
  }
  if (next && *next < simulation.time + (1 - same_time) * step_) keep(simulation, begin_);
  return Done{};
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

Result<Done> check_outputs(const Scenario& scenario) {
  for (const OutputSource& output : scenario.outputs) {
    if (output.kind == OutputKind::video) {
      if (Result<Done> there = check_ffmpeg(); !there) return there;
    }
    if (const Result<Done> done = check_view(view_of(output, scenario.organs)); !done) return done;
    const Result<MeshOptions> surface = mesh_options(surface_detail(output, scenario.organs));
    if (!surface) return surface.diagnostics();
    const std::optional<PlantFile> format = plant_file(output.file);
    if (output.kind != OutputKind::plants || !format) continue;
    const std::size_t frames = frames_at_rate(scenario.duration, output.rate);
    if (const Result<Done> done = check_frame_files(*format, frames); !done) return done;
  }
  return Done{};
}

FrameRange frames_from(const Scenario& scenario, double start, double rate) {
  const std::size_t total = frames_at_rate(scenario.duration, rate);
  const double first = std::ceil((start - same_time * scenario.step) * rate);
  FrameRange range{.first = first > 0 ? static_cast<std::size_t>(first) : 0};
  range.first = std::min(range.first, total - 1);
  range.count = total - range.first;
  return range;
}

std::vector<std::string> output_files(const OutputSource& output, const Scenario& scenario,
                                      double start) {
  if (output.kind != OutputKind::plants) return {output.file};
  const std::optional<PlantFile> format = plant_file(output.file);
  THIGMO_ASSERT(format);
  const FrameRange frames = frames_from(scenario, start, output.rate);
  return plant_file_paths(output.file, *format, frames.count, frames.first);
}

Result<Done> check_frame_files(PlantFile format, std::size_t frames) {
  constexpr std::size_t most = 1'000'000;
  if (frames <= most || plant_file_paths("a.b", format, 2).front() != "a.0000.b") return Done{};
  return error(fmt::format("{} frames in a file each are too many", frames),
               fmt::format("{} are possible; give a lower rate, or a format with all frames in one "
                           "file",
                           most));
}

Result<Done> check_run_files(const Scenario& scenario, const RunRequest& request,
                             const Inputs& inputs, double start) {
  const std::string folder = containing_folder(plain_path(request.out_folder + "/x")) + "/";
  std::map<std::string, std::string> writers;  // of a file, for people
  const auto add = [&](const std::string& path, const std::string& writer) -> Result<Done> {
    Result<Done> spared =
        inputs.spare(path, writer, "give the output another name, or the run another --out");
    if (!spared) return spared;
    const auto [found, is_new] = writers.try_emplace(path, writer);
    if (is_new) return Done{};
    return error(
        fmt::format("'{}' would be written twice: by {} and by {}", path, found->second, writer),
        "give one of them another name");
  };
  std::vector<std::pair<std::string, std::string>> own{{"probes.csv", "every run"},
                                                       {"summary.json", "every run"}};
  if (scenario.energy) own.emplace_back("energy.csv", "the account of energy");
  for (const auto& [name, writer] : own) {
    if (Result<Done> done = check_writable(request.out_folder + "/" + name); !done) return done;
    if (Result<Done> done = add(folder + name, writer); !done) return done;
  }
  for (const OutputSource& output : scenario.outputs) {
    const std::string writer = fmt::format("the output '{}'", output.file);
    for (const std::string& name : output_files(output, scenario, start)) {
      if (Result<Done> done = check_place(request.out_folder + "/" + name); !done) return done;
      if (Result<Done> done = add(folder + name, writer); !done) return done;
    }
  }
  if (request.save_file.empty()) return Done{};
  if (Result<Done> done = check_writable(request.save_file); !done) return done;
  return add(plain_path(request.save_file), "the snapshot");
}

Result<WrittenFiles> write_output(const OutputSource& output, const Scenario& scenario,
                                  const Simulation& simulation, const Recorder& recorder,
                                  std::span<const std::shared_ptr<const PlantColumns>> columns,
                                  const Inputs& inputs, const RunRequest& request) {
  const std::string path = request.out_folder + "/" + output.file;
  report(request, output.file, 0.0);
  Result<WrittenFiles> written =
      write_kind(path, output, scenario, simulation, recorder, columns, inputs, request);
  if (cancelled(request)) return WrittenFiles{};
  if (written) report(request, output.file, 1.0);
  return written;
}

}  // namespace thigmo
