#include "render/picture.h"

#include <gtest/gtest.h>

#include "mesh/test_tree.h"
#include "render/colour_map.h"
#include "render/wireframe.h"

namespace thigmo::picture_test {
namespace {

using testing::make_sway;
using testing::make_test_tree;

int brightness(const Image& image, int x, int y) {
  const std::uint8_t* p = pixel_at(image, x, y);
  return p[0] + p[1] + p[2];
}

TEST(Picture, SameBitsForAnyNumberOfThreads) {
  const Plant plant = make_test_tree();
  const PosedPlant posed{&plant, nullptr};
  const MovingPlant moving{&plant, nullptr};
  const Camera camera = frame_camera({&moving, 1}, 4.0 / 3.0);
  const auto picture = [&](int threads) {
    return render_picture({&posed, 1}, camera,
                          {.width = 160, .height = 120, .samples = 2, .threads = threads});
  };
  const Image one = picture(1);
  EXPECT_EQ(picture(2).rgb, one.rgb);
  EXPECT_EQ(picture(4).rgb, one.rgb);
  EXPECT_EQ(picture(1).rgb, one.rgb);
}

// An upright rod below a sun at 45° from the right throws a shadow of its own length to the left.
TEST(Picture, ShadowLiesWhereTheSunSays) {
  Plant plant;
  plant.materials.push_back({});
  Segment rod;
  rod.length = 1.0;
  rod.radius_base = rod.radius_tip = 0.05;
  plant.segments.push_back(rod);
  const PosedPlant posed{&plant, nullptr};
  // From straight above: right is +x.
  const Camera camera{.eye_world = {0, 10, 0},
                      .target_world = {0, 0, 0},
                      .up_world = {0, 0, -1},
                      .vertical_angle_deg = 2 * 180 / std::numbers::pi * std::atan(0.2)};
  RenderOptions options{.width = 200, .height = 200, .samples = 16, .threads = 1};
  options.light.towards_sun_world = {1, 1, 0};
  const Image image = render_picture({&posed, 1}, camera, options);
  const Image bare = render_picture({}, camera, options);  // the same grass without the rod
  // 4 m across 200 pixels; the ground point (x, z) is at pixel (100 + 50 x, 100 + 50 z).
  const auto part_of_light = [&](int x, int y) {
    return static_cast<double>(brightness(image, x, y)) / brightness(bare, x, y);
  };
  EXPECT_LT(part_of_light(100 - 25, 100), 0.75);
  EXPECT_LT(part_of_light(100 - 45, 100), 0.80);
  EXPECT_GT(part_of_light(100 - 65, 100), 0.95);
  EXPECT_GT(part_of_light(100 + 25, 100), 0.95);
}

TEST(Picture, AutomaticCameraSeesEveryPointOfTheMotion) {
  const Plant plant = make_test_tree();
  const Motion motion = make_sway(plant, 20, 10, 0.1);
  const MovingPlant moving{&plant, &motion};
  for (const double aspect : {0.5, 1.0, 16.0 / 9.0}) {
    const Camera camera = frame_camera({&moving, 1}, aspect);
    const CameraAxes axes = camera_axes(camera);
    const double slope = std::tan(0.5 * camera.vertical_angle_deg * std::numbers::pi / 180);
    double largest = 0;
    for (const Pose& pose : motion.poses) {
      for (Index i = 0; i < segment_count(plant); ++i) {
        const Vec3 p = point_on_segment(plant, pose, i, 1.0) - camera.eye_world;
        const double depth = -dot(p, axes.back);
        ASSERT_GT(depth, 0);
        largest = std::max({largest, std::abs(dot(p, axes.up)) / (slope * depth),
                            std::abs(dot(p, axes.right)) / (slope * aspect * depth)});
      }
    }
    EXPECT_LT(largest, 1.0);
    EXPECT_GT(largest, 0.7);  // and does not stand too far away
  }
}

TEST(Picture, CancelledStopsAtOnce) {
  const Plant plant = make_test_tree({.orders = 1});
  const PosedPlant posed{&plant, nullptr};
  const std::atomic<bool> cancel{true};
  const Image image = render_picture(
      {&posed, 1}, Camera{}, {.width = 4000, .height = 4000, .samples = 64, .cancel = &cancel});
  EXPECT_EQ(brightness(image, 2000, 2000), 0);
}

TEST(Picture, NothingToSeeShowsSkyAboveGround) {
  const Image image = render_picture({}, Camera{.eye_world = {0, 1, 5}, .target_world = {0, 1, 0}},
                                     {.width = 40, .height = 40, .samples = 1});
  const std::uint8_t* sky = pixel_at(image, 20, 2);
  const std::uint8_t* ground = pixel_at(image, 20, 38);
  EXPECT_GT(sky[2], sky[0]);        // blue
  EXPECT_GT(ground[1], ground[2]);  // green
}

// A rod whose upper half carries the high value is yellow above and violet below, in the picture and
// in the wireframe alike.
TEST(Picture, ValuesShowAsColours) {
  Plant plant;
  plant.materials.push_back({});
  for (int i = 0; i < 2; ++i) {
    Segment s;
    s.parent = i - 1;
    s.base_in_parent = {0, i == 0 ? 0.0 : 1.0, 0};
    s.length = 1;
    s.radius_base = s.radius_tip = 0.1;
    plant.segments.push_back(s);
  }
  const std::array values{2.0, 5.0};
  const PosedPlant posed{&plant, nullptr};
  const SegmentNumbers numbers(values);
  const ValueRange range = value_range({&numbers, 1});
  EXPECT_EQ(range.low, 2.0);
  EXPECT_EQ(range.high, 5.0);
  const Camera camera{.eye_world = {0, 1, 5}, .target_world = {0, 1, 0}, .vertical_angle_deg = 30};
  Image image = render_picture(
      {&posed, 1}, camera,
      {.width = 100, .height = 100, .samples = 8, .values = {&numbers, 1}, .range = range});
  // 2.68 m over 100 pixels, the joint in the middle row.
  const std::uint8_t *high = pixel_at(image, 50, 30), *low = pixel_at(image, 50, 70);
  EXPECT_GT(high[0], 2 * high[2]);
  EXPECT_GT(low[2], low[1]);
  const Image wire = draw_wireframe(
      {&posed, 1}, camera, {.width = 101, .height = 101, .values = {&numbers, 1}, .range = range});
  const std::uint8_t *upper = pixel_at(wire, 50, 30), *lower = pixel_at(wire, 50, 70);
  EXPECT_GT(upper[0], 2 * upper[2]);
  EXPECT_GT(lower[2], lower[1]);
  draw_legend({"x [m]", range.low, range.high}, image);
  EXPECT_EQ(image.width, 100);
}

TEST(Picture, OpenApertureBlursWhatIsOutOfFocus) {
  const Plant plant = make_test_tree({.orders = 1});
  const PosedPlant posed{&plant, nullptr};
  const MovingPlant moving{&plant, nullptr};
  Camera camera = frame_camera({&moving, 1}, 1.0);
  const auto edges = [&](const Image& image) {
    double sum = 0;
    for (int y = 0; y < image.height; ++y) {
      for (int x = 1; x < image.width; ++x)
        sum += std::abs(brightness(image, x, y) - brightness(image, x - 1, y));
    }
    return sum;
  };
  const RenderOptions options{.width = 120, .height = 120, .samples = 16, .ground_height = {}};
  const double sharp = edges(render_picture({&posed, 1}, camera, options));
  camera.aperture = 0.3;
  camera.focus_distance = 0.4 * length(camera.target_world - camera.eye_world);
  EXPECT_LT(edges(render_picture({&posed, 1}, camera, options)), 0.7 * sharp);
}

TEST(Picture, ContactSheetHoldsEveryTileInItsPlace) {
  std::vector<SheetTile> tiles;
  for (std::uint8_t i = 0; i < 5; ++i)
    tiles.push_back({make_image(40, 30, {static_cast<std::uint8_t>(50 * i), 10, 20}), "t"});
  const Image sheet = contact_sheet(tiles, 3);
  EXPECT_EQ(sheet.width, 12 + 3 * 52);
  EXPECT_EQ(sheet.height, 12 + 2 * (30 + 26 + 12));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(pixel_at(sheet, 12 + i % 3 * 52 + 20, 12 + i / 3 * 68 + 15)[0], 50 * i);
  }
}

}  // namespace
}  // namespace thigmo::picture_test
