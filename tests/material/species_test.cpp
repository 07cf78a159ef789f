#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/text.h"
#include "material/material.h"

namespace thigmo {
namespace {

TEST(Species, AreSortedByNameAndFound) {
  const auto species = all_species();
  ASSERT_FALSE(species.empty());
  for (std::size_t i = 1; i < species.size(); ++i) {
    EXPECT_LT(species[i - 1].name, species[i].name);
  }
  for (const Species& s : species) EXPECT_EQ(find_species(s.name), &s);
  EXPECT_EQ(find_species("unicorn"), nullptr);
  EXPECT_EQ(find_species(""), nullptr);
}

// Green wood sinks or floats not far from water; the bounds of modulus and strength hold for all
// woods but balsa and lignum vitae; an isotropic solid has a Poisson's ratio below 1/2.
TEST(Species, AreGreenWood) {
  for (const Species& s : all_species()) {
    SCOPED_TRACE(s.name);
    EXPECT_GT(s.density, 400);
    EXPECT_LT(s.density, 1300);
    EXPECT_GT(s.young, 3e9);
    EXPECT_LT(s.young, 20e9);
    EXPECT_GT(s.poisson, 0.2);
    EXPECT_LT(s.poisson, 0.5);
    EXPECT_GT(s.damping_ratio, 0);
    EXPECT_LE(s.damping_ratio, 0.1);
    EXPECT_GT(s.strength, 20e6);
    EXPECT_LT(s.strength, 120e6);
    // Green wood breaks at a strain of some per mille to a per cent.
    EXPECT_GT(s.strength / s.young, 0.003);
    EXPECT_LT(s.strength / s.young, 0.01);
  }
}

TEST(Species, NameTheSourceOfEveryNumber) {
  for (const Species& s : all_species()) {
    SCOPED_TRACE(s.name);
    for (const char* word : {"density", "modulus", "strength", "Poisson's ratio", "damping"}) {
      EXPECT_NE(s.source.find(word), std::string_view::npos) << word;
    }
  }
}

TEST(Species, BecomeMaterials) {
  const Species* oak = find_species("oak");
  ASSERT_NE(oak, nullptr);
  const Material material = material_from(*oak);
  EXPECT_EQ(material.name, "oak");
  EXPECT_EQ(material.density, oak->density);
  EXPECT_EQ(material.young, oak->young);
  EXPECT_EQ(material.poisson, oak->poisson);
  EXPECT_EQ(material.damping_ratio, oak->damping_ratio);
  EXPECT_EQ(material.strength, oak->strength);
  // G = E / (2 (1 + nu)); the handbook's oak has 0.40.
  EXPECT_NEAR(shear_modulus(material), 8.3e9 / 2.8, 1);
}

std::vector<std::vector<std::string>> rows_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '\t');) rows.back().push_back(cell);
  }
  return rows;
}

// Every species of ForestGALES is there, under its English name, with its numbers.
TEST(Species, EqualTheForestGalesTable) {
  const auto rows = rows_of(THIGMO_SOURCE_DIR "/tests/data/forestgales_species.tsv");
  ASSERT_EQ(rows.size(), 19u);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::vector<std::string>& row = rows[i];
    std::string name = row.at(1);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c == ' ' ? '_' : static_cast<char>(std::tolower(c)); });
    SCOPED_TRACE(name);
    const Species* species = find_species(name);
    ASSERT_NE(species, nullptr);
    EXPECT_EQ(species->density, number_from_text(row.at(2)));
    EXPECT_EQ(species->strength, number_from_text(row.at(4)));
    EXPECT_EQ(species->young, number_from_text(row.at(5)));
    EXPECT_NE(species->source.find("ForestGALES " + row.at(0) + ";"), std::string_view::npos);
  }
}

// Wood Handbook (FPL-GTR-282): mu_LR and mu_LT of table 5-2.
TEST(Species, PoissonIsTheMeanOfTheHandbooksTwoRatios) {
  const std::map<std::string, std::pair<double, double>> ratios = {
      {"Douglas-fir", {0.292, 0.449}},   {"Engelmann spruce", {0.422, 0.462}},
      {"loblolly pine", {0.328, 0.292}}, {"lodgepole pine", {0.316, 0.347}},
      {"red pine", {0.347, 0.315}},      {"Sitka spruce", {0.372, 0.467}},
      {"subalpine fir", {0.341, 0.332}}, {"western hemlock", {0.485, 0.423}},
      {"western larch", {0.355, 0.276}}, {"white oak", {0.369, 0.428}},
      {"yellow birch", {0.426, 0.451}},  {"quaking_aspen", {0.489, 0.374}},
      {"sugar_maple", {0.424, 0.476}},   {"white_ash", {0.371, 0.440}},
      {"yellow_poplar", {0.318, 0.392}},
  };
  const std::string before = "table 5-2, ";
  for (const Species& s : all_species()) {
    SCOPED_TRACE(s.name);
    const std::string source(s.source);
    const std::size_t at = source.find(before);
    std::string wood(s.name);
    if (source.rfind("density, modulus, strength, Poisson's ratio", 0) != 0) {
      ASSERT_NE(at, std::string::npos);
      const std::size_t start = at + before.size();
      wood = source.substr(start, source.find(';', start) - start);
    }
    const auto found = ratios.find(wood);
    ASSERT_NE(found, ratios.end()) << wood;
    // The table is rounded to two places.
    EXPECT_NEAR(s.poisson, (found->second.first + found->second.second) / 2, 0.00501);
  }
}

// Wood Handbook: green specific gravity (table 5-3a) and green moisture contents of heartwood and
// sapwood (table 4-1).
TEST(Species, GreenDensityFollowsFromGravityAndMoisture) {
  struct Wood {
    const char* name;
    double gravity, heartwood, sapwood;
  };
  for (const Wood& wood : {Wood{"white_ash", 0.55, 0.46, 0.44},
                           {"sugar_maple", 0.56, 0.65, 0.72},
                           {"quaking_aspen", 0.35, 0.95, 1.13},
                           {"yellow_poplar", 0.40, 0.83, 1.06},
                           {"black_cherry", 0.47, 0.58, 0.58},     // of heartwood alone
                           {"black_willow", 0.36, 0.95, 1.13}}) {  // of aspen
    const Species* species = find_species(wood.name);
    ASSERT_NE(species, nullptr) << wood.name;
    const double density = 1000 * wood.gravity * (1 + (wood.heartwood + wood.sapwood) / 2);
    EXPECT_NEAR(species->density, density, 0.501) << wood.name;  // rounded to 1 kg/m³
  }
}

// Table 5-3b prints green rupture [psi] and elasticity [10⁶ psi]; 5-3a, which our table follows, is made
// from it. One psi is 0.45359237 kg × 9.80665 m/s² / (0.0254 m)².
TEST(Species, GreenWoodEqualsTheInchPoundTable) {
  constexpr double psi = 0.45359237 * 9.80665 / (0.0254 * 0.0254);
  struct Wood {
    const char* name;
    double rupture, elasticity;
  };
  for (const Wood& wood : {Wood{"white_ash", 9500, 1.44},
                           {"sugar_maple", 9400, 1.55},
                           {"quaking_aspen", 5100, 0.86},
                           {"yellow_poplar", 6000, 1.22},
                           {"black_cherry", 8000, 1.31},
                           {"black_willow", 4800, 0.79}}) {
    const Species* species = find_species(wood.name);
    ASSERT_NE(species, nullptr) << wood.name;
    // 5-3a is rounded to 1 MPa and 0.1 GPa.
    EXPECT_NEAR(species->strength, wood.rupture * psi, 0.501e6) << wood.name;
    EXPECT_NEAR(species->young, wood.elasticity * 1e6 * psi, 0.0501e9) << wood.name;
  }
}

}  // namespace
}  // namespace thigmo
