#include "plant/sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace thigmo {
namespace {

// The farthest coordinate of a point, infinite for what is no number.
double farthest_of(const Vec3& p) {
  const double far = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  return is_finite(p) ? far : std::numeric_limits<double>::infinity();
}

// A plant keeps this many steps between its ends where numbers are rounded: below it, nothing of its shape
// is left. Pivots only say where a part turns; its mesh has more digits.
double least_steps(Precision precision) { return precision == Precision::half ? 16 : 64; }

// Single precision ends at 3.4e38 [kg].
constexpr double largest_mass = 1e38;

std::string called(const Plant& plant) {
  return plant.name.empty() ? std::string("the plant") : fmt::format("the plant '{}'", plant.name);
}

const char* holder(Precision precision) {
  switch (precision) {
    case Precision::full:
      return "tables hold";
    case Precision::single:
      return "files and pictures hold";
    case Precision::half:
      break;
  }
  return "pivot textures hold";
}

struct LargestSize {
  double size = 0;  // [m]
  const char* what = "";
};

LargestSize largest_part(const Plant& plant) {
  LargestSize largest;
  const auto add = [&](double size, const char* what) {
    if (!(size <= largest.size)) largest = {size, what};
  };
  for (const Segment& s : plant.segments) {
    add(s.length, "a segment with a length of");
    add(2 * std::max(s.radius_base, s.radius_tip), "a stem with a diameter of");
    add(std::max(s.height_base, s.height_tip), "a flat stem with a height of");
  }
  for (const Organ& organ : plant.organs) {
    add(organ.length, "an organ with a length of");
    add(organ.width, "an organ with a width of");
  }
  return largest;
}

double smallest_part(const Plant& plant) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Segment& s : plant.segments) {
    smallest = std::min({smallest, s.length, s.radius_base});
  }
  return smallest;
}

double largest_segment_mass(const Plant& plant) {
  double largest = 0;
  for (const Segment& s : plant.segments) {
    const double mass = at(plant.materials, s.material).density * stem_volume(s);
    if (!(mass <= largest)) largest = mass;
  }
  return largest;
}

// The box around both ends of every segment and organ, and its farthest coordinate.
struct Reach {
  Box box;
  double farthest = 0;
};
Reach reach_of(const Plant& plant, const Pose& pose) {
  Reach reach{.box = bounding_box(plant, pose)};
  Box& box = reach.box;
  reach.farthest = std::max(farthest_of(box.min), farthest_of(box.max));
  for (const Organ& organ : plant.organs) {
    const auto s = as_size(organ.segment);
    const Vec3 tip =
        base_in_segment(organ) + rotate(segment_from_organ(organ), Vec3{0, organ.length, 0});
    const Vec3 p = pose.base_world[s] + rotate(pose.world_from_segment[s], tip);
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y), std::min(box.min.z, p.z)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y), std::max(box.max.z, p.z)};
    reach.farthest = std::max(reach.farthest, farthest_of(p));
  }
  return reach;
}

double size_of(const Reach& reach, const LargestSize& part) {
  const Vec3 across = reach.box.max - reach.box.min;
  return std::max({across.x, across.y, across.z, part.size});
}

Result<Done> check_distance(const Plant& plant, double farthest, double size, Precision precision) {
  const double largest = largest_size(precision);
  if (!(farthest <= largest)) {
    return error(fmt::format("{} reaches {:.3g} m from the origin; {} at most {:.3g} m",
                             called(plant), farthest, holder(precision), largest),
                 "move it to the origin, or scale it: lengths are in metres");
  }
  if (!holds(precision, size, farthest)) {
    return error(fmt::format("{} is {:.3g} m large and {:.3g} m from the origin, where {} nothing "
                             "finer than {:.2g} m",
                             called(plant), size, farthest, holder(precision),
                             rounding(precision, farthest)),
                 "move it nearer to the origin");
  }
  return Done{};
}

}  // namespace

double largest_size(Precision precision) {
  switch (precision) {
    case Precision::full:
      return 1e12;
    case Precision::single:
      return 1e10;
    case Precision::half:
      break;
  }
  return 655.04;
}

double rounding(Precision precision, double farthest) {
  switch (precision) {
    case Precision::full:
      return farthest * 0x1p-52;
    case Precision::single:
      return farthest * 0x1p-23;
    case Precision::half:
      break;
  }
  return farthest * 0x1p-10;
}

bool holds(Precision precision, double size, double farthest) {
  return !(size < least_steps(precision) * rounding(precision, farthest));
}

double plant_size(const Plant& plant, const Pose& pose) {
  return size_of(reach_of(plant, pose), largest_part(plant));
}

Result<Done> check_sizes(const Plant& plant, const Pose& pose, Precision precision) {
  const LargestSize part = largest_part(plant);
  const double largest = largest_size(precision);
  if (!(part.size <= largest)) {
    return error(fmt::format("{} has {} {:.3g} m; {} at most {:.3g} m", called(plant), part.what,
                             part.size, holder(precision), largest),
                 "scale it: lengths are in metres");
  }
  if (const double smallest = smallest_part(plant); smallest < smallest_size) {
    return error(fmt::format("{} has a segment of {:.3g} m; {} nothing below {:.3g} m",
                             called(plant), smallest, holder(precision), smallest_size),
                 "leave it out, or scale it: lengths are in metres");
  }
  if (const double mass = largest_segment_mass(plant); !(mass <= largest_mass)) {
    return error(fmt::format("{} has a segment of {:.3g} kg; {} at most {:.3g} kg", called(plant),
                             mass, holder(precision), largest_mass),
                 "scale it, or give it a lower density");
  }
  const Reach reach = reach_of(plant, pose);
  return check_distance(plant, reach.farthest, size_of(reach, part), precision);
}

Result<Done> check_sizes(std::span<const MovingPlant> plants, Precision precision) {
  for (const MovingPlant& moving : plants) {
    Pose scratch;
    const Pose& pose =
        moves(moving) ? pose_at(*moving.motion, 0, scratch) : (scratch = rest_pose(moving));
    if (Result<Done> done = check_sizes(*moving.plant, pose, precision); !done) return done;
  }
  return Done{};
}

Result<Done> check_reach(const Plant& plant, const Pose& pose, double size, Precision precision) {
  double farthest = 0;
  for (const Vec3& base : pose.base_world) farthest = std::max(farthest, farthest_of(base));
  return check_distance(plant, farthest, size, precision);
}

}  // namespace thigmo
