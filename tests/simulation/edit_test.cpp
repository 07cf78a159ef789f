#include "simulation/edit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "material/species.h"
#include "mechanics/kinematics/momentum.h"
#include "plant/rod.h"
#include "simulation/add_plant.h"
#include "simulation/edit_places.h"
#include "simulation/set_wind.h"
#include "support/gallery.h"

namespace thigmo::edit_test {
namespace {

constexpr double dt = 1.0 / 60;

// A small plant of the gallery, blown about for a while.
Simulation in_wind(const std::string& name, int steps = 60) {
  Simulation simulation{.gravity_world = {0, -9.81, 0}};
  Diagnostics notes;
  const std::string file = (support::gallery_folder() / "plants" / name).string();
  Result<Plant> plant = grow_from_file({.file = file, .parameters = support::small_settings(name)},
                                       support::read_text, notes);
  EXPECT_TRUE(plant) << to_string(plant.diagnostics());
  simulation.account_start = 0;  // so that edits count energies
  simulation.drag = {};
  simulation.wind = make_wind({.kind = WindKind::gusty,
                               .mean_world = {7, 0, 2},
                               .intensity = 0.3,
                               .length_scale = 10,
                               .seed = 4});
  add_plant(std::move(*plant), {}, StartPose::modelled, simulation);
  for (int i = 0; i < steps; ++i) step(simulation, dt, 1);
  return simulation;
}

Simulation with_rod(const RodDescription& rod, const Vec3& gravity = {0, -9.81, 0}) {
  Simulation simulation{.gravity_world = gravity};
  simulation.account_start = 0;
  simulation.drag.air_density = 0;
  add_plant(make_rod(rod), {}, StartPose::rest, simulation);
  return simulation;
}

const Material wood{.name = "wood",
                    .density = 800,
                    .young = 8e9,
                    .shear_ratio = 0.07,
                    .damping_ratio = 0.02,
                    .strength = 5e7};

// Places and velocities of the base and the tip of every segment, by name.
struct Ends {
  PointMotion base, tip;
};
std::map<SegmentId, Ends> ends_of(const Simulation& simulation) {
  std::map<SegmentId, Ends> ends;
  for (const SimulatedPlant& plant : simulation.plants) {
    const PlantModel& model = *plant.model;
    for (Index i = 0; i < segment_count(model.plant); ++i) {
      ends[segment_id(plant, i)] = {
          point_motion(model.mechanism, plant.state, i, {}),
          point_motion(model.mechanism, plant.state, i, {0, segment_at(model.plant, i).length, 0})};
    }
  }
  return ends;
}

double difference(const PointMotion& a, const PointMotion& b) {
  return std::max(length(a.position_world - b.position_world),
                  length(a.velocity_world - b.velocity_world));
}

PlantMomentum momentum_of_all(const Simulation& simulation) {
  PlantMomentum sum;
  Vec3 moment;
  for (const SimulatedPlant& plant : simulation.plants) {
    const PlantMomentum one = momentum_of(plant.model->mechanism, plant.state);
    sum.mass += one.mass;
    moment += one.center_world * one.mass;
    sum.linear_world += one.linear_world;
    sum.angular_world += one.angular_world;
  }
  sum.center_world = moment / sum.mass;
  return sum;
}

void expect_same_momentum(const PlantMomentum& a, const PlantMomentum& b, double part) {
  EXPECT_NEAR(b.mass, a.mass, part * a.mass);
  EXPECT_LT(length(b.center_world - a.center_world), part * (1 + length(a.center_world)));
  EXPECT_LT(length(b.linear_world - a.linear_world), part * length(a.linear_world));
  EXPECT_LT(length(b.angular_world - a.angular_world), part * length(a.angular_world));
}

// Names lead where things are.
void expect_names_hold(const Simulation& simulation) {
  for (std::size_t p = 0; p < simulation.plants.size(); ++p) {
    const SimulatedPlant& plant = simulation.plants[p];
    const auto found = find_plant(simulation.registry, plant_id(simulation, p));
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, p);
    ASSERT_TRUE(check_structure(plant.model->plant));
    const Mechanism& mechanism = plant.model->mechanism;
    EXPECT_EQ(mechanism.subtree_size, subtree_sizes(plant.model->plant));
    ASSERT_EQ(mechanism.body.size(), plant.model->plant.segments.size());
    for (Index i = 0; i < body_count(mechanism); ++i) {
      EXPECT_EQ(at(mechanism.parent, i), segment_at(plant.model->plant, i).parent);
      const auto place = find_place(simulation.registry, segment_id(plant, i));
      ASSERT_TRUE(place);
      EXPECT_EQ(place->segment, i);
      EXPECT_EQ(at(simulation.registry.slots, place->slot).plant, static_cast<Index>(p));
    }
  }
}

class CutOfGallery : public ::testing::TestWithParam<std::string> {};

// At a cut no point moves or changes its velocity, and momenta of stump and piece add up to what was. Positions
// are of metres, in double precision, found along other ways. Inertia is held in single precision: of the one
// segment that is divided its rounding shows, 6e-8 of its own about its joint.
TEST_P(CutOfGallery, KeepsMotionAndMomentum) {
  const Simulation before = in_wind(GetParam());
  const auto n = static_cast<unsigned>(segment_count(before));
  const auto ends = ends_of(before);
  const PlantMomentum momentum = momentum_of_all(before);
  std::mt19937 random(7);
  for (const double along : {0.0, 0.37, 0.0, 0.8}) {
    Simulation simulation = before;
    const auto segment = static_cast<Index>(random() % n);
    const SegmentId id = segment_id(simulation.plants[0], segment);
    const bool given = segment_at(simulation.plants[0].model->plant, segment).given != no_index;
    const Result<EditResult> cut = apply_edit(Cut{id, given ? 0 : along}, simulation);
    ASSERT_TRUE(cut) << to_string(cut.diagnostics());
    expect_names_hold(simulation);
    const auto after = ends_of(simulation);
    for (const auto& [name, was] : ends) {
      ASSERT_TRUE(after.contains(name));
      const Ends& is = after.at(name);
      EXPECT_LT(difference(is.base, was.base), 1e-12) << name.number;
      if (cut->splits.empty() || name != id) {
        EXPECT_LT(difference(is.tip, was.tip), 1e-12) << name.number;
      }
    }
    if (!cut->splits.empty()) {
      const Ends& upper = after.at(cut->splits[0].upper);
      EXPECT_LT(difference(upper.tip, ends.at(id).tip), 1e-12);
      EXPECT_LT(difference(upper.base, after.at(id).tip), 1e-12);
    }
    expect_same_momentum(momentum, momentum_of_all(simulation), 1e-9);
    // What a cut through leaves of inertia is rounded to single precision.
    EXPECT_LE(cut->energy_after, cut->energy_before + 1e-7 * std::abs(cut->energy_before) + 1e-12);
    for (int i = 0; i < 10; ++i) step(simulation, dt, 1);
    EXPECT_TRUE(simulation.finite);
  }
}

// Cut and grafted at once, it goes on as if nothing had been.
TEST_P(CutOfGallery, AndGraftGoOnWithTheSameMotion) {
  const Simulation before = in_wind(GetParam());
  const auto n = static_cast<unsigned>(segment_count(before));
  Simulation uncut = before;
  for (int i = 0; i < 60; ++i) step(uncut, dt, 1);
  const auto expected = ends_of(uncut);
  std::mt19937 random(3);
  for (const double along : {0.0, 0.6}) {
    Simulation simulation = before;
    auto segment = static_cast<Index>(1 + random() % (n - 1));
    const PlantModel& model = *simulation.plants[0].model;
    while (segment_at(model.plant, segment).parent == no_index) --segment;
    const Segment& cut_segment = segment_at(model.plant, segment);
    const bool through = along > 0 && cut_segment.given == no_index;
    const SegmentId id = segment_id(simulation.plants[0], segment);
    const Index parent = cut_segment.parent;
    const double place = cut_segment.base_in_parent.y / segment_at(model.plant, parent).length;
    const SegmentId onto = through ? id : segment_id(simulation.plants[0], parent);
    const Result<EditResult> cut = apply_edit(Cut{id, through ? along : 0}, simulation);
    ASSERT_TRUE(cut) << to_string(cut.diagnostics());
    ASSERT_EQ(cut->pieces.size(), 1u);
    const Result<EditResult> graft = apply_edit(
        Graft{.scion = cut->pieces[0], .onto = onto, .along = through ? 1.0 : std::min(1.0, place)},
        simulation);
    ASSERT_TRUE(graft) << to_string(graft.diagnostics());
    expect_names_hold(simulation);
    EXPECT_NEAR(graft->energy_after, cut->energy_before,
                1e-9 * std::abs(cut->energy_before) + 1e-12);
    EXPECT_EQ(simulation.plants.size(), before.plants.size());
    EXPECT_EQ(segment_count(simulation), segment_count(before));
    for (int i = 0; i < 60; ++i) step(simulation, dt, 1);
    const auto after = ends_of(simulation);
    double worst = 0;
    for (const auto& [name, was] : expected) {
      worst = std::max(worst, length(after.at(name).tip.position_world - was.tip.position_world));
    }
    EXPECT_LT(worst, 1e-9) << "segment " << segment << " along " << along;
  }
}

INSTANTIATE_TEST_SUITE_P(Plants, CutOfGallery,
                         ::testing::Values("oak.lsys", "birch.lsys", "palm.lsys", "grass.lsys",
                                           "young_tree.lsys"),
                         support::plain_name);

// What was cut off falls as gravity says, and its swing does not move its centre of mass.
TEST(Cut, PieceFalls) {
  Simulation simulation = with_rod({.segments = 30,
                                    .length = 2,
                                    .radius_base = 0.01,
                                    .radius_tip = 0.004,
                                    .direction = {1, 0, 0},
                                    .material = wood});
  for (int i = 0; i < 30; ++i) step(simulation, dt, 1);
  const Result<EditResult> cut =
      apply_edit(Cut{segment_id(simulation.plants[0], 12), 0.5}, simulation);
  ASSERT_TRUE(cut);
  const SimulatedPlant& piece = simulation.plants[1];
  const PlantMomentum start = momentum_of(piece.model->mechanism, piece.state);
  const Vec3 velocity = start.linear_world / start.mass;
  for (int i = 0; i < 60; ++i) step(simulation, dt, 1);
  const PlantMomentum end = momentum_of(piece.model->mechanism, piece.state);
  const Vec3 expected = start.center_world + velocity + Vec3{0, -0.5 * 9.81, 0};
  EXPECT_LT(length(end.center_world - expected), 1e-6);
}

// Cut off at a fork, at the root, at a tip, and a piece of a piece of a piece.
TEST(Cut, Anywhere) {
  Simulation simulation = in_wind("young_tree.lsys", 10);
  const double mass = momentum_of_all(simulation).mass;
  const std::size_t n = as_size(segment_count(simulation));
  std::size_t pieces = simulation.plants.size();
  for (int round = 0; round < 3; ++round) {
    const std::size_t last = simulation.plants.size() - 1;
    // The first segment but one: all but a stump comes off each time.
    const Result<EditResult> cut =
        apply_edit(Cut{segment_id(simulation.plants[last], 1), 0}, simulation);
    ASSERT_TRUE(cut) << to_string(cut.diagnostics());
    EXPECT_EQ(simulation.plants.size(), ++pieces);
    expect_names_hold(simulation);
  }
  EXPECT_NEAR(momentum_of_all(simulation).mass, mass, 1e-12 * mass);
  EXPECT_EQ(as_size(segment_count(simulation)), n);
  // The root: the plant itself is let go.
  const Result<EditResult> root =
      apply_edit(Cut{segment_id(simulation.plants[0], 0), 0}, simulation);
  ASSERT_TRUE(root);
  EXPECT_EQ(root->pieces, std::vector{plant_id(simulation, 0)});
  EXPECT_TRUE(is_free(simulation.plants[0].state.root));
  // A tip has nothing on it, but can be cut through.
  const Index tip = segment_count(simulation.plants[0].model->plant) - 1;
  const SegmentId id = segment_id(simulation.plants[0], tip);
  EXPECT_FALSE(apply_edit(Cut{id, 1}, simulation));
  EXPECT_TRUE(apply_edit(Cut{id, 0.5}, simulation));
  expect_names_hold(simulation);
  for (int i = 0; i < 30; ++i) step(simulation, dt, 2);
  EXPECT_TRUE(simulation.finite);
}

TEST(Cut, NonsenseIsRefusedAndChangesNothing) {
  Simulation simulation = in_wind("young_tree.lsys", 5);
  const std::uint64_t hash = state_hash(simulation);
  const SegmentId some = segment_id(simulation.plants[0], 5);
  EXPECT_FALSE(apply_edit(Cut{some, -0.1}, simulation));
  EXPECT_FALSE(apply_edit(Cut{some, std::nan("")}, simulation));
  EXPECT_FALSE(apply_edit(Cut{SegmentId{}, 0}, simulation));
  EXPECT_FALSE(apply_edit(Cut{SegmentId{.number = 1u << 30, .birth = 0}, 0}, simulation));
  EXPECT_FALSE(apply_edit(RemovePlant{PlantId{.slot = 0, .generation = 1}}, simulation));
  EXPECT_FALSE(apply_edit(Graft{.scion = plant_id(simulation, 0), .onto = some}, simulation));
  EXPECT_FALSE(apply_edit(Extend{.segment = some, .by = 0.1}, simulation));
  EXPECT_FALSE(apply_edit(Change{.segments = {some}, .stiffness = 0}, simulation));
  EXPECT_FALSE(apply_edit(Thicken{.segments = {some, SegmentId{}}, .factor = 2}, simulation));
  EXPECT_EQ(state_hash(simulation), hash);
  ASSERT_TRUE(apply_edit(RemoveSegment{some}, simulation));
  EXPECT_FALSE(apply_edit(Cut{some, 0}, simulation));  // a name whose segment is gone
  expect_names_hold(simulation);
}

// Copies are safe: an edit of one leaves the other's motion as it is.
TEST(Edits, OfACopyLeaveTheOtherAlone) {
  Simulation one = in_wind("young_tree.lsys", 20), other = one, third = one;
  ASSERT_TRUE(apply_edit(Cut{segment_id(one.plants[0], 9), 0}, one));
  ASSERT_TRUE(apply_edit(Change{.plant = plant_id(third, 0), .stiffness = 0.5}, third));
  Simulation alone = in_wind("young_tree.lsys", 20);
  for (int i = 0; i < 20; ++i) {
    step(other, dt, 1);
    step(alone, dt, 1);
    step(third, dt, 1);
  }
  EXPECT_EQ(state_hash(other), state_hash(alone));
  EXPECT_NE(state_hash(third), state_hash(alone));
}

// What strikes what it is grafted onto is joined by a blow inside: free plants keep their momentum.
TEST(Graft, OfWhatMovesKeepsMomentum) {
  Simulation simulation = with_rod(
      {.segments = 12, .length = 1, .radius_base = 0.01, .radius_tip = 0.01, .material = wood},
      {0, 0, 0});
  simulation.plants[0].state.root.hold = RootHold::free;
  simulation.plants[0].state.root.velocity_world = {0.3, 0.1, -0.2};
  simulation.plants[0].state.root.omega_plant = {0.5, 0, 1};
  add_plant(make_rod({.segments = 8,
                      .length = 0.5,
                      .radius_base = 0.006,
                      .radius_tip = 0.004,
                      .direction = {1, 0, 0},
                      .material = wood}),
            {.shift_world = {0, 0.5, 0}}, StartPose::rest, simulation);
  simulation.plants[1].state.root.hold = RootHold::free;
  simulation.plants[1].state.root.velocity_world = {-1, 0.4, 0.7};
  const PlantMomentum before = momentum_of_all(simulation);
  const Result<EditResult> graft = apply_edit(Graft{.scion = plant_id(simulation, 1),
                                                    .onto = segment_id(simulation.plants[0], 6),
                                                    .along = 0},
                                              simulation);
  ASSERT_TRUE(graft) << to_string(graft.diagnostics());
  EXPECT_EQ(simulation.plants.size(), 1u);
  expect_names_hold(simulation);
  expect_same_momentum(before, momentum_of_all(simulation), 1e-9);
  EXPECT_LT(graft->energy_after, graft->energy_before);
  for (int i = 0; i < 60; ++i) step(simulation, dt, 1);
  expect_same_momentum({before.mass, before.center_world + before.linear_world / before.mass,
                        before.linear_world, before.angular_world},
                       momentum_of_all(simulation), 1e-6);
}

// A rod's frequency follows √E; half the stiffness in place is what a rod of half the stiffness has.
TEST(Change, OfStiffnessIsThatOfAnotherWood) {
  const RodDescription rod{.segments = 40,
                           .length = 1,
                           .radius_base = 0.01,
                           .radius_tip = 0.01,
                           .direction = {1, 0, 0},
                           .material = wood};
  RodDescription soft = rod;
  soft.material.young /= 2;
  Simulation changed = with_rod(rod), other = with_rod(soft);
  ASSERT_TRUE(apply_edit(
      Change{.plant = plant_id(changed, 0), .stiffness = 0.5, .damping = std::sqrt(2.0)}, changed));
  Simulation by_wood = with_rod(rod);
  ASSERT_TRUE(apply_edit(
      Change{.plant = plant_id(by_wood, 0), .damping = std::sqrt(2.0), .material = soft.material},
      by_wood));
  for (Simulation* s : {&changed, &other, &by_wood}) {
    for (int i = 0; i < 60; ++i) step(*s, dt, 1);
  }
  const auto tip = [](const Simulation& s) {
    return point_motion(s.plants[0].model->mechanism, s.plants[0].state, 39, {}).position_world;
  };
  // The dampers' times are in single precision.
  EXPECT_LT(length(tip(changed) - tip(other)), 1e-7);
  EXPECT_LT(length(tip(by_wood) - tip(other)), 1e-7);
}

// Creep makes the present shape the shape at rest: without gravity nothing springs back.
TEST(Change, CreepKeepsTheShape) {
  Simulation simulation = with_rod({.segments = 20,
                                    .length = 1,
                                    .radius_base = 0.005,
                                    .radius_tip = 0.003,
                                    .direction = {1, 0, 0},
                                    .material = wood});
  for (int i = 0; i < 200; ++i) step(simulation, dt, 1);
  const auto before = ends_of(simulation);
  ASSERT_TRUE(apply_edit(Change{.plant = plant_id(simulation, 0), .creep = 1}, simulation));
  for (const auto& [name, end] : ends_of(simulation)) {
    EXPECT_LT(difference(end.tip, before.at(name).tip), 1e-12);
  }
  EXPECT_NEAR(
      energy_of(simulation.plants[0].model->mechanism, simulation.plants[0].state, {}).elastic, 0,
      1e-20);
}

// New wood laid onto a bent rod moves nothing and holds what was held, so that it stays bent when the load goes.
TEST(Thicken, LaysNewWoodOntoTheBentShape) {
  Simulation simulation = with_rod({.segments = 20,
                                    .length = 1,
                                    .radius_base = 0.004,
                                    .radius_tip = 0.004,
                                    .direction = {1, 0, 0},
                                    .material = wood});
  for (int i = 0; i < 900; ++i) step(simulation, dt, 1);
  const auto before = ends_of(simulation);
  std::vector<SegmentId> all = segment_ids(simulation.plants[0]);
  const double mass = momentum_of_all(simulation).mass;
  ASSERT_TRUE(apply_edit(Thicken{.segments = all, .factor = 1.5}, simulation));
  EXPECT_NEAR(momentum_of_all(simulation).mass, 2.25 * mass, 1e-9 * mass);
  for (const auto& [name, end] : ends_of(simulation)) {
    EXPECT_LT(difference(end.tip, before.at(name).tip), 1e-12);
  }
  // Without weight it springs back by a 1.5⁴-th part of its angles alone.
  simulation.gravity_world = {};
  for (int i = 0; i < 900; ++i) step(simulation, dt, 1);
  const Index tip = 19;
  const auto& p = simulation.plants[0];
  const Vec3 end = point_motion(p.model->mechanism, p.state, tip, {}).position_world;
  const double sag = -before.at(all[19]).base.position_world.y;
  EXPECT_NEAR(-end.y / sag, 1 - 1 / std::pow(1.5, 4), 0.01);
}

TEST(Extend, MakesATipLonger) {
  Simulation simulation = in_wind("young_tree.lsys", 10);
  const Index tip = segment_count(simulation.plants[0].model->plant) - 1;
  const SegmentId id = segment_id(simulation.plants[0], tip);
  const double length_before = segment_at(simulation.plants[0].model->plant, tip).length;
  const auto before = ends_of(simulation);
  ASSERT_TRUE(apply_edit(Extend{.segment = id, .by = 0.05}, simulation));
  EXPECT_DOUBLE_EQ(segment_at(simulation.plants[0].model->plant, tip).length, length_before + 0.05);
  for (const auto& [name, end] : ends_of(simulation)) {
    EXPECT_LT(difference(end.base, before.at(name).base), 1e-12);
  }
  for (int i = 0; i < 30; ++i) step(simulation, dt, 1);
  EXPECT_TRUE(simulation.finite);
}

// Forces, grabs and probes go with their segments, and end with them; those beyond a cut through go with the
// upper part.
TEST(Edits, TakeAlongWhatHoldsOnToSegments) {
  Simulation simulation = with_rod(
      {.segments = 10, .length = 1, .radius_base = 0.01, .radius_tip = 0.01, .material = wood});
  const auto probe = [&](const char* name, Index body, double y) {
    simulation.probes.push_back(
        {.name = name, .plant = 0, .body = body, .point_in_body = {0, y, 0}});
  };
  probe("low", 2, 0.05);
  probe("under", 5, 0.02);
  probe("over", 5, 0.09);
  probe("high", 8, 0.05);
  std::vector<Vec3> before;
  for (const Probe& p : simulation.probes) {
    before.push_back(probe_motion(simulation, p).position_world);
  }
  const SegmentId cut = segment_id(simulation.plants[0], 5);
  const Result<EditResult> done = apply_edit(Cut{cut, 0.5}, simulation);
  ASSERT_TRUE(done);
  const std::size_t expected[] = {0, 0, 1, 1};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(simulation.probes[i].plant, expected[i]);
    EXPECT_LT(length(probe_motion(simulation, simulation.probes[i]).position_world - before[i]),
              1e-12);
  }
  Simulation joined = simulation;
  ASSERT_TRUE(apply_edit(Graft{.scion = done->pieces[0], .onto = cut, .along = 1}, joined));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(joined.probes[i].plant, 0u);
    EXPECT_LT(length(probe_motion(joined, joined.probes[i]).position_world - before[i]), 1e-12);
  }
  ASSERT_TRUE(apply_edit(RemovePlant{done->pieces[0]}, simulation));
  EXPECT_FALSE(simulation.probes[1].gone);
  EXPECT_TRUE(simulation.probes[2].gone);
  EXPECT_TRUE(simulation.probes[3].gone);
}

// Many edits of any kind, one after the other, with steps between: nothing is lost, stale or not finite.
TEST(Edits, InAnyOrder) {
  Simulation simulation = in_wind("young_tree.lsys", 5);
  std::mt19937 random(11);
  const auto some_segment = [&] {
    const std::size_t p = random() % simulation.plants.size();
    const auto n = static_cast<unsigned>(segment_count(simulation.plants[p].model->plant));
    return segment_id(simulation.plants[p], static_cast<Index>(random() % n));
  };
  const auto some_part = [&] { return static_cast<double>(random() % 101) / 100; };
  int done = 0;
  for (int i = 0; i < 400 && !simulation.plants.empty(); ++i) {
    const SegmentId id = some_segment();
    Edit edit = Cut{id, some_part()};
    switch (random() % 8) {
      case 0:
      case 1:
      case 2:
        break;
      case 3:
      case 4:
        edit = Graft{.scion = plant_id(simulation, random() % simulation.plants.size()),
                     .onto = id,
                     .along = some_part(),
                     .as_before = random() % 2 == 0,
                     .carry = true};
        break;
      case 5:
        edit = Change{.segments = {id},
                      .stiffness = 0.5 + some_part(),
                      .mass = 0.5 + some_part(),
                      .creep = 0.5 * some_part()};
        break;
      case 6:
        edit = Thicken{.segments = {id}, .factor = 1 + 0.2 * some_part()};
        break;
      default:
        if (simulation.plants.size() > 6) edit = RemoveSegment{id};
    }
    if (apply_edit(edit, simulation)) ++done;
    expect_names_hold(simulation);
    if (::testing::Test::HasFatalFailure()) return;
    if (i % 4 == 0) step(simulation, dt, 1);
    ASSERT_TRUE(simulation.finite) << i;
  }
  EXPECT_GT(done, 200);
}

}  // namespace
}  // namespace thigmo::edit_test
