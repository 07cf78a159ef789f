#include "api/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "api/surface.h"
#include "api/view.h"
#include "base/assert.h"
#include "io/file.h"
#include "io/png.h"
#include "io/video.h"
#include "render/plot.h"

namespace thigmo {
namespace {

constexpr double most_recorded_bytes = 8e9;

std::vector<double> frame_times(double duration, double rate) {
  std::vector<double> times;
  const auto count = static_cast<std::size_t>(std::floor(duration * rate + 1e-6));
  for (std::size_t i = 0; i <= count; ++i) times.push_back(static_cast<double>(i) / rate);
  return times;
}

bool cancelled(const RunRequest& request) { return request.cancel && request.cancel->load(); }

void report(const RunRequest& request, const std::string& stage, double fraction) {
  if (request.on_progress) request.on_progress({.stage = stage, .fraction = fraction});
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

Camera camera_for(const Studio& studio, const Simulation& simulation,
                  const std::vector<Motion>& motions) {
  return camera_of(studio.view, moving_plants(simulation, motions),
                   static_cast<double>(studio.options.width) / studio.options.height);
}

std::vector<Sitter> sitters_at(const Simulation& simulation, const std::vector<Motion>& motions,
                               std::size_t frame) {
  std::vector<Sitter> sitters;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const SimulatedPlant& plant = simulation.plants[i];
    sitters.push_back({&plant.plant, &plant.mechanism, &motions[i].poses[frame]});
  }
  return sitters;
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
  const std::vector<Sitter> sitters = sitters_at(simulation, motions, 0);
  studio->options.range = joined_range(studio->view, sitters, {});
  const Image image =
      draw_view(studio->view, sitters, camera_for(*studio, simulation, motions), studio->options);
  if (cancelled(request)) return Done{};
  return write_file(path, png_bytes(image));
}

Result<Done> write_video(const std::string& path, const OutputSource& output,
                         const Scenario& scenario, const Simulation& simulation,
                         const std::vector<Motion>& motions, const RunRequest& request) {
  Result<Studio> studio = make_studio(output, scenario, request);
  if (!studio) return studio.diagnostics();
  Result<VideoWriter> video = VideoWriter::open(path, {.width = output.width,
                                                       .height = output.height,
                                                       .frames_per_second = output.rate,
                                                       .threads = request.threads});
  if (!video) return video.diagnostics();
  const Camera camera = camera_for(*studio, simulation, motions);
  const std::size_t frames = motions.front().poses.size();
  // A colour means the same value in every frame.
  std::optional<ValueRange> range;
  for (std::size_t frame = 0; frame < frames && !output.colour.empty(); ++frame) {
    range = joined_range(studio->view, sitters_at(simulation, motions, frame), range);
  }
  studio->options.range = range.value_or(ValueRange{});
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const Image image =
        draw_view(studio->view, sitters_at(simulation, motions, frame), camera, studio->options);
    if (cancelled(request)) return Done{};
    const Result<Done> added = video->add(image);
    if (!added) return added;
    report(request, output.file, static_cast<double>(frame + 1) / static_cast<double>(frames));
  }
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
                                const Recorder& recorder, const RunRequest& request) {
  switch (output.kind) {
    case OutputKind::plants: {
      const std::vector<Motion> motions = all_motions(simulation, recorder, output.rate);
      const std::optional<PlantFile> format = plant_file(output.file);
      THIGMO_ASSERT(format);
      const Result<MeshOptions> surface = mesh_options(surface_detail(output, scenario.organs));
      if (!surface) return surface.diagnostics();
      return write_plants(path, *format, moving_plants(simulation, motions),
                          {.max_joints = output.max_joints,
                           .lines = output.lines,
                           .style = output.style,
                           .surface = *surface,
                           .cancel = request.cancel});
    }
    case OutputKind::picture:
      return one_file(write_picture(path, output, scenario, simulation, recorder, request), path);
    case OutputKind::video:
      return one_file(write_video(path, output, scenario, simulation,
                                  all_motions(simulation, recorder, output.rate), request),
                      path);
    case OutputKind::plot:
      return one_file(write_plot(path, output, simulation, recorder, scenario.title), path);
  }
  THIGMO_ASSERT(!"every kind of output is written");
  return WrittenFiles{};
}

}  // namespace

Recorder::Recorder(const Scenario& scenario, const Simulation& simulation)
    : half_step_(0.5 * scenario.step),
      segments_(segment_count(simulation)),
      duration_(scenario.duration),
      motions_(simulation.plants.size()),
      probe_tracks_(simulation.probes.size()) {
  for (const OutputSource& output : scenario.outputs) {
    if (output.kind == OutputKind::picture) {
      wanted_times_.push_back(std::min(output.time, scenario.duration));
    } else if (output.kind == OutputKind::plot) {
      keep_probes_ = true;
    } else {
      const std::vector<double> times = frame_times(scenario.duration, output.rate);
      wanted_times_.insert(wanted_times_.end(), times.begin(), times.end());
    }
  }
  std::sort(wanted_times_.begin(), wanted_times_.end());
  wanted_times_.erase(std::unique(wanted_times_.begin(), wanted_times_.end()), wanted_times_.end());
}

Result<Done> Recorder::check() const {
  const double frames = static_cast<double>(wanted_times_.size());
  const double bytes = frames * segments_ * static_cast<double>(sizeof(Vec3) + sizeof(Quat));
  if (bytes <= most_recorded_bytes) return Done{};
  return error(fmt::format("{:.0f} frames of {} segments would take {:.1f} GB to record", frames,
                           segments_, bytes / 1e9),
               "give the outputs a lower rate or the run a shorter duration");
}

void Recorder::record(const Simulation& simulation) {
  if (keep_probes_) {
    probe_times_.push_back(simulation.time);
    for (std::size_t i = 0; i < probe_tracks_.size(); ++i) {
      probe_tracks_[i].push_back(probe_motion(simulation, simulation.probes[i]).position_world);
    }
  }
  bool wanted = false;
  while (next_wanted_ < wanted_times_.size() &&
         wanted_times_[next_wanted_] <= simulation.time + half_step_) {
    wanted = true;
    ++next_wanted_;
  }
  if (!wanted) return;
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    motions_[i].times.push_back(simulation.time);
    motions_[i].poses.push_back(
        pose_of(simulation.plants[i].mechanism, simulation.plants[i].state));
  }
}

std::size_t Recorder::nearest_frame(double time) const {
  const std::vector<double>& times = motions_.front().times;
  const auto after = std::lower_bound(times.begin(), times.end(), time);
  if (after == times.begin()) return 0;
  if (after == times.end()) return times.size() - 1;
  const auto index = static_cast<std::size_t>(after - times.begin());
  return time - times[index - 1] < times[index] - time ? index - 1 : index;
}

Motion Recorder::motion_at_rate(std::size_t plant, double rate) const {
  Motion motion;
  for (double time : frame_times(duration_, rate)) {
    const std::size_t frame = nearest_frame(time);
    const double recorded = motions_[plant].times[frame];
    // A rate above the step's finds the same pose twice.
    if (!motion.times.empty() && recorded <= motion.times.back()) continue;
    motion.times.push_back(recorded);
    motion.poses.push_back(motions_[plant].poses[frame]);
  }
  return motion;
}

const Pose& Recorder::pose_at(std::size_t plant, double time) const {
  return motions_[plant].poses[nearest_frame(time)];
}

Result<Done> check_outputs(const Scenario& scenario) {
  for (const OutputSource& output : scenario.outputs) {
    if (const Result<Done> done = check_view(view_of(output, scenario.organs)); !done) return done;
    const Result<MeshOptions> surface = mesh_options(surface_detail(output, scenario.organs));
    if (!surface) return surface.diagnostics();
  }
  return Done{};
}

Result<WrittenFiles> write_output(const OutputSource& output, const Scenario& scenario,
                                  const Simulation& simulation, const Recorder& recorder,
                                  const RunRequest& request) {
  const std::string path = request.out_folder + "/" + output.file;
  report(request, output.file, 0.0);
  Result<WrittenFiles> written = write_kind(path, output, scenario, simulation, recorder, request);
  if (cancelled(request)) return WrittenFiles{};
  if (written) report(request, output.file, 1.0);
  return written;
}

}  // namespace thigmo
