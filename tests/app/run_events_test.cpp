// What a run says happened, by the names that things had as they were modelled.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/scratch.h"
#include "thigmo/thigmo.h"

namespace thigmo::run_events_test {
namespace {

using nlohmann::json;

class RunEventsOf : public Scratch {
 protected:
  RunSummary run_text(const std::string& text) {
    const Outcome<RunSummary> summary =
        run({.scenario_file = write("test.toml", text), .out_folder = path("out")});
    EXPECT_TRUE(summary) << (summary ? "" : summary.error());
    return summary ? *summary : RunSummary{};
  }
};

constexpr const char* rod =
    "duration = 1\nstep = 0.01\n[ground]\n[[plant]]\nname = \"rod\"\nkind = \"rod\"\nsegments = 8\n"
    "length = 1\nradius = 0.01\ndirection = [1, 0, 0]\nposition = [0, 0.2, 0]\n";

TEST_F(RunEventsOf, CutsAreToldByWhatWasModelled) {
  const RunSummary summary = run_text(std::string(rod) +
                                      "[[cut]]\nat = { segment = 3, along = 0.5 }\ntime = 0.1\n"
                                      "[[cut]]\nat = { segment = 3, along = 0.75 }\ntime = 0.1\n"
                                      "[[remove]]\nat = 6\ntime = 0.8\n"
                                      "[[probe]]\nname = \"tip\"\n");
  ASSERT_GE(summary.events.size(), 4u);
  const auto is = [&](std::size_t i, EventKind kind, const char* plant, int segment,
                      const char* other) {
    const RunEvent& event = summary.events[i];
    EXPECT_EQ(event.kind, kind) << i;
    EXPECT_EQ(event.plant, plant) << i;
    EXPECT_EQ(event.segment, segment) << i;
    EXPECT_EQ(event.modelled_in, segment < 0 ? "" : "rod") << i;
    EXPECT_EQ(event.other, other) << i;
  };
  is(0, EventKind::cut, "rod", 3, "rod/1");
  is(1, EventKind::cut, "rod/1", 3, "rod/1/2");  // through the upper part of what was segment 3
  is(2, EventKind::touched, "rod/1", -1, "");
  EXPECT_NEAR(summary.events[0].time, 0.1, 1e-12);
  // A fall from 0.2 m takes 0.2 s; the pieces had sagged and moved by the time of the cut.
  EXPECT_NEAR(summary.events[2].time, 0.3, 0.05);
  const auto removed = std::find_if(summary.events.begin(), summary.events.end(),
                                    [](auto& event) { return event.kind == EventKind::removed; });
  ASSERT_NE(removed, summary.events.end());
  EXPECT_EQ(removed->segment, 6);
  EXPECT_EQ(removed->plant, "rod/1/2");

  // The probe was on what is gone: its cells are empty, and it is nowhere.
  const json out = json::parse(to_json(summary));
  EXPECT_TRUE(out.at("probes").at("tip").at("position").is_null());
  EXPECT_EQ(out.at("events")[1].at("modelled_in"), "rod");
  EXPECT_TRUE(out.at("events")[2].at("segment").is_null());
  EXPECT_EQ(out.at("events_left_out"), 0);
  const std::string table = read("out/probes.csv");
  EXPECT_NE(table.find(",,,,,,\n"), std::string::npos);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 100);
}

// A run that goes on tells of pieces that were cut before it by the same names.
TEST_F(RunEventsOf, GoOnFromASnapshot) {
  const std::string text = std::string(rod) +
                           "[[cut]]\nat = { segment = 3, along = 0.5 }\ntime = 0.1\n"
                           "[[cut]]\nat = { segment = 3, along = 0.75 }\ntime = 0.7\n";
  const RunSummary whole = run_text(text);
  const std::string file = write("test.toml", text);
  const Outcome<RunSummary> first = run({.scenario_file = file,
                                         .out_folder = path("first"),
                                         .overrides = {"duration=0.2"},
                                         .save_file = path("half")});
  ASSERT_TRUE(first) << first.error();
  const Outcome<RunSummary> second =
      run({.scenario_file = file, .out_folder = path("second"), .restore_file = path("half")});
  ASSERT_TRUE(second) << second.error();
  EXPECT_EQ(second->state_hash, whole.state_hash);
  ASSERT_EQ(first->events.size() + second->events.size(), whole.events.size());
  for (std::size_t i = 0; i < whole.events.size(); ++i) {
    const RunEvent& is =
        i < first->events.size() ? first->events[i] : second->events[i - first->events.size()];
    EXPECT_EQ(is.kind, whole.events[i].kind) << i;
    EXPECT_EQ(is.time, whole.events[i].time) << i;
    EXPECT_EQ(is.plant, whole.events[i].plant) << i;
    EXPECT_EQ(is.segment, whole.events[i].segment) << i;
    EXPECT_EQ(is.other, whole.events[i].other) << i;
  }
}

TEST_F(RunEventsOf, MoreThanItKeepsAreCounted) {
  std::string text = rod;
  for (int i = 0; i < 10'004; ++i) text += "[[change]]\ncreep = 0\nmass = 1.0001\ntime = 0.1\n";
  const RunSummary summary = run_text(text);
  EXPECT_EQ(summary.events.size(), 10'000u);
  EXPECT_GE(summary.events_left_out, 4);  // the rod touches the ground later
}

}  // namespace
}  // namespace thigmo::run_events_test
