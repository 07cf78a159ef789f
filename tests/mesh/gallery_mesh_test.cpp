#include <gtest/gtest.h>
#include <algorithm>

#include "io/geo/obj.h"
#include "io/rig/moving_surface.h"
#include "mesh/tube_quality.h"
#include "support/gallery.h"
#include "support/surface_bytes.h"

// The surface of every plant of the gallery, at rest and in a storm.

namespace thigmo::gallery_mesh_test {
namespace {

using testing::OneTube;
using testing::Quality;

#ifdef __SANITIZE_ADDRESS__
constexpr bool slow_build = true;
#else
constexpr bool slow_build = false;
#endif

class GallerySurface : public ::testing::TestWithParam<std::string> {};

// A gale of 20 m/s with gusts: twigs of many plants are blown over by 150° and single joints by 70°.
TEST_P(GallerySurface, IsSoundAtRestAndInAStorm) {
  const support::Storm storm = support::gallery_storm(GetParam(), {.small = slow_build});
  const Plant& plant = storm.plant;
  const Pose rest = rest_pose(plant);
  Quality calm, blown;
  std::size_t open = 0;
  for (const Tube& tube : find_tubes(plant)) {
    const OneTube one = testing::one_tube(plant, rest, tube);
    open += testing::open_edges(one.mesh);
    look_at_rings(one, one.mesh.positions, calm);
    Deformed shape;
    deform(one.mesh, storm.motion.poses.back(), shape);
    look_at_rings(one, shape.positions, blown);
    look_at_areas(one, shape.positions, blown);
  }
  EXPECT_GE(calm.rings, plant.segments.size());
  EXPECT_EQ(open, 0u);
  EXPECT_EQ(calm.inverted + blown.inverted, 0u);
  EXPECT_EQ(calm.cutting + blown.cutting, 0u);
  EXPECT_LE(blown.worst_area_change, 0.05);
  // Bends of more than 60° between two rings are left out above: they must be few. Of a small plant
  // under sanitizers a single twig may make three.
  EXPECT_LE(static_cast<double>(blown.sharp_bends),
            std::max(3.0, 0.01 * static_cast<double>(blown.rings)));
}

std::string texture_lines(const std::string& obj) {
  std::istringstream lines(obj);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("vt ") || line.starts_with("f ")) kept += line + "\n";
  }
  return kept;
}

// What is written of a storm's frames differs in places and normals only.
TEST_P(GallerySurface, KeepsItsTextureInEveryFrame) {
  const support::Storm storm = support::gallery_storm(GetParam());
  const MovingPlant moving{&storm.plant, &storm.motion};
  const MovingSurface surface = make_moving_surface({&moving, 1});
  std::vector<std::string> frames;
  for (std::size_t frame = 0; frame < storm.motion.poses.size(); ++frame) {
    Deformed shape;
    shape_at(surface, frame, shape);
    frames.push_back(support::obj_text(surface, &shape));
  }
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_NE(frames[0], frames[1]);
  EXPECT_GT(texture_lines(frames[0]).size(), 1000u);
  EXPECT_EQ(texture_lines(frames[0]), texture_lines(frames[1]));
}

INSTANTIATE_TEST_SUITE_P(Plants, GallerySurface, ::testing::ValuesIn(support::gallery_plants()),
                         support::plain_name);

}  // namespace
}  // namespace thigmo::gallery_mesh_test
