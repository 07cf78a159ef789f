#include <gtest/gtest.h>

#include "material/species.h"
#include "plant/rod.h"
#include "scenario/make_simulation.h"
#include "simulation/simulation.h"

namespace thigmo::wood_test {
namespace {

// A trunk of two segments, a branch on its first, a twig on that.
Plant make_tree() {
  Plant plant{.name = "tree", .materials = {material_from(*find_species("oak"))}};
  const auto add = [&](Index parent, double radius, Index axis, Index order) {
    Segment s{.parent = parent, .base_in_parent = {0, parent == no_index ? 0.0 : 0.5, 0}};
    s.length = 0.5;
    s.radius_base = radius * 1.1;
    s.radius_tip = radius * 0.9;
    s.axis = axis;
    s.order = order;
    if (order > 0) s.parent_from_segment = rotation_about({0, 0, 1}, 1);
    plant.segments.push_back(s);
  };
  add(no_index, 0.05, 0, 0);
  add(0, 0.02, 1, 1);
  add(1, 0.005, 2, 2);
  add(0, 0.04, 0, 0);
  return plant;
}

Result<Plant> tree_with(const std::string& woods) {
  const Result<Scenario> scenario = parse_scenario(
      "s.toml",
      "[[plant]]\nfile = \"t.csv\"\npieces = 1\nyoung = 7e9\ndamping_ratio = 0.02\n" + woods);
  if (!scenario) return scenario.diagnostics();
  Result<Simulation> simulation = make_simulation(
      *scenario, [](std::string_view) -> Result<std::string> { return error("no files"); },
      [](const TreeSource&, Diagnostics&) -> Result<Plant> { return make_tree(); });
  if (!simulation) return simulation.diagnostics();
  return simulation->plants[0].model->plant;
}

std::string complaint(const std::string& woods) {
  const Result<Plant> plant = tree_with(woods);
  return plant ? "" : to_string(plant.diagnostics());
}

const Material& material_of(const Plant& plant, std::size_t segment) {
  return plant.materials[static_cast<std::size_t>(plant.segments[segment].material)];
}

// By radius, by branching order and by axis; what an entry does not say is the tree's own.
TEST(Wood, OfATreeFromAFile) {
  const Result<Plant> by_radius = tree_with(
      "hollow = 0.1\n[[plant.wood]]\nradius_below = 0.01\nyoung = 3e9\nshear = 3e8\nhollow = 0.5\n"
      "[[plant.wood]]\nradius_above = 0.03\nspecies = \"birch\"\n");
  ASSERT_TRUE(by_radius) << to_string(by_radius.diagnostics());
  EXPECT_EQ(material_of(*by_radius, 2).young, 3e9);
  EXPECT_DOUBLE_EQ(shear_modulus(material_of(*by_radius, 2)), 3e8);
  EXPECT_EQ(material_of(*by_radius, 2).damping_ratio, 0.02);
  EXPECT_EQ(by_radius->segments[2].hollow, 0.5);
  EXPECT_EQ(material_of(*by_radius, 1).young, 7e9);
  EXPECT_EQ(by_radius->segments[1].hollow, 0.1);
  for (const std::size_t trunk : {0u, 3u}) EXPECT_EQ(material_of(*by_radius, trunk).young, 9.9e9);

  const Result<Plant> by_order = tree_with("[[plant.wood]]\norder = [1, 2]\ndensity = 500\n");
  ASSERT_TRUE(by_order) << to_string(by_order.diagnostics());
  for (const std::size_t i : {0u, 1u, 2u, 3u}) {
    EXPECT_EQ(material_of(*by_order, i).density, i == 0 || i == 3 ? 1158 : 500) << i;
  }
  const Result<Plant> by_axis = tree_with(
      "[[plant.wood]]\naxis = 1\nstrength = 1e6\n[[plant.wood]]\norder = 0\nyoung = 1e9\n");
  ASSERT_TRUE(by_axis) << to_string(by_axis.diagnostics());
  EXPECT_EQ(material_of(*by_axis, 1).strength, 1e6);
  EXPECT_EQ(material_of(*by_axis, 3).young, 1e9);
  EXPECT_EQ(material_of(*by_axis, 2).young, 7e9);
}

TEST(Wood, SaysWhatIsWrongAndWhere) {
  const std::string wood = "[[plant.wood]]\n";
  const std::pair<std::string, const char*> cases[] = {
      {wood + "young = 1e9\n", "s.toml:6:1: error: a [[plant.wood]] must say which segments"},
      {wood + "order = 1\n", "must say what is different there"},
      {wood + "order = -1\nyoung = 1e9\n", "'order' must be a whole number"},
      {wood + "order = [2, 1]\nyoung = 1e9\n", "'order' must be a whole number"},
      {wood + "radius_above = 0.1\nradius_below = 0.05\nyoung = 1e9\n",
       "s.toml:8:16: error: 'radius_below' must be larger"},
      {wood + "radius_bellow = 0.1\norder = 1\nyoung = 1e9\n", "did you mean 'radius_below'"},
      {wood + "order = 1\nhollow = 1.0\n", "at most 0.99"},
      {wood + "order = 7\nyoung = 1e9\n", "s.toml:6:1: error: no segment of 't.csv' is made of"},
      {wood + "order = 1\nyoung = 1e9\n" + wood + "radius_below = 0.03\nyoung = 2e9\n",
       "s.toml:9:1: error: segment 1 of 't.csv' would be made of two woods"},
      {wood + "order = 1\nshear = 1e9\npoisson = 0.3\n", "give one of them"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_NE(complaint(text).find(expected), std::string::npos)
        << "in: " << text << "\nsaid: " << complaint(text);
  }
}

}  // namespace
}  // namespace thigmo::wood_test
