// Plants of particles in simulations: edits, poses, names, what they refuse.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "material/species.h"
#include "scenario/make_simulation.h"
#include "simulation/add_plant.h"
#include "simulation/between_steps.h"
#include "simulation/edit.h"
#include "simulation/edit_places.h"
#include "simulation/pick.h"
#include "simulation/save/snapshot.h"
#include "simulation/solver.h"
#include "support/gallery.h"

namespace thigmo::particles_test {
namespace {

constexpr double dt = 1.0 / 60;

// A plant of the gallery as particles, moved for a while by its weight and a wind.
Simulation swaying(const std::string& name, const ParticleSettings& settings, int steps = 40) {
  Simulation simulation{.gravity_world = {0, -9.81, 0}};
  Diagnostics notes;
  const std::string file = (support::gallery_folder() / "plants" / name).string();
  Result<Plant> plant = grow_from_file({.file = file, .parameters = support::small_settings(name)},
                                       support::read_text, notes);
  EXPECT_TRUE(plant) << to_string(plant.diagnostics());
  simulation.wind = make_wind({.kind = WindKind::uniform, .mean_world = {4, 0, 1}});
  add_plant(std::move(*plant), {}, StartPose::rest, simulation);
  const Result<Done> done = use_particles(settings, simulation.plants[0]);
  EXPECT_TRUE(done) << to_string(done.diagnostics());
  for (int i = 0; i < steps; ++i) step(simulation, dt, 1);
  return simulation;
}

SegmentId name_of(const Simulation& simulation, Index segment) {
  return segment_id(simulation.plants[0], segment);
}

// Places and velocities of all ends of segments, by name.
struct Ends {
  PointMotion base, tip;
};
std::map<SegmentId, Ends> ends_of(const Simulation& simulation) {
  std::map<SegmentId, Ends> ends;
  for (const SimulatedPlant& plant : simulation.plants) {
    for (Index i = 0; i < segment_count(plant.model->plant); ++i) {
      const double length = segment_at(plant.model->plant, i).length;
      ends[segment_id(plant, i)] = {point_motion(plant, i, {}),
                                    point_motion(plant, i, {0, length, 0})};
    }
  }
  return ends;
}

void expect_same(const PointMotion& a, const PointMotion& b) {
  EXPECT_LT(length(a.position_world - b.position_world), 1e-12);
  EXPECT_LT(length(a.velocity_world - b.velocity_world), 1e-9);
}

Vec3 momentum(const Simulation& simulation) {
  Vec3 sum;
  for (const SimulatedPlant& plant : simulation.plants) sum += momentum_of(plant).linear_world;
  return sum;
}

// Wherever a tree is cut, no point jumps, nothing gets another velocity, and every segment keeps its name.
TEST(Particles, CutsMoveNothing) {
  for (const char* name : {"soft_tree_exact.sbt", "young_tree.lsys"}) {
    const Simulation whole = swaying(name, {});
    const auto before = ends_of(whole);
    const auto count = segment_count(whole.plants[0].model->plant);
    for (const Index segment : {Index{1}, count / 3, count / 2, count - 1}) {
      for (const double along : {0.0, 0.4}) {
        Simulation simulation = whole;
        const Result<EditResult> cut = apply_edit(Cut{name_of(whole, segment), along}, simulation);
        ASSERT_TRUE(cut) << to_string(cut.diagnostics());
        ASSERT_EQ(simulation.plants.size(), 2u);
        const auto after = ends_of(simulation);
        EXPECT_EQ(after.size(), before.size() + (along > 0 ? 1 : 0));
        for (const auto& [id, ends] : before) {
          expect_same(after.at(id).base, ends.base);
          if (along == 0 || id != name_of(whole, segment)) expect_same(after.at(id).tip, ends.tip);
        }
        for (const SegmentSplit& split : cut->splits) {
          expect_same(after.at(split.upper).tip, before.at(split.lower).tip);
          expect_same(after.at(split.upper).base, after.at(split.lower).tip);
        }
        for (int i = 0; i < 60; ++i) step(simulation, dt, 1);
        EXPECT_TRUE(simulation.finite);
      }
    }
  }
}

// A cut at the very tip lets all that stands there come apart.
TEST(Particles, CutsAtTipsMakeSeveralPieces) {
  Simulation simulation = swaying("soft_tree_exact.sbt", {.supports = 2});
  const Plant& plant = simulation.plants[0].model->plant;
  Index fork = 0;
  std::map<Index, int> children;
  for (const Segment& s : plant.segments) {
    if (s.parent != no_index && ++children[s.parent] == 2) fork = s.parent;
  }
  const auto before = ends_of(simulation);
  const Result<EditResult> cut = apply_edit(Cut{name_of(simulation, fork), 1}, simulation);
  ASSERT_TRUE(cut);
  EXPECT_GE(cut->pieces.size(), 2u);
  const auto after = ends_of(simulation);
  for (const auto& [id, ends] : before) {
    expect_same(after.at(id).base, ends.base);
    expect_same(after.at(id).tip, ends.tip);
  }
}

// Nothing holds pieces: what gains momentum does so by its weight alone, and what is cut in three gives three plants.
TEST(Particles, PiecesFallAsOneBody) {
  Simulation simulation = swaying("soft_tree_exact.sbt", {});
  simulation.drag.air_density = 0;
  const Result<EditResult> first = apply_edit(Cut{name_of(simulation, 1), 0.5}, simulation);
  ASSERT_TRUE(first);
  const SegmentId upper = first->splits[0].upper;
  const std::size_t piece = *find_plant(simulation, first->pieces[0]);
  const Index middle = simulation.plants[piece].model->mechanism.subtree_size[0] / 2;
  ASSERT_TRUE(apply_edit(Cut{segment_id(simulation.plants[piece], middle), 0.5}, simulation));
  ASSERT_EQ(simulation.plants.size(), 3u);
  EXPECT_TRUE(find_segment(simulation, upper));
  std::vector<PlantMomentum> before;
  for (const SimulatedPlant& plant : simulation.plants) before.push_back(momentum_of(plant));
  for (int i = 0; i < 30; ++i) step(simulation, dt, 1);
  for (std::size_t p = 1; p < 3; ++p) {
    const PlantMomentum after = momentum_of(simulation.plants[p]);
    const Vec3 gained = after.linear_world - before[p].linear_world;
    EXPECT_LT(length(gained - Vec3{0, -9.81 * 30 * dt * after.mass, 0}), 1e-9 * length(gained));
  }
}

// Masses are shared anew where the cut goes; the momentum of all pieces is that of the tree.
TEST(Particles, CutsKeepMomentum) {
  const Simulation whole = swaying("soft_tree_exact.sbt", {}, 8);
  const Vec3 before = momentum(whole);
  Simulation simulation = whole;
  ASSERT_TRUE(apply_edit(Cut{name_of(whole, 3), 0.3}, simulation));
  double size = 0;
  for (const SimulatedPlant& plant : simulation.plants) {
    const PlantMomentum m = momentum_of(plant);
    size += std::sqrt(2 * m.mass * energy_of(plant, {}).kinetic);
  }
  EXPECT_LT(length(momentum(simulation) - before), 0.01 * size);
}

TEST(Particles, SegmentsAreRemovedWithWhatStandsOnThem) {
  Simulation simulation = swaying("soft_tree_exact.sbt", {});
  const auto before = ends_of(simulation);
  const Index size = simulation.plants[0].model->mechanism.subtree_size[2];
  ASSERT_TRUE(apply_edit(RemoveSegment{name_of(simulation, 2)}, simulation));
  const auto after = ends_of(simulation);
  EXPECT_EQ(after.size() + as_size(size), before.size());
  for (const auto& [id, ends] : after) expect_same(ends.tip, before.at(id).tip);
  step(simulation, dt, 1);
  EXPECT_TRUE(simulation.finite);
}

// What particles cannot do is refused, and has changed nothing.
TEST(Particles, RefuseWhatNeedsJoints) {
  Simulation simulation = swaying("soft_tree_exact.sbt", {});
  const Result<EditResult> cut = apply_edit(Cut{name_of(simulation, 5), 0}, simulation);
  ASSERT_TRUE(cut);
  const std::uint64_t before = state_hash(simulation);
  const SegmentId segment = name_of(simulation, 2);
  const SegmentId tip =
      segment_id(simulation.plants[0], segment_count(simulation.plants[0].model->plant) - 1);
  const std::vector<Edit> refused = {Graft{.scion = cut->pieces[0], .onto = segment},
                                     Extend{tip, 0.1}, Thicken{{segment}, 2},
                                     Change{.segments = {segment}, .stiffness = 2}};
  for (const Edit& edit : refused) {
    const Result<EditResult> result = apply_edit(edit, simulation);
    ASSERT_FALSE(result);
    EXPECT_NE(result.diagnostics()[0].message.find("particles"), std::string::npos);
  }
  EXPECT_EQ(state_hash(simulation), before);
  EXPECT_FALSE(check_moment(simulation.plants[0], {0, 0, 1}));
  EXPECT_TRUE(check_moment(simulation.plants[0], {}));
  const Simulation tuft = swaying("grass.lsys", {}, 1);
  EXPECT_FALSE(check_free(tuft.plants[0]));
}

TEST(Particles, RefusePlantsThatTheyCannotMake) {
  const auto check = [](const std::string& text) {
    const Result<Scenario> scenario = parse_scenario("test.toml", text);
    if (!scenario) return to_string(scenario.diagnostics());
    const Result<Simulation> simulation = make_simulation(
        *scenario, [](std::string_view) -> Result<std::string> { return error("no files here"); });
    return simulation ? std::string() : to_string(simulation.diagnostics());
  };
  const std::string rod = "[[plant]]\nkind = \"rod\"\nmethod = \"particles\"\n";
  EXPECT_EQ(check(rod), "");
  EXPECT_EQ(check(rod + "particles = { supports = 2, iterations = 20, power = 0.5 }\n"), "");
  for (const char* bad :
       {"particles = { supports = 3 }", "particles = { power = 2 }", "particles = { power = 0 }",
        "particles = { velocity_kept = 1.5 }", "particles = { support = 2 }", "mass_damping = 1",
        "start = \"equilibrium\"", "root_spring = 10"}) {
    EXPECT_NE(check(rod + bad + "\n"), "") << bad;
  }
  EXPECT_NE(check("[[plant]]\nkind = \"rod\"\nparticles = { supports = 2 }\n"), "");
  EXPECT_NE(check("energy = true\n" + rod), "");
  EXPECT_NE(check(rod + "[[force]]\nplant = \"plant0\"\nforce = [0, 0, 0]\nmoment = [0, 0, 1]\n"),
            "");
}

// The same bits for any number of threads, and from a snapshot.
TEST(Particles, RunsGiveTheSameBits) {
  const std::string text = R"(
[wind]
kind = "gusty"
mean = [5, 0, 1]
[[plant]]
name = "a"
kind = "rod"
segments = 12
method = "particles"
[[plant]]
name = "b"
kind = "rod"
direction = [1, 0, 0]
method = "particles"
particles = { supports = 2 }
[[plant]]
name = "c"
kind = "rod"
[[grab]]
plant = "a"
at = "tip"
stiffness = 50
damping = 1
wave = [{ amplitude = [0.05, 0, 0], frequency = 1.5 }]
)";
  const Result<Scenario> scenario = parse_scenario("test.toml", text);
  ASSERT_TRUE(scenario) << to_string(scenario.diagnostics());
  const auto make = [&] {
    return std::move(*make_simulation(
        *scenario, [](std::string_view) -> Result<std::string> { return error("no files here"); }));
  };
  Simulation one = make(), four = make(), first = make();
  for (int i = 0; i < 80; ++i) step(one, dt, 1);
  for (int i = 0; i < 80; ++i) step(four, dt, 4);
  for (int i = 0; i < 30; ++i) step(first, dt, 1);
  Result<Simulation> read = read_snapshot(write_snapshot(first), "x");
  ASSERT_TRUE(read) << to_string(read.diagnostics());
  Simulation second = std::move(*read);
  for (int i = 30; i < 80; ++i) step(second, dt, 1);
  EXPECT_EQ(state_hash(four), state_hash(one));
  EXPECT_EQ(state_hash(second), state_hash(one));
  Simulation copy = one;
  step(copy, dt, 1);
  step(one, dt, 1);
  EXPECT_EQ(state_hash(copy), state_hash(one));
}

// Pieces of a plant are saved as what they are.
TEST(Particles, PiecesAreSavedWithTheSameBits) {
  for (const int supports : {2, 4}) {
    Simulation simulation = swaying("soft_tree_exact.sbt", {.supports = supports});
    simulation.wind = {};
    ASSERT_TRUE(apply_edit(Cut{name_of(simulation, 4), 0.4}, simulation));
    for (int i = 0; i < 5; ++i) step(simulation, dt, 1);
    Result<Simulation> read = read_snapshot(write_snapshot(simulation), "x");
    ASSERT_TRUE(read) << to_string(read.diagnostics());
    EXPECT_EQ(state_hash(*read), state_hash(simulation));
    for (int i = 0; i < 30; ++i) {
      step(simulation, dt, 1);
      step(*read, dt, 2);
    }
    EXPECT_EQ(state_hash(*read), state_hash(simulation));
  }
}

// Poses between steps lead from one to the next without a jump.
TEST(Particles, PosesBetweenStepsJoin) {
  Simulation simulation = swaying("soft_tree_exact.sbt", {});
  StepBegin begin;
  keep(simulation, begin);
  const Pose before = pose_of(simulation.plants[0]);
  step(simulation, dt, 1);
  std::vector<Pose> poses;
  poses_at(simulation, begin, begin.time, poses);
  const Pose first = poses[0];
  poses_at(simulation, begin, begin.time + 0.9999 * dt, poses);
  const Pose last = poses[0], after = pose_of(simulation.plants[0]);
  for (std::size_t i = 0; i < before.base_world.size(); ++i) {
    EXPECT_LT(length(first.base_world[i] - before.base_world[i]), 1e-12);
    EXPECT_LT(length(last.base_world[i] - after.base_world[i]), 1e-4);
  }
}

TEST(Particles, RaysMeetSegmentsWhereTheyAre) {
  const Simulation simulation = swaying("soft_tree_exact.sbt", {});
  const SimulatedPlant& plant = simulation.plants[0];
  for (const Index i : {Index{0}, Index{3}, Index{9}}) {
    const double length = segment_at(plant.model->plant, i).length;
    const Vec3 middle = point_motion(plant, i, {0, length / 2, 0}).position_world;
    const auto met = nearest(simulation, middle, 0.01);
    ASSERT_TRUE(met);
    EXPECT_EQ(met->segment, i);
  }
}

// Instances of a plant of particles are plants of particles, where they were put.
TEST(Particles, InstancesStandWhereTheyArePut) {
  Simulation simulation = swaying("soft_tree_exact.sbt", {}, 20);
  const std::size_t other = add_instance(0, {.shift_world = {3, 0, 1}, .turn = 1}, simulation);
  ASSERT_TRUE(simulation.plants[other].particles);
  EXPECT_EQ(simulation.plants[other].particles->model, simulation.plants[0].particles->model);
  EXPECT_LT(length(pose_of(simulation.plants[other]).base_world[0] - Vec3{3, 0, 1}), 1e-12);
  for (int i = 0; i < 30; ++i) step(simulation, dt, 1);
  EXPECT_TRUE(simulation.finite);
}

}  // namespace
}  // namespace thigmo::particles_test
