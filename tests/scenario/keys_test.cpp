// Gravity, wind and woods that change by keys.

#include <gtest/gtest.h>

#include <cmath>

#include "scenario/make_simulation.h"
#include "simulation/advance.h"
#include "simulation/save/snapshot.h"

namespace thigmo::keys_test {
namespace {

constexpr const char* herb = R"(
derivation length: 5
Axiom: !(0.01)F(0.3)A
A --> !(0.006)F(0.2)[+(35)F(0.15)~l(0.05)]/(90)[&(50)F(0.1)A]
)";

Result<Simulation> try_make(const std::string& text) {
  const Result<Scenario> scenario = parse_scenario("test.toml", text);
  if (!scenario) return scenario.diagnostics();
  return make_simulation(*scenario,
                         [](std::string_view) -> Result<std::string> { return std::string(herb); });
}

Simulation make(const std::string& text) {
  Result<Simulation> simulation = try_make(text);
  EXPECT_TRUE(simulation) << (simulation ? "" : to_string(simulation.diagnostics()));
  return std::move(*simulation);
}

void run(double dt, double seconds, Simulation& simulation, int threads = 1) {
  const Course course{
      .step = dt, .first_step = 0, .end_step = step_count(seconds, dt), .threads = threads};
  ASSERT_TRUE(advance(course, simulation));
  EXPECT_TRUE(simulation.finite);
}

TEST(KeyedValue, IsExactAtKeysAndStraightBetween) {
  const KeyedValue<double> keyed{.times = {1, 2, 4}, .values = {0.1, 0.7, 0.3}};
  EXPECT_EQ(value_at(keyed, 0), 0.1);
  EXPECT_EQ(value_at(keyed, 1), 0.1);
  EXPECT_EQ(value_at(keyed, 2), 0.7);
  EXPECT_EQ(value_at(keyed, 4), 0.3);
  EXPECT_EQ(value_at(keyed, 9), 0.3);
  EXPECT_DOUBLE_EQ(value_at(keyed, 3), 0.5);
  double sum = 0;
  constexpr double dt = 1e-3;
  for (int i = 0; i < 5000; ++i) sum += dt * value_at(keyed, (i + 0.5) * dt);
  EXPECT_NEAR(integral_to(keyed, 5), sum, 1e-9);
  EXPECT_NEAR(integral_to(keyed, 0.5), 0.05, 1e-15);
  EXPECT_TRUE(changes_within(keyed, 3.9, 4.1));
  EXPECT_FALSE(changes_within(keyed, 4.0, 4.1));
  EXPECT_FALSE(changes_within(keyed, 0.5, 1.0));
}

constexpr const char* softening =
    "[[plant]]\nname = \"h\"\nkind = \"rod\"\nradius = 0.005\nsegments = 30\n"
    "direction = [1, 1, 0]\nyoung = { keys = [[0.5, 8e9], [1.5, 4e9]] }\n"
    "damping_ratio = { keys = [[0, 0.02], [1, 0.04]] }\n";

// Springs are a function of the time, and not of the steps that led there.
TEST(KeyedWood, IsThatOfItsTimeWhateverTheSteps) {
  const Simulation start = make(softening);
  const auto& given = start.plants[0].model->mechanism.body;
  for (const double dt : {1.0 / 64, 1.0 / 100, 0.3}) {
    Simulation simulation = start;
    for (double t = 0; t < 1; t += dt) set_keyed_values(t, simulation);
    set_keyed_values(1, simulation);
    const auto& body = simulation.plants[0].model->mechanism.body;
    for (std::size_t i = 0; i < body.size(); ++i) {
      EXPECT_EQ(body[i].stiffness, given[i].stiffness * 0.75) << dt;
      EXPECT_EQ(body[i].damping_time, given[i].damping_time * 2) << dt;
    }
    set_keyed_values(2, simulation);
    EXPECT_EQ(body[7].stiffness, given[7].stiffness * 0.5) << dt;
    set_keyed_values(0, simulation);
    EXPECT_EQ(body[7].stiffness, given[7].stiffness) << dt;
  }
  EXPECT_EQ(start.plants[0].model->mechanism.body[7].stiffness, given[7].stiffness);
}

// The packed constants that a step takes are those of the springs: softened by keys, it moves as one that was
// made of half the modulus.
TEST(KeyedWood, MovesAsTheWoodThatItIs) {
  const std::string soft =
      "[[plant]]\nname = \"h\"\nkind = \"rod\"\nradius = 0.005\nsegments = 30\n"
      "direction = [1, 1, 0]\ndamping_ratio = 0\n";
  Simulation keyed = make(soft + "young = { keys = [[0, 8e9], [1e-9, 4e9]] }\n");
  Simulation made = make(soft + "young = 4e9\n");
  run(1.0 / 120, 1, keyed);
  run(1.0 / 120, 1, made);
  const auto tip = [](const Simulation& s) { return probe_motion(s, s.probes[0]).position_world; };
  EXPECT_LT(length(tip(keyed) - tip(made)), 1e-9);
  EXPECT_GT(length(tip(made)), 0.1);
}

// What edits change stays changed while keys go on, and pieces are of the wood that they were cut from.
TEST(KeyedWood, GoesOnAfterEdits) {
  const std::string text = std::string("duration = 3\nstep = 0.01\n") + softening +
                           "[[change]]\nstiffness = 0.3\ntime = 0.8\n"
                           "[[cut]]\nat = { segment = 12, along = 0.4 }\ntime = 1.0\n"
                           "[[cut]]\nat = 20\ntime = 1.2\n"
                           "[[remove]]\nat = 25\ntime = 1.3\n";
  const Simulation start = make(text);
  Simulation simulation = start;
  run(0.01, 2, simulation);
  EXPECT_TRUE(simulation.notes.empty());
  ASSERT_EQ(simulation.plants.size(), 3u);
  const KeyedWood& wood = simulation.keyed.woods[0];
  EXPECT_EQ(wood.segments.size(), 26u);  // 30, one more by a cut through, 5 removed
  const auto& given = start.plants[0].model->mechanism.body;
  const auto expect_soft = [&](std::size_t plant, std::size_t body, std::size_t was) {
    const Vec3 is = simulation.plants[plant].model->mechanism.body[body].stiffness;
    const Vec3 wanted = given[was].stiffness * (0.3 * 0.5);
    EXPECT_LT(length(is - wanted), 1e-12 * length(wanted)) << plant << " " << body;
  };
  expect_soft(0, 5, 5);
  expect_soft(1, 3, 15);
  expect_soft(2, 2, 22);
}

// A free rod falls as the integral of gravity says: of what goes straight between keys the middle of a step is the
// mean of it.
TEST(KeyedGravity, IsWhatThingsFallBy) {
  Simulation simulation = make(
      "numerical_damping = 0\ngravity = { keys = [[0.25, 0, -8, 0], [0.75, 4, 2, 0]] }\n"
      "[[plant]]\nkind = \"rod\"\nroot = \"free\"\nsegments = 5\nradius = 0.02\n");
  EXPECT_EQ(simulation.gravity_world, (Vec3{0, -8, 0}));
  run(1.0 / 64, 1, simulation);
  const Vec3 velocity = probe_motion(simulation, simulation.probes[0]).velocity_world;
  // 0.25 of the first, 0.5 of the mean, 0.25 of the second.
  EXPECT_NEAR(velocity.x, 0.5 * 2 + 0.25 * 4, 1e-8);
  EXPECT_NEAR(velocity.y, -0.25 * 8 - 0.5 * 3 + 0.25 * 2, 1e-8);
  EXPECT_EQ(simulation.gravity_world, (Vec3{4, 2, 0}));
}

// What gravity and softening springs bring is in the account.
TEST(KeyedValues, AreInTheAccountOfEnergy) {
  Simulation simulation =
      make(std::string("gravity = { keys = [[0, 0, -5, 0], [1, 0, -12, 0]] }\n") + softening);
  EnergyBook book(simulation);
  const Course course{.step = 1.0 / 480, .first_step = 0, .end_step = 960, .book = &book};
  ASSERT_TRUE(advance(course, simulation));
  const EnergyAccount& account = book.account();
  EXPECT_GT(std::abs(account.by_edits), 0.01);
  EXPECT_LT(std::abs(account.numerical), 1e-3 * std::abs(account.by_edits));
}

// A gusty wind of half the speed by keys is that of half the speed.
TEST(KeyedWind, IsTheWindOfItsSpeed) {
  const std::string plant = "[[plant]]\nname = \"h\"\ngrammar = \"herb\"\n";
  Simulation keyed =
      make("[wind]\nkind = \"gusty\"\nmean = { keys = [[0, 8, 0, 2], [1e-9, 4, 0, 1]] }\n" + plant);
  Simulation plain = make("[wind]\nkind = \"gusty\"\nmean = [4, 0, 1]\n" + plant);
  run(1.0 / 60, 2, keyed);
  run(1.0 / 60, 2, plain);
  const auto tip = [](const Simulation& s) { return probe_motion(s, s.probes[0]).position_world; };
  EXPECT_LT(length(tip(keyed) - tip(plain)), 1e-6);
  // One key is no change at all.
  Simulation one = make("[wind]\nkind = \"gusty\"\nmean = { keys = [[0, 4, 0, 1]] }\n" + plant);
  run(1.0 / 60, 2, one);
  EXPECT_EQ(state_hash(one), state_hash(plain));
}

TEST(KeyedWind, WithoutGustsMayTurn) {
  Simulation simulation = make(
      "[wind]\nkind = \"uniform\"\nmean = { keys = [[0, 6, 0, 0], [1, 0, 0, 6]] }\n"
      "[[plant]]\nname = \"h\"\ngrammar = \"herb\"\n");
  const auto air = [&] { return air_velocity(air_around(simulation.plants[0]), Vec3{}); };
  EXPECT_EQ(air(), (Vec3{6, 0, 0}));
  run(1.0 / 64, 0.5, simulation);
  EXPECT_NEAR(air().x, 3, 0.1);
  EXPECT_NEAR(air().z, 3, 0.1);
  run(1.0 / 64, 1, simulation);
  EXPECT_EQ(air(), (Vec3{0, 0, 6}));
}

// Saved before, between and after cuts, at a cut's very time and within all keys, a run goes on with the same bits,
// and makes no edit twice.
TEST(KeyedValues, AndCutsGoOnFromASnapshot) {
  const std::string scenario =
      "duration = 2\nstep = 0.015625\ngravity = { keys = [[0, 0, -9, 0], [1, 1, -10, 0]] }\n"
      "[ground]\n[wind]\nkind = \"gusty\"\nmean = { keys = [[0, 2, 0, 0], [1.5, 9, 0, 0]] }\n"
      "[[plant]]\nname = \"h\"\ngrammar = \"herb\"\nyoung = { keys = [[0, 9e9], [2, 3e9]] }\n"
      "damping_ratio = { keys = [[0, 0.02], [2, 0.05]] }\n"
      "[[cut]]\nplant = \"h\"\nat = { segment = 3, along = 0.5 }\ntime = 0.5\n"
      "[[cut]]\nplant = \"h\"\nat = { segment = 3, along = 0.8 }\ntime = 1.0\n"
      "[[change]]\nplant = \"h\"\nstiffness = 0.7\ntime = 1.0\n"
      "[[graft]]\nplant = \"h\"\nscion = { plant = \"h\", segment = 4 }\ncarry = true\n"
      "time = 1.25\n";
  constexpr double dt = 1.0 / 64;
  const auto run_on = [&](Simulation& simulation, std::int64_t end) {
    const Course course{.step = dt, .first_step = simulation.steps, .end_step = end, .threads = 1};
    ASSERT_TRUE(advance(course, simulation));
  };
  Simulation whole = make(scenario);
  run_on(whole, 128);
  EXPECT_TRUE(whole.notes.empty()) << to_string(whole.notes);
  for (const std::int64_t half : {20, 32, 33, 64, 70, 80, 81, 100}) {
    Simulation first = make(scenario), second = make(scenario);
    run_on(first, half);
    const Result<Done> restored = restore_run(write_snapshot(first), "half", second);
    ASSERT_TRUE(restored) << to_string(restored.diagnostics());
    skip_past_edits(second.time, dt, second.timeline);
    run_on(second, 128);
    EXPECT_EQ(state_hash(second), state_hash(whole)) << half;
    EXPECT_EQ(second.plants.size(), whole.plants.size()) << half;
    EXPECT_EQ(second.plants[0].model->mechanism.body[1].stiffness,
              whole.plants[0].model->mechanism.body[1].stiffness);
    EXPECT_TRUE(second.notes.empty());
    // And all of it as bytes alone.
    Result<Simulation> read = read_snapshot(write_snapshot(first), "half");
    ASSERT_TRUE(read) << to_string(read.diagnostics());
    run_on(*read, 128);
    EXPECT_EQ(state_hash(*read), state_hash(whole)) << half;
  }
}

TEST(KeyedValues, GiveTheSameBitsForAnyThreads) {
  const std::string scenario =
      "duration = 2\nstep = 0.0166666\ngravity = { keys = [[0, 0, -9, 0], [1, 1, -10, 0]] }\n"
      "[ground]\n[wind]\nkind = \"gusty\"\nmean = { keys = [[0, 2, 0, 0], [1, 9, 0, 0]] }\n"
      "[[plant]]\nname = \"h\"\ngrammar = \"herb\"\nyoung = { keys = [[0, 9e9], [2, 3e9]] }\n"
      "positions = [[0, 0, 0], [3, 0, 2], [5, 0, 1]]\n"
      "[[cut]]\nplant = \"h.1\"\nat = { segment = 3, along = 0.5 }\ntime = 0.5\n"
      "[[cut]]\nplant = \"h.2\"\nat = 4\ntime = 0.7\n";
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 4}) {
    Simulation simulation = make(scenario);
    run(0.0166666, 2, simulation, threads);
    EXPECT_EQ(simulation.plants.size(), 5u);
    hashes.push_back(state_hash(simulation));
  }
  EXPECT_EQ(hashes[1], hashes[0]);
  EXPECT_EQ(hashes[2], hashes[0]);
}

TEST(KeyedValues, NonsenseIsRefusedWithItsPlace) {
  const std::pair<const char*, const char*> cases[] = {
      {"young = { keys = [] }", "'young' is given by 'keys'"},
      {"young = { key = [[0, 1e9]] }", "'young' is given by 'keys'"},
      {"young = { keys = [[0, 1e9, 3]] }", "must hold 2 finite numbers"},
      {"young = { keys = [[0, 1e9], [0, 2e9]] }", "the times of 'young' must ascend"},
      {"young = { keys = [[0, 1e9], [1, 0]] }", "must be greater than 0"},
      {"young = { keys = [[0, 1e9], [1, nan]] }", "must hold 2 finite numbers"},
      {"young = { keys = [[0, 1e9], [1, 1e19]] }", "'young' lies between"},
      {"damping_ratio = { keys = [[0, 0], [1, 0.1]] }", "that at the start above 0"},
      {"density = { keys = [[0, 800], [1, 900]] }", "'density' cannot be given by keys"},
      {"[wind]\nkind = \"gusty\"\nmean = { keys = [[0, 1, 0, 0], [1, 0, 1, 0]] }",
       "a wind that turns"},
      {"[wind]\nkind = \"uniform\"\nmean = { keys = [[0, 1e5, 0, 0]] }", "faster than"},
      {"[wind]\nkind = \"uniform\"\nmean = { keys = [[0, 1]] }", "must hold 4 finite numbers"},
  };
  for (const auto& [text, message] : cases) {
    const Result<Simulation> made = try_make(std::string("[[plant]]\nkind = \"rod\"\n") + text);
    ASSERT_FALSE(made) << text;
    EXPECT_NE(made.diagnostics().front().message.find(message), std::string::npos)
        << made.diagnostics().front().message;
    EXPECT_EQ(made.diagnostics().size(), 1u) << text;
    EXPECT_GE(made.diagnostics().front().line, 3) << text;
    EXPECT_GE(made.diagnostics().front().column, 1) << text;
  }
}

}  // namespace
}  // namespace thigmo::keys_test
