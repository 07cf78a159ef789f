// Places of a scenario on plants, whole and in pieces.

#include "scenario/found_place.h"

#include <gtest/gtest.h>

#include "grammar/grammar.h"
#include "plant/subdivide.h"
#include "simulation/add_plant.h"

namespace thigmo::found_place_test {
namespace {

constexpr const char* herb = R"(
derivation length: 4
Axiom: !(0.01)F(0.3)A
A --> !(0.006)F(0.2)[+(35)F(0.15)]/(90)[&(50)F(0.1)A]
)";

Plant grown() {
  Diagnostics notes;
  Result<Plant> plant = grow_from_file(
      {.file = "herb"}, [](std::string_view) -> Result<std::string> { return std::string(herb); },
      notes);
  EXPECT_TRUE(plant);
  return std::move(*plant);
}

Vec3 where(const Plant& plant, const FoundPlace& place) {
  const Pose pose = rest_pose(plant, {});
  return at(pose.base_world, place.body) +
         rotate(at(pose.world_from_segment, place.body), place.point_in_body);
}

// A place along a segment of a file is the same point, however many pieces the segment is cut into.
TEST(FoundPlace, IsTheSameInAnyPieces) {
  const Plant whole = grown();
  for (const int pieces : {1, 2, 5}) {
    const Plant cut = subdivided(whole, pieces);
    for (Index segment = 0; segment < segment_count(whole); ++segment) {
      for (const double along : {0.0, 0.3, 0.4, 1.0}) {
        const PointOnPlant point{
            .kind = PointOnPlant::Kind::segment, .number = segment, .along = along};
        const Result<FoundPlace> a = find_place(whole, point, "it");
        const Result<FoundPlace> b = find_place(cut, point, "it");
        ASSERT_TRUE(a && b);
        EXPECT_LT(length(where(whole, *a) - where(cut, *b)), 1e-12)
            << pieces << " " << segment << " " << along;
        EXPECT_EQ(a->body, segment);
        const auto [first, last] = pieces_of(cut, segment);
        EXPECT_EQ(last - first + 1, pieces);
        EXPECT_GE(b->body, first);
        EXPECT_LE(b->body, last);
      }
    }
  }
}

// The main axis is an axis like others.
TEST(FoundPlace, OnAnAxisIsByItsLength) {
  const Plant plant = grown();
  const Index main = segment_at(plant, main_axis(plant).front()).axis;
  double length_of_axis = 0;
  for (const Segment& s : plant.segments) length_of_axis += s.axis == main ? s.length : 0;
  const auto found = [&](double along) {
    return *find_place(plant, {.kind = PointOnPlant::Kind::axis, .number = main, .along = along},
                       "it");
  };
  EXPECT_EQ(found(0).body, main_axis(plant).front());
  EXPECT_EQ(found(0).point_in_body, Vec3{});
  const FoundPlace half = found(0.5);
  double before = half.point_in_body.y;
  for (Index i = 0; i < half.body; ++i) {
    before += segment_at(plant, i).axis == main ? segment_at(plant, i).length : 0;
  }
  EXPECT_NEAR(before, 0.5 * length_of_axis, 1e-12);
  EXPECT_EQ(found(1).along, 1);
  const Result<FoundPlace> none =
      find_place(plant, {.kind = PointOnPlant::Kind::axis, .number = 999, .along = 1}, "a force");
  ASSERT_FALSE(none);
  EXPECT_NE(none.diagnostics().front().message.find("no such axis"), std::string::npos);
}

}  // namespace
}  // namespace thigmo::found_place_test
