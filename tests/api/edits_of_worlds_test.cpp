#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "thigmo/world.h"

// Worlds that change between steps, as their users change them. What an edit does to the motion is tested in
// tests/simulation/edit_test.cpp.

namespace thigmo::edits_of_worlds_test {
namespace {

using std::numbers::pi;

constexpr double dt = 1.0 / 60;
const std::string tree = THIGMO_SOURCE_DIR "/gallery/plants/young_tree.lsys";

void run(World& world, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(world.step(dt));
}

template <class T>
T must(Outcome<T> outcome) {
  EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error());
  return outcome ? std::move(*outcome) : T{};
}

RodPlant level_rod() {
  return {.segments = 20,
          .length = 1,
          .radius_base = 0.01,
          .radius_tip = 0.01,
          .direction = {1, 0, 0},
          .density = 500,
          .young = 5e9,
          .damping_ratio = 0.3,
          .stands_as_modelled = true};
}

bool happened(const World& world, EventKind kind, PlantId plant) {
  const auto events = world.events();
  return std::any_of(events.begin(), events.end(), [&](const Event& event) {
    return event.kind == kind && event.plant == plant;
  });
}

TEST(EditsOfWorlds, NamesSurviveCutsAndEndWithTheirThings) {
  World world;
  const PlantId rod = must(world.add(level_rod()));
  const SegmentId fifth = must(world.segment(rod, 5)), twelfth = must(world.segment(rod, 12));
  const EditReport cut = must(world.cut(must(world.segment(rod, 8)), 0.25));
  ASSERT_EQ(cut.pieces.size(), 1u);
  const PlantId piece = cut.pieces[0];
  EXPECT_TRUE(happened(world, EventKind::cut, rod));
  EXPECT_EQ(must(world.plant_of(fifth)), rod);
  EXPECT_EQ(must(world.plant_of(twelfth)), piece);
  ASSERT_EQ(cut.splits.size(), 1u);
  EXPECT_EQ(must(world.plant_of(cut.splits[0].lower)), rod);
  EXPECT_EQ(must(world.plant_of(cut.splits[0].upper)), piece);
  // A quarter of the segment stays on the stump.
  EXPECT_NEAR(must(world.segments(rod)).back().length, 0.25 * 0.05, 1e-12);
  EXPECT_NEAR(must(world.momentum(piece)).mass, 500 * pi * 1e-4 * (1 - 8.25 * 0.05), 1e-9);
  run(world, 3);
  must(world.remove(piece));
  EXPECT_TRUE(happened(world, EventKind::removed, piece));
  EXPECT_FALSE(world.holds(piece));
  EXPECT_FALSE(world.holds(twelfth));
  EXPECT_TRUE(world.holds(fifth));
  const auto stale = world.plant_of(twelfth);
  ASSERT_FALSE(stale);
  EXPECT_EQ(stale.diagnostics().front().trouble, Trouble::stale);
  // The next plant may take the same place, but never the name.
  const PlantId next = must(world.add(level_rod()));
  EXPECT_NE(next, piece);
  EXPECT_FALSE(world.holds(piece));
  run(world, 3);
}

// A spring k pulls the tip of a level rod up by way d: it comes to rest where F = k (d - x) and x = F L³ / (3 E I).
TEST(EditsOfWorlds, AGrabHoldsWhatItsSpringHolds) {
  World world;
  ASSERT_TRUE(world.set_gravity({0, 0, 0}));
  const PlantId rod = must(world.add(level_rod()));
  const SegmentId tip = must(world.tip(rod));
  const double k = 30, d = 0.02, stiffness = 5e9 * pi * 1e-8 / 4;
  const GrabId grab = must(world.grab(tip, {.along = 1, .stiffness = k}));
  ASSERT_TRUE(world.drag(grab, {1, d, 0}));
  run(world, 600);
  const auto lift = [&] {
    const auto near = must(world.nearest({1, d, 0}, 1));
    return near ? near->position[1] : 0.0;
  };
  const Numbers3 base = world.transforms(rod).back().position;
  const double bent = d * k / (k + 3 * stiffness);
  // The base of the last segment lies lower than the tip: x (3 s² - s³) / 2 at s = 0.95.
  EXPECT_NEAR(base[1], bent * (3 * 0.95 * 0.95 - std::pow(0.95, 3)) / 2, 0.01 * bent);
  EXPECT_GT(lift(), 0);
  ASSERT_TRUE(world.let_go(grab));
  run(world, 900);
  EXPECT_NEAR(world.transforms(rod).back().position[1], 0, 1e-6);
  EXPECT_FALSE(world.drag(grab, {1, 0, 0}));
}

// Gravity, ground and forces may change at any time.
TEST(EditsOfWorlds, SurroundingsMayChange) {
  World world;
  const PlantId rod = must(world.add(level_rod()));
  ASSERT_TRUE(world.set_gravity({0, 0, 0}));
  run(world, 600);
  // It stood as modelled under its weight: without it it rises by w L⁴ / (8 E I).
  const double stiffness = 5e9 * pi * 1e-8 / 4, weight = 500 * pi * 1e-4 * 9.81;
  const double rise = weight / (8 * stiffness);
  // At s: (s⁴ - 4 s³ + 6 s²) / 3 of that at the tip.
  const double s = 0.95, part = (std::pow(s, 4) - 4 * std::pow(s, 3) + 6 * s * s) / 3;
  EXPECT_NEAR(world.transforms(rod).back().position[1], rise * part, 0.02 * rise);
  const SegmentId tip = must(world.tip(rod));
  const ForceId push = must(world.push(tip, {.along = 1, .force = {0, -0.5, 0}}));
  run(world, 600);
  const double pushed = 0.5 / (3 * stiffness) * (3 * s * s - s * s * s) / 2;
  EXPECT_NEAR(world.transforms(rod).back().position[1], rise * part - pushed, 0.02 * pushed);
  ASSERT_TRUE(world.remove(push));
  EXPECT_FALSE(world.remove(push));
  ASSERT_TRUE(world.set_gravity({0, -9.81, 0}));
  run(world, 900);
  EXPECT_NEAR(world.transforms(rod).back().position[1], 0, 1e-6);
  EXPECT_TRUE(world.asleep(rod));
  // A piece of it falls to the ground, and lies there.
  ASSERT_TRUE(world.set_ground(LevelGround{.height = -0.5}));
  const EditReport cut = must(world.cut(must(world.segment(rod, 10))));
  bool touched = false;
  for (int i = 0; i < 300; ++i) {
    run(world, 1);
    touched = touched || happened(world, EventKind::touched, cut.pieces[0]);
  }
  EXPECT_TRUE(touched);
  for (const Transform& place : world.transforms(cut.pieces[0])) {
    EXPECT_NEAR(place.position[1], -0.5, 0.02);
  }
}

// A root goes where it is carried, and falls when nothing holds it any more.
TEST(EditsOfWorlds, RootsAreCarriedReleasedAndClamped) {
  World world;
  const PlantId plant = must(world.add({.file = tree}));
  const Transform there{.position = {1, 0.5, -1}, .rotation = {std::cos(0.2), 0, std::sin(0.2), 0}};
  ASSERT_TRUE(world.move_root(plant, there, 1));
  run(world, 90);
  const Numbers3 carried = world.transforms(plant)[0].position;
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(carried[k], there.position[k], 1e-9);
  ASSERT_TRUE(world.release_root(plant));
  const double height = must(world.momentum(plant)).center[1];
  run(world, 30);
  EXPECT_NEAR(must(world.momentum(plant)).center[1] - height, -0.5 * 9.81 * 0.25, 0.02);
  EXPECT_FALSE(world.move_root(plant, there, 1));
  ASSERT_TRUE(world.clamp_root(plant));
  const Numbers3 held = world.transforms(plant)[0].position;
  run(world, 30);
  EXPECT_EQ(world.transforms(plant)[0].position, held);
}

// The same bits whether a plant is alone or one of many that are alike.
TEST(EditsOfWorlds, InstancesMoveAsIfAlone) {
  const auto world_with = [](int others) {
    World world;
    EXPECT_TRUE(world.set_wind({.mean = {8, 0, 0}, .intensity = 0.3}));
    const PlantId first = must(world.add({.file = tree}));
    std::vector<Placing> placings;
    for (int i = 1; i <= others; ++i) placings.push_back({{2.0 * i, 0, 1}, 0.3 * i});
    EXPECT_EQ(must(world.add_instances(first, placings)).size(), placings.size());
    run(world, 60);
    return world;
  };
  const World alone = world_with(0), among = world_with(5);
  const std::vector<Transform> a = alone.transforms(alone.plant(0)),
                               b = among.transforms(among.plant(0));
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].position, b[i].position);
    EXPECT_EQ(a[i].rotation, b[i].rotation);
  }
}

// A cut of one instance leaves the others as they were, and a copy of a world the world itself.
TEST(EditsOfWorlds, CopiesGoTheirOwnWay) {
  World world;
  const PlantId first = must(world.add({.file = tree}));
  const PlantId second = must(world.add_instances(first, std::vector<Placing>{{{2, 0, 0}, 0}}))[0];
  const std::size_t segments = must(world.segments(second)).size();
  World other = world;
  must(world.cut(must(world.segment(first, 3))));
  EXPECT_EQ(must(world.segments(second)).size(), segments);
  EXPECT_EQ(must(other.segments(first)).size(), segments);
  run(world, 10);
  run(other, 10);
  EXPECT_EQ(must(other.segments(first)).size(), segments);
  EXPECT_EQ(other.plant_count(), 2u);
  EXPECT_EQ(world.plant_count(), 3u);
}

// Every call with a name whose thing is gone or a number that is none is an error value, and changes nothing.
TEST(EditsOfWorlds, MisuseIsAnErrorAndChangesNothing) {
  World world;
  const PlantId rod = must(world.add(level_rod()));
  const PlantId gone = must(world.add(level_rod()));
  const SegmentId lost = must(world.segment(gone, 3)), tip = must(world.tip(rod));
  const GrabId grab = must(world.grab(tip));
  const ForceId force = must(world.push(tip, {}));
  must(world.remove(gone));
  run(world, 2);
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const std::uint64_t before = world.state_hash();
  std::vector<double> room(7 * 20);
  std::vector<Motion3> motions(3);
  std::vector<SectionLoad> loads(3);
  std::vector<SegmentBody> bodies(3);
  const std::vector<SegmentId> lost_ones{tip, lost};
  const Transform skewed{.position = {0, 0, 0}, .rotation = {1, 1, 0, 0}};
  struct Case {
    const char* what;
    Trouble trouble;
    std::function<Outcome<Done>()> call;
  };
  const auto done = [](const auto& outcome) -> Outcome<Done> {
    if (outcome) return Done{};
    return Failure{.diagnostics = outcome.diagnostics()};
  };
  const std::vector<Case> cases{
      {"cut", Trouble::stale, [&] { return done(world.cut(lost)); }},
      {"cut beyond", Trouble::argument, [&] { return done(world.cut(tip, 1.5)); }},
      {"cut nowhere", Trouble::argument, [&] { return done(world.cut(tip, nan)); }},
      {"remove segment", Trouble::stale, [&] { return done(world.remove(lost)); }},
      {"remove plant", Trouble::stale, [&] { return done(world.remove(gone)); }},
      {"graft gone", Trouble::stale, [&] { return done(world.graft(gone, tip)); }},
      {"graft onto gone", Trouble::stale, [&] { return done(world.graft(rod, lost)); }},
      {"graft nothing", Trouble::argument, [&] { return done(world.graft(GrownPlant(), tip)); }},
      {"extend", Trouble::stale, [&] { return done(world.extend(lost, 0.1)); }},
      {"extend by nothing", Trouble::argument, [&] { return done(world.extend(tip, nan)); }},
      {"thicken", Trouble::stale, [&] { return done(world.thicken(lost_ones, 1.1)); }},
      {"thicken by nan", Trouble::argument,
       [&] {
         return done(world.thicken({&tip, 1}, nan));
       }},
      {"change", Trouble::stale, [&] { return done(world.change(lost_ones, {})); }},
      {"change plant", Trouble::stale, [&] { return done(world.change(gone, {})); }},
      {"no stiffness", Trouble::argument,
       [&] { return done(world.change(rod, {.stiffness = -1})); }},
      {"no number", Trouble::argument, [&] { return done(world.change(rod, {.mass = nan})); }},
      {"push", Trouble::stale, [&] { return done(world.push(lost, {})); }},
      {"push by nan", Trouble::argument,
       [&] {
         return done(world.push(tip, {.force = {0, nan, 0}}));
       }},
      {"change force", Trouble::stale, [&] { return world.change(ForceId{77}, {}); }},
      {"force of nan", Trouble::argument,
       [&] {
         return world.change(force, {.moment = {inf, 0, 0}});
       }},
      {"remove force", Trouble::stale, [&] { return world.remove(ForceId{}); }},
      {"grab", Trouble::stale, [&] { return done(world.grab(lost)); }},
      {"grab weakly", Trouble::argument, [&] { return done(world.grab(tip, {.stiffness = 0})); }},
      {"drag", Trouble::stale,
       [&] {
         return world.drag(GrabId{99}, {0, 0, 0});
       }},
      {"drag away", Trouble::argument,
       [&] {
         return world.drag(grab, {0, inf, 0});
       }},
      {"let go", Trouble::stale, [&] { return world.let_go(GrabId{}); }},
      {"move root", Trouble::stale, [&] { return world.move_root(gone, {}, 1); }},
      {"turn root", Trouble::argument, [&] { return world.move_root(rod, skewed, 1); }},
      {"release", Trouble::stale, [&] { return world.release_root(gone); }},
      {"clamp", Trouble::stale, [&] { return world.clamp_root(gone); }},
      {"gravity", Trouble::argument,
       [&] {
         return world.set_gravity({0, nan, 0});
       }},
      {"ground", Trouble::argument, [&] { return world.set_ground(LevelGround{.friction = -1}); }},
      {"wind", Trouble::argument, [&] { return world.set_wind({.ease = -1}); }},
      {"step", Trouble::argument, [&] { return world.step(nan, Jobs{}); }},
      {"step back", Trouble::argument, [&] { return world.step(-0.1, Jobs{}); }},
      {"segments", Trouble::stale, [&] { return done(world.segments(gone)); }},
      {"segment", Trouble::argument, [&] { return done(world.segment(rod, 20)); }},
      {"segment count", Trouble::stale, [&] { return done(world.segment_count(gone)); }},
      {"materials", Trouble::stale, [&] { return done(world.materials(gone)); }},
      {"bodies", Trouble::argument, [&] { return world.bodies(rod, bodies); }},
      {"probe", Trouble::stale, [&] { return world.add_probe("a", lost); }},
      {"probe beyond", Trouble::argument, [&] { return world.add_probe("a", tip, 1.1); }},
      {"probe without a name", Trouble::argument, [&] { return world.add_probe("", tip); }},
      {"no probe", Trouble::stale, [&] { return world.remove_probe("a"); }},
      {"transforms", Trouble::stale,
       [&] { return world.transforms(gone, Layout::matrix_3x4, std::span(room)); }},
      {"little room", Trouble::argument,
       [&] { return world.transforms(rod, Layout::matrix_3x4, std::span(room)); }},
      {"velocities", Trouble::argument, [&] { return world.velocities(rod, motions); }},
      {"section loads", Trouble::argument, [&] { return world.section_loads(rod, loads); }},
      {"momentum", Trouble::stale, [&] { return done(world.momentum(gone)); }},
      {"pick", Trouble::argument,
       [&] {
         return done(world.pick({.direction = {0, 0, 0}}));
       }},
      {"nearest", Trouble::argument,
       [&] {
         return done(world.nearest({nan, 0, 0}, 1));
       }},
      {"instances", Trouble::stale,
       [&] { return done(world.add_instances(gone, std::vector<Placing>(1))); }},
      {"surface", Trouble::stale, [&] { return done(world.surface(gone)); }},
  };
  for (const Case& one : cases) {
    const Outcome<Done> answer = one.call();
    ASSERT_FALSE(answer) << one.what;
    ASSERT_FALSE(answer.diagnostics().empty()) << one.what;
    EXPECT_EQ(static_cast<int>(answer.diagnostics().front().trouble), static_cast<int>(one.trouble))
        << one.what << ": " << answer.error();
    EXPECT_FALSE(answer.diagnostics().front().message.empty()) << one.what;
    EXPECT_EQ(world.state_hash(), before) << one.what;
  }
  run(world, 2);
}

}  // namespace
}  // namespace thigmo::edits_of_worlds_test
