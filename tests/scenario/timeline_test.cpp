// Edits that a scenario makes at their times.

#include <gtest/gtest.h>

#include <map>

#include "scenario/make_simulation.h"
#include "simulation/advance.h"

namespace thigmo::timeline_test {
namespace {

constexpr double dt = 1.0 / 64;  // times of steps are exact

constexpr const char* herb = R"(
derivation length: 5
Axiom: !(0.01)F(0.3)A
A --> !(0.006)F(0.2)[+(35)F(0.15)~l(0.05)]/(90)[&(50)F(0.1)A]
)";

constexpr const char* windy =
    "duration = 4\nstep = 0.015625\n[ground]\n[wind]\nkind = \"gusty\"\nmean = [5, 0, 1]\n"
    "[[plant]]\nname = \"h\"\ngrammar = \"herb\"\npositions = [[0, 0, 0], [3, 0, 2]]\n";

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

void run_to(double time, Simulation& simulation, int threads = 1) {
  const Course course{.step = dt,
                      .first_step = simulation.steps,
                      .end_step = steps_to(time, dt, 1e-3),
                      .threads = threads};
  ASSERT_TRUE(advance(course, simulation));
  EXPECT_TRUE(simulation.finite);
}

std::size_t plant_of(const Simulation& simulation, Index segment) {
  const auto place = find_place(simulation.registry, {.number = static_cast<std::uint32_t>(segment),
                                                      .birth = simulation.plants[0].birth});
  EXPECT_TRUE(place);
  return as_size(at(simulation.registry.slots, place->slot).plant);
}

TEST(Timeline, CutsAtTheNearestStep) {
  // 1.0 is the begin of step 64, and so is what lies less than half a step from it.
  for (const char* time : {"1.0", "0.995", "1.007"}) {
    Simulation simulation =
        make(std::string(windy) + "[[cut]]\nplant = \"h.0\"\nat = 3\ntime = " + time + "\n");
    run_to(1.0, simulation);
    EXPECT_EQ(simulation.plants.size(), 2u) << time;
    run_to(1.0 + dt, simulation);
    ASSERT_EQ(simulation.plants.size(), 3u) << time;
    ASSERT_FALSE(simulation.events.empty());
    EXPECT_EQ(simulation.events[0].kind, EventKind::cut);
    EXPECT_EQ(simulation.events[0].time, 1.0);
    EXPECT_EQ(simulation.events[0].segment.number, 3u);
    EXPECT_EQ(plant_of(simulation, 3), 2u);
    EXPECT_EQ(plant_of(simulation, 2), 0u);
    EXPECT_TRUE(simulation.notes.empty());
  }
}

// A cut of a scenario is the one that somebody would make by hand between the same steps.
TEST(Timeline, IsWhatByHandWouldBeDone) {
  const std::string text(windy);
  Simulation by_hand = make(text);
  Simulation timed =
      make(text + "[[cut]]\nplant = \"h.0\"\nat = { segment = 4, along = 0.3 }\ntime = 0.5\n");
  run_to(0.5, by_hand);
  ASSERT_TRUE(apply_edit(Cut{segment_id(by_hand.plants[0], 4), 0.3}, by_hand));
  run_to(1.5, by_hand);
  run_to(1.5, timed);
  EXPECT_EQ(state_hash(timed), state_hash(by_hand));
  for (const int threads : {2, 4}) {
    Simulation other =
        make(text + "[[cut]]\nplant = \"h.0\"\nat = { segment = 4, along = 0.3 }\ntime = 0.5\n");
    run_to(1.5, other, threads);
    EXPECT_EQ(state_hash(other), state_hash(timed)) << threads;
  }
}

// Places are those of the plant as it was modelled: twice through one segment, above and below the first cut,
// and in a piece that fell off before.
TEST(Timeline, PlacesAreThoseOfThePlantAsModelled) {
  const std::string text =
      std::string(windy) +
      "[[cut]]\nplant = \"h.0\"\nat = { segment = 2, along = 0.5 }\ntime = 0.25\n"
      "[[cut]]\nplant = \"h.0\"\nat = { segment = 2, along = 0.75 }\ntime = 0.25\n"
      "[[cut]]\nplant = \"h.0\"\nat = { segment = 2, along = 0.25 }\ntime = 0.5\n"
      "[[cut]]\nplant = \"h.0\"\nat = 6\ntime = 0.5\n";
  Simulation whole = make(windy), simulation = make(text);
  const double length = segment_at(whole.plants[0].model->plant, 2).length;
  run_to(1, simulation);
  EXPECT_TRUE(simulation.notes.empty());
  ASSERT_EQ(simulation.plants.size(), 6u);
  // Quarters: the lowest kept the name, each of the others is the first segment of its piece.
  const auto place = find_place(simulation.registry, {.number = 2, .birth = 0});
  ASSERT_TRUE(place);
  const Plant& stump = simulation.plants[0].model->plant;
  EXPECT_NEAR(segment_at(stump, place->segment).length, length / 4, 1e-12);
  for (const std::size_t piece : {2u, 3u, 4u}) {
    const Plant& plant = simulation.plants[piece].model->plant;
    EXPECT_NEAR(segment_at(plant, 0).length, length / 4, 1e-12) << piece;
  }
  EXPECT_EQ(plant_of(simulation, 6), 5u);
  EXPECT_NE(plant_of(simulation, 5), 5u);
}

TEST(Timeline, GraftsAPieceBack) {
  const std::string cut = "[[cut]]\nplant = \"h.0\"\nat = 3\ntime = 0.5\n";
  Simulation whole = make(windy);
  run_to(0.5, whole);
  const auto n = segment_count(whole.plants[0].model->plant);
  // At once: as if nothing had been done; later: carried back.
  Simulation at_once = make(std::string(windy) + cut +
                            "[[graft]]\nplant = \"h.0\"\nscion = { plant = \"h.0\", segment = 3 }\n"
                            "time = 0.5\n");
  run_to(1.0, whole);
  run_to(1.0, at_once);
  EXPECT_TRUE(at_once.notes.empty());
  ASSERT_EQ(at_once.plants.size(), 2u);
  const auto tip = [](const Simulation& s) {
    const SimulatedPlant& plant = s.plants[0];
    return point_motion(plant.model->mechanism, plant.state, segment_count(plant.model->plant) - 1,
                        {})
        .position_world;
  };
  EXPECT_LT(length(tip(at_once) - tip(whole)), 1e-9);

  Simulation later = make(std::string(windy) + cut +
                          "[[graft]]\nplant = \"h.0\"\nscion = { plant = \"h.0\", segment = 3 }\n"
                          "time = 1.5\ncarry = true\n");
  run_to(1.0, later);
  EXPECT_EQ(later.plants.size(), 3u);
  run_to(2.0, later);
  EXPECT_TRUE(later.notes.empty());
  EXPECT_EQ(later.plants.size(), 2u);
  EXPECT_EQ(segment_count(later.plants[0].model->plant), n);
}

TEST(Timeline, RemovesChangesThickensAndExtends) {
  Simulation simulation =
      make(std::string(windy) +
           "[[remove]]\nplant = \"h.1\"\ntime = 0.25\n"
           "[[remove]]\nplant = \"h.0\"\nat = 8\ntime = 0.25\n"
           "[[change]]\nplant = \"h.0\"\nstiffness = 0.5\nmass = 2\ntime = 0.5\n"
           "[[thicken]]\nplant = \"h.0\"\nat = 3\nfactor = 1.1\ntime = 0.5\n"
           "[[extend]]\nplant = \"h.0\"\nat = 2\nby = 0.05\ntime = 0.75\n");
  const PlantModel before = *simulation.plants[0].model;
  run_to(1, simulation);
  EXPECT_TRUE(simulation.notes.empty())
      << (simulation.notes.empty() ? "" : to_string(simulation.notes));
  ASSERT_EQ(simulation.plants.size(), 1u);
  const PlantModel& after = *simulation.plants[0].model;
  EXPECT_EQ(segment_count(after.plant),
            segment_count(before.plant) - at(before.mechanism.subtree_size, 8));
  EXPECT_EQ(after.mechanism.body[1].mass, 2 * before.mechanism.body[1].mass);
  EXPECT_EQ(after.mechanism.body[1].stiffness.x, 0.5 * before.mechanism.body[1].stiffness.x);
  EXPECT_EQ(segment_at(after.plant, 3).radius_base, 1.1 * segment_at(before.plant, 3).radius_base);
  EXPECT_EQ(segment_at(after.plant, 2).radius_base, segment_at(before.plant, 2).radius_base);
  EXPECT_EQ(segment_at(after.plant, 2).length, segment_at(before.plant, 2).length + 0.05);
}

TEST(Timeline, SaysWhatItLeavesOutAndGoesOn) {
  Simulation simulation = make(std::string(windy) +
                               "[[remove]]\nplant = \"h.0\"\nat = 3\ntime = 0.25\n"
                               "[[cut]]\nplant = \"h.0\"\nat = 5\ntime = 0.5\n"
                               "[[graft]]\nplant = \"h.1\"\nat = 2\nscion = { plant = \"h.0\" }\n"
                               "time = 0.5\n"
                               "[[cut]]\nplant = \"h.1\"\nat = 3\ntime = 0.75\n");
  run_to(1, simulation);
  ASSERT_EQ(simulation.notes.size(), 2u);
  EXPECT_EQ(simulation.notes[0].severity, Severity::warning);
  EXPECT_EQ(simulation.notes[0].message,
            "the [[cut]] at 0.5 s is left out: what it names is gone by then");
  EXPECT_EQ(simulation.notes[0].line, 15);
  EXPECT_NE(simulation.notes[1].message.find("m away from where"), std::string::npos);
  EXPECT_EQ(simulation.plants.size(), 3u);  // the last cut was made
}

TEST(Timeline, NonsenseIsRefusedWithItsPlace) {
  struct Wrong {
    const char* text;
    const char* message;
    int line, column;
  };
  const Wrong cases[] = {
      {"[[cut]]\nplant = \"h.0\"\nat = 3\ntime = -1\n", "'time' must not be negative", 14, 8},
      {"[[cut]]\nplant = \"h.0\"\nat = 300\ntime = 1\n",
       "the [[cut]] is at segment 300, but the plant 'h.0' has segments 0 to", 13, 6},
      {"[[cut]]\nplant = \"h.0\"\nat = { axis = 99, along = 0.5 }\ntime = 1\n",
       "the [[cut]] is on axis 99, but the plant 'h.0' has no such axis", 13, 6},
      {"[[cut]]\nplant = \"h.0\"\nat = \"tip\"\ntime = 1\n", "nothing to cut off at the tip", 13,
       6},
      {"[[cut]]\nplant = \"h.0\"\ntime = 1\n", "needs the key 'at'", 11, 1},
      {"[[cut]]\nplant = \"h.0\"\nat = 3\n", "needs the key 'time'", 11, 1},
      {"[[cut]]\nplant = \"h.0\"\nat = { segment = 3 }\ntime = 1\n", "needs the key 'along'", 13,
       6},
      {"[[cut]]\nplant = \"h.0\"\nat = { segment = 3, along = 1.5 }\ntime = 1\n",
       "'along' lies between 0 and 1", 13, 29},
      {"[[probe]]\nname = \"p\"\nplant = \"h.0\"\nat = { along = 1.0 }\n",
       "along which 'segment' or 'axis'", 14, 6},
      {"[[graft]]\nplant = \"h.0\"\ntime = 1\n", "needs the key 'scion'", 11, 1},
      {"[[change]]\nplant = \"h.0\"\ntime = 1\n", "must say what changes", 11, 1},
      {"[[thicken]]\nplant = \"h.0\"\ntime = 1\n", "needs the key 'factor'", 11, 1},
      {"[[extend]]\nplant = \"h.0\"\ntime = 1\nby = 0.1\n", "needs the key 'at'", 11, 1},
  };
  for (const Wrong& wrong : cases) {
    const Result<Simulation> made = try_make(std::string(windy) + wrong.text);
    ASSERT_FALSE(made) << wrong.text;
    const Diagnostic& said = made.diagnostics().front();
    EXPECT_NE(said.message.find(wrong.message), std::string::npos) << said.message;
    EXPECT_EQ(said.line, wrong.line) << said.message;
    EXPECT_EQ(said.column, wrong.column) << said.message;
  }
  // Half a run is no reason to refuse what comes in its other half.
  const Simulation half = make(std::string(windy) + "[[cut]]\nplant = \"h.0\"\nat = 3\ntime = 4\n");
  ASSERT_EQ(half.notes.size(), 1u);
  EXPECT_EQ(half.notes[0].line, 11);
}

// A probe goes along with its segment, and is nowhere when that is gone.
TEST(Timeline, ProbesGoWithTheirSegments) {
  Simulation simulation =
      make(std::string(windy) +
           "[[probe]]\nname = \"p\"\nplant = \"h.0\"\nat = { segment = 3, along = 0.5 }\n"
           "[[cut]]\nplant = \"h.0\"\nat = 3\ntime = 0.5\n"
           "[[remove]]\nplant = \"h.0\"\nat = 3\ntime = 1.5\n");
  run_to(0.5, simulation);
  const Vec3 before = probe_motion(simulation, simulation.probes[0]).position_world;
  run_to(0.5 + dt, simulation);
  EXPECT_EQ(simulation.probes[0].plant, 2u);
  EXPECT_LT(length(probe_motion(simulation, simulation.probes[0]).position_world - before), 0.05);
  run_to(1.5, simulation);
  EXPECT_LT(probe_motion(simulation, simulation.probes[0]).position_world.y, before.y - 0.05);
  run_to(2, simulation);
  EXPECT_TRUE(simulation.probes[0].gone);
  EXPECT_TRUE(std::isnan(probe_motion(simulation, simulation.probes[0]).position_world.x));
}

// What a run that goes on from a time has done already is the same as what a run to there does.
TEST(Timeline, PassesOverWhatWasDone) {
  for (const double time :
       {0.25, 0.5, 0.515, 0.75, 1.0, 0.7109375}) {  // the last lies between two steps
    Timeline timeline;
    for (const double t : {0.25, 0.5, 0.507, 0.515, 0.7109375, 0.75}) {
      timeline.edits.push_back({.time = t, .edit = Cut{}});
    }
    Timeline passed = timeline;
    const std::int64_t steps = steps_to(time, dt, 1e-3);
    std::size_t done = 0;
    for (std::int64_t i = 0; i < steps; ++i) {
      while (done < timeline.edits.size() &&
             std::lround(timeline.edits[done].time / dt + 1e-3) <= i)
        ++done;
    }
    skip_past_edits(static_cast<double>(steps) * dt, dt, passed);
    EXPECT_EQ(passed.next, done) << time;
  }
}

}  // namespace
}  // namespace thigmo::timeline_test
