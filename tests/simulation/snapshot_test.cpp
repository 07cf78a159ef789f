#include "simulation/save/snapshot.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "scenario/make_simulation.h"
#include "simulation/edit.h"
#include "simulation/energy_book.h"
#include "simulation/save/fields.h"

namespace thigmo::snapshot_test {
namespace {

Simulation simulation_of(const std::string& text) {
  const Result<Scenario> scenario = parse_scenario("test.toml", text);
  if (!scenario) throw std::runtime_error(to_string(scenario.diagnostics()));
  Result<Simulation> simulation = make_simulation(
      *scenario, [](std::string_view) -> Result<std::string> { return error("no files here"); });
  if (!simulation) throw std::runtime_error(to_string(simulation.diagnostics()));
  return std::move(*simulation);
}

const std::string shaken = R"(
[[plant]]
kind = "rod"
segments = 30
radius = 0.004
[wind]
kind = "gusty"
mean = [5, 0, 1]
[[motion]]
wave = [{ amplitude = [0.05, 0, 0], frequency = 1.5 }]
)";

TEST(Snapshot, RunGoesOnWithTheSameBits) {
  Simulation whole = simulation_of(shaken), first = simulation_of(shaken),
             second = simulation_of(shaken);
  for (int i = 0; i < 100; ++i) step(whole, 1.0 / 60, 1);
  for (int i = 0; i < 40; ++i) step(first, 1.0 / 60, 1);
  ASSERT_TRUE(restore_run(write_snapshot(first), "x", second));
  for (int i = 40; i < 100; ++i) step(second, 1.0 / 60, 1);
  EXPECT_EQ(state_hash(second), state_hash(whole));
}

// Every single flipped bit, every length and other models are refused, and nothing is changed.
TEST(Snapshot, DamageIsRefused) {
  Simulation simulation = simulation_of(shaken);
  for (int i = 0; i < 5; ++i) step(simulation, 1.0 / 60, 1);
  const std::string good = write_snapshot(simulation);
  Simulation target = simulation_of(shaken);
  const std::uint64_t untouched = state_hash(target);
  for (std::size_t i = 0; i < good.size(); i += 37) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    EXPECT_FALSE(restore_run(bad, "x", target)) << i;
    EXPECT_FALSE(restore_run(good.substr(0, i), "x", target)) << i;
  }
  EXPECT_FALSE(restore_run(good + "x", "x", target));
  EXPECT_EQ(state_hash(target), untouched);
  Simulation other = simulation_of("[[plant]]\nkind = \"rod\"\nsegments = 31\n");
  const Result<Done> refused = restore_run(good, "x", other);
  ASSERT_FALSE(refused);
  EXPECT_NE(to_string(refused.diagnostics()).find("another scenario"), std::string::npos);
  std::string older = good;
  older[7] = '6';
  EXPECT_NE(to_string(read_snapshot(older, "x").diagnostics()).find("version"), std::string::npos);
}

// A forger knows how to make a checksum.
std::string signed_again(std::string bytes) {
  bytes.resize(bytes.size() - sizeof(std::uint64_t));
  const std::uint64_t sum = checksum_of(bytes);
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes;
}

bool is_sound(const Quat& q) {
  return std::abs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-5;
}

// Every number of a simulation that a snapshot has, by another road than that which reads it.
void expect_sound(const Simulation& simulation) {
  EXPECT_TRUE(std::isfinite(simulation.time) && simulation.time >= 0);
  EXPECT_TRUE(std::isfinite(simulation.energy_gain) && simulation.energy_gain >= 0);
  for (const std::int64_t count : {simulation.steps, simulation.rejected_steps,
                                   simulation.corrections, simulation.braked_joints}) {
    EXPECT_GE(count, 0);
  }
  EXPECT_TRUE(std::isfinite(simulation.account_start.value_or(0)));
  for (const SimulatedPlant& plant : simulation.plants) {
    const State& state = plant.state;
    const auto truth = [](const bool& value) {
      unsigned char byte = 0;
      std::memcpy(&byte, &value, 1);
      return byte;
    };
    for (const unsigned char byte :
         {truth(plant.asleep), truth(state.started), truth(state.watch.on)}) {
      EXPECT_LE(byte, 1);
    }
    EXPECT_TRUE(is_finite(state));
    EXPECT_TRUE(std::isfinite(state.time) && std::isfinite(plant.quiet_time));
    EXPECT_TRUE(is_sound(state.root.world_from_plant));
    for (const Vec3& v :
         {state.root.position_world, state.root.velocity_world, state.root.accel_world,
          state.root.omega_plant, state.root.alpha_plant, state.watch.gravity_world}) {
      EXPECT_TRUE(is_finite(v));
    }
    for (const double value :
         {state.watch.start, state.watch.lowest, state.watch.swing, state.watch.gain}) {
      EXPECT_TRUE(std::isfinite(value));
    }
    EXPECT_GE(state.halvings, 0);
    EXPECT_GE(state.watch.unseen, 0);
    EXPECT_EQ(state.rest_from_body.size(), plant.model->mechanism.body.size());
    EXPECT_TRUE(check_structure(plant.model->plant));
    for (const GrabLoad& grab : plant.grabs) {
      EXPECT_LT(as_size(grab.body), state.rest_from_body.size());
    }
    for (std::size_t i = 0; i < state.rest_from_body.size(); ++i) {
      EXPECT_TRUE(is_sound(state.rest_from_body[i]));
      EXPECT_TRUE(is_finite(state.joint_velocity[i]) && is_finite(state.joint_acceleration[i]));
      EXPECT_TRUE(std::isfinite(state.tension_torque[i]));
    }
    if (!plant.workspace.works) continue;
    const Works& works = *plant.workspace.works;
    EXPECT_LE(truth(works.begun), 1);
    EXPECT_EQ(works.last.size(), state.rest_from_body.size() + 1);
    for (const double value : {works.by_air, works.by_loads, works.by_ground, works.by_base,
                               works.lost_in_joints, works.lost_by_mass}) {
      EXPECT_TRUE(std::isfinite(value));
    }
    for (const BodyForces& f : works.last) {
      for (const Wrench& w : {f.air, f.loads, f.ground, f.mass}) {
        EXPECT_TRUE(is_finite(w.torque) && is_finite(w.force));
      }
      EXPECT_TRUE(is_finite(f.damper));
    }
  }
}

const std::string held = R"(
[ground]
[[plant]]
kind = "rod"
segments = 3
radius = 0.004
release = 10
[wind]
kind = "gusty"
mean = [5, 0, 1]
[[grab]]
keys = [[0, 0, 0, 0], [1, 0.1, 0, 0]]
stiffness = 20
)";

// What holds names together, by another road than that which reads them.
void expect_names(const Simulation& simulation) {
  for (std::size_t i = 0; i < simulation.plants.size(); ++i) {
    EXPECT_EQ(find_plant(simulation.registry, plant_id(simulation, i)), i);
    for (const SegmentId id : segment_ids(simulation.plants[i])) {
      const auto place = find_place(simulation.registry, id);
      ASSERT_TRUE(place);
      EXPECT_EQ(place->slot, simulation.plants[i].slot);
    }
  }
}

// A rod that was cut through, with all that may be saved of it.
Simulation cut_rod(bool gusty, bool account) {
  std::string text = held;
  if (!gusty) text.replace(text.find("gusty"), 5, "uniform");
  Simulation simulation = simulation_of(text);
  std::optional<EnergyBook> book;
  if (account) book.emplace(simulation);
  for (int i = 0; i < 3; ++i) step(simulation, 1.0 / 60, 1);
  EXPECT_TRUE(apply_edit(Cut{segment_id(simulation.plants[0], 1), 0.4}, simulation));
  for (int i = 0; i < 2; ++i) step(simulation, 1.0 / 60, 1);
  return simulation;
}

// Bytes and numbers of every field are replaced and the checksum made anew: what is refused has changed
// nothing, what is accepted is a world that can be stepped, and is saved again as it was.
TEST(Snapshot, ForgedFieldsAreRefused) {
  for (const bool account : {false, true}) {
    // Gusts take long to make.
    const std::string good = write_snapshot(cut_rod(!account, account));
    const std::size_t stride = account ? 1 : 7;
    ASSERT_TRUE(signed_again(good) == good);
    int refused = 0, accepted = 0;
    const auto attempt = [&](std::string forged) {
      if (forged == good) return;
      forged = signed_again(std::move(forged));
      const Result<Simulation> read = read_snapshot(forged, "x");
      if (!read) {
        ++refused;
        return;
      }
      ++accepted;
      expect_sound(*read);
      expect_names(*read);
      EXPECT_TRUE(write_snapshot(*read) == forged);
    };
    const double huge = 1e300, nan = std::numeric_limits<double>::quiet_NaN(),
                 infinite = std::numeric_limits<double>::infinity(), negative = -1;
    for (std::size_t at = 8; at + 8 < good.size(); at += stride) {
      for (const int byte : {0xff, 0x80, 0x02}) {
        std::string forged = good;
        forged[at] = static_cast<char>(byte);
        attempt(forged);
      }
      if (at + 16 > good.size()) continue;
      for (const double value : {nan, infinite, huge, negative}) {
        std::string forged = good;
        std::memcpy(forged.data() + at, &value, sizeof value);
        attempt(forged);
      }
    }
    // Most of what can be done to a double gives another one; what no field may be is refused.
    EXPECT_GT(refused, static_cast<int>(good.size() / stride / 2));
    EXPECT_GT(accepted, 0);
    for (const std::size_t size : {good.size() - 8, good.size() + 8, std::size_t{40}}) {
      std::string forged = good;
      forged.resize(size, '\0');
      EXPECT_FALSE(read_snapshot(signed_again(forged), "x")) << size;
    }
  }
}

// Nor does a run go on from what it could not have left.
TEST(Snapshot, ForgedRunsAreRefused) {
  Simulation run = simulation_of(held);
  for (int i = 0; i < 5; ++i) step(run, 1.0 / 60, 1);
  Simulation target = simulation_of(held);
  const std::string untouched = write_snapshot(target);
  const auto refused = [&](const auto& forge) {
    Simulation forged = run;
    forge(forged);
    const Result<Done> done = restore_run(write_snapshot(forged), "x", target);
    EXPECT_TRUE(write_snapshot(target) == untouched);
    return !done;
  };
  EXPECT_TRUE(refused([](Simulation& s) { s.time += 1; }));
  EXPECT_TRUE(refused([](Simulation& s) { s.steps = 7; }));
  EXPECT_TRUE(refused([](Simulation& s) { s.plants[0].state.time = 4; }));
  EXPECT_TRUE(refused([](Simulation& s) { s.plants[0].state.root.hold = RootHold::free; }));
  EXPECT_TRUE(refused([](Simulation& s) { s.scenario_hash ^= 1; }));
  EXPECT_TRUE(refused([](Simulation& s) { s.plants[0].ground->height = 1.0 / 0.0; }));
  ASSERT_TRUE(restore_run(write_snapshot(run), "x", target));
  EXPECT_EQ(state_hash(target), state_hash(run));
}

// A run whose plants were cut goes on too, and so do probes that a scenario had or asks for only now.
TEST(Snapshot, RunsWithCutsGoOn) {
  const std::string more = std::string(held) + R"(
[[probe]]
name = "low"
at = 0
[[probe]]
name = "high"
at = 2
)";
  Simulation whole = simulation_of(held + std::string("[[probe]]\nname = \"high\"\nat = 2\n"));
  const auto cut = [](Simulation& s) {
    ASSERT_TRUE(apply_edit(Cut{segment_id(s.plants[0], 1), 0.4}, s));
  };
  for (int i = 0; i < 3; ++i) step(whole, 1.0 / 60, 1);
  cut(whole);
  for (int i = 0; i < 10; ++i) step(whole, 1.0 / 60, 1);
  const std::string half = write_snapshot(whole);
  Simulation later = simulation_of(more);
  ASSERT_TRUE(restore_run(half, "half", later));
  ASSERT_EQ(later.plants.size(), 2u);
  ASSERT_EQ(later.probes.size(), 2u);
  EXPECT_EQ(later.probes[0].plant, 0u);
  EXPECT_EQ(later.probes[1].plant, 1u);
  for (int i = 0; i < 20; ++i) {
    step(whole, 1.0 / 60, 1);
    step(later, 1.0 / 60, 1);
  }
  EXPECT_EQ(state_hash(later), state_hash(whole));
  const PointMotion a = probe_motion(whole, whole.probes[0]),
                    b = probe_motion(later, later.probes[1]);
  EXPECT_TRUE(a.position_world == b.position_world);
}

// Works and losses go on with the same bits, and so does what a grab holds.
TEST(Snapshot, AccountGoesOnWithTheSameBits) {
  Simulation whole = simulation_of(held), first = simulation_of(held), second = simulation_of(held);
  EnergyBook book(whole), before(first);
  for (int i = 0; i < 60; ++i) step(whole, 1.0 / 60, 1);
  for (int i = 0; i < 25; ++i) step(first, 1.0 / 60, 1);
  ASSERT_TRUE(restore_run(write_snapshot(first), "x", second));
  EnergyBook after(second, EnergyBook::Start::go_on);
  before.add_step(first);
  EXPECT_EQ(after.account().by_air, before.account().by_air);
  EXPECT_EQ(after.account().numerical, before.account().numerical);
  for (int i = 25; i < 60; ++i) step(second, 1.0 / 60, 1);
  book.add_step(whole);
  after.add_step(second);
  EXPECT_EQ(state_hash(second), state_hash(whole));
  EXPECT_TRUE(write_snapshot(second) == write_snapshot(whole));
  EXPECT_NE(book.account().by_loads, 0);
  EXPECT_EQ(after.account().by_loads, book.account().by_loads);
  EXPECT_EQ(after.account().lost_in_joints, book.account().lost_in_joints);
  EXPECT_EQ(after.account().numerical, book.account().numerical);
}

// What goes in comes out, is stored, or is lost: the account closes to a part of what was moved that
// shrinks with the step.
TEST(EnergyBook, AccountCloses) {
  const auto gap = [](double h) {
    Simulation simulation = simulation_of(R"(
[[plant]]
kind = "rod"
segments = 20
radius = 0.004
mass_damping = 0.5
[wind]
kind = "uniform"
mean = [4, 0, 1]
[[motion]]
wave = [{ amplitude = [0.05, 0, 0.02], turn = [0, 0, 8], frequency = 1.5, end = 1.5 }]
[[force]]
vector = [0, 0, 0.2]
)");
    EnergyBook book(simulation);
    const int steps = static_cast<int>(2 / h + 0.5);
    for (int i = 0; i < steps; ++i) {
      step(simulation, h, 1);
      book.add_step(simulation);
    }
    const EnergyAccount& a = book.account();
    EXPECT_GT(a.by_loads, 0);
    EXPECT_GT(a.lost_in_joints, 0);
    EXPECT_GT(a.lost_by_mass, 0);
    EXPECT_NE(a.by_base, 0);
    return std::abs(a.numerical) / (std::abs(a.by_loads) + std::abs(a.by_base) + a.lost_in_joints);
  };
  const double coarse = gap(1.0 / 240), fine = gap(1.0 / 960);
  EXPECT_LT(fine, 2e-3);
  EXPECT_LT(fine, coarse);
}

// The account of grabs and of the ground closes to 1 % of what they turn over, at the usual step.
TEST(EnergyBook, ClosesForHandsAndGround) {
  const auto left_over = [](std::string_view text, double seconds, double turnover) {
    Simulation simulation = simulation_of(std::string(text));
    EnergyBook book(simulation);
    double most = turnover;
    for (int i = 0; i < static_cast<int>(60 * seconds); ++i) {
      step(simulation, 1.0 / 60, 1);
      book.add_step(simulation);
      if (turnover == 0) most = std::max(most, std::abs(book.account().by_loads));
    }
    EXPECT_GT(most, 0.01);
    return std::abs(book.account().numerical) / most;
  };
  EXPECT_LT(left_over(R"(
[ground]
[[plant]]
kind = "rod"
segments = 20
radius = 0.01
young = 5e9
density = 800
direction = [1, 0, 0]
root = "free"
position = [0, 1, 0]
)",
                      4, 2.46),
            0.01);
  EXPECT_LT(left_over(R"(
[[plant]]
kind = "rod"
segments = 20
radius = 0.01
[[grab]]
keys = [[0, 0, 0, 0], [0.5, 0.2, 0, 0.1], [1, 0.2, 0, 0.1]]
stiffness = 200
release = 1.0
)",
                      3, 0),
            0.01);
}

// A plant at rest costs nothing until a force wakes it.
TEST(Sleep, RestsUntilSomethingChanges) {
  Simulation simulation = simulation_of(R"(
[[plant]]
kind = "rod"
segments = 10
damping_ratio = 0.5
[[force]]
vector = [1, 0, 0]
start = 8
)");
  for (int i = 0; i < 470; ++i) step(simulation, 1.0 / 60, 1);
  EXPECT_TRUE(simulation.plants[0].asleep);
  const double before = simulation.plants[0].state.time;
  EXPECT_NEAR(before, 470.0 / 60, 1e-9);
  for (int i = 0; i < 20; ++i) step(simulation, 1.0 / 60, 1);
  EXPECT_FALSE(simulation.plants[0].asleep);
  EXPECT_GT(probe_motion(simulation, simulation.probes[0]).position_world.x, 1e-6);
}

// Gusts never let it sleep.
TEST(Sleep, NotInTheWind) {
  Simulation simulation =
      simulation_of("[[plant]]\nkind = \"rod\"\n[wind]\nkind = \"gusty\"\nmean = [1e-9, 0, 0]\n");
  for (int i = 0; i < 100; ++i) step(simulation, 1.0 / 60, 1);
  EXPECT_FALSE(simulation.plants[0].asleep);
}

// What is not a number in one body of many is not taken for motion.
TEST(Simulation, ImpossibleForceOnOneBodyIsSeen) {
  Simulation simulation = simulation_of(R"(
[[plant]]
kind = "rod"
segments = 40
[[force]]
vector = [1e200, 0, 0]
at = 5
)");
  step(simulation, 1.0 / 60, 1);
  EXPECT_FALSE(simulation.finite);
  EXPECT_TRUE(is_finite(simulation.plants[0].state));
}

// A rod that is let go comes to rest on the ground.
TEST(Sleep, FallenRodComesToRest) {
  for (const double h : {0.01, 0.005}) {
    Simulation simulation = simulation_of(R"(
[[plant]]
name = "r"
kind = "rod"
segments = 3
length = 0.5
radius = 0.01
young = 1e8
poisson = 0.3
density = 900
damping_ratio = 0.5
direction = [1,0,0]
up = [0,1,0]
position = [0,0.001,0]
release = 0.2
[[motion]]
plant = "r"
keys = [[0,0,0,0],[100,0.0,0,0]]
[ground]
damping = 50
[[probe]]
name = "t"
plant = "r"
at = "tip"
)");
    for (int i = 0; i < static_cast<int>(20 / h); ++i) step(simulation, h, 1);
    EXPECT_LT(length(probe_motion(simulation, simulation.probes[0]).velocity_world), 1e-6) << h;
  }
}

TEST(Roots, ReleasedPlantFalls) {
  Simulation simulation = simulation_of(R"(
[[plant]]
kind = "rod"
segments = 5
release = 0.5
)");
  for (int i = 0; i < 90; ++i) step(simulation, 1.0 / 60, 1);
  // Half a second held, one second falling: g/2 = 4.905 m, but for the substep at its start.
  EXPECT_NEAR(simulation.plants[0].state.root.position_world.y, -4.905, 0.17);
}

TEST(Roots, BadKeysAreRefused) {
  const auto message = [](const std::string& keys) {
    const Result<Scenario> scenario =
        parse_scenario("test.toml", "[[plant]]\nkind = \"rod\"\nname = \"a\"\n" + keys);
    return scenario ? std::string() : to_string(scenario.diagnostics());
  };
  EXPECT_NE(message("velocity = [1, 0, 0]\n").find("root = \"free\""), std::string::npos);
  EXPECT_NE(message("pot_mass = 2\n").find("release"), std::string::npos);
  EXPECT_NE(message("[[motion]]\nkeys = [[0, 0, 0, 0], [0, 1, 0, 0]]\n").find("ascend"),
            std::string::npos);
  EXPECT_NE(message("[[motion]]\nkeys = [[0, 0, 0], [1, 1, 0]]\n").find("wrong number"),
            std::string::npos);
  EXPECT_NE(message("[[motion]]\n").find("three ways"), std::string::npos);
  EXPECT_NE(message("[[motion]]\nwave = []\n").find("three ways"), std::string::npos);
  EXPECT_NE(message("[[grab]]\nkeys = [[0, 0, 0, 0], [1, 1, 0, 0]]\n").find("stiffness"),
            std::string::npos);
  EXPECT_NE(message("[ground]\nfrction = 1\n").find("friction"), std::string::npos);
}

TEST(Roots, MotionsComeFromFiles) {
  const auto made = [](const std::string& csv) {
    const Result<Scenario> scenario = parse_scenario(
        "folder/test.toml", "[[plant]]\nkind = \"rod\"\n[[motion]]\nfile = \"hand.csv\"\n");
    return make_simulation(*scenario, [&](std::string_view name) -> Result<std::string> {
      EXPECT_EQ(name, "folder/hand.csv");
      return csv;
    });
  };
  const Result<Simulation> good = made("time,x,y,z\n0,0,0,0\n1,0.5,0,0\n2, 0.5, 0.1, 0\n");
  ASSERT_TRUE(good);
  EXPECT_NEAR(root_at(*good->plants[0].path, 1).position_world.x, 0.5, 1e-12);
  EXPECT_FALSE(made("0,0,0,0\n1,0.5,0\n"));
  EXPECT_FALSE(made("0,0,0,0\n0,0.5,0,0\n"));
  EXPECT_FALSE(made("0,0,0,nan\n1,0.5,0,0\n"));
  EXPECT_FALSE(made("time,x,y,z\n"));
}

}  // namespace
}  // namespace thigmo::snapshot_test
