#pragma once

#include <span>

#include "plant/motion.h"

namespace thigmo {

// A pinhole camera, or a thin lens where the aperture is open.
struct Camera {
  Vec3 eye_world{0, 1, 5};     // [m]
  Vec3 target_world{0, 1, 0};  // [m]
  Vec3 up_world{0, 1, 0};
  double vertical_angle_deg = 35;  // field of view
  double aperture = 0;             // diameter of the lens [m]; 0: everything is sharp
  double focus_distance = 0;       // [m]; 0: the distance of the target
};

// Where an automatic camera looks from, and how much air it leaves around the plants.
struct Framing {
  Vec3 view_direction_world{-0.55, -0.11, -1.0};  // from the camera to the plants
  double vertical_angle_deg = 30;
  double margin = 0.06;  // part of the picture's height left free on each side
};

// A camera that sees the plants in every pose of their motion (at rest where they have none).
Camera frame_camera(std::span<const MovingPlant> plants, double width_per_height,
                    const Framing& framing = {});

// The camera's axes: x right, y up, z towards the viewer.
struct CameraAxes {
  Vec3 right, up, back;
};
CameraAxes camera_axes(const Camera& camera);

}  // namespace thigmo
