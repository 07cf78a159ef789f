// The commands, run in-process as a program that links the library does.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>

#include "support/scratch.h"
#include "thigmo/thigmo.h"

namespace thigmo::commands_test {
namespace {

using nlohmann::json;

constexpr const char* twig =
    "Axiom: !(0.02)F(0.5)A\nA --> [+(40)F(0.3)]F(0.4)A\nderivation length: 3\n";
constexpr const char* rod =
    "duration = 0.2\nstep = 0.01\n[[plant]]\nname = \"rod\"\nkind = \"rod\"\nsegments = 8\n"
    "length = 1\nradius = 0.01\ndirection = [1, 0, 0]\n";

// The three lists that the JSON of every command has.
json with_lists(const std::string& text) {
  const json parsed = json::parse(text);
  for (const char* list : {"errors", "warnings", "notes"}) EXPECT_TRUE(parsed.at(list).is_array());
  return parsed;
}

class Commands : public Scratch {};

TEST_F(Commands, DeriveCountsWhatItWrites) {
  const std::string file = write("twig.lsys", twig);
  const Outcome<Derived> derived = derive({.file = file, .want_text = true});
  ASSERT_TRUE(derived) << derived.error();
  std::uint64_t sum = 0;
  for (const auto& [symbol, count] : derived->counts) sum += count;
  EXPECT_EQ(sum, derived->length);
  EXPECT_EQ(derived->counts.at("F"), 1u + 3 * 2);
  EXPECT_EQ(derived->segments, 1u + 3 * 2);
  EXPECT_EQ(derived->counts.at("["), derived->counts.at("]"));
  EXPECT_NEAR(derived->bbox_max[1], 0.5 + 3 * 0.4, 1e-12);
  EXPECT_FALSE(derived->text.empty());
  const json out = with_lists(to_json(*derived));
  EXPECT_EQ(out.at("length"), derived->length);
  EXPECT_EQ(out.at("counts").at("F"), 7);
  // One step more is one more branch.
  const Outcome<Derived> longer = derive({.file = file, .steps = 4});
  ASSERT_TRUE(longer);
  EXPECT_EQ(longer->segments, derived->segments + 2);
  EXPECT_TRUE(longer->text.empty());
  const Outcome<Grown> grown = grow({.file = file});
  ASSERT_TRUE(grown);
  EXPECT_EQ(grown->segments, derived->segments);
  EXPECT_EQ(grown->symbols, derived->length);
}

TEST_F(Commands, CheckFindsAllThatIsWrong) {
  const Outcome<Checked> good = check(write("good.lsys", twig));
  ASSERT_TRUE(good);
  EXPECT_EQ(good->errors, 0);
  const Outcome<Checked> bad = check(write("bad.lsys", "Axiom: F\nF --> F(1\nG --> )\n"));
  ASSERT_TRUE(bad);
  ASSERT_EQ(bad->errors, 2);
  EXPECT_EQ(static_cast<std::size_t>(bad->errors + bad->warnings), bad->found.size());
  const json out = with_lists(to_json(*bad));
  EXPECT_EQ(out.at("errors").size(), static_cast<std::size_t>(bad->errors));
  EXPECT_EQ(out.at("errors")[0].at("file"), path("bad.lsys"));
  const Outcome<Checked> missing = check(path("none.lsys"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(with_lists(to_json(missing.diagnostics())).at("errors").size(), 1u);
}

TEST_F(Commands, ConvertWritesWholeFilesOrNone) {
  const std::string file = write("twig.lsys", twig);
  for (const char* name : {"a.obj", "a.ply", "a.glb", "a.usda", "a.csv", "a.geo", "a.json"}) {
    const Outcome<Converted> done = convert({.input = file, .output = path(name)});
    ASSERT_TRUE(done) << name << ": " << done.error();
    EXPECT_EQ(done->segments, 7u) << name;
    EXPECT_EQ(done->frames, 1u) << name;
    ASSERT_EQ(done->files.size(), 1u) << name;
    EXPECT_GT(read(name).size(), 100u) << name;
    EXPECT_EQ(with_lists(to_json(*done)).at("segments"), 7);
  }
  const std::size_t before = files();
  for (const ConvertRequest& request :
       {ConvertRequest{.input = file, .output = path("a.xyz")},
        ConvertRequest{.input = path("none.lsys"), .output = path("b.obj")},
        ConvertRequest{.input = file, .output = file},
        ConvertRequest{.input = file, .output = path("b.obj"), .surface = {.sides = 2}},
        ConvertRequest{.input = file, .output = path("b.obj"), .overrides = {"NOTHING=3"}},
        ConvertRequest{.input = file, .output = path("no/folder/b.obj")}}) {
    const Outcome<Converted> refused = convert(request);
    EXPECT_FALSE(refused) << request.output;
  }
  EXPECT_EQ(files(), before);
  EXPECT_EQ(read("twig.lsys"), twig);
}

// What is written is what is read again: a tree that goes through a table keeps its segments.
TEST_F(Commands, ConvertReadsWhatItWrote) {
  const std::string file = write("twig.lsys", twig);
  ASSERT_TRUE(convert({.input = file, .output = path("a.csv")}));
  const Outcome<Converted> back = convert({.input = path("a.csv"), .output = path("b.csv")});
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->segments, 7u);
}

// A scenario's frames are at k / rate from 0 to the end, both included.
TEST_F(Commands, ConvertKeepsTheFramesOfAMotion) {
  const std::string file = write("rod.toml", rod);
  std::vector<double> fractions;
  const Outcome<Converted> done = convert(
      {.input = file, .output = path("rod.glb"), .rate = 50, .on_progress = [&](const Progress& p) {
         if (p.stage == "simulating") fractions.push_back(p.fraction);
       }});
  ASSERT_TRUE(done) << done.error();
  EXPECT_EQ(done->frames, 11u);
  ASSERT_EQ(fractions.size(), 20u);
  EXPECT_EQ(fractions.back(), 1.0);
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  const std::atomic<bool> cancel = true;
  const Outcome<Converted> stopped =
      convert({.input = file, .output = path("stopped.glb"), .cancel = &cancel});
  ASSERT_TRUE(stopped) << stopped.error();
  EXPECT_TRUE(stopped->cancelled);
  EXPECT_FALSE(has("stopped.glb"));
}

TEST_F(Commands, RunWritesItsTablesAndSummary) {
  const std::string file = write("rod.toml", rod);
  std::vector<std::string> stages;
  const Outcome<RunSummary> summary =
      run({.scenario_file = file,
           .out_folder = path("out"),
           .threads = 1,
           .overrides = {"energy=true", "duration=0.1"},
           .on_progress = [&](const Progress& p) { stages.push_back(p.stage); }});
  ASSERT_TRUE(summary) << summary.error();
  EXPECT_EQ(summary->steps, 10);
  EXPECT_EQ(summary->segments, 8u);
  EXPECT_TRUE(summary->finite);
  EXPECT_EQ(stages, std::vector<std::string>(10, "simulating"));
  EXPECT_EQ(summary->files, (std::vector<std::string>{"probes.csv", "energy.csv", "summary.json"}));
  // A header, and energy also at the start.
  const auto lines = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(lines(read("out/probes.csv")), 1 + 10);
  EXPECT_EQ(lines(read("out/energy.csv")), 1 + 1 + 10);
  ASSERT_EQ(summary->probes.size(), 1u);
  EXPECT_EQ(summary->probes[0].name, "tip");
  EXPECT_LT(summary->probes[0].position[1], 0);  // it sags
  const json out = with_lists(to_json(*summary));
  EXPECT_EQ(out.at("steps"), 10);
  EXPECT_EQ(out, json::parse(read("out/summary.json")));
}

// A run in two halves, with a snapshot between them, has the bits of a whole one; so have a world that is
// stepped by hand and any number of threads.
TEST_F(Commands, RunGoesOnFromASnapshotWithTheSameBits) {
  const std::string file = write("rod.toml", rod);
  const Outcome<RunSummary> whole =
      run({.scenario_file = file, .out_folder = path("whole"), .threads = 1});
  const Outcome<RunSummary> first = run({.scenario_file = file,
                                         .out_folder = path("first"),
                                         .threads = 2,
                                         .overrides = {"duration=0.1"},
                                         .save_file = path("half.snapshot")});
  ASSERT_TRUE(whole && first);
  const Outcome<RunSummary> second = run(
      {.scenario_file = file, .out_folder = path("second"), .restore_file = path("half.snapshot")});
  ASSERT_TRUE(second) << second.error();
  EXPECT_NE(first->state_hash, whole->state_hash);
  EXPECT_EQ(second->state_hash, whole->state_hash);
  Outcome<World> world = load_world(file);
  ASSERT_TRUE(world);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(world->step(0.01));
  EXPECT_EQ(world->state_hash(), whole->state_hash);
  const Outcome<RunSummary> again = run({.scenario_file = file,
                                         .out_folder = path("again"),
                                         .overrides = {"plant.rod.radius=0.02"},
                                         .restore_file = path("half.snapshot")});
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().find("another scenario"), std::string::npos);
}

TEST_F(Commands, RunThatIsCancelledLeavesNothingHalf) {
  const std::string file = write("rod.toml", rod);
  std::atomic<bool> cancel = false;
  const Outcome<RunSummary> summary =
      run({.scenario_file = file,
           .out_folder = path("out"),
           .overrides = {"energy=true"},
           .on_progress = [&](const Progress& p) { cancel = p.fraction > 0.3; },
           .cancel = &cancel,
           .save_file = path("end.snapshot")});
  ASSERT_TRUE(summary) << summary.error();
  EXPECT_TRUE(summary->cancelled);
  EXPECT_LT(summary->steps, 20);
  EXPECT_GT(summary->steps, 0);
  EXPECT_EQ(files(), 1u);  // the scenario
}

TEST_F(Commands, RunSaysWhatIsWrongAndWhere) {
  const auto diagnostics = [&](const std::string& text, std::vector<std::string> overrides = {}) {
    const Outcome<RunSummary> summary = run({.scenario_file = write("bad.toml", text),
                                             .out_folder = path("out"),
                                             .overrides = std::move(overrides)});
    EXPECT_FALSE(summary);
    return summary ? Diagnostics{} : summary.diagnostics();
  };
  const Diagnostics typo = diagnostics(std::string(rod) + "radiuss = 3\n");
  ASSERT_FALSE(typo.empty());
  EXPECT_EQ(typo.front().file, path("bad.toml"));
  EXPECT_EQ(typo.front().line, 10);
  EXPECT_NE(typo.front().hint.find("radius"), std::string::npos);
  EXPECT_FALSE(diagnostics(rod, {"plant.rod.segments=0"}).empty());
  EXPECT_FALSE(diagnostics(rod, {"nonsense"}).empty());
  EXPECT_FALSE(diagnostics(rod, {"plant.tree.segments=3"}).empty());
  EXPECT_FALSE(has("out/summary.json"));
}

TEST_F(Commands, RenderDrawsOnePictureOrSeveral) {
  const std::string file = write("rod.toml", rod);
  const RenderRequest small{
      .file = file, .out_file = path("a.png"), .width = 48, .height = 32, .samples = 1};
  RenderRequest one = small;
  one.time = 0.105;
  const Outcome<RenderSummary> still = render(small), moved = render(one);
  ASSERT_TRUE(still) << still.error();
  ASSERT_TRUE(moved) << moved.error();
  EXPECT_EQ(still->plants, 1u);
  EXPECT_EQ(still->segments, 8u);
  EXPECT_NEAR(still->bbox_max[0], 1, 1e-12);
  EXPECT_LT(moved->bbox_min[1], still->bbox_min[1]);  // it falls
  EXPECT_EQ(read("a.png").substr(1, 3), "PNG");
  RenderRequest capitals = small;
  capitals.out_file = path("B.PNG");
  ASSERT_TRUE(render(capitals));
  EXPECT_EQ(read("B.PNG").substr(1, 3), "PNG");
  RenderRequest several = small;
  several.times = {0, 0.1, 0.1, 0.2};
  several.view.colour = "bend";
  const Outcome<RenderSummary> row = render(several);
  ASSERT_TRUE(row) << row.error();
  EXPECT_LE(row->bbox_min[1], moved->bbox_min[1]);
  EXPECT_GT(row->value_max, row->value_min);
  EXPECT_EQ(with_lists(to_json(*row)).at("plants"), 1);
}

TEST_F(Commands, RenderRefusesWhatItCannotDraw) {
  const std::string file = write("rod.toml", rod), grammar = write("twig.lsys", twig);
  const RenderRequest good{
      .file = file, .out_file = path("a.png"), .width = 32, .height = 32, .samples = 1};
  const auto refused = [&](auto&& change) {
    RenderRequest request = good;
    change(request);
    return !render(request);
  };
  EXPECT_TRUE(refused([&](RenderRequest& r) { r.out_file = path("a.jpg"); }));
  EXPECT_TRUE(refused([](RenderRequest& r) { r.width = 3; }));
  EXPECT_TRUE(refused([](RenderRequest& r) { r.samples = 0; }));
  EXPECT_TRUE(refused([](RenderRequest& r) { r.time = 5; }));
  EXPECT_TRUE(refused([](RenderRequest& r) { r.times = {0.2, 0.1}; }));
  EXPECT_TRUE(refused([](RenderRequest& r) { r.view.colour = "beauty"; }));
  EXPECT_TRUE(refused([](RenderRequest& r) { r.view.zoom = 0; }));
  EXPECT_TRUE(refused([](RenderRequest& r) { r.steps = 3; }));
  EXPECT_TRUE(refused([&](RenderRequest& r) { r.file = grammar, r.time = 0.1; }));
  EXPECT_FALSE(has("a.png"));
  const std::atomic<bool> cancel = true;
  RenderRequest stopped = good;
  stopped.time = 0.2;
  stopped.cancel = &cancel;
  const Outcome<RenderSummary> summary = render(stopped);
  ASSERT_TRUE(summary) << summary.error();
  EXPECT_TRUE(summary->cancelled);
  EXPECT_FALSE(has("a.png"));
}

// A cantilever under its own weight sags by ρ A g L⁴ / (8 E I) while that is small.
TEST_F(Commands, PoseSagsLikeABeam) {
  const std::string beam =
      "[[plant]]\nname = \"beam\"\nkind = \"rod\"\nsegments = 40\nlength = 1\nradius = 0.02\n"
      "young = 8e9\ndensity = 800\ndirection = [1, 0, 0]\n";
  const Outcome<PoseSummary> found = pose({.scenario_text = beam, .out_folder = path("out")});
  ASSERT_TRUE(found) << found.error();
  const double sag = 800 * 9.81 / (8 * 8e9 * 0.02 * 0.02 / 4);   // I / A = r² / 4
  EXPECT_NEAR(found->probes.at(0).position[1] / -sag, 1, 2e-3);  // 1/40² and some
  EXPECT_TRUE(found->stable.value_or(false));
  // Largest at the clamp: M r / I = ρ g L² / 2 · 4 / r, a half segment less.
  EXPECT_NEAR(found->max_stress / (800 * 9.81 / 2 * 4 / 0.02), 1, 0.06);
  EXPECT_EQ(found->max_segment, 0);
  EXPECT_EQ(found->files.size(), 2u);
  EXPECT_EQ(with_lists(to_json(*found)).at("method"), "newton");
  // The rest shape that makes the straight beam stand bends the other way by as much.
  const Outcome<PoseSummary> rest = pose({.scenario_text = beam, .rest_from_pose = true});
  ASSERT_TRUE(rest) << rest.error();
  EXPECT_GT(rest->largest_rest_angle, 0);
  const Outcome<PoseSummary> wrong = pose({.scenario_text = beam, .method = "magic"});
  EXPECT_FALSE(wrong);
  const Outcome<PoseSummary> free = pose({.scenario_text = beam + "root = \"free\"\n"});
  ASSERT_FALSE(free);
  EXPECT_NE(free.error().find("nothing holds"), std::string::npos);
}

// The first four modes of a beam come in pairs: 1.8751² and 4.6941².
TEST_F(Commands, ModesAreThoseOfABeam) {
  const std::string beam =
      "gravity = [0, 0, 0]\n[[plant]]\nname = \"beam\"\nkind = \"rod\"\nsegments = 60\nlength = 1\n"
      "radius = 0.01\nyoung = 8e9\ndensity = 800\n";
  const Outcome<ModesSummary> found = modes({.scenario_text = beam, .count = 4, .about = "rest"});
  ASSERT_TRUE(found) << found.error();
  ASSERT_EQ(found->frequencies_hz.size(), 4u);
  const std::vector<double>& f = found->frequencies_hz;
  EXPECT_NEAR(f[0], f[1], 1e-9 * f[0]);
  EXPECT_NEAR(f[2], f[3], 1e-9 * f[2]);
  EXPECT_NEAR(f[2] / f[0], 4.694091 * 4.694091 / (1.875104 * 1.875104), 0.01);
  EXPECT_NEAR(found->twist_share[0], 0, 1e-9);
  const json out = with_lists(to_json(*found));
  EXPECT_EQ(out.at("frequencies_hz").size(), 4u);
  EXPECT_FALSE(modes({.scenario_text = beam, .plant = "rose"}));
  EXPECT_FALSE(modes({.scenario_text = beam, .about = "midnight"}));
  EXPECT_FALSE(modes({.scenario_text = beam, .count = 0}));
}

TEST_F(Commands, GalleryListsAndDrawsAFolder) {
  write("a.lsys", std::string("/* First. */\n") + twig);
  write("b.lsys", std::string("/* Second. */\n") + twig);
  const auto listed = gallery(path(""));
  ASSERT_TRUE(listed) << listed.error();
  ASSERT_EQ(listed->size(), 2u);
  EXPECT_EQ((*listed)[0].first, path("a.lsys"));
  EXPECT_EQ((*listed)[1].second, "Second.");
  write("C.LSYS", twig);  // endings count in capitals too
  EXPECT_EQ(gallery(path(""))->size(), 3u);
  std::filesystem::remove(path("C.LSYS"));
  const Outcome<SheetSummary> sheet = contact_sheet(
      {.folder = path(""), .out_file = path("sheet.png"), .columns = 2, .tile = 64, .samples = 1});
  ASSERT_TRUE(sheet) << sheet.error();
  EXPECT_EQ(sheet->plants, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(with_lists(to_json(*sheet)).at("plants").size(), 2u);
  EXPECT_TRUE(has("sheet.png"));
}

TEST_F(Commands, PlotsAreDrawnOrRefused) {
  const Plot plot{.title = "t", .x_label = "x", .y_label = "y", .series = {{"s", {0, 1}, {1, 2}}}};
  ASSERT_TRUE(write_plot(plot, path("plot.png")));
  EXPECT_EQ(read("plot.png").substr(1, 3), "PNG");
  Plot uneven = plot;
  uneven.series[0].y.pop_back();
  EXPECT_FALSE(write_plot(uneven, path("other.png")));
  EXPECT_FALSE(has("other.png"));
}

}  // namespace
}  // namespace thigmo::commands_test
