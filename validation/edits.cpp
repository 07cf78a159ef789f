#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "validation/validation.h"

// What a cut and a graft do to the motion of plants that gusts blow about: nothing.
namespace thigmo::validation {
namespace {

constexpr double frame = 1.0 / 60;

template <class T>
T checked(Outcome<T> outcome) {
  if (!outcome) throw std::runtime_error(outcome.error());
  return std::move(*outcome);
}

Numbers3 plus(const Numbers3& a, const Numbers3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Numbers3 cross(const Numbers3& a, const Numbers3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double distance(const Numbers3& a, const Numbers3& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
double size(const Numbers3& a) { return std::hypot(a[0], a[1], a[2]); }

// y of a segment's frame in the world, times its length.
Numbers3 along(const Numbers4& q, double length) {
  const auto [w, x, y, z] = q;
  return {2 * (x * y - w * z) * length, (1 - 2 * (x * x + z * z)) * length,
          2 * (y * z + w * x) * length};
}

// Where the ends of all segments are and how fast, by the segments' names.
struct Ends {
  Numbers3 base, tip, base_velocity, tip_velocity;
};
std::map<SegmentId, Ends> ends_of(const World& world) {
  std::map<SegmentId, Ends> ends;
  for (const PlantId plant : world.plants()) {
    const std::vector<SegmentInfo> segments = checked(world.segments(plant));
    const std::vector<Transform> pose = world.transforms(plant);
    std::vector<Motion3> motion(segments.size());
    checked(world.velocities(plant, motion));
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const Numbers3 arm = along(pose[i].rotation, segments[i].length);
      ends[segments[i].id] = {pose[i].position, plus(pose[i].position, arm), motion[i].velocity,
                              plus(motion[i].velocity, cross(motion[i].angular_velocity, arm))};
    }
  }
  return ends;
}

// The most that any point of a segment that is whole in both moved, or changed its velocity.
double jump(const std::map<SegmentId, Ends>& before, const World& after,
            const std::vector<SegmentId>& divided) {
  double most = 0;
  const std::map<SegmentId, Ends> now = ends_of(after);
  for (const auto& [id, was] : before) {
    const Ends& is = now.at(id);
    most = std::max(
        {most, distance(was.base, is.base), distance(was.base_velocity, is.base_velocity)});
    if (std::find(divided.begin(), divided.end(), id) != divided.end()) continue;
    most = std::max({most, distance(was.tip, is.tip), distance(was.tip_velocity, is.tip_velocity)});
  }
  return most;
}

Momentum momentum_of(const World& world) {
  Momentum sum{};
  for (const PlantId plant : world.plants()) {
    const Momentum one = checked(world.momentum(plant));
    sum.mass += one.mass;
    sum.linear = plus(sum.linear, one.linear);
    sum.angular = plus(sum.angular, one.angular);
  }
  return sum;
}

double difference(const Momentum& a, const Momentum& b) {
  return std::max({std::abs(a.mass - b.mass) / a.mass,
                   distance(a.linear, b.linear) / size(a.linear),
                   distance(a.angular, b.angular) / size(a.angular)});
}

// The worst of a plant.
struct Worst {
  double momentum = 0, jump = 0, apart = 0;
  std::size_t segments = 0;
};

Worst try_plant(const std::string& name) {
  World whole;
  checked(whole.set_wind({.mean = {7, 0, 2}, .intensity = 0.3, .seed = 4}));
  const PlantId plant =
      checked(whole.add({.file = source_file("gallery/plants/" + name + ".lsys")}));
  for (int i = 0; i < 60; ++i) whole.step(frame);
  const std::vector<SegmentInfo> segments = checked(whole.segments(plant));
  const auto ends = ends_of(whole);
  const Momentum momentum = momentum_of(whole);
  World later = whole;
  for (int i = 0; i < 60; ++i) later.step(frame);
  Worst worst{.segments = segments.size()};
  for (const double share : {0.05, 0.3, 0.7}) {
    for (const double place : {0.0, 0.6}) {
      auto number = static_cast<std::size_t>(share * static_cast<double>(segments.size()));
      while (segments[number].parent < 0) ++number;
      const SegmentId id = segments[number].id;
      World world = whole;
      const EditReport cut = checked(world.cut(id, place));
      std::vector<SegmentId> divided;
      if (!cut.splits.empty()) divided.push_back(id);
      worst.momentum = std::max(worst.momentum, difference(momentum, momentum_of(world)));
      worst.jump = std::max(worst.jump, jump(ends, world, divided));
      // Joined again at once, it goes on as the one that was not cut.
      const SegmentInfo& parent = segments[static_cast<std::size_t>(segments[number].parent)];
      const Transform& base = whole.transforms(plant)[number];
      const Transform& below =
          whole.transforms(plant)[static_cast<std::size_t>(segments[number].parent)];
      const Numbers3 axis = along(below.rotation, 1 / parent.length);
      double height = 0;  // of the joint on its parent, over the parent's length
      for (std::size_t k = 0; k < 3; ++k)
        height += axis[k] * (base.position[k] - below.position[k]);
      const bool through = !cut.splits.empty();
      checked(world.graft(cut.pieces.front(), through ? id : parent.id,
                          {.along = through ? 1.0 : std::min(1.0, height)}));
      for (int i = 0; i < 60; ++i) world.step(frame);
      const auto expected = ends_of(later);
      for (const auto& [segment, is] : ends_of(world)) {
        worst.apart = std::max(worst.apart, distance(is.tip, expected.at(segment).tip));
      }
    }
  }
  return worst;
}

}  // namespace

void edits(CaseResult& result) {
  Plot plot{.title = "What is off at a cut and after a graft",
            .x_label = "segments",
            .y_label = "momenta [-], jumps [m], [m/s], way [m]",
            .series = {},
            .logarithmic_x = true,
            .logarithmic_y = true,
            .width = 720,
            .height = 360};
  PlotSeries momenta = dots("momenta (1e-9)"), jumps = dots("jumps (1e-12)"),
             ways = dots("a second later (1e-9)");
  for (const char* name : {"oak", "birch", "palm", "grass", "young_tree", "rose", "sunflower"}) {
    const Worst worst = try_plant(name);
    const auto segments = static_cast<double>(worst.segments);
    add_point(momenta, segments, worst.momentum);
    add_point(jumps, segments, worst.jump);
    add_point(ways, segments, worst.apart);
    const std::string who = fmt::format("{} of {} segments", name, worst.segments);
    // Momenta add up, and no point jumps: a cut changes no position and no velocity. Masses and inertia of the two
    // parts of one segment are held in single precision.
    check_absolute(result, who + ": momenta of stump and piece over what was, less 1", 0,
                   worst.momentum, 1e-9);
    check_absolute(result, who + ": the most that a point moves or changes its velocity [m], [m/s]",
                   0, worst.jump, 1e-12);
    // Forces, springs and accelerations are the same, and so is the motion.
    check_absolute(result, who + ": from the uncut one a second after cut and graft [m]", 0,
                   worst.apart, 1e-9);
  }
  plot.series = {momenta, jumps, ways};
  result.plots.push_back({.name = "edits", .plot = std::move(plot)});
}

}  // namespace thigmo::validation
