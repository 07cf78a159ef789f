#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "grammar/check.h"
#include "simulation/add_plant.h"
#include "simulation/simulation.h"
#include "support/structure.h"

// Every plant of the gallery, by what a gardener would know of it.

namespace thigmo::plants_test {
namespace {

namespace fs = std::filesystem;

const fs::path gallery = fs::path(THIGMO_SOURCE_DIR) / "gallery";

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

using Settings = std::map<std::string, double>;

Plant grown(const std::string& name, const Settings& settings = {},
            const std::string& extension = ".lsys") {
  Diagnostics notes;
  const auto plant = grow_from_file(
      {.file = (gallery / "plants" / (name + extension)).string(), .parameters = settings},
      [](std::string_view path) { return Result<std::string>(text_of(path)); }, notes);
  EXPECT_TRUE(notes.empty()) << to_string(notes);
  EXPECT_TRUE(plant) << (plant ? "" : to_string(plant.diagnostics()));
  return plant ? *plant : Plant{};
}

// Plausible sizes of the plant as its file draws it.
struct Expected {
  std::string name;
  double least_height, most_height;  // above the ground [m]
  double least_mass, most_mass;      // fresh, above the ground [kg]
  bool pipe_model = false;
};

void PrintTo(const Expected& plant, std::ostream* out) { *out << plant.name; }

// Heights as gardeners know them. Fresh masses of trees are about half of density × height × section at
// the ground, more with heavy limbs; of herbs some grams to a kilogram a stem. The tropical plant is
// weighed with its tub.
const Expected expected[] = {
    {"abop_monopodial", 3, 7, 20, 120, true},
    {"abop_sympodial", 2, 6, 20, 120, true},
    {"abop_ternary", 3, 8, 20, 150, true},
    {"apple", 2, 4, 15, 60, true},
    {"bamboo", 4, 7, 8, 60},
    {"birch", 6, 10, 25, 80, true},
    {"broad_leaf", 0.3, 0.8, 0.05, 0.3},
    {"bush", 0.8, 1.5, 1, 5, true},
    {"cattail", 1.2, 2.2, 0.7, 4},
    {"cherry", 2.5, 5, 15, 60, true},
    {"climber", 1.8, 2.6, 0.8, 3},
    {"fern", 0.4, 0.8, 0.2, 1},
    {"grass", 0.4, 0.8, 0.03, 0.4},
    {"growing_tree", 2, 5, 8, 40, true},
    {"maize", 2, 3, 0.7, 2.5},
    {"oak", 5, 10, 300, 1500, true},
    {"orchid", 0.4, 0.9, 0.04, 0.3},
    {"palm", 4, 8, 30, 200},
    {"poplar", 6, 12, 30, 120, true},
    {"potted_tropical", 0.5, 1, 1, 5},
    {"rose", 0.5, 1, 0.2, 1.2},
    {"spruce", 3, 5, 6, 25, true},
    {"sunflower", 1.4, 2.4, 0.6, 3},
    {"t_inflorescence", 0.35, 0.8, 0.03, 0.2},
    {"willow", 5, 9, 120, 400, true},
    {"young_tree", 2.4, 3.4, 3, 8, true},
};

// Skeletons in the plane, in the notation of Li 2012.
const std::string soft_bodies[] = {"soft_bamboo", "soft_bamboo_exact", "soft_tree",
                                   "soft_tree_exact"};

// Plants that develop in time, with ages to look at.
const std::map<std::string, std::vector<double>> growing{{"growing_tree", {2, 4, 7, 10, 13}},
                                                         {"sunflower", {4, 8, 14, 20, 36}},
                                                         {"t_inflorescence", {4, 8, 14, 22, 30}},
                                                         {"abop_ternary", {1, 3, 5, 7}}};

std::string name_of(const ::testing::TestParamInfo<Expected>& info) { return info.param.name; }

double mass_of(const Plant& plant) {
  double mass = 0;
  for (const Segment& s : plant.segments) {
    mass += stem_volume(s) * plant.materials[static_cast<std::size_t>(s.material)].density;
  }
  for (const Organ& organ : plant.organs) mass += organ.mass;
  return mass;
}

// "TRUNK=0.02 TWIG=0.006"
Settings settings_from(const std::string& text) {
  Settings settings;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    settings[word.substr(0, equals)] = std::stod(word.substr(equals + 1));
  }
  return settings;
}

// The row of a plant in gallery/README.md.
struct Row {
  std::size_t segments = 0, organs = 0, small = 0, large = 0;
  std::string small_settings, large_settings;
};
Row row_of(const std::string& name) {
  const std::regex pattern(
      "\\[" + name +
      "\\]\\(plants/[^|]*\\|[^|]*\\| (\\d+) \\| (\\d+) \\| (\\d+) by `([^`]*)` "
      "\\| (\\d+) by `([^`]*)` \\|");
  const std::string readme = text_of(gallery / "README.md");
  std::smatch m;
  if (!std::regex_search(readme, m, pattern)) {
    ADD_FAILURE() << name << " has no row in gallery/README.md; run gallery/make";
    return {};
  }
  return {std::stoul(m[1]), std::stoul(m[2]), std::stoul(m[3]),
          std::stoul(m[5]), m[4].str(),       m[6].str()};
}

class GalleryPlant : public ::testing::TestWithParam<Expected> {};
INSTANTIATE_TEST_SUITE_P(Gallery, GalleryPlant, ::testing::ValuesIn(expected), name_of);

TEST(Gallery, EveryPlantIsExpectedHere) {
  std::set<std::string> files, names;
  for (const auto& entry : fs::directory_iterator(gallery / "plants")) {
    if (entry.path().extension() == ".lsys") files.insert(entry.path().stem().string());
  }
  for (const Expected& plant : expected) names.insert(plant.name);
  EXPECT_EQ(files, names);
}

TEST_P(GalleryPlant, IsAPlantOfItsKindsSize) {
  const Expected& kind = GetParam();
  const Plant plant = grown(kind.name);
  ASSERT_EQ(support::structure_error(plant), "");
  const Box box = bounding_box(plant, rest_pose(plant));
  EXPECT_GT(box.max.y, kind.least_height);
  EXPECT_LT(box.max.y, kind.most_height);
  // No stem digs into the ground by more than its own thickness could hide.
  EXPECT_GT(box.min.y, -0.01 * box.max.y);
  EXPECT_GT(mass_of(plant), kind.least_mass);
  EXPECT_LT(mass_of(plant), kind.most_mass);
  for (const Segment& segment : plant.segments) {
    // A hair's thickness to a trunk; nothing else is a stem.
    EXPECT_GT(segment.radius_tip, 0.0001);
    EXPECT_LT(segment.radius_base, 0.25);
  }
}

TEST_P(GalleryPlant, BearsLeavesOrFlowersAllOverItsTips) {
  const Plant plant = grown(GetParam().name);
  std::vector<bool> tip(plant.segments.size(), true), bare(plant.segments.size(), true);
  for (const Segment& segment : plant.segments) {
    if (segment.parent != no_index) tip[static_cast<std::size_t>(segment.parent)] = false;
  }
  double leaf_area = 0;
  for (const Organ& organ : plant.organs) {
    bare[static_cast<std::size_t>(organ.segment)] = false;
    if (organ.kind == OrganKind::leaf || organ.kind == OrganKind::flower) {
      leaf_area += organ.drag_area;
    }
    EXPECT_GT(organ.length, 0);
    EXPECT_TRUE(std::isfinite(organ.mass));
  }
  int tips = 0, bare_tips = 0;
  for (std::size_t i = 0; i < tip.size(); ++i) {
    // Single pieces are staves and hoops, not stems; roots bear nothing.
    const Segment& segment = plant.segments[i];
    if (segment.parent == no_index || segment.kind == OrganKind::root) continue;
    tips += tip[i];
    bare_tips += tip[i] && bare[i];
  }
  EXPECT_GT(leaf_area, 0);
  // Cattails and the pieces of the twining stem end without an organ.
  const std::set<std::string> with_wood{"climber", "cattail"};
  EXPECT_LE(bare_tips, with_wood.contains(GetParam().name) ? tips / 2 : tips / 50);
}

std::vector<Expected> woody() {
  std::vector<Expected> plants;
  std::copy_if(std::begin(expected), std::end(expected), std::back_inserter(plants),
               [](const Expected& plant) { return plant.pipe_model; });
  return plants;
}
class WoodyPlant : public ::testing::TestWithParam<Expected> {};
INSTANTIATE_TEST_SUITE_P(Gallery, WoodyPlant, ::testing::ValuesIn(woody()), name_of);

// At a fork the sections of the branches add up to that of the stem. Exactly so in the rules; the
// thinnest twigs are held at a least thickness and fruits hang on stalks of their own, so that a tenth
// of the forks may differ.
TEST_P(WoodyPlant, KeepsThePipeModel) {
  const Plant plant = grown(GetParam().name);
  std::vector<double> above(plant.segments.size(), 0.0);
  std::vector<int> children(plant.segments.size(), 0);
  for (const Segment& segment : plant.segments) {
    if (segment.parent == no_index) continue;
    const auto parent = static_cast<std::size_t>(segment.parent);
    above[parent] += segment.radius_base * segment.radius_base;
    ++children[parent];
  }
  double sum_above = 0, sum_below = 0;
  int forks = 0, uneven = 0;
  for (std::size_t i = 0; i < above.size(); ++i) {
    if (children[i] < 2) continue;
    const double below = plant.segments[i].radius_base * plant.segments[i].radius_base;
    sum_above += above[i];
    sum_below += below;
    ++forks;
    uneven += above[i] < 0.7 * below || above[i] > 1.3 * below;
  }
  ASSERT_GT(forks, 10);
  EXPECT_NEAR(sum_above / sum_below, 1.0, 0.05);
  EXPECT_LE(uneven, forks / 10);
}

TEST_P(GalleryPlant, HasTheSizesThatTheReadmeTells) {
  const std::string& name = GetParam().name;
  const Row row = row_of(name);
  const Plant plant = grown(name);
  EXPECT_EQ(plant.segments.size(), row.segments) << "run gallery/make " << name;
  EXPECT_EQ(plant.organs.size(), row.organs) << "run gallery/make " << name;
  EXPECT_EQ(grown(name, settings_from(row.small_settings)).segments.size(), row.small);
  const Plant large = grown(name, settings_from(row.large_settings));
  EXPECT_EQ(large.segments.size(), row.large);
  EXPECT_EQ(support::structure_error(large), "");
  EXPECT_LE(row.small, 100u);
  EXPECT_GE(row.large, 20000u);
  const std::string text = text_of(gallery / "plants" / (name + ".lsys"));
  EXPECT_NE(text.find("Sizes: small " + row.small_settings + ", large " + row.large_settings),
            std::string::npos);
}

TEST_P(GalleryPlant, StandsHalfASecondOfGustsWithoutTrouble) {
  Simulation simulation{.gravity_world = {0, -9.81, 0}};
  simulation.wind = make_wind({.kind = WindKind::gusty, .mean_world = {6, 0, 0}, .intensity = 0.3});
  Plant plant = grown(GetParam().name);
  const Box at_rest = bounding_box(plant, rest_pose(plant));
  add_plant(plant, {}, StartPose::rest, simulation);
  for (int i = 0; i < 30; ++i) step(simulation, 1.0 / 60.0, 1);
  ASSERT_TRUE(simulation.finite);
  // Pieces of steps may be retaken in a gust, but not in every step.
  EXPECT_LE(simulation.rejected_steps, 30);
  const SimulatedPlant& moved = simulation.plants[0];
  const Box box = bounding_box(plant, pose_of(moved.model->mechanism, moved.state));
  // It moves, it does not fall, and it keeps within what its length allows.
  EXPECT_NE(box.max.x, at_rest.max.x);
  EXPECT_GT(box.max.y, 0.6 * at_rest.max.y);
  EXPECT_LT(box.max.x, at_rest.max.x + at_rest.max.y);
}

TEST(GallerySoftBody, PlantsOfTheOtherNotationStandInTheWind) {
  for (const std::string& name : soft_bodies) {
    const Plant plant = grown(name, {}, ".sbt");
    ASSERT_EQ(support::structure_error(plant), "") << name;
    const Box box = bounding_box(plant, rest_pose(plant));
    EXPECT_GT(box.max.y, 2) << name;
    EXPECT_LT(box.max.y, 6) << name;
    EXPECT_GT(mass_of(plant), 1) << name;
    EXPECT_LT(mass_of(plant), 80) << name;
    EXPECT_NEAR(box.max.z - box.min.z, 0, 1e-12) << name;
    Simulation simulation{.gravity_world = {0, -9.81, 0}};
    simulation.wind = make_wind({.kind = WindKind::gusty, .mean_world = {6, 0, 0}});
    add_plant(plant, {}, StartPose::rest, simulation);
    for (int i = 0; i < 30; ++i) step(simulation, 1.0 / 60.0, 1);
    EXPECT_TRUE(simulation.finite) << name;
  }
}

// A year more makes the plant higher and gives it more segments; what is old stays.
TEST(GalleryGrowth, PlantsGrowWithTheirAge) {
  for (const auto& [name, steps] : growing) {
    double height = 0, mass = 0;
    std::size_t segments = 0;
    for (const double age : steps) {
      const Plant plant = grown(name, {{"AGE", age}});
      ASSERT_EQ(support::structure_error(plant), "");
      const double now = bounding_box(plant, rest_pose(plant)).max.y;
      EXPECT_GT(now, height) << name << ' ' << age;
      EXPECT_GT(mass_of(plant), mass) << name << ' ' << age;
      EXPECT_GE(plant.segments.size(), segments) << name << ' ' << age;
      height = now;
      mass = mass_of(plant);
      segments = plant.segments.size();
    }
  }
}

// Binet's formula in the grammar against counting: after n years a bud has made a Fibonacci number of
// tips, and the stem's section is theirs.
TEST(GalleryGrowth, TheFibonacciTreeBearsItsSection) {
  const Plant plant = grown("growing_tree", {{"AGE", 10}});
  std::vector<bool> tip(plant.segments.size(), true);
  for (const Segment& segment : plant.segments) {
    if (segment.parent != no_index) tip[static_cast<std::size_t>(segment.parent)] = false;
  }
  const auto tips = static_cast<double>(std::count(tip.begin(), tip.end(), true));
  EXPECT_EQ(tips, 55);  // 1 1 2 3 5 8 13 21 34 55
  const double tip_radius = plant.segments.back().radius_base;
  EXPECT_NEAR(plant.segments[0].radius_base / tip_radius, std::sqrt(tips), 1e-6 * tips);
}

// The width and height that a PNG file's head tells.
std::pair<int, int> png_size(const fs::path& path) {
  const std::string head = text_of(path).substr(0, 24);
  const auto number = [&](std::size_t at) {
    int value = 0;
    for (std::size_t i = at; i < at + 4; ++i)
      value = 256 * value + static_cast<unsigned char>(head.at(i));
    return value;
  };
  return {number(16), number(20)};
}

// Large enough to judge a plant by, small enough for a repository: 8 MB for all of them.
TEST(Gallery, PicturesAreThereAndNotTooLarge) {
  std::set<std::string> names;
  for (const Expected& plant : expected) names.insert(plant.name);
  for (const auto& name : soft_bodies) names.insert(name);
  for (const auto& [name, ages] : growing) names.insert(name + "_ages");
  std::uintmax_t bytes = 0;
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(gallery / "pictures")) {
    files.insert(entry.path().stem().string());
    bytes += entry.file_size();
    EXPECT_GE(png_size(entry.path()).second, 480) << entry.path();
  }
  EXPECT_EQ(files, names) << "run gallery/make";
  EXPECT_LT(bytes, 8'000'000u);
}

TEST(Gallery, TheCheckerHasNothingToSay) {
  for (const auto& entry : fs::directory_iterator(gallery / "plants")) {
    const Diagnostics diagnostics = check_grammar(entry.path().string(), text_of(entry.path()));
    EXPECT_TRUE(diagnostics.empty()) << to_string(diagnostics);
  }
}

}  // namespace
}  // namespace thigmo::plants_test
