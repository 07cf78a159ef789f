#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bench/bench.h"
#include "thigmo/world.h"

// What a world costs that is changed, asked and touched while it moves.

namespace thigmo::bench {
namespace {

constexpr double frame = 1.0 / 60;

template <class T>
T checked(Outcome<T> outcome) {
  if (!outcome) throw std::runtime_error(outcome.error());
  return std::move(*outcome);
}

struct Blown {
  World world;
  PlantId oak;
};

// The gallery's oak in gusts, its trunk as thick as its number of segments asks for.
Blown blown_oak(const std::string& gallery, double trunk) {
  Blown blown;
  checked(blown.world.set_wind({}));
  blown.oak = checked(
      blown.world.add({.file = gallery + "/plants/oak.lsys", .parameters = {{"TRUNK", trunk}}}));
  for (int i = 0; i < 10; ++i) blown.world.step(frame);
  return blown;
}

// The segment that bears the part of the plant which is nearest to a share of it.
SegmentId bearer(const World& world, PlantId plant, double share) {
  const std::vector<SegmentInfo> segments = checked(world.segments(plant));
  std::vector<double> borne(segments.size(), 1);
  for (std::size_t i = segments.size(); i-- > 0;) {
    if (segments[i].parent >= 0) borne[static_cast<std::size_t>(segments[i].parent)] += borne[i];
  }
  std::size_t best = 0;
  const double wanted = share * static_cast<double>(segments.size());
  for (std::size_t i = 1; i < segments.size(); ++i) {
    if (std::abs(borne[i] - wanted) < std::abs(borne[best] - wanted)) best = i;
  }
  return segments[best].id;
}

void bench_cut(const std::string& gallery, Report& report) {
  struct Size {
    double trunk, target;  // [m], [ms]
    int runs;
  };
  for (const Size& size : {Size{0.38, 1, 20}, Size{1.2, 12, 8}}) {
    auto [world, oak] = blown_oak(gallery, size.trunk);
    const SegmentId bough = bearer(world, oak, 0.2);
    // As most worlds are, and as one of which a copy is kept to undo the cut, which shares its models.
    const std::string saved = checked(world.save());
    for (const bool kept : {false, true}) {
      double best = 1e9;
      for (int run = 0; run < size.runs; ++run) {
        World one = kept ? world : checked(World::restore(saved));
        best = std::min(best, best_seconds(1, [&] { checked(one.cut(bough, 0.5)); }));
      }
      report.figures.push_back({.name = fmt::format("cutting a bough through, oak of {}{}",
                                                    world.segment_count(), kept ? ", kept" : ""),
                                .value = best * 1e3,
                                .unit = "ms",
                                .target = size.target,
                                .higher_is_better = false});
    }
  }
}

void bench_change(const std::string& gallery, Report& report) {
  auto [world, oak] = blown_oak(gallery, 1.2);
  const double best =
      best_seconds(20, [&] { checked(world.change(oak, {.stiffness = 0.999, .mass = 1.0001})); });
  report.figures.push_back(
      {.name = fmt::format("new stiffness and mass for all {}", world.segment_count()),
       .value = best * 1e3,
       .unit = "ms",
       .target = 2,
       .higher_is_better = false});
}

// One twig of many: what fire, rain and growth do, again and again.
void bench_small_changes(const std::string& gallery, Report& report) {
  auto [world, oak] = blown_oak(gallery, 1.2);
  const std::vector<SegmentId> twig{checked(world.tip(oak))};
  const double soften =
      best_seconds(20, [&] { checked(world.change(twig, {.stiffness = 0.999})); });
  const double thicken = best_seconds(20, [&] { checked(world.thicken(twig, 1.001)); });
  const double lengthen = best_seconds(20, [&] { checked(world.extend(twig.front(), 1e-5)); });
  for (const auto& [what, best] : {std::pair{"softening", soften}, std::pair{"thickening", thicken},
                                   std::pair{"lengthening", lengthen}}) {
    report.figures.push_back({.name = fmt::format("{} one of {}", what, world.segment_count()),
                              .value = best * 1e3,
                              .unit = "ms",
                              .target = 0.05,
                              .higher_is_better = false});
  }
}

void bench_pick(const std::string& gallery, Report& report) {
  auto [world, oak] = blown_oak(gallery, 0.38);
  const std::vector<Transform> pose = world.transforms(oak);
  const Numbers3 eye{20, 3, 12};
  const std::size_t rays = 200;
  const double best = best_seconds(10, [&] {
    for (std::size_t i = 0; i < rays; ++i) {
      const Numbers3& at = pose[i * pose.size() / rays].position;
      checked(world.pick(
          {.origin = eye, .direction = {at[0] - eye[0], at[1] - eye[1], at[2] - eye[2]}}));
    }
  });
  report.figures.push_back(
      {.name = fmt::format("picking one of {} segments by a ray", world.segment_count()),
       .value = best / static_cast<double>(rays) * 1e3,
       .unit = "ms",
       .target = 0.2,
       .higher_is_better = false});
}

void bench_instances(const std::string& gallery, Report& report) {
  std::vector<Placing> placings;
  for (int i = 1; i < 500; ++i) placings.push_back({{3.0 * (i % 25), 0, 3.0 * (i / 25)}, 0.7 * i});
  double best = 1e9, memory = 0;
  for (int run = 0; run < 5; ++run) {
    World world;
    const double before = resident_bytes();
    best = std::min(best, best_seconds(1, [&] {
                      const PlantId first =
                          checked(world.add({.file = gallery + "/plants/young_tree.lsys"}));
                      checked(world.add_instances(first, placings));
                    }));
    memory = std::max(memory, resident_bytes() - before);
  }
  report.figures.push_back({.name = "500 young trees, grown once and added",
                            .value = best * 1e3,
                            .unit = "ms",
                            .target = 50,
                            .higher_is_better = false});
  report.figures.push_back({.name = "memory of these",
                            .value = memory * 1e-6,
                            .unit = "MB",
                            .target = 200,
                            .higher_is_better = false});
}

void bench_saves(const std::string& gallery, Report& report) {
  struct Size {
    double trunk, save_target, restore_target;  // [m], [ms]
  };
  for (const Size& size : {Size{0.38, 10, 20}, Size{1.2, 150, 250}}) {
    const World world = blown_oak(gallery, size.trunk).world;
    std::string bytes;
    const double save = best_seconds(8, [&] { bytes = checked(world.save()); });
    const double restore = best_seconds(8, [&] { checked(World::restore(bytes)); });
    const std::size_t segments = world.segment_count();
    const auto figure = [&](const char* what, double seconds, double target) {
      report.figures.push_back({.name = fmt::format("{}, oak of {}", what, segments),
                                .value = seconds * 1e3,
                                .unit = "ms",
                                .target = target,
                                .higher_is_better = false});
    };
    figure("saving a world to bytes", save, size.save_target);
    figure("restoring it", restore, size.restore_target);
    report.figures.push_back(
        {.name = "bytes of it a segment, with its leaves",
         .value = static_cast<double>(bytes.size()) / static_cast<double>(segments),
         .unit = "",
         .target = 700,
         .higher_is_better = false});
  }
}

}  // namespace

void bench_edits(const std::string& gallery, Report& report) {
  bench_cut(gallery, report);
  bench_change(gallery, report);
  bench_small_changes(gallery, report);
  bench_keys(gallery, report);
  bench_pick(gallery, report);
  bench_instances(gallery, report);
  bench_saves(gallery, report);
}

}  // namespace thigmo::bench
