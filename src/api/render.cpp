#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "api/common.h"
#include "base/text.h"
#include "io/file.h"
#include "io/png.h"
#include "render/picture.h"
#include "simulation/simulation.h"
#include "thigmo/thigmo.h"

namespace thigmo {
namespace {

constexpr int smallest_side = 16, largest_side = 16384, most_samples = 65536;
// Below this many, organs are so large in the picture that their outlines must be smooth.
constexpr std::size_t few_organs = 2000;

bool cancelled(const RenderRequest& request) { return request.cancel && request.cancel->load(); }

// "NAME=number" of every override.
Result<std::map<std::string, double>> parameters_of(const std::vector<std::string>& overrides) {
  std::map<std::string, double> parameters;
  for (const std::string& text : overrides) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto value = equals == std::string::npos
                           ? std::nullopt
                           : number_from_text(std::string_view(text).substr(equals + 1));
    if (name.empty() || !value) {
      return error(fmt::format("'{}' sets no constant of the grammar", text),
                   "write NAME=number, for example --set AGE=4");
    }
    parameters[name] = *value;
  }
  return parameters;
}

// What is drawn: plants with their poses.
struct Exposure {
  std::vector<Plant> plants;
  std::vector<Pose> poses;
};

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
  Exposure exposure;
  exposure.poses.push_back(rest_pose(*plant));
  exposure.plants.push_back(std::move(*plant));
  return exposure;
}

Result<Exposure> expose_scenario(const RenderRequest& request) {
  if (request.steps || request.seed || !request.species.empty()) {
    return error("steps, seed and species are keys of a scenario's plants",
                 "change them there, for example --set plant.0.seed=3");
  }
  const Result<std::string> text = read_file(request.file);
  if (!text) return text.diagnostics();
  const Result<Scenario> scenario = parse_scenario(request.file, *text, request.overrides);
  if (!scenario) return scenario.diagnostics();
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
  for (SimulatedPlant& plant : simulation->plants) {
    exposure.poses.push_back(pose_of(plant.mechanism, plant.state));
    exposure.plants.push_back(std::move(plant.plant));
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

Image draw(const Exposure& exposure, const RenderSummary& summary, const RenderRequest& request) {
  std::vector<Motion> motions;
  std::vector<PosedPlant> posed;
  for (std::size_t i = 0; i < exposure.plants.size(); ++i) {
    motions.push_back({.times = {0.0}, .poses = {exposure.poses[i]}});
    posed.push_back({.plant = &exposure.plants[i], .pose = &exposure.poses[i]});
  }
  std::vector<MovingPlant> moving;
  for (std::size_t i = 0; i < exposure.plants.size(); ++i) {
    moving.push_back({.plant = &exposure.plants[i], .motion = &motions[i]});
  }
  const Camera camera = frame_camera(moving, static_cast<double>(request.width) / request.height);
  return render_picture(posed, camera,
                        {.width = request.width,
                         .height = request.height,
                         .samples = request.samples,
                         .leaf_rows = summary.organs < few_organs ? 14 : 5,
                         .threads = request.threads,
                         .cancel = request.cancel});
}

Result<RenderSummary> render_file(const RenderRequest& request) {
  if (const Result<Done> done = check(request); !done) return done.diagnostics();
  const bool scenario = request.file.ends_with(".toml");
  const Result<Exposure> exposure = scenario ? expose_scenario(request) : expose_grammar(request);
  if (!exposure) return exposure.diagnostics();
  RenderSummary summary = summary_of(*exposure);
  const Image image = draw(*exposure, summary, request);
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
