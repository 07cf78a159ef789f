#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "bench/bench.h"
#include "mechanics/compile/compile_mechanism.h"
#include "simulation/add_plant.h"
#include "simulation/simulation.h"
#include "thigmo/thigmo.h"

// What it costs to make a mechanism, in time and in memory. This looks inside the library: through
// its front a plant can only be grown, compiled and made ready in one go.
namespace thigmo::bench {
namespace {

Result<std::string> text_of(std::string_view path) {
  std::ifstream file{std::string(path)};
  if (!file) throw std::runtime_error(fmt::format("{} cannot be read", path));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Plant grown(const GrammarSource& source) {
  Diagnostics notes;
  Result<Plant> plant = grow_from_file(source, text_of, notes);
  if (!plant) throw std::runtime_error(plant.diagnostics().front().message);
  return std::move(*plant);
}

// Best time of making a thing from memory that is fresh from the system, as it is where a thing is
// made once. Without this, small ones would be made again and again in the same memory.
template <class Thing, class Make>
double best_of_new(int runs, Thing& thing, const Make& make) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < runs; ++i) {
    thing = Thing{};
    return_free_memory();
    best = std::min(best, best_cpu_seconds(1, [&] { thing = make(); }));
  }
  return best;
}

struct Costs {
  double growing, compiling, making_ready;  // [s]
  Index segments;
};
Costs costs_of(const GrammarSource& source) {
  Costs costs{};
  Plant plant;
  costs.growing = best_of_new(3, plant, [&] { return grown(source); });
  costs.segments = segment_count(plant);
  Mechanism mechanism;
  costs.compiling = best_of_new(5, mechanism, [&] { return compile_mechanism(plant); });
  struct Ready {
    State state;
    Workspace workspace;
  } ready;
  costs.making_ready = best_of_new(3, ready, [&] {
    return Ready{rest_state(mechanism), make_workspace(mechanism)};
  });
  return costs;
}

void report_seconds(const std::string& name, double seconds, double target, Report& report) {
  report.figures.push_back(
      {.name = name, .value = seconds, .unit = "s", .target = target, .higher_is_better = false});
}

// Dampers are tuned to the sway, and where weight slows that by more than a little its shape takes longer to
// find. All other rows are compiled without weight.
void bench_heavy(const std::string& gallery, Report& report) {
  const Plant plant =
      grown({.file = gallery + "/plants/growing_tree.lsys", .parameters = {{"AGE", 22}}});
  Mechanism mechanism;
  const double light = best_of_new(5, mechanism, [&] { return compile_mechanism(plant); });
  const double heavy = best_of_new(5, mechanism, [&] {
    return compile_mechanism(plant, {}, {0, -9.81, 0});
  });
  report_seconds(fmt::format("compiling a tree of {} segments", segment_count(plant)), light, 0,
                 report);
  report.figures.push_back({.name = "the same where its weight slows it",
                            .value = heavy / light,
                            .unit = "times longer",
                            .higher_is_better = false});
}

// Equal oaks of a wood, each with its own motion; what one more of them costs.
void bench_instances(const std::string& gallery, Report& report) {
  const auto wood = [&gallery](int count) {
    Outcome<World> world = parse_world(
        fmt::format("[[plant]]\ngrammar = \"oak.lsys\"\nscatter = {{ count = {}, from = [0, 0, 0], "
                    "to = [1000, 0, 1000], spacing = 8 }}\n[wind]\nkind = \"gusty\"\n"
                    "mean = [6, 0, 0]\n",
                    count),
        gallery + "/plants");
    if (!world) throw std::runtime_error(world.error());
    return std::move(*world);
  };
  constexpr int more = 100;
  const double before = resident_bytes();
  const World one = wood(1);
  const double with_one = resident_bytes();
  const World many = wood(1 + more);
  const double with_many = resident_bytes();
  const auto segments = static_cast<double>(one.segment_count());
  report.figures.push_back({.name = fmt::format("an oak of {} segments, alone", segments),
                            .value = (with_one - before) / segments,
                            .unit = "bytes per segment"});
  report.figures.push_back({.name = "each further oak like it",
                            .value = (with_many - with_one - (with_one - before)) / more / segments,
                            .unit = "bytes per segment"});
  const double alone = best_cpu_seconds(3, [&] { wood(1); });
  const double all = best_cpu_seconds(1, [&] { wood(1 + more); });
  report.figures.push_back({.name = "making an oak, alone", .value = alone * 1e3, .unit = "ms"});
  report.figures.push_back({.name = "making each further oak like it",
                            .value = (all - alone) / more * 1e3,
                            .unit = "ms"});
}

}  // namespace

void bench_compiling(const std::string& gallery, Report& report) {
  const std::string binary = gallery + "/../bench/models/binary.lsys";
  const Costs large = costs_of({.file = binary, .parameters = {{"SIZE", 20}}});
  const Costs small = costs_of({.file = binary, .parameters = {{"SIZE", 17}}});
  report_seconds(fmt::format("growing {} segments", large.segments), large.growing, 0, report);
  report_seconds("compiling their mechanism", large.compiling, 1, report);
  report.figures.push_back({.name = fmt::format("the same against {} segments", small.segments),
                            .value = large.compiling / small.compiling,
                            .unit = "times longer",
                            .target = 9,
                            .higher_is_better = false});
  report_seconds("making state and workspace of that", large.making_ready, 0, report);
  const Costs oak =
      costs_of({.file = gallery + "/plants/oak.lsys", .parameters = {{"TRUNK", 3.8}}});
  report_seconds(fmt::format("compiling an oak of {} segments", oak.segments), oak.compiling, 1,
                 report);
  bench_heavy(gallery, report);
  bench_instances(gallery, report);
}

}  // namespace thigmo::bench
