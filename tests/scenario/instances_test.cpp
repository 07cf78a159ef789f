// Several equal plants of one [[plant]]: they share what does not move, and each moves as if it had
// been written out where it stands.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "mechanics/statics/equilibrium.h"
#include "scenario/make_simulation.h"
#include "simulation/save/snapshot.h"
#include "simulation/simulation.h"

namespace thigmo::instances_test {
namespace {

constexpr double frame = 1.0 / 60;

// A fork with leaves and two roots, so that plants that are turned differ.
constexpr const char* herb = R"(
derivation length: 4
Axiom: !(0.01)F(0.3)A [f(0.1)F(0.2)]
A --> !(0.006)F(0.2)[+(35)F(0.15)~l(0.05)]/(90)[&(50)F(0.1)A]
)";

Result<std::string> read_herb(std::string_view) { return std::string(herb); }

Simulation make(const std::string& text) {
  const Result<Scenario> scenario = parse_scenario("test.toml", text);
  EXPECT_TRUE(scenario) << (scenario ? "" : to_string(scenario.diagnostics()));
  Result<Simulation> simulation = make_simulation(*scenario, read_herb);
  EXPECT_TRUE(simulation) << (simulation ? "" : to_string(simulation.diagnostics()));
  return std::move(*simulation);
}

void run(Simulation& simulation, int steps, int threads = 1) {
  for (int i = 0; i < steps; ++i) step(simulation, frame, threads);
  EXPECT_TRUE(simulation.finite);
}

// Largest distance between the joints of a plant of each simulation [m].
double apart(const Simulation& a, const Simulation& b, std::size_t plant) {
  const Pose one = pose_of(a.plants[plant].model->mechanism, a.plants[plant].state);
  const Pose two = pose_of(b.plants[plant].model->mechanism, b.plants[plant].state);
  double most = 0;
  for (std::size_t i = 0; i < one.base_world.size(); ++i) {
    most = std::max(most, length(one.base_world[i] - two.base_world[i]));
  }
  return most;
}

constexpr const char* wind = "[wind]\nkind = \"gusty\"\nmean = [5, 0, 1]\n";

// The same bits: a plant that is only moved goes through the same sums as one made at its place.
TEST(Instances, MoveAsIfWrittenOutByHand) {
  Simulation many = make(std::string(wind) +
                         "[[plant]]\nname = \"r\"\nkind = \"rod\"\nradius = 0.004\n"
                         "positions = [[0, 0, 0], [3.3, 0.1, -2.7], [-17.9, 0, 41.3]]\n");
  Simulation apart_made =
      make(std::string(wind) +
           "[[plant]]\nkind = \"rod\"\nradius = 0.004\n"
           "[[plant]]\nkind = \"rod\"\nradius = 4e-3\nmass_damping = 0\nposition = [3.3, 0.1, "
           "-2.7]\n[[plant]]\nkind = \"rod\"\nradius = 0.004\nmass_damping = 0.0\nposition = "
           "[-17.9, 0, 41.3]\n");
  ASSERT_NE(apart_made.plants[0].model,
            apart_made.plants[1].model);  // written differently, they share nothing
  ASSERT_NE(apart_made.plants[1].model, apart_made.plants[2].model);
  ASSERT_EQ(many.plants.size(), 3u);
  run(many, 90);
  run(apart_made, 90);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 20; ++k) {
      ASSERT_EQ(many.plants[i].state.joint_velocity[k],
                apart_made.plants[i].state.joint_velocity[k]);
    }
    EXPECT_EQ(apart(many, apart_made, i), 0);
  }
  // They feel the wind at their own places.
  EXPECT_NE(many.plants[1].state.joint_velocity[3], many.plants[2].state.joint_velocity[3]);
}

// Tables that differ in name and position alone share what does not move, whatever stands between them,
// and move with the bits of tables that are kept apart by a key that changes nothing. Where a root is
// free its way is added up from its place, 10 m away: 90 roundings of 1e-15 m.
TEST(Instances, EqualTablesShareAModel) {
  for (const char* more : {"", "start = \"equilibrium\"\n", "release = 0.5\n",
                           "root = \"free\"\nspin = [1, 0, 0.3]\n"}) {
    const auto table = [more](const char* name, const char* own) {
      return fmt::format("[[plant]]\nname = \"{}\"\ngrammar = \"herb\"\n{}{}", name, more, own);
    };
    const std::string first = wind + table("a", "position = [1.7, 0, 2.1]\n");
    const std::string other = table("b", "angle = 40\nposition = [0.3, 0, 0]\n");
    const std::string load = "[[force]]\nplant = \"c\"\nvector = [0.02, 0, 0.01]\n";
    Simulation equal = make(first + other + table("c", "position = [-9.4, 0.2, 4.9]\n") + load);
    Simulation kept =
        make(first + other + table("c", "position = [-9.4, 0.2, 4.9]\nmass_damping = 0\n") + load);
    EXPECT_EQ(equal.plants[0].model, equal.plants[2].model);
    EXPECT_EQ(equal.plants[0].model->step_model, equal.plants[2].model->step_model);
    EXPECT_NE(equal.plants[0].model, equal.plants[1].model);
    EXPECT_NE(kept.plants[0].model, kept.plants[2].model);
    EXPECT_EQ(equal.plants[2].name, "c");
    EXPECT_EQ(equal.probes.size(), 3u);  // one each, as for tables that differ
    run(equal, 90);
    run(kept, 90);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t bodies = kept.plants[i].model->mechanism.body.size();
      for (std::size_t k = 0; k < bodies; ++k) {
        ASSERT_EQ(equal.plants[i].state.joint_velocity[k], kept.plants[i].state.joint_velocity[k])
            << more << i;
      }
      const bool moves = is_free(equal.plants[i].state.root);
      EXPECT_LE(apart(equal, kept, i), moves ? 1e-13 : 0.0) << more << i;
    }
  }
}

// The same plants, each with a model of its own that was made turned: what was the root's turn is part of
// its segments.
Simulation made_turned(const std::string& text, StartPose start) {
  Simulation simulation = make(text);
  for (std::size_t i = 0; i < simulation.plants.size(); ++i) {
    SimulatedPlant& plant = simulation.plants[i];
    const Quat turn = plant.stands.world_from_plant;
    Plant turned = plant.model->plant;
    for (Segment& segment : turned.segments) {
      if (segment.parent != no_index) continue;
      segment.base_in_parent = rotate(turn, segment.base_in_parent);
      segment.parent_from_segment = normalized(turn * segment.parent_from_segment);
    }
    plant.model = make_model(std::move(turned), {.start = start,
                                                 .drag = simulation.drag,
                                                 .gravity_plant = simulation.gravity_world})
                      .model;
    const RootState before = plant.state.root;
    plant.state = plant.model->start;
    plant.state.root = before;
    plant.state.root.world_from_plant = {};
    plant.state.root.omega_plant = rotate(turn, before.omega_plant);
    plant.stands.world_from_plant = {};
    plant.workspace = make_workspace(plant.model->step_model);
    if (plant.path) plant.path->start = plant.stands;
    if (start != StartPose::equilibrium) continue;
    const std::vector<PointLoad> loads = standing_loads(simulation, i);
    const EquilibriumReport report = find_equilibrium(
        plant.model->mechanism, {.gravity_world = simulation.gravity_world, .points = loads}, {},
        plant.state);
    EXPECT_TRUE(report.converged);
  }
  return simulation;
}

// Turned ones too, but for rounding: the turn is part of the root instead of its segments. After 1.5 s of
// gusts 1e-15 of 0.5 m has not grown to 1e-11 m.
TEST(Instances, TurnedMoveAsIfMadeTurned) {
  for (const auto& [more, start] : {std::pair{"", StartPose::modelled},
                                    {"start = \"rest\"\n", StartPose::rest},
                                    {"start = \"equilibrium\"\n", StartPose::equilibrium},
                                    {"release = 0.5\n", StartPose::modelled},
                                    {"root = \"free\"\nspin = [1, 0, 0.3]\n", StartPose::rest}}) {
    const std::string text = std::string(wind) + "[[plant]]\nname = \"h\"\ngrammar = \"herb\"\n" +
                             more +
                             "positions = [[1, 0, 2], [3.3, 0, -2.7], [4, 1, 4]]\n"
                             "turns = [0, 130, -20]\n[[force]]\nplant = \"h.1\"\n"
                             "vector = [0.02, 0, 0.01]\n";
    Simulation shared = make(text), separate = made_turned(text, start);
    EXPECT_EQ(shared.plants[0].model, shared.plants[2].model);
    EXPECT_NE(separate.plants[0].model, separate.plants[2].model);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(apart(shared, separate, i), 1e-13) << more;
    run(shared, 90);
    run(separate, 90);
    // Accelerations are remembered as floats, rounded in other axes: 6e-8 of 5 m/s² over a step of 1/60 s,
    // 90 times.
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(apart(shared, separate, i), 1e-7) << more << i;
  }
}

// A root that is moved is moved from where it stands, in the world's axes.
TEST(Instances, FeetMoveInTheWorldsAxes) {
  const std::string text =
      "[[plant]]\nname = \"h\"\ngrammar = \"herb\"\npositions = [[1, 0, 2], [3, 0, -2]]\n"
      "turns = [10, 75]\n[[motion]]\nplant = \"h.1\"\n"
      "keys = [[0, 0, 0, 0, 0, 0, 0], [0.5, 0.2, 0, 0.1, 5, 20, 10]]\n";
  Simulation shared = make(text), separate = made_turned(text, StartPose::modelled);
  run(shared, 60);
  run(separate, 60);
  EXPECT_GT(length(shared.plants[1].state.root.position_world - Vec3{3, 0, -2}), 0.2);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_LT(apart(shared, separate, i), 1e-11) << i;
}

// Turned by a quarter under a gravity that is not along the vertical, one rest shape does not hold
// both: they stand as modelled all the same.
TEST(Instances, StandAsModelledWhateverTheGravity) {
  for (const char* gravity : {"gravity = [0, -9.81, 0]\n", "gravity = [4, -9, 0]\n"}) {
    Simulation still = make(std::string(gravity) +
                            "[[plant]]\nname = \"h\"\ngrammar = \"herb\"\n"
                            "positions = [[1, 0, 2], [3, 0, -2]]\nturns = [0, 90]\n");
    Simulation before = make(
        "gravity = [0, 0, 0]\n[[plant]]\nname = \"h\"\ngrammar = \"herb\"\n"
        "positions = [[1, 0, 2], [3, 0, -2]]\nturns = [0, 90]\n");
    run(still, 30);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_LT(apart(still, before, i), 1e-6) << gravity;
  }
}

TEST(Instances, SameBitsForAnyNumberOfThreads) {
  const std::string text = std::string(wind) +
                           "[ground]\n[[plant]]\ngrammar = \"herb\"\nrelease = 0.3\n"
                           "scatter = { count = 9, from = [0, 0, 0], to = [9, 2, 9] }\n";
  std::uint64_t expected = 0;
  for (int threads : {1, 2, 3}) {
    Simulation simulation = make(text);
    run(simulation, 60, threads);
    if (expected == 0) expected = state_hash(simulation);
    EXPECT_EQ(state_hash(simulation), expected) << threads << " threads";
  }
}

TEST(Instances, GoOnFromASnapshotWithTheSameBits) {
  const std::string text = std::string(wind) +
                           "[[plant]]\ngrammar = \"herb\"\n"
                           "scatter = { count = 4, from = [0, 0, 0], to = [9, 0, 9] }\n";
  Simulation whole = make(text);
  run(whole, 20);
  const std::string half = write_snapshot(whole);
  run(whole, 20);
  Simulation later = make(text);
  ASSERT_TRUE(restore_run(half, "half", later));
  run(later, 20);
  EXPECT_EQ(state_hash(later), state_hash(whole));
  // Plants at other places are another scenario.
  Simulation elsewhere = make(std::string(wind) +
                              "[[plant]]\ngrammar = \"herb\"\nscatter = { count = 4, from = [0, 0, "
                              "0], to = [9, 0, 9], seed = 2 }\n");
  EXPECT_FALSE(restore_run(half, "half", elsewhere));
}

TEST(Instances, AreScatteredApartAndBySeed) {
  const auto places = [](const std::string& scatter) {
    const Result<Scenario> scenario = parse_scenario(
        "s.toml", "[[plant]]\nkind = \"rod\"\nname = \"r\"\nscatter = {" + scatter + "}\n");
    EXPECT_TRUE(scenario) << (scenario ? "" : to_string(scenario.diagnostics()));
    std::vector<Placement> result;
    for (const PlantSource& plant : scenario->plants) result.push_back(*plant.place);
    return result;
  };
  const std::string area = "from = [-10, 1, 5], to = [10, 1, 25], spacing = 2, ";
  const std::vector<Placement> some = places(area + "count = 40");
  ASSERT_EQ(some.size(), 40u);
  double turns = 0;
  for (std::size_t i = 0; i < some.size(); ++i) {
    const Vec3 p = some[i].shift_world;
    EXPECT_TRUE(p.x >= -10 && p.x <= 10 && p.y == 1 && p.z >= 5 && p.z <= 25);
    for (std::size_t k = 0; k < i; ++k) EXPECT_GE(length(p - some[k].shift_world), 2);
    turns += some[i].turn / (2 * std::numbers::pi) / 40;
  }
  EXPECT_NEAR(turns, 0.5, 0.2);  // of 40 even ones: 0.5 ± 0.046
  // More of them begin with the same ones; another seed is another wood.
  EXPECT_EQ(places(area + "count = 50")[39].shift_world, some[39].shift_world);
  EXPECT_NE(places(area + "count = 40, seed = 2")[0].shift_world, some[0].shift_world);
}

TEST(Instances, HaveNamesAndOneProbe) {
  const Result<Scenario> scenario =
      parse_scenario("s.toml",
                     "[[plant]]\nkind = \"rod\"\nname = \"r\"\npositions = [[0, 0, 0], [1, 0, 0]]\n"
                     "[[plant]]\nkind = \"rod\"\n");
  ASSERT_TRUE(scenario) << to_string(scenario.diagnostics());
  EXPECT_EQ(scenario->plants[1].name, "r.1");
  EXPECT_EQ(scenario->plants[2].name, "plant1");
  ASSERT_EQ(scenario->probes.size(), 2u);
  EXPECT_EQ(scenario->probes[0].name, "r.0.tip");
  EXPECT_EQ(scenario->probes[1].name, "plant1.tip");
}

TEST(Instances, BadPlacesAreSaid) {
  const std::pair<const char*, const char*> cases[] = {
      {"positions = []", "s.toml:3:13: error: 'positions' must be a list of 1 to 10000 places"},
      {"positions = [[0, 0, 0], [1, 2]]", "s.toml:3:25: error: a place of 'positions'"},
      {"positions = [[0, 0, nan]]", "three finite numbers"},
      {"positions = [[0, 0, 0]]\nturns = [1, 2]", "s.toml:4:9: error: 'turns' must be a list of 1"},
      {"positions = [[0, 0, 0]]\nturns = [\"north\"]", "s.toml:4:10: error: 'turns' must hold"},
      {"turns = [1]", "'turns' are those of the plants at 'positions'"},
      {"position = [1, 0, 0]\npositions = [[0, 0, 0]]", "one of 'position', 'positions' and"},
      {"scatter = { count = 3, from = [0, 0, 0] }", "needs the key 'to'"},
      {"scatter = { count = 0, from = [0, 0, 0], to = [1, 0, 1] }", "between 1 and 10000"},
      {"scatter = { cuont = 3, from = [0, 0, 0], to = [1, 0, 1] }", "did you mean 'count'"},
      {"scatter = { count = 9, from = [0, 0, 0], to = [1, 0, 1], spacing = 2 }",
       "s.toml:3:11: error: 9 plants cannot stand 2 m apart in this area: at most 1 have room"},
      {"scatter = { count = 5, from = [0, 0, 0], to = [1, 0, 1], spacing = 0.9 }",
       "s.toml:3:11: error: no room for plant"},
      {"scatter = 3", "s.toml:3:11"},
      {"posisions = [[0, 0, 0]]", "did you mean 'position"},
  };
  for (const auto& [keys, expected] : cases) {
    const Result<Scenario> scenario =
        parse_scenario("s.toml", std::string("[[plant]]\nkind = \"rod\"\n") + keys + "\n");
    ASSERT_FALSE(scenario) << keys;
    const std::string said = to_string(scenario.diagnostics());
    EXPECT_NE(said.find(expected), std::string::npos) << "in: " << keys << "\nsaid: " << said;
  }
}

}  // namespace
}  // namespace thigmo::instances_test
