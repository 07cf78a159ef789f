#include "render/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/assert.h"

namespace thigmo {
namespace {

double radians(double degrees) { return degrees * std::numbers::pi / 180.0; }

void add_points(const Plant& plant, const Pose& pose, std::vector<Vec3>& points) {
  for (Index i = 0; i < segment_count(plant); ++i) {
    points.push_back(point_on_segment(plant, pose, i, 0.0));
    points.push_back(point_on_segment(plant, pose, i, 1.0));
  }
  for (const Organ& organ : plant.organs) {
    const auto s = as_size(organ.segment);
    const Vec3 tip_in_segment =
        base_in_segment(organ) + rotate(segment_from_organ(organ), Vec3{0, organ.length, 0});
    points.push_back(pose.base_world[s] + rotate(pose.world_from_segment[s], tip_in_segment));
  }
}

// What the plants reach over their motion. Some dozens of poses show the extent well enough: the
// margin covers what happens between them.
std::vector<Vec3> reached_points(std::span<const MovingPlant> plants) {
  std::vector<Vec3> points;
  for (const MovingPlant& moving : plants) {
    THIGMO_ASSERT(moving.plant != nullptr);
    if (!moves(moving)) {
      add_points(*moving.plant, rest_pose(moving), points);
      continue;
    }
    const std::size_t count = moving.motion->times.size();
    Pose scratch;
    const std::size_t stride = std::max<std::size_t>(1, count / 48);
    for (std::size_t f = 0; f < count; f += stride) {
      if (is_there(moving, f))
        add_points(*moving.plant, pose_at(*moving.motion, f, scratch), points);
    }
  }
  return points;
}

}  // namespace

CameraAxes camera_axes(const Camera& camera) {
  const Vec3 back = normalized(camera.eye_world - camera.target_world, {0, 0, 1});
  const Vec3 right = normalized(cross(camera.up_world, back), any_perpendicular(back));
  return {.right = right, .up = cross(back, right), .back = back};
}

Camera frame_camera(std::span<const MovingPlant> plants, double width_per_height,
                    const Framing& framing) {
  Camera camera;
  camera.vertical_angle_deg = framing.vertical_angle_deg;
  camera.eye_world = -framing.view_direction_world;
  camera.target_world = {};
  const CameraAxes axes = camera_axes(camera);
  const std::vector<Vec3> points = reached_points(plants);
  if (points.empty()) return camera;

  // A point at (x, y, z) in the axes is inside the picture of an eye at (ex, ey, ez) when
  // |x - ex| <= s_x (ez - z) and |y - ey| <= s_y (ez - z), s the half-angle's tangent. So with
  // X± = max(±x + s_x z), any ez >= (X+ + X-) / (2 s_x) has an ex that fits, likewise for y.
  const double free = 1.0 - 2.0 * framing.margin;
  const double slope_y = std::tan(0.5 * radians(framing.vertical_angle_deg)) * free;
  const double slope_x = slope_y * width_per_height;
  const double lowest = -1e300;
  double right = lowest, left = lowest, top = lowest, bottom = lowest, near = lowest;
  for (const Vec3& p : points) {
    const double x = dot(p, axes.right), y = dot(p, axes.up), z = dot(p, axes.back);
    right = std::max(right, x + slope_x * z);
    left = std::max(left, -x + slope_x * z);
    top = std::max(top, y + slope_y * z);
    bottom = std::max(bottom, -y + slope_y * z);
    near = std::max(near, z);
  }
  const double distance =
      std::max({(right + left) / (2 * slope_x), (top + bottom) / (2 * slope_y), near + 0.01});
  camera.eye_world =
      axes.right * (0.5 * (right - left)) + axes.up * (0.5 * (top - bottom)) + axes.back * distance;
  const Vec3 middle = [&] {
    Vec3 sum;
    for (const Vec3& p : points) sum += p;
    return sum / static_cast<double>(points.size());
  }();
  const double depth = std::max(dot(camera.eye_world - middle, axes.back), 0.01);
  camera.target_world = camera.eye_world - axes.back * depth;
  return camera;
}

}  // namespace thigmo
