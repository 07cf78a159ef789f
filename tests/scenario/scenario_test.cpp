#include "scenario/scenario.h"
#include "scenario/make_simulation.h"

#include <gtest/gtest.h>

namespace thigmo::scenario_test {
namespace {

std::string complaint(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Result<Scenario> scenario = parse_scenario("s.toml", text, overrides);
  return scenario ? "" : to_string(scenario.diagnostics());
}

constexpr const char* rod = "[[plant]]\nname = \"beam\"\nkind = \"rod\"\n";

TEST(Scenario, ReadsEveryKeyOfTheManual) {
  const Result<Scenario> scenario = parse_scenario("folder/s.toml", R"(
title = "all"
duration = 3
step = 0.01
gravity = [0, 0, -9.81]
numerical_damping = 0.1
[[plant]]
name = "beam"
kind = "rod"
segments = 7
length = 2.0
radius = 0.02
radius_tip = 0.01
young = 8e9
poisson = 0.2
density = 700
damping_ratio = 0.03
strength = 5e7
direction = [2, 0, 0]
up = [0, 3, 0]
position = [1, 2, 3]
[[plant]]
name = "lath"
kind = "rod"
width = 0.02
height = 0.001
section = "ellipse"
hollow = 0.5
young = 4e9
shear = 2e8
height_tip = 0.0005
tip_mass = 0.1
tip_radius = 0.05
root_spring = 40
damping = "rayleigh"
damping_frequencies = [0.5, 5]
damping_ratios = [0.03, 0.04]
mass_damping = 0.25
[[plant]]
name = "tree"
grammar = "oak.lsys"
steps = 7
seed = 4
angle = 25.5
species = "oak"
parameters = { size = 3 }
[wind]
kind = "gusty"
mean = [6, 0, 0]
intensity = 0.3
length_scale = 30
decay = 12
seed = 5
air_density = 1.2
stem_drag = 1.1
organ_drag = 0.2
[[force]]
plant = "beam"
at = 0.5
vector = [0, -1, 0]
moment = [1, 0, 0]
follower = true
start = 1.0
end = 2.0
[[probe]]
name = "p"
plant = "lath"
at = 3
[[output]]
file = "a.glb"
rate = 24
[[output]]
file = "a.png"
time = 2.0
width = 640
height = 360
samples = 4
[[output]]
file = "a.mp4"
[[output]]
file = "plot.png"
kind = "plot"
probe = "p"
)");
  ASSERT_TRUE(scenario) << to_string(scenario.diagnostics());
  const auto& beam = std::get<RodDescription>(scenario->plants[0].source);
  EXPECT_EQ(beam.segments, 7);
  EXPECT_EQ(beam.radius_tip, 0.01);
  EXPECT_EQ(beam.direction, (Vec3{1, 0, 0}));
  EXPECT_EQ(beam.material.strength, 5e7);
  const auto& lath = std::get<RodDescription>(scenario->plants[1].source);
  EXPECT_EQ(lath.rectangle->height, 0.001);
  EXPECT_EQ(lath.rectangle_tip->height, 0.0005);
  EXPECT_EQ(lath.rectangle_tip->width, 0.02);
  EXPECT_EQ(lath.tip_radius, 0.05);
  EXPECT_EQ(lath.outline, Outline::ellipse);
  EXPECT_EQ(lath.hollow, 0.5);
  EXPECT_DOUBLE_EQ(shear_modulus(lath.material), 2e8);
  EXPECT_EQ(scenario->plants[1].root_spring, 40);
  const Damping& damping = scenario->plants[1].damping;
  EXPECT_EQ(damping.law, DampingLaw::rayleigh);
  EXPECT_EQ(damping.frequencies, (std::array{0.5, 5.0}));
  EXPECT_EQ(damping.ratios, (std::array{0.03, 0.04}));
  EXPECT_EQ(damping.mass_rate, 0.25);
  EXPECT_EQ(scenario->plants[0].damping.law, DampingLaw::constant);
  const auto& tree = std::get<GrammarSource>(scenario->plants[2].source);
  EXPECT_EQ(tree.file, "folder/oak.lsys");
  EXPECT_EQ(tree.parameters.at("size"), 3);
  EXPECT_EQ(scenario->wind.decay, 12);
  EXPECT_EQ(scenario->drag.stem_coefficient, 1.1);
  EXPECT_EQ(scenario->forces[0].at.along, 0.5);
  EXPECT_TRUE(scenario->forces[0].follower);
  EXPECT_EQ(scenario->outputs[3].kind, OutputKind::plot);
}

TEST(Scenario, SaysWhatIsWrongAndWhere) {
  const std::pair<std::string, const char*> cases[] = {
      {"durration = 1\n" + std::string(rod), "did you mean 'duration'"},
      {"duration = -1\n" + std::string(rod),
       "s.toml:1:12: error: 'duration' must be greater than 0"},
      {"duration = nan\n" + std::string(rod), "finite"},
      {"step = \n" + std::string(rod), "s.toml:1:"},
      {"title = \"empty\"\n", "no plant"},
      {std::string(rod) + "segments = 0\n", "between 1 and"},
      {std::string(rod) + "segments = 1.5\n", "whole number"},
      {std::string(rod) + "width = 1.0\n", "both 'width' and 'height'"},
      {std::string(rod) + "poisson = 0.7\n", "(-1, 0.5]"},
      {std::string(rod) + "poisson = 0.3\nshear = 1e9\n", "give one of them"},
      {std::string(rod) + "shear = 1e9\nshear_ratio = 0.1\n", "give one of them"},
      {std::string(rod) + "shear_ratio = 0\n", "greater than 0"},
      {std::string(rod) + "section = \"ellipse\"\n", "needs its 'width' and 'height'"},
      {std::string(rod) + "hollow = 1\n", "at most 0.99"},
      {std::string(rod) + "width = 1.0\nheight = 1.0\nhollow = 0.5\n", "only round and elliptic"},
      {std::string(rod) + "[[plant.wood]]\norder = 1\n", "wood"},
      {std::string(rod) + "width_tip = 0.1\n", "only a rod with 'width' and 'height'"},
      {std::string(rod) + "tip_radius = 0.1\n", "needs its 'tip_mass'"},
      {std::string(rod) + "root_spring = 0\n", "greater than 0"},
      {std::string(rod) + "damping = \"raleigh\"\n", "did you mean 'rayleigh'"},
      {std::string(rod) + "damping = \"rayleigh\"\n", "needs the key 'damping_frequencies'"},
      {std::string(rod) + "damping_frequencies = [1, 2]\n", "belongs to damping = \"rayleigh\""},
      {std::string(rod) + "damping = \"rayleigh\"\ndamping_frequencies = [1, 2, 3]\n",
       "two numbers"},
      {std::string(rod) + "damping = \"rayleigh\"\ndamping_frequencies = [2, 1]\n",
       "positive and rising"},
      {std::string(rod) +
           "damping = \"rayleigh\"\ndamping_frequencies = [1, 2]\ndamping_ratios = [0.1, 0.3]\n",
       "the other can be 0.05 to 0.2"},
      {std::string(rod) + "direction = [0,0,0]\n", "zero vector"},
      {std::string(rod) + "direction = [0,1,0]\nup = [0,2,0]\n", "parallel"},
      {std::string(rod) + "species = \"oka\"\n", "did you mean 'oak'"},
      {std::string(rod) + rod, "two plants are named 'beam'"},
      {std::string(rod) + "[wind]\nkind = \"gusti\"\n", "did you mean 'gusty'"},
      {std::string(rod) + "[wind]\nkind = \"gusty\"\n", "needs the key 'mean'"},
      {std::string(rod) + "[[force]]\nplant = \"bem\"\nvector = [1,0,0]\n", "did you mean 'beam'"},
      {std::string(rod) + "[[force]]\nat = 1.5\nvector = [1,0,0]\n", "'at' must be"},
      {std::string(rod) + "[[force]]\nstart = 2\nend = 1\nvector = [1,0,0]\n", "after 'start'"},
      {std::string(rod) + "[[force]]\n", "needs the key 'vector'"},
      {std::string(rod) + "[[force]]\nvector = [1,0,0]\nfrequency = 0\n", "'frequency'"},
      {std::string(rod) + "[[force]]\nvector = [1,0,0]\nphase = 90\n", "needs its 'frequency'"},
      {std::string(rod) + "[[output]]\nfile = \"../x.glb\"\n", "without a path"},
      {std::string(rod) + "[[output]]\nfile = \"x.abc\"\n", "formats: .glb, .usda"},
      {std::string(rod) + "[[output]]\nfile = \"x.png\"\nkind = \"plot\"\nprobe = \"no\"\n",
       "needs the key 'probe'"},
      {std::string(rod) + "[[output]]\nfile = \"a.mp4\"\nwidth = 321\n", "even"},
      {std::string(rod) + "[[output]]\nfile = \"a.glb\"\n[[output]]\nfile = \"a.glb\"\n",
       "two outputs are named 'a.glb'"},
      {std::string(rod) + "width = 1.0\nheight = 1.0\nradius_tip = 0.1\n", "either 'radius'"},
      {"step = 1e-12\nduration = 1e3\n" + std::string(rod), "1e9"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_NE(complaint(text).find(expected), std::string::npos)
        << "in: " << text << "\nsaid: " << complaint(text);
  }
}

// A key of fifty thousand parts would take the parser's stack; long texts and comments may have dots.
TEST(Scenario, KeysWithTooManyPartsAreRefused) {
  for (const char* part : {"a", "\"=\"", "'x' "}) {
    std::string key = part;
    for (int i = 0; i < 50'000; ++i) key += std::string(".") + part;
    for (const std::string& text :
         {key + " = 1\n", "[" + key + "]\n", "[[" + key + "]]\n", "b = {" + key + " = 1}\n",
          "b = [{" + key + " = 1}]\n", "b = [\"\"\"a\"b\"\"\", {" + key + " = 1}]\n",
          "b = [\'\'\'a\'b\'\'\'\', {" + key + " = 1}]\n"}) {
      const Result<Scenario> scenario = parse_scenario("x.toml", "duration = 1\n" + text);
      ASSERT_FALSE(scenario);
      EXPECT_NE(to_string(scenario.diagnostics()).find("x.toml:2:1"), std::string::npos);
    }
  }
  const std::string dots(1000, '.');
  EXPECT_TRUE(parse_scenario("x.toml", "# don't " + dots + "\ntitle = \"" + dots +
                                           "\"\nduration = 1\n[[plant]]\nkind = \"rod\"\n"
                                           "segments = 3\nlength = 1\nradius = 0.01\n"));
}

TEST(Scenario, OverridesReachEveryDepth) {
  const Result<Scenario> scenario =
      parse_scenario("s.toml", rod,
                     {"duration=2", "plant.0.segments=9", "plant.beam.length=3",
                      "wind.kind=uniform", "wind.mean=[1, 2, 3]"});
  ASSERT_TRUE(scenario) << to_string(scenario.diagnostics());
  EXPECT_EQ(scenario->duration, 2);
  EXPECT_EQ(std::get<RodDescription>(scenario->plants[0].source).segments, 9);
  EXPECT_EQ(std::get<RodDescription>(scenario->plants[0].source).length, 3);
  EXPECT_EQ(scenario->wind.mean_world, (Vec3{1, 2, 3}));
  // What was set stands nowhere in the file.
  EXPECT_EQ(complaint(rod, {"duration=-1"}).find("s.toml: error: 'duration' must be"), 0u)
      << complaint(rod, {"duration=-1"});
  EXPECT_TRUE(
      parse_scenario("s.toml", std::string(rod) + "[[output]]\nfile = \"a.glb\"\n", {"output=[]"})
          ->outputs.empty());
  EXPECT_NE(complaint(rod, {"plant.3.segments=9"}).find("there is no 'plant.3'"),
            std::string::npos);
  EXPECT_NE(complaint(rod, {"plant.0.segmnts=9"}).find("did you mean 'segments'"),
            std::string::npos);
}

TEST(Scenario, StillAirIsNoAirUnlessItHasADensity) {
  EXPECT_EQ(parse_scenario("s", rod)->drag.air_density, 0);
  EXPECT_EQ(parse_scenario("s", std::string(rod) + "[wind]\nkind = \"still\"\n")->drag.air_density,
            0);
  EXPECT_GT(parse_scenario("s", std::string(rod) + "[wind]\nkind = \"uniform\"\nmean = [1,0,0]\n")
                ->drag.air_density,
            1);
}

TEST(Scenario, WithoutProbesEveryPlantHasOneAtItsTip) {
  EXPECT_EQ(parse_scenario("s", rod)->probes.at(0).name, "tip");
  const std::string two = std::string(rod) + "[[plant]]\nname = \"other\"\nkind = \"rod\"\n";
  EXPECT_EQ(parse_scenario("s", two)->probes.at(1).name, "other.tip");
}

// Scenarios from before grabs had their name stay readable, and are complained of under the name they use.
TEST(Scenario, ReadsGrabsUnderTheirFormerName) {
  const std::string keys = "keys = [[0, 0, 0, 0], [1, 0.1, 0, 0]]\nstiffness = 50\n";
  for (const char* name : {"grab", "pull"}) {
    const std::string table = std::string(rod) + "[[" + name + "]]\n" + keys;
    const Result<Scenario> scenario = parse_scenario("s.toml", table, {});
    ASSERT_TRUE(scenario) << to_string(scenario.diagnostics());
    ASSERT_EQ(scenario->grabs.size(), 1u);
    EXPECT_EQ(scenario->grabs[0].stiffness, 50);
    EXPECT_NE(complaint(table + "grip = 1\n").find(std::string("[[") + name + "]]"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace thigmo::scenario_test
