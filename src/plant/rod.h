#pragma once

#include <optional>
#include <string>

#include "plant/plant.h"

namespace thigmo {

// A plain rod, for checking physics against closed forms.
struct RodDescription {
  std::string name = "rod";
  int segments = 20;
  double length = 1;                            // [m]
  double radius_base = 0.01;                    // [m]
  double radius_tip = 0.01;                     // [m], linear taper
  std::optional<Rectangle> rectangle = {};      // replaces the radii
  std::optional<Rectangle> rectangle_tip = {};  // where it tapers
  Outline outline = Outline::rectangle;         // or the ellipse in that rectangle
  double hollow = 0;                            // inner over outer radius of a tube [-]
  Vec3 direction = {0, 1, 0};                   // unit vector along the rod
  Vec3 up = {0, 0, 1};                          // unit vector across it: z of its section
  Material material;
  // Natural curvature about x, twist about y, curvature about z of its section, the same all along;
  // positive about x bends it towards `up` [rad/m].
  Vec3 curvature;
  double tip_mass = 0;    // at its tip [kg]
  double tip_radius = 0;  // of the disc across the rod that this mass is; 0: a point [m]
};

Plant make_rod(const RodDescription& description);

}  // namespace thigmo
