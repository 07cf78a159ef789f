#include "io/rig/reduce.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace thigmo {
namespace {

// Points whose path must be kept, in the frame of their segment: its tip and its organs' tips.
struct Watched {
  std::vector<std::size_t> first;  // of each segment, and one past the last
  std::vector<Vec3> points_in_segment;
};

Watched watched_points(const Plant& plant) {
  Watched watched;
  std::size_t organ = 0;
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    watched.first.push_back(watched.points_in_segment.size());
    watched.points_in_segment.push_back({0, plant.segments[i].length, 0});
    for (; organ < plant.organs.size() && plant.organs[organ].segment == static_cast<Index>(i);
         ++organ) {
      const Organ& o = plant.organs[organ];
      watched.points_in_segment.push_back(base_in_segment(o) +
                                          rotate(segment_from_organ(o), Vec3{0, o.length, 0}));
    }
  }
  watched.first.push_back(watched.points_in_segment.size());
  return watched;
}

// Where the segment would be if it rode on `carrier`: carrier's pose times their rest relation.
struct Ride {
  Quat carrier_from_segment;
  Vec3 base_in_carrier;
};
Ride rest_relation(const Pose& rest, Index carrier, Index segment) {
  const Quat carrier_from_world = conjugate(at(rest.world_from_segment, carrier));
  return {.carrier_from_segment = carrier_from_world * at(rest.world_from_segment, segment),
          .base_in_carrier = rotate(carrier_from_world,
                                    at(rest.base_world, segment) - at(rest.base_world, carrier))};
}

double stray(const Pose& pose, const Ride& ride, Index carrier, Index segment,
             const Vec3& point_in_segment) {
  const Vec3 should =
      at(pose.base_world, segment) + rotate(at(pose.world_from_segment, segment), point_in_segment);
  const Vec3 in_carrier =
      ride.base_in_carrier + rotate(ride.carrier_from_segment, point_in_segment);
  const Vec3 is =
      at(pose.base_world, carrier) + rotate(at(pose.world_from_segment, carrier), in_carrier);
  return length(should - is);
}

// The largest stray of the segment's points over some frames.
double worst_stray(const Pose& rest, std::span<const Pose> frames, const Watched& watched,
                   Index carrier, Index segment) {
  const Ride ride = rest_relation(rest, carrier, segment);
  double worst = 0;
  for (const Pose& pose : frames) {
    for (std::size_t p = at(watched.first, segment); p < at(watched.first, segment + 1); ++p) {
      worst = std::max(worst, stray(pose, ride, carrier, segment, watched.points_in_segment[p]));
    }
  }
  return worst;
}

JointReduction keep_for_tolerance(const Plant& plant, const Pose& rest,
                                  std::span<const Pose> frames, const Watched& watched,
                                  double tolerance) {
  JointReduction reduction;
  for (Index i = 0; i < segment_count(plant); ++i) {
    const Index parent = at(plant.segments, i).parent;
    if (parent != no_index) {
      const Index joint = at(reduction.joint_of_segment, parent);
      if (worst_stray(rest, frames, watched, at(reduction.kept, joint), i) <= tolerance) {
        reduction.joint_of_segment.push_back(joint);
        continue;
      }
    }
    reduction.joint_of_segment.push_back(static_cast<Index>(reduction.kept.size()));
    reduction.kept.push_back(i);
  }
  return reduction;
}

void measure(const Plant& plant, const Pose& rest, const Motion& motion, const Watched& watched,
             JointReduction& reduction) {
  double sum = 0;
  std::size_t count = 0;
  std::vector<Ride> rides;
  for (Index i = 0; i < segment_count(plant); ++i) {
    rides.push_back(rest_relation(rest, at(reduction.kept, at(reduction.joint_of_segment, i)), i));
  }
  Pose scratch;
  for (std::size_t f = 0; f < motion.times.size(); ++f) {
    const Pose& pose = pose_at(motion, f, scratch);
    for (Index i = 0; i < segment_count(plant); ++i) {
      const Index carrier = at(reduction.kept, at(reduction.joint_of_segment, i));
      for (std::size_t p = at(watched.first, i); p < at(watched.first, i + 1); ++p) {
        const double error = stray(pose, at(rides, i), carrier, i, watched.points_in_segment[p]);
        if (error > reduction.error_max) reduction.worst_frame = f;
        reduction.error_max = std::max(reduction.error_max, error);
        sum += error;
        ++count;
      }
    }
  }
  reduction.error_mean = count > 0 ? sum / static_cast<double>(count) : 0;
}

// The frame whose segment tips are nearest to their means over all frames.
Pose middle_pose(const Plant& plant, const Motion& motion) {
  std::vector<Vec3> mean(plant.segments.size());
  const double share = 1.0 / static_cast<double>(motion.times.size());
  Pose scratch;
  for (std::size_t f = 0; f < motion.times.size(); ++f) {
    const Pose& pose = pose_at(motion, f, scratch);
    for (Index i = 0; i < segment_count(plant); ++i) {
      at(mean, i) += point_on_segment(plant, pose, i, 1) * share;
    }
  }
  std::size_t nearest = 0;
  double least = 0;
  for (std::size_t f = 0; f < motion.times.size(); ++f) {
    const Pose& pose = pose_at(motion, f, scratch);
    double sum = 0;
    for (Index i = 0; i < segment_count(plant); ++i) {
      const Vec3 off = point_on_segment(plant, pose, i, 1) - at(mean, i);
      sum += dot(off, off);
    }
    if (f == 0 || sum < least) {
      nearest = f;
      least = sum;
    }
  }
  return pose_at(motion, nearest, scratch);
}

}  // namespace

Pose bind_pose(const Plant& plant, const JointReduction& reduction) {
  return reduction.bind.base_world.empty() ? rest_pose(plant, reduction.stands) : reduction.bind;
}

JointReduction keep_all_joints(const Plant& plant, const PlantFrame& stands) {
  JointReduction reduction;
  reduction.stands = stands;
  reduction.kept.resize(plant.segments.size());
  std::iota(reduction.kept.begin(), reduction.kept.end(), 0);
  reduction.joint_of_segment = reduction.kept;
  return reduction;
}

Pose reduced_pose(const Plant& plant, const JointReduction& reduction, const Pose& pose) {
  const Pose rest = bind_pose(plant, reduction);
  Pose reduced;
  for (Index i = 0; i < segment_count(plant); ++i) {
    const Index carrier = at(reduction.kept, at(reduction.joint_of_segment, i));
    const Ride ride = rest_relation(rest, carrier, i);
    const Quat& turn = at(pose.world_from_segment, carrier);
    reduced.base_world.push_back(at(pose.base_world, carrier) + rotate(turn, ride.base_in_carrier));
    reduced.world_from_segment.push_back(turn * ride.carrier_from_segment);
  }
  return reduced;
}

JointReduction reduce_joints(const Plant& plant, const Motion& motion, Index max_joints,
                             const PlantFrame& stands) {
  if (segment_count(plant) <= max_joints) return keep_all_joints(plant, stands);
  const Pose bind = motion.times.empty() ? rest_pose(plant, stands) : middle_pose(plant, motion);
  const Watched watched = watched_points(plant);
  // Two dozen frames show who moves against whom; the error is measured on all of them.
  const std::size_t stride = std::max<std::size_t>(1, motion.times.size() / 24);
  std::vector<Pose> frames;
  Pose scratch;
  for (std::size_t f = 0; f < motion.times.size(); f += stride) {
    frames.push_back(pose_at(motion, f, scratch));
  }
  double too_small = 0, enough = 1e-3;
  const auto attempt = [&](double tolerance) {
    return keep_for_tolerance(plant, bind, frames, watched, tolerance);
  };
  JointReduction best = attempt(enough);
  const auto fits = [&](const JointReduction& r) {
    return static_cast<Index>(r.kept.size()) <= max_joints;
  };
  // Roots cannot be merged, so a plant of many roots may never fit; no path is longer than 1e9 m.
  while (!fits(best) && enough < 1e9) {
    too_small = enough;
    enough *= 4;
    best = attempt(enough);
  }
  for (int i = 0; i < 20 && enough - too_small > 1e-3 * enough; ++i) {
    const double middle = 0.5 * (too_small + enough);
    JointReduction candidate = attempt(middle);
    if (fits(candidate)) {
      enough = middle;
      best = std::move(candidate);
    } else {
      too_small = middle;
    }
  }
  measure(plant, bind, motion, watched, best);
  best.bind = bind;
  best.stands = stands;
  return best;
}

}  // namespace thigmo
