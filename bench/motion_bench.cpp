#include <fmt/format.h>

#include <stdexcept>

#include "bench/bench.h"
#include "thigmo/thigmo.h"

namespace thigmo::bench {
namespace {

constexpr double frame = 1.0 / 60;

World checked(Outcome<World> world) {
  if (!world) throw std::runtime_error(world.error());
  return std::move(*world);
}

// Seconds of one step, best of many blocks.
double step_seconds(World& world, int steps_a_block, int threads) {
  const double block = best_seconds(12, [&] {
    for (int i = 0; i < steps_a_block; ++i) world.step(frame, threads);
  });
  return block / steps_a_block;
}

}  // namespace

void bench_motion(const std::string& gallery, Report& report) {
  World demo = checked(World::load(gallery + "/scenarios/demo.toml"));
  const double demo_step = step_seconds(demo, 40, 1);
  report.figures.push_back({.name = "demo scene, one core",
                            .value = frame / demo_step,
                            .unit = "times real time",
                            .target = 20});
  report.figures.push_back({.name = fmt::format("demo scene, {} segments", demo.segment_count()),
                            .value = demo_step / static_cast<double>(demo.segment_count()) * 1e9,
                            .unit = "ns per segment and step",
                            .higher_is_better = false});
  World rod = checked(World::parse("[[plant]]\nkind = \"rod\"\nsegments = 500\n"));
  report.figures.push_back({.name = "unbranched rod, 500 segments",
                            .value = step_seconds(rod, 100, 1) / 500 * 1e9,
                            .unit = "ns per segment and step",
                            .higher_is_better = false});

  std::string forest;
  for (int i = 0; i < 8; ++i) {
    forest += fmt::format("[[plant]]\nname = \"rod{}\"\nkind = \"rod\"\nsegments = 2000\n", i);
  }
  World many = checked(World::parse(forest));
  const double one = step_seconds(many, 10, 1), two = step_seconds(many, 10, 2);
  report.figures.push_back(
      {.name = "8 plants, two threads against one", .value = one / two, .unit = "times faster"});
}

}  // namespace thigmo::bench
