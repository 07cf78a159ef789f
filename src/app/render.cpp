#include "thigmo/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>

#include "app/common.h"
#include "app/statics.h"
#include "app/surface.h"
#include "app/view.h"
#include "io/disk/file.h"
#include "io/read_plant.h"
#include "io/textures/png.h"
#include "render/wireframe.h"
#include "simulation/add_plant.h"
#include "simulation/advance.h"

namespace thigmo {
namespace {

constexpr int smallest_side = 16, largest_side = 16384, most_samples = 65536;

bool cancelled(const RenderRequest& request) { return request.cancel && request.cancel->load(); }

constexpr std::size_t most_moments = 64;

// The plants at one time.
struct Moment {
  double time = 0;                                             // [s]
  std::vector<std::shared_ptr<const PlantModel>> models = {};  // of each plant
  std::vector<Pose> poses = {};
  std::vector<std::vector<PointLoad>> points = {};  // that act on each
};

// What is drawn: plants with the mechanisms that hold them, and how they stand, once or several times.
struct Exposure {
  Vec3 gravity_world = {0, -9.81, 0};
  std::vector<Moment> moments;
  Diagnostics notes = {};
};

// A plant as it was modelled. Its joints hold its weight where it can be held like that.
Exposure expose_plant(Plant plant) {
  Exposure exposure;
  Moment& moment = exposure.moments.emplace_back(
      Moment{.models = {}, .poses = {rest_pose(plant)}, .points = {{}}});
  moment.models.push_back(make_model(std::move(plant), {.start = StartPose::modelled,
                                                        .gravity_plant = exposure.gravity_world})
                              .model);
  return exposure;
}

Result<Exposure> expose_grammar(const RenderRequest& request, Inputs& inputs) {
  if (request.time || !request.times.empty()) {
    return error("a grammar is drawn at rest, so it has no time to choose",
                 "draw a scenario (.toml) to see a plant in motion");
  }
  const Result<std::optional<Material>> material = material_of(request.species);
  if (!material) return material.diagnostics();
  const Result<std::map<std::string, double>> parameters = parameters_of(request.overrides);
  if (!parameters) return parameters.diagnostics();
  Diagnostics notes;
  Result<Plant> plant = grow_from_file({.file = request.file,
                                        .steps = request.steps,
                                        .seed = request.seed,
                                        .angle_degrees = {},
                                        .parameters = *parameters,
                                        .material = *material},
                                       inputs.reader(), notes);
  if (!plant) return plant.diagnostics();
  Exposure exposure = expose_plant(std::move(*plant));
  exposure.notes = std::move(notes);
  return exposure;
}

Result<Exposure> expose_tree(const RenderRequest& request) {
  if (request.time || !request.times.empty() || request.steps || request.seed ||
      !request.overrides.empty()) {
    return error("a tree from a file is drawn at rest, as it is",
                 "time, steps, seed and constants belong to scenarios and grammars");
  }
  const std::string species = request.species.empty() ? "oak" : request.species;
  const Result<std::optional<Material>> material = material_of(species);
  if (!material) return material.diagnostics();
  Diagnostics notes;
  Result<Plant> plant = read_tree({.file = request.file, .material = **material}, notes);
  if (!plant) return plant.diagnostics();
  Exposure exposure = expose_plant(std::move(*plant));
  exposure.notes = std::move(notes);
  return exposure;
}

// The times of a scenario's pictures, in the order they are drawn [s].
Result<std::vector<double>> times_of(const RenderRequest& request, double duration) {
  if (request.times.size() > most_moments) {
    return error(fmt::format("{} pictures side by side are too many", request.times.size()),
                 fmt::format("{} at most", most_moments));
  }
  std::vector<double> times = request.times;
  if (times.empty()) times.push_back(request.time.value_or(0.0));
  double before = 0;
  for (const double time : times) {
    if (!(time >= 0 && time <= duration)) {
      return error(fmt::format("there is no picture at {} s", time),
                   fmt::format("the scenario runs from 0 to {} s", duration));
    }
    if (time < before) {
      return error(fmt::format("the picture at {} s comes after that at {} s", time, before),
                   "give times from early to late");
    }
    before = time;
  }
  return times;
}

Result<Exposure> expose_scenario(const RenderRequest& request, View& view, Inputs& inputs) {
  if (request.steps || request.seed || !request.species.empty()) {
    return error("steps, seed and species are keys of a scenario's plants",
                 "change them there, for example --set plant.0.seed=3");
  }
  const Result<std::string> text = read_file(request.file);
  if (!text) return text.diagnostics();
  const Result<Scenario> scenario = parse_scenario(request.file, *text, request.overrides);
  if (!scenario) return scenario.diagnostics();
  view.surface.organs.insert(view.surface.organs.end(), scenario->organs.begin(),
                             scenario->organs.end());
  const Result<std::vector<double>> times = times_of(request, scenario->duration);
  if (!times) return times.diagnostics();
  inputs.add(files_named(*scenario));
  Result<Simulation> simulation = make_simulation(*scenario, inputs.reader(), read_tree);
  if (!simulation) return simulation.diagnostics();
  Exposure exposure;
  exposure.gravity_world = simulation->gravity_world;
  exposure.notes = simulation->notes;
  constexpr double exact = 1e-6;  // part of a step
  Course course{.step = scenario->step,
                .end_step = steps_to(times->back(), scenario->step, exact),
                .threads = request.threads,
                .cancel = request.cancel,
                .frames = *times,
                .same_time = exact};
  course.at_frame = [&](double time, const std::vector<Pose>& poses) -> Result<Done> {
    Moment& moment =
        exposure.moments.emplace_back(Moment{.time = time, .models = {}, .poses = poses});
    for (std::size_t i = 0; i < poses.size(); ++i) {
      moment.models.push_back(simulation->plants[i].model);
      moment.points.push_back(standing_loads(*simulation, i));
    }
    return Done{};
  };
  const Result<CourseReport> report = advance(course, *simulation);
  if (!report) return report.diagnostics();
  if (!simulation->finite) return why_stopped(*simulation);
  for (Diagnostic& said : notes_on_motion(*simulation)) exposure.notes.push_back(std::move(said));
  return exposure;
}

Result<Done> check(const RenderRequest& request) {
  const std::string& out = request.out_file;
  if (!has_format(out, Format::png)) {
    return error(fmt::format("no picture format is known for '{}'", out), "formats: .png");
  }
  if (std::min(request.width, request.height) < smallest_side ||
      std::max(request.width, request.height) > largest_side) {
    return error(
        fmt::format("a picture of {} x {} pixels is not possible", request.width, request.height),
        fmt::format("each side has {} to {} pixels", smallest_side, largest_side));
  }
  if (request.time && !request.times.empty()) {
    return error("a picture has one time, or several side by side, not both");
  }
  if (request.samples < 1 || request.samples > most_samples) {
    return error(fmt::format("{} samples a pixel are not possible", request.samples),
                 fmt::format("1 to {} are", most_samples));
  }
  return Done{};
}

RenderSummary summary_of(const Exposure& exposure) {
  if (exposure.moments.empty())
    return {.notes = exposure.notes};  // it was cancelled before the first
  const auto& models = exposure.moments.back().models;
  RenderSummary summary{.plants = models.size(), .notes = exposure.notes};
  for (const std::shared_ptr<const PlantModel>& model : models) {
    summary.segments += model->plant.segments.size();
    summary.organs += model->plant.organs.size();
  }
  bool first = true;
  for (const Moment& moment : exposure.moments) {
    for (std::size_t i = 0; i < moment.models.size(); ++i) {
      const Box box = bounding_box(moment.models[i]->plant, moment.poses[i]);
      const Numbers3 low = numbers(box.min), high = numbers(box.max);
      for (std::size_t k = 0; k < 3; ++k) {
        summary.bbox_min[k] = first ? low[k] : std::min(summary.bbox_min[k], low[k]);
        summary.bbox_max[k] = first ? high[k] : std::max(summary.bbox_max[k], high[k]);
      }
      first = false;
    }
  }
  return summary;
}

std::vector<Sitter> sitters_of(const Exposure& exposure, const Moment& moment) {
  std::vector<Sitter> sitters;
  for (std::size_t i = 0; i < moment.models.size(); ++i) {
    sitters.push_back({{&moment.models[i]->plant, &moment.poses[i]},
                       &moment.models[i]->mechanism,
                       exposure.gravity_world,
                       moment.points[i]});
  }
  return sitters;
}

// A camera that sees the plants at all moments.
Result<Camera> camera_for(const Exposure& exposure, const View& view, double width_per_height) {
  // Of each plant, and anew where it has changed.
  std::size_t most = 0;
  for (const Moment& moment : exposure.moments) most = std::max(most, moment.models.size());
  std::deque<Motion> motions;
  std::vector<MovingPlant> moving;
  for (std::size_t i = 0; i < most; ++i) {
    const Plant* before = nullptr;
    for (const Moment& moment : exposure.moments) {
      if (i >= moment.models.size()) continue;
      const Plant* plant = &moment.models[i]->plant;
      if (plant != before) moving.push_back({.plant = plant, .motion = &motions.emplace_back()});
      before = plant;
      motions.back().times.push_back(moment.time);
      motions.back().poses.push_back(moment.poses[i]);
    }
  }
  return camera_of(view, moving, width_per_height);
}

// One picture, or those of several moments side by side with their times below.
Result<Image> draw(const Exposure& exposure, const View& view, const MeshOptions& surface,
                   const RenderRequest& request, RenderSummary& summary) {
  std::optional<ValueRange> range;
  for (const Moment& moment : exposure.moments) {
    range = joined_range(view, sitters_of(exposure, moment), range);
  }
  summary.value_min = range->low;
  summary.value_max = range->high;
  RenderOptions options{.width = request.width,
                        .height = request.height,
                        .samples = request.samples,
                        .threads = request.threads,
                        .surface = surface,
                        .range = *range,
                        .cancel = request.cancel};
  if (!view.ground) options.ground_height.reset();
  const Result<Camera> camera =
      camera_for(exposure, view, static_cast<double>(request.width) / request.height);
  if (!camera) return camera.diagnostics();
  std::vector<SheetTile> tiles;
  for (const Moment& moment : exposure.moments) {
    Result<Image> picture = draw_view(view, sitters_of(exposure, moment), *camera, options);
    if (!picture) return picture.diagnostics();
    tiles.push_back(
        {.picture = std::move(*picture), .label = fmt::format("{:.4g} s", moment.time)});
  }
  if (request.times.empty()) return std::move(tiles[0].picture);
  return contact_sheet(tiles, static_cast<int>(tiles.size()));
}

Result<RenderSummary> render_file(const RenderRequest& request) {
  if (const Result<Done> done = check(request); !done) return done.diagnostics();
  if (const Result<Done> done = check_view(request.view); !done) return done.diagnostics();
  if (const Result<MeshOptions> own = mesh_options(request.view.surface); !own)
    return own.diagnostics();
  if (const Result<Done> done = check_writable(request.out_file); !done) return done.diagnostics();
  View view = request.view;
  Inputs inputs;
  inputs.add(request.file);
  const Result<Exposure> exposure =
      has_kind(request.file, FormatKind::scenario) ? expose_scenario(request, view, inputs)
      : has_kind(request.file, FormatKind::plant)  ? expose_tree(request)
                                                   : expose_grammar(request, inputs);
  if (!exposure) return exposure.diagnostics();
  const Result<Done> spared =
      inputs.spare(request.out_file, "the picture", "give the picture another name");
  if (!spared) return spared.diagnostics();
  const Result<MeshOptions> surface = mesh_options(view.surface);
  if (!surface) return surface.diagnostics();
  RenderSummary summary = summary_of(*exposure);
  summary.cancelled = cancelled(request);
  if (summary.cancelled) return summary;
  const auto start = std::chrono::steady_clock::now();
  const Result<Image> image = draw(*exposure, view, *surface, request, summary);
  if (!image) return image.diagnostics();
  summary.draw_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  summary.cancelled = cancelled(request);
  if (summary.cancelled) return summary;
  const Result<Done> written = write_file(request.out_file, png_bytes(*image));
  if (!written) return written.diagnostics();
  return summary;
}

}  // namespace

Outcome<RenderSummary> render(const RenderRequest& request) {
  return attempt([&] { return render_file(request); });
}

}  // namespace thigmo
