#include "app/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/statics.h"
#include "app/surface.h"
#include "app/view.h"
#include "base/assert.h"
#include "io/disk/file.h"
#include "io/disk/video.h"
#include "io/textures/png.h"
#include "render/plot.h"

namespace thigmo {
namespace {

bool cancelled(const RunRequest& request) { return request.cancel && request.cancel->load(); }

void report(const RunRequest& request, const std::string& stage, double fraction) {
  if (request.on_progress) request.on_progress({.stage = stage, .fraction = fraction});
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

Result<Camera> camera_for(const Studio& studio, std::span<const MovingPlant> plants) {
  return camera_of(studio.view, plants,
                   static_cast<double>(studio.options.width) / studio.options.height);
}

// The plants that there were at a recorded frame, in their poses, which stand in `poses`.
std::vector<Sitter> sitters_at(const Simulation& simulation, const Recorder& recorder,
                               std::size_t frame, std::vector<Pose>& poses) {
  const Epoch& epoch = recorder.epoch_of_frame(frame);
  // At the end loads are those of the run's.
  const bool at_end = recorder.is_last(epoch) && goes_on(epoch, simulation, true);
  std::vector<Sitter> sitters;
  poses = recorder.poses_at(frame);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const EpochPlant& plant = epoch.plants[i];
    sitters.push_back({{&plant.model->plant, &poses[i]},
                       &plant.model->mechanism,
                       at_end ? simulation.gravity_world : epoch.gravity_world,
                       at_end ? standing_loads(simulation, i) : plant.points});
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
  std::vector<Pose> poses;
  const std::size_t frame = recorder.nearest_frame(output.time);
  const std::vector<Sitter> sitters = sitters_at(simulation, recorder, frame, poses);
  studio->options.range = joined_range(studio->view, sitters, {});
  std::vector<Motion> motions;
  for (const Pose& pose : poses) motions.push_back({.times = {output.time}, .poses = {pose}});
  std::vector<MovingPlant> plants;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const EpochPlant& plant = recorder.epoch_of_frame(frame).plants[i];
    plants.push_back({.plant = &plant.model->plant,
                      .motion = &motions[i],
                      .stands = plant.stands,
                      .name = plant.name});
  }
  const Result<Camera> camera = camera_for(*studio, plants);
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
  const Film film = recorder.film_at_rate(output.rate, {});
  Result<Studio> studio = make_studio(output, scenario, request);
  if (!studio) return studio.diagnostics();
  const Result<Camera> camera = camera_for(*studio, film.plants);
  if (!camera) return camera.diagnostics();
  Result<VideoWriter> video = VideoWriter::open(path, {.width = output.width,
                                                       .height = output.height,
                                                       .frames_per_second = output.rate,
                                                       .threads = request.threads});
  if (!video) return video.diagnostics();
  const std::size_t frames = film.frames.size();
  std::vector<Pose> poses;
  // A colour means the same value in every frame.
  std::optional<ValueRange> range;
  for (std::size_t frame = 0; frame < frames && !output.colour.empty(); ++frame) {
    range = joined_range(studio->view, sitters_at(simulation, recorder, film.frames[frame], poses),
                         range);
  }
  studio->options.range = range.value_or(ValueRange{});
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const std::vector<Sitter> sitters = sitters_at(simulation, recorder, film.frames[frame], poses);
    const Result<Image> image = draw_view(studio->view, sitters, *camera, studio->options);
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
  // Its way ends where its segment does.
  std::vector<double> times = recorder.probe_times();
  std::vector<Vec3> track = recorder.probe_track(probe);
  const auto gone =
      std::find_if(track.begin(), track.end(), [](const Vec3& p) { return std::isnan(p.x); });
  times.resize(static_cast<std::size_t>(gone - track.begin()));
  track.resize(times.size());
  if (track.empty()) {
    return error(fmt::format("'{}' cannot be drawn: the segment of the probe '{}' is gone",
                             output.file, output.probe));
  }
  const Image plot = plot_sway(title, times, track, output.width, output.height);
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
      const Film film = recorder.film_at_rate(output.rate, columns);
      const FileFormat* format = written_format(output.file);
      THIGMO_ASSERT(format != nullptr);
      const Result<MeshOptions> surface = mesh_options(surface_detail(output, scenario.organs));
      if (!surface) return surface.diagnostics();
      return write_plants(
          path, *format, film.plants,
          {.max_joints = output.max_joints,
           .lines = output.lines,
           .style = output.style,
           .surface = *surface,
           .columns = film.columns,
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

Result<Done> check_outputs(const Scenario& scenario) {
  for (const OutputSource& output : scenario.outputs) {
    if (output.kind == OutputKind::video) {
      if (Result<Done> there = check_ffmpeg(); !there) return there;
    }
    if (const Result<Done> done = check_view(view_of(output, scenario.organs)); !done) return done;
    const Result<MeshOptions> surface = mesh_options(surface_detail(output, scenario.organs));
    if (!surface) return surface.diagnostics();
    const FileFormat* format = written_format(output.file);
    if (output.kind != OutputKind::plants || format == nullptr) continue;
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
  const FileFormat* format = written_format(output.file);
  THIGMO_ASSERT(format != nullptr);
  const FrameRange frames = frames_from(scenario, start, output.rate);
  return plant_file_paths(output.file, *format, frames.count, frames.first);
}

Result<Done> check_frame_files(const FileFormat& format, std::size_t frames) {
  constexpr std::size_t most = 1'000'000;
  if (frames <= most || format.frames != FramesIn::numbered_files) return Done{};
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
  for (const auto& [path, writer] :
       {std::pair(request.save_file, "the snapshot"), std::pair(request.log_file, "the log")}) {
    if (path.empty()) continue;
    if (Result<Done> done = check_writable(path); !done) return done;
    if (Result<Done> done = add(plain_path(path), writer); !done) return done;
  }
  return Done{};
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
