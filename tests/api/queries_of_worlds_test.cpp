#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numbers>
#include <random>
#include <thread>

#include "thigmo/world.h"

// Where everything in a world is, how it moves and what it bears, against what follows from the poses.

namespace thigmo::queries_of_worlds_test {
namespace {

using std::numbers::pi;

constexpr double dt = 1.0 / 60;
const std::string tree = THIGMO_SOURCE_DIR "/gallery/plants/young_tree.lsys";

Numbers3 operator+(const Numbers3& a, const Numbers3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Numbers3 operator-(const Numbers3& a, const Numbers3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Numbers3 operator*(const Numbers3& a, double s) { return {a[0] * s, a[1] * s, a[2] * s}; }
double dot(const Numbers3& a, const Numbers3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double norm(const Numbers3& a) { return std::sqrt(dot(a, a)); }

// The y axis of a segment, along which it lies.
Numbers3 axis_of(const Numbers4& q) {
  const auto [w, x, y, z] = q;
  return {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
}

struct Windy {
  World world;
  PlantId plant;
};
Windy windy_tree() {
  Windy windy;
  EXPECT_TRUE(windy.world.set_wind({.mean = {9, 0, 2}, .intensity = 0.3}));
  const Outcome<PlantId> plant = windy.world.add({.file = tree});
  EXPECT_TRUE(plant);
  windy.plant = *plant;
  for (int i = 0; i < 40; ++i) EXPECT_TRUE(windy.world.step(dt));
  return windy;
}

// All layouts, as doubles and floats, say the same.
TEST(QueriesOfWorlds, LayoutsAgree) {
  const auto [world, plant] = windy_tree();
  const std::vector<Transform> plain = world.transforms(plant);
  const std::size_t n = plain.size();
  std::vector<double> seven(7 * n), rows(12 * n);
  std::vector<float> columns(16 * n);
  ASSERT_TRUE(world.transforms(plant, Layout::position_rotation, std::span(seven)));
  ASSERT_TRUE(world.transforms(plant, Layout::matrix_3x4, std::span(rows)));
  ASSERT_TRUE(world.transforms(plant, Layout::matrix_4x4_columns, std::span(columns)));
  for (std::size_t i = 0; i < n; ++i) {
    const Numbers3 along = axis_of(plain[i].rotation);
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_EQ(seven[7 * i + k], plain[i].position[k]);
      ASSERT_EQ(seven[7 * i + 3 + k], plain[i].rotation[k]);
      ASSERT_EQ(rows[12 * i + 4 * k + 3], plain[i].position[k]);
      ASSERT_NEAR(rows[12 * i + 4 * k + 1], along[k], 1e-12);
      ASSERT_EQ(columns[16 * i + 12 + k], static_cast<float>(plain[i].position[k]));
      ASSERT_NEAR(columns[16 * i + 4 + k], along[k], 1e-6);
    }
    ASSERT_EQ(columns[16 * i + 15], 1.0F);
  }
  std::vector<double> small(7 * n - 1);
  EXPECT_FALSE(world.transforms(plant, Layout::position_rotation, std::span(small)));
}

// Velocities are those that places have from step to step, to the second order in the step.
TEST(QueriesOfWorlds, VelocitiesAreDifferencesOfPlaces) {
  auto [world, plant] = windy_tree();
  const double small = 1e-4;
  const std::vector<Transform> before = world.transforms(plant);
  ASSERT_TRUE(world.step(small));
  std::vector<Motion3> motions(before.size());
  ASSERT_TRUE(world.velocities(plant, motions));
  ASSERT_TRUE(world.step(small));
  const std::vector<Transform> after = world.transforms(plant);
  double fastest = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Numbers3 found = (after[i].position - before[i].position) * (1 / (2 * small));
    EXPECT_LT(norm(found - motions[i].velocity), 1e-3);
    fastest = std::max(fastest, norm(found));
  }
  EXPECT_GT(fastest, 0.05);
}

// A level cantilever at rest: the section at its base bears its weight, and the moment of it about there.
TEST(QueriesOfWorlds, SectionsBearWhatIsBeyondThem) {
  const double length = 1, radius = 0.01, density = 600;
  World world;
  const Outcome<PlantId> rod = world.add(RodPlant{.segments = 20,
                                                  .length = length,
                                                  .radius_base = radius,
                                                  .radius_tip = radius,
                                                  .direction = {1, 0, 0},
                                                  .density = density,
                                                  .young = 1e10,
                                                  .stands_as_modelled = true});
  ASSERT_TRUE(rod) << rod.error();
  ASSERT_TRUE(world.step(dt));
  std::vector<SectionLoad> loads(20);
  ASSERT_TRUE(world.section_loads(*rod, loads));
  const double area = pi * radius * radius, weight = density * area * length * 9.81;
  EXPECT_NEAR(loads[0].force[1], -weight, 1e-4 * weight);
  EXPECT_NEAR(loads[0].moment[2], -weight * length / 2, 1e-3 * weight * length);
  // σ = 4 M / (π r³), up to the part of it that shears.
  EXPECT_NEAR(loads[0].stress, 4 * weight * length / 2 / (pi * std::pow(radius, 3)),
              2e-3 * loads[0].stress);
  // Halfway out half the weight, a quarter of the moment.
  EXPECT_NEAR(loads[10].force[1], -weight / 2, 1e-4 * weight);
  EXPECT_NEAR(loads[10].moment[2], -weight * length / 8, 1e-3 * weight * length);
}

// What pushed and held the part that was cut off is not borne by the rest: the same as where it was taken away
// before the cut.
TEST(QueriesOfWorlds, AfterACutTheRestDoesNotBearWhatWasOnThePiece) {
  World world;
  const Outcome<PlantId> rod = world.add(RodPlant{.segments = 60, .length = 2});
  ASSERT_TRUE(rod) << rod.error();
  const SegmentId tip = *world.tip(*rod);
  const Outcome<ForceId> force = world.push(tip, {.force = {3, 0, 1}});
  const Outcome<GrabId> grab = world.grab(tip);
  ASSERT_TRUE(force && grab && world.step(dt));
  World freed = world;
  ASSERT_TRUE(freed.remove(*force) && freed.let_go(*grab));
  std::vector<SectionLoad> of_pushed(4), of_freed(4);
  for (auto* one : {&world, &freed}) {
    ASSERT_TRUE(one->cut(*one->segment(*rod, 4)));
    ASSERT_TRUE(one->section_loads(*rod, one == &world ? of_pushed : of_freed));
  }
  for (std::size_t i = 0; i < of_pushed.size(); ++i) {
    EXPECT_EQ(of_pushed[i].force, of_freed[i].force);
    EXPECT_EQ(of_pushed[i].moment, of_freed[i].moment);
  }
}

// The distance of a point from a capsule's axis.
double from_axis(const Numbers3& point, const Numbers3& base, const Numbers3& along,
                 double length) {
  const Numbers3 way = point - base;
  const double at = std::clamp(dot(way, along), 0.0, length);
  return norm(way - along * at);
}

// The nearest point of all stems by brute force.
TEST(QueriesOfWorlds, NearestIsTheNearestOfAll) {
  const auto [world, plant] = windy_tree();
  const auto segments = world.segments(plant);
  ASSERT_TRUE(segments);
  const std::vector<Transform> pose = world.transforms(plant);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-1.5, 1.5);
  for (int trial = 0; trial < 50; ++trial) {
    const Numbers3 point{place(random), 1.5 + place(random), place(random)};
    double least = 1e9;
    for (std::size_t i = 0; i < pose.size(); ++i) {
      const SegmentInfo& s = (*segments)[i];
      const double axis = from_axis(point, pose[i].position, axis_of(pose[i].rotation), s.length);
      least = std::min(least, std::max(0.0, axis - std::max(s.radius_base, s.radius_tip)));
    }
    const auto found = world.nearest(point, 10);
    ASSERT_TRUE(found && *found);
    EXPECT_NEAR((*found)->distance, least, 1e-9);
    EXPECT_EQ((*found)->plant, plant);
    const auto none = world.nearest(point, 0.5 * least);
    EXPECT_TRUE(none && (least == 0 || !*none));
  }
}

// A ray at a segment's middle meets that segment or one in front of it, on a capsule's surface; no capsule is
// met before by points along the ray.
TEST(QueriesOfWorlds, PicksMeetTheFirstSurface) {
  const auto [world, plant] = windy_tree();
  const auto segments = world.segments(plant);
  ASSERT_TRUE(segments);
  const std::vector<Transform> pose = world.transforms(plant);
  const auto clearance = [&](const Numbers3& point) {
    double least = 1e9;
    for (std::size_t i = 0; i < pose.size(); ++i) {
      const SegmentInfo& s = (*segments)[i];
      least =
          std::min(least, from_axis(point, pose[i].position, axis_of(pose[i].rotation), s.length) -
                              std::max(s.radius_base, s.radius_tip));
    }
    return least;
  };
  for (std::size_t i = 0; i < pose.size(); i += 17) {
    const Numbers3 middle =
        pose[i].position + axis_of(pose[i].rotation) * (0.5 * (*segments)[i].length);
    const Numbers3 eye{4, 1, 3}, way = middle - eye;
    const auto picked = world.pick({.origin = eye, .direction = way});
    ASSERT_TRUE(picked && *picked);
    EXPECT_NEAR(clearance((*picked)->position), 0, 1e-9);
    EXPECT_NEAR(norm((*picked)->position - eye), (*picked)->distance, 1e-9);
    EXPECT_LE((*picked)->distance, norm(way));
    // Steps of the clearance never pass the surface; after many of them only a graze is left out.
    double gone = 0;
    for (int k = 0; k < 200; ++k) {
      gone += std::max(0.0, clearance(eye + way * (gone / norm(way))));
    }
    EXPECT_NEAR(gone, (*picked)->distance, 1e-3);
  }
  const auto away = world.pick({.origin = {4, 1, 3}, .direction = {1, 0, 0}});
  EXPECT_TRUE(away && !*away);
  const auto short_of_it = world.pick({.origin = {4, 1, 0}, .direction = {-1, 0, 0}, .reach = 0.1});
  EXPECT_TRUE(short_of_it && !*short_of_it);
}

// The caller's threads do the same work to the same bits.
TEST(QueriesOfWorlds, CallersJobsGiveTheSameBits) {
  std::atomic<int> called = 0;
  const auto on_threads = [](void* user, std::size_t count,
                             void (*work)(const void* data, std::size_t i), const void* data) {
    ++*static_cast<std::atomic<int>*>(user);
    std::atomic<std::size_t> next = 0;
    const auto take = [&] {
      for (std::size_t i = next++; i < count; i = next++) work(data, i);
    };
    std::thread other(take);
    take();
    other.join();
  };
  auto [ours, plant] = windy_tree();
  ASSERT_TRUE(ours.add_instances(plant, std::vector<Placing>{{{3, 0, 0}, 1}, {{0, 0, 3}, 2}}));
  World theirs = ours;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(ours.step(dt));
    ASSERT_TRUE(theirs.step(dt, Jobs{.threads = 3, .run = on_threads, .user = &called}));
  }
  EXPECT_EQ(ours.state_hash(), theirs.state_hash());
  EXPECT_GT(called, 0);
}

// A call from a second thread is refused while the first is in one, and does no harm.
TEST(QueriesOfWorlds, ASecondThreadIsToldSo) {
  auto [world, plant] = windy_tree();
  struct Seen {
    World* world;
    PlantId plant;
    std::atomic<bool> refused = false;
  } seen{&world, plant};
  const auto ask = [](void* user, std::size_t count, void (*work)(const void* data, std::size_t i),
                      const void* data) {
    Seen& given = *static_cast<Seen*>(user);
    std::thread other([&given] {
      const auto answer = given.world->momentum(given.plant);
      given.refused = !answer && answer.diagnostics().front().trouble == Trouble::busy;
    });
    other.join();
    for (std::size_t i = 0; i < count; ++i) work(data, i);
  };
  ASSERT_TRUE(world.add_instances(plant, std::vector<Placing>{{{3, 0, 0}, 1}}));
  ASSERT_TRUE(world.step(dt, Jobs{.threads = 2, .run = ask, .user = &seen}));
  EXPECT_TRUE(seen.refused);
  EXPECT_TRUE(world.momentum(plant));
}

}  // namespace
}  // namespace thigmo::queries_of_worlds_test
