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
#include "simulation/simulation.h"
#include "thigmo/thigmo.h"

namespace thigmo {
namespace {

constexpr int smallest_side = 16, largest_side = 16384, most_samples = 65536;

bool cancelled(const RenderRequest& request) { return request.cancel && request.cancel->load(); }

// What is drawn: plants with their poses, and the mechanisms that hold them there.
struct Exposure {
  std::vector<Plant> plants;
  std::vector<Mechanism> mechanisms;
  std::vector<Pose> poses;
  Vec3 gravity_world = {0, -9.81, 0};
  std::vector<std::vector<PointLoad>> points = {};  // a scenario's, at the time of the picture
};

// A plant as it was modelled. Its joints hold its weight where it can be held like that.
Exposure expose_plant(Plant plant) {
  Exposure exposure;
  Mechanism mechanism = compile_mechanism(plant);
  State state = rest_state(mechanism);
  static_cast<void>(make_pose_equilibrium({.gravity_world = {0, -9.81, 0}}, mechanism, state));
  exposure.poses.push_back(rest_pose(plant));
  exposure.mechanisms.push_back(std::move(mechanism));
  exposure.plants.push_back(std::move(plant));
  return exposure;
}

Result<Exposure> expose_grammar(const RenderRequest& request) {
  if (request.time) {
    return error("a grammar is drawn at rest, so it has no time to choose",
                 "draw a scenario (.toml) to see a plant in motion");
  }
  const Result<std::optional<Material>> material = material_of(request.species);
  if (!material) return material.diagnostics();
  const Result<std::map<std::string, double>> parameters = parameters_of(request.overrides);
  if (!parameters) return parameters.diagnostics();
  Result<Plant> plant = grow_from_file({.file = request.file,
                                        .steps = request.steps,
                                        .seed = request.seed,
                                        .angle_degrees = {},
                                        .parameters = *parameters,
                                        .material = *material,
                                        .base_world = {}},
                                       read_any);
  if (!plant) return plant.diagnostics();
  return expose_plant(std::move(*plant));
}

Result<Exposure> expose_tree(const RenderRequest& request) {
  if (request.time || request.steps || request.seed || !request.overrides.empty()) {
    return error("a tree from a file is drawn at rest, as it is",
                 "time, steps, seed and constants belong to scenarios and grammars");
  }
  const std::string species = request.species.empty() ? "oak" : request.species;
  const Result<std::optional<Material>> material = material_of(species);
  if (!material) return material.diagnostics();
  std::vector<std::string> notes;
  Result<Plant> plant = read_tree({.file = request.file, .material = **material}, notes);
  if (!plant) return plant.diagnostics();
  return expose_plant(std::move(*plant));
}

Result<Exposure> expose_scenario(const RenderRequest& request, View& view) {
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
  const double time = request.time.value_or(0.0);
  if (!(time >= 0 && time <= scenario->duration)) {
    return error(fmt::format("there is no picture at {} s", time),
                 fmt::format("the scenario runs from 0 to {} s", scenario->duration));
  }
  Result<Simulation> simulation = make_simulation(*scenario, read_any, read_tree);
  if (!simulation) return simulation.diagnostics();
  const auto steps = static_cast<std::int64_t>(std::llround(time / scenario->step));
  for (std::int64_t i = 0; i < steps && !cancelled(request); ++i) {
    step(*simulation, scenario->step, request.threads);
    if (!simulation->finite) {
      return error(fmt::format("the motion could not be continued after {} s", simulation->time),
                   "choose an earlier time, or a smaller step in the scenario");
    }
  }
  Exposure exposure;
  exposure.gravity_world = simulation->gravity_world;
  for (std::size_t i = 0; i < simulation->plants.size(); ++i) {
    SimulatedPlant& plant = simulation->plants[i];
    exposure.points.push_back(standing_loads(*simulation, i));
    exposure.poses.push_back(pose_of(plant.mechanism, plant.state));
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
  if (request.samples < 1 || request.samples > most_samples) {
    return error(fmt::format("{} samples a pixel are not possible", request.samples),
                 fmt::format("1 to {} are", most_samples));
  }
  return Done{};
}

RenderSummary summary_of(const Exposure& exposure) {
  RenderSummary summary{.plants = exposure.plants.size()};
  for (std::size_t i = 0; i < exposure.plants.size(); ++i) {
    const Plant& plant = exposure.plants[i];
    summary.segments += plant.segments.size();
    summary.organs += plant.organs.size();
    const Box box = bounding_box(plant, exposure.poses[i]);
    const Numbers3 low = numbers(box.min), high = numbers(box.max);
    for (std::size_t k = 0; k < 3; ++k) {
      summary.bbox_min[k] = i == 0 ? low[k] : std::min(summary.bbox_min[k], low[k]);
      summary.bbox_max[k] = i == 0 ? high[k] : std::max(summary.bbox_max[k], high[k]);
    }
  }
  return summary;
}

Image draw(const Exposure& exposure, const View& view, const MeshOptions& surface,
           const RenderRequest& request, RenderSummary& summary) {
  std::vector<Motion> motions;
  std::vector<Sitter> sitters;
  for (std::size_t i = 0; i < exposure.plants.size(); ++i) {
    motions.push_back({.times = {0.0}, .poses = {exposure.poses[i]}});
    sitters.push_back({&exposure.plants[i], &exposure.mechanisms[i], &exposure.poses[i],
                       exposure.gravity_world,
                       i < exposure.points.size() ? exposure.points[i] : std::vector<PointLoad>{}});
  }
  std::vector<MovingPlant> moving;
  for (std::size_t i = 0; i < exposure.plants.size(); ++i) {
    moving.push_back({.plant = &exposure.plants[i], .motion = &motions[i]});
  }
  const ValueRange range = joined_range(view, sitters, {});
  summary.value_min = range.low;
  summary.value_max = range.high;
  RenderOptions options{.width = request.width,
                        .height = request.height,
                        .samples = request.samples,
                        .threads = request.threads,
                        .surface = surface,
                        .range = range,
                        .cancel = request.cancel};
  if (!view.ground) options.ground_height.reset();
  return draw_view(view, sitters,
                   camera_of(view, moving, static_cast<double>(request.width) / request.height),
                   options);
}

Result<RenderSummary> render_file(const RenderRequest& request) {
  if (const Result<Done> done = check(request); !done) return done.diagnostics();
  if (const Result<Done> done = check_view(request.view); !done) return done.diagnostics();
  if (const Result<MeshOptions> own = mesh_options(request.view.surface); !own)
    return own.diagnostics();
  if (const Result<Done> done = check_writable(request.out_file); !done) return done.diagnostics();
  View view = request.view;
  const Result<Exposure> exposure = request.file.ends_with(".toml") ? expose_scenario(request, view)
                                    : plant_format(request.file)    ? expose_tree(request)
                                                                    : expose_grammar(request);
  if (!exposure) return exposure.diagnostics();
  const Result<MeshOptions> surface = mesh_options(view.surface);
  if (!surface) return surface.diagnostics();
  RenderSummary summary = summary_of(*exposure);
  const auto start = std::chrono::steady_clock::now();
  const Image image = draw(*exposure, view, *surface, request, summary);
  summary.draw_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  summary.cancelled = cancelled(request);
  if (summary.cancelled) return summary;
  const Result<Done> written = write_file(request.out_file, png_bytes(image));
  if (!written) return written.diagnostics();
  return summary;
}

}  // namespace

Outcome<RenderSummary> render(const RenderRequest& request) {
  Result<RenderSummary> summary = render_file(request);
  if (!summary) return failure_from(summary.diagnostics());
  return std::move(*summary);
}

}  // namespace thigmo
