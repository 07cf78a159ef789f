#include <fmt/format.h>

#include <cstring>
#include <stdexcept>
#include <vector>

#include "bench/bench.h"
#include "thigmo/thigmo.h"

namespace thigmo::bench {
namespace {

constexpr double frame = 1.0 / 60;

World checked(Outcome<World> world) {
  if (!world) throw std::runtime_error(world.error());
  return std::move(*world);
}

constexpr const char* per_step = "ns per segment and step";

// Processor seconds of one step on one thread, best of many short blocks, one second after the start: what
// the onset of wind or weight throws about is taken in smaller substeps at first.
double step_cpu_seconds(World& world, int steps_a_block, int blocks) {
  for (int i = 0; i < 60; ++i) world.step(frame, 1);
  return best_cpu_seconds(blocks,
                          [&] {
                            for (int i = 0; i < steps_a_block; ++i) world.step(frame, 1);
                          }) /
         steps_a_block;
}

double step_seconds(World& world, int blocks, int threads) {
  return best_seconds(blocks, [&] { world.step(frame, threads); });
}

// The gallery's oak in gusts, its trunk as thick as its number of segments asks for.
World oak(const std::string& gallery, double trunk) {
  return checked(parse_world(fmt::format(R"([[plant]]
grammar = "oak.lsys"
start = "rest"
parameters = {{ TRUNK = {} }}
[wind]
kind = "gusty"
mean = [6, 0, 0]
)",
                                         trunk),
                             gallery + "/plants"));
}

void bench_sizes(const std::string& gallery, Report& report) {
  struct Size {
    double trunk;
    int steps_a_block, blocks;
    double target;
  };
  for (const Size& size : {Size{0.12, 20, 60, 80}, Size{0.38, 2, 60, 80}, Size{0.62, 1, 40, 0},
                           Size{0.85, 1, 30, 0}, Size{1.2, 1, 30, 120}, Size{3.8, 1, 6, 120}}) {
    const double before = resident_bytes();
    World world = oak(gallery, size.trunk);
    const double segments = static_cast<double>(world.segment_count());
    report.figures.push_back(
        {.name = fmt::format("oak of {} segments in wind", world.segment_count()),
         .value = step_cpu_seconds(world, size.steps_a_block, size.blocks) / segments * 1e9,
         .unit = per_step,
         .target = size.target,
         .higher_is_better = false});
    const double memory = resident_bytes() - before;
    if (size.trunk > 3 && memory > 0) {
      report.figures.push_back({.name = "memory of that, all included",
                                .value = memory / segments,
                                .unit = "bytes per segment",
                                .target = 1000,
                                .higher_is_better = false});
    }
  }
}

// What a core copies from memory to memory: the bound of plants that no cache holds.
void bench_memory(Report& report) {
  std::vector<std::byte> from(std::size_t{100} << 20, std::byte{1}), to(from.size());
  const double seconds =
      best_cpu_seconds(10, [&] { std::memcpy(to.data(), from.data(), from.size()); });
  report.figures.push_back({.name = "copying 100 MB, one core",
                            .value = static_cast<double>(from.size()) / seconds * 1e-9,
                            .unit = "GB/s"});
}

void bench_forest(const std::string& gallery, Report& report) {
  std::string text = "[wind]\nkind = \"gusty\"\nmean = [6, 0, 0]\n";
  for (int i = 0; i < 24; ++i) {
    text += fmt::format(
        "[[plant]]\nname = \"oak{}\"\ngrammar = \"oak.lsys\"\nstart = \"rest\"\nseed = {}\n"
        "position = [{}, 0, {}]\n",
        i, i + 1, 8 * (i % 6), 8 * (i / 6));
  }
  World forest = checked(parse_world(text, gallery + "/plants"));
  for (int i = 0; i < 60; ++i) forest.step(frame, 2);
  const double one = step_seconds(forest, 15, 1), two = step_seconds(forest, 15, 2);
  report.figures.push_back(
      {.name = fmt::format("24 oaks, {} segments, a frame on two cores", forest.segment_count()),
       .value = two * 1e3,
       .unit = "ms",
       .target = 16,
       .higher_is_better = false});
  report.figures.push_back({.name = "the same, two threads against one",
                            .value = one / two,
                            .unit = "times faster",
                            .target = 1.8});
}

// Li's plants with particles, whose cost grows as n √n, beside the same with joints.
void bench_particles(const std::string& gallery, Report& report) {
  for (const char* file : {"soft_tree_exact.sbt", "soft_bamboo_exact.sbt"}) {
    for (const bool particles : {true, false}) {
      const std::string text = fmt::format(
          "[[plant]]\ngrammar = \"{}\"\n{}\n[wind]\nkind = \"gusty\"\nmean = [6, 0, 0]\n", file,
          particles ? "method = \"particles\"\nparticles = { supports = 2 }" : "start = \"rest\"");
      World world = checked(parse_world(text, gallery + "/plants"));
      report.figures.push_back(
          {.name = fmt::format("{} of {} segments, {}", file, world.segment_count(),
                               particles ? "particles" : "joints"),
           .value =
               step_cpu_seconds(world, 4, 20) / static_cast<double>(world.segment_count()) * 1e9,
           .unit = per_step,
           .higher_is_better = false});
    }
  }
}

// Small plants, where new gusts cost more than the motion.
void bench_gusts(Report& report) {
  for (const int side : {1, 22}) {
    std::string text = "[wind]\nkind = \"gusty\"\nmean = [6, 0, 0]\n";
    for (int i = 0; i < side * side; ++i) {
      text += fmt::format(
          "[[plant]]\nname = \"stalk{}\"\nkind = \"rod\"\nsegments = 8\nlength = 3\nradius = 0.02\n"
          "direction = [0, 1, 0]\nposition = [{}, 0, {}]\n",
          i, 4 * (i % side), 4 * (i / side));
    }
    World stalks = checked(parse_world(text));
    report.figures.push_back(
        {.name = fmt::format("{} stalks of 8 segments in gusts, one core", side * side),
         .value = step_cpu_seconds(stalks, side == 1 ? 500 : 5, 30) / (side * side) * 1e6,
         .unit = "us per plant and step",
         .higher_is_better = false});
  }
}

}  // namespace

void bench_motion(const std::string& gallery, Report& report) {
  World demo = checked(load_world(gallery + "/scenarios/demo.toml"));
  report.figures.push_back({.name = "demo scene, one core",
                            .value = frame / step_cpu_seconds(demo, 10, 60),
                            .unit = "times real time",
                            .target = 20});
  World rod = checked(parse_world(
      "[[plant]]\nkind = \"rod\"\nsegments = 500\ndirection = [1, 0, 0]\ndamping_ratio = 0\n"));
  report.figures.push_back({.name = "unbranched rod, 500 segments",
                            .value = step_cpu_seconds(rod, 20, 100) / 500 * 1e9,
                            .unit = per_step,
                            .target = 150,
                            .higher_is_better = false});
  bench_sizes(gallery, report);
  bench_gusts(report);
  bench_particles(gallery, report);
  bench_memory(report);
  bench_forest(gallery, report);
}

}  // namespace thigmo::bench
