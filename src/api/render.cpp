#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "api/common.h"
#include "api/statics.h"
#include "api/surface.h"
#include "api/view.h"
#include "io/file.h"
#include "io/png.h"
#include "io/read_plant.h"
#include "mechanics/inverse_statics.h"
#include "render/wireframe.h"
#include "simulation/between_steps.h"
#include "simulation/simulation.h"
#include "thigmo/thigmo.h"

namespace thigmo {
namespace {

constexpr int smallest_side = 16, largest_side = 16384, most_samples = 65536;

bool cancelled(const RenderRequest& request) { return request.cancel && request.cancel->load(); }

constexpr std::size_t most_moments = 64;

// The plants at one time.
struct Moment {
  double time = 0;                                  // [s]
  std::vector<Pose> poses = {};                     // of each plant
  std::vector<std::vector<PointLoad>> points = {};  // that act on each
};

// What is drawn: plants, the mechanisms that hold them, and how they stand, once or several times.
struct Exposure {
  std::vector<Plant> plants;
  std::vector<Mechanism> mechanisms;
  Vec3 gravity_world = {0, -9.81, 0};
  std::vector<Moment> moments;
  Diagnostics notes = {};
};

// A plant as it was modelled. Its joints hold its weight where it can be held like that.
Exposure expose_plant(Plant plant) {
  Exposure exposure;
  Mechanism mechanism = compile_mechanism(plant);
  State state = rest_state(mechanism);
  static_cast<void>(make_pose_equilibrium({.gravity_world = {0, -9.81, 0}}, mechanism, state));
  exposure.moments.push_back({.poses = {rest_pose(plant)}, .points = {{}}});
  exposure.mechanisms.push_back(std::move(mechanism));
  exposure.plants.push_back(std::move(plant));
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
                                        .material = *material,
                                        .base_world = {}},
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

Moment moment_of(const Simulation& simulation, const StepBegin& begin, double time) {
  Moment moment{.time = time};
  poses_at(simulation, begin, time, moment.poses);
  for (std::size_t i = 0; i < simulation.plants.size(); ++i) {
    moment.points.push_back(standing_loads(simulation, i));
  }
  return moment;
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
  for (const OrganMeshSource& organ : scenario->organs) {
    view.surface.organs.push_back({organ.kind, organ.file});
  }
  const Result<std::vector<double>> times = times_of(request, scenario->duration);
  if (!times) return times.diagnostics();
  inputs.add(files_named(*scenario));
  Result<Simulation> simulation = make_simulation(*scenario, inputs.reader(), read_tree);
  if (!simulation) return simulation.diagnostics();
  Exposure exposure;
  exposure.gravity_world = simulation->gravity_world;
  exposure.notes = simulation->notes;
  StepBegin begin;
  std::int64_t taken = 0;
  for (const double time : *times) {
    const auto steps = static_cast<std::int64_t>(std::ceil(time / scenario->step - 1e-6));
    for (; taken < steps && !cancelled(request); ++taken) {
      if (taken + 1 == steps) keep(*simulation, begin);
      step(*simulation, scenario->step, request.threads);
      if (!simulation->finite) return why_stopped(*simulation);
    }
    exposure.moments.push_back(moment_of(*simulation, begin, time));
  }
  for (Diagnostic& said : notes_on_motion(*simulation)) exposure.notes.push_back(std::move(said));
  for (SimulatedPlant& plant : simulation->plants) {
    exposure.plants.push_back(std::move(plant.plant));
    exposure.mechanisms.push_back(std::move(plant.mechanism));
  }
  return exposure;
}

Result<Done> check(const RenderRequest& request) {
  const std::string& out = request.out_file;
  if (out.size() < 5 || out.substr(out.size() - 4) != ".png") {
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
  RenderSummary summary{.plants = exposure.plants.size(), .notes = exposure.notes};
  for (const Plant& plant : exposure.plants) {
    summary.segments += plant.segments.size();
    summary.organs += plant.organs.size();
  }
  bool first = true;
  for (const Moment& moment : exposure.moments) {
    for (std::size_t i = 0; i < exposure.plants.size(); ++i) {
      const Box box = bounding_box(exposure.plants[i], moment.poses[i]);
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
  for (std::size_t i = 0; i < exposure.plants.size(); ++i) {
    sitters.push_back({&exposure.plants[i], &exposure.mechanisms[i], &moment.poses[i],
                       exposure.gravity_world, moment.points[i]});
  }
  return sitters;
}

// A camera that sees the plants at all moments.
Result<Camera> camera_for(const Exposure& exposure, const View& view, double width_per_height) {
  std::vector<Motion> motions(exposure.plants.size());
  for (const Moment& moment : exposure.moments) {
    for (std::size_t i = 0; i < motions.size(); ++i) {
      motions[i].times.push_back(moment.time);
      motions[i].poses.push_back(moment.poses[i]);
    }
  }
  std::vector<MovingPlant> moving;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    moving.push_back({.plant = &exposure.plants[i], .motion = &motions[i]});
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
  const Result<Exposure> exposure = request.file.ends_with(".toml")
                                        ? expose_scenario(request, view, inputs)
                                    : plant_format(request.file) ? expose_tree(request)
                                                                 : expose_grammar(request, inputs);
  if (!exposure) return exposure.diagnostics();
  const Result<Done> spared =
      inputs.spare(request.out_file, "the picture", "give the picture another name");
  if (!spared) return spared.diagnostics();
  const Result<MeshOptions> surface = mesh_options(view.surface);
  if (!surface) return surface.diagnostics();
  RenderSummary summary = summary_of(*exposure);
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
