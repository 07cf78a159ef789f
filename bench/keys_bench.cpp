#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "bench/bench.h"
#include "simulation/add_plant.h"
#include "simulation/keyed_values.h"

// What keys of a material cost in every step. This looks inside the library: through its front they are set as part of
// a step.
namespace thigmo::bench {
namespace {

Result<std::string> text_at(std::string_view path) {
  std::ifstream file{std::string(path)};
  if (!file) throw std::runtime_error(fmt::format("{} cannot be read", path));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The gallery's oak, large, its stiffness and its damping by keys.
Simulation keyed_oak(const std::string& gallery) {
  Simulation simulation{.gravity_world = {0, -9.81, 0}};
  Diagnostics notes;
  Result<Plant> plant = grow_from_file(
      {.file = gallery + "/plants/oak.lsys", .parameters = {{"TRUNK", 1.2}}}, text_at, notes);
  if (!plant) throw std::runtime_error(plant.diagnostics().front().message);
  std::vector<Index> segments(plant->segments.size());
  for (std::size_t i = 0; i < segments.size(); ++i) segments[i] = static_cast<Index>(i);
  add_plant(std::move(*plant), {}, StartPose::modelled, simulation);
  add_keyed_wood(0, segments, {.stiffness = {{0, 100}, {1, 0.5}}, .damping = {{0, 100}, {1, 2}}},
                 simulation);
  return simulation;
}

}  // namespace

void bench_keys(const std::string& gallery, Report& report) {
  Simulation oak = keyed_oak(gallery);
  double time = 1;
  const double best = best_cpu_seconds(50, [&] { set_keyed_values(time += 1, oak); });
  report.figures.push_back(
      {.name = fmt::format("stiffness and damping of all {} by keys", segment_count(oak)),
       .value = best * 1e3,
       .unit = "ms",
       .target = 2,
       .higher_is_better = false});
}

}  // namespace thigmo::bench
