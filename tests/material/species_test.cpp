#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/text.h"
#include "material/species.h"

namespace thigmo::species_test {
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
// woods but balsa and lignum vitae; no wood is as stiff in shear as a solid that is alike in all
// directions, G/E >= 1/3.
TEST(Species, AreGreenWood) {
  for (const Species& s : all_species()) {
    SCOPED_TRACE(s.name);
    EXPECT_GT(s.density, 400);
    EXPECT_LT(s.density, 1300);
    EXPECT_GT(s.young, 3e9);
    EXPECT_LT(s.young, 20e9);
    EXPECT_GT(s.shear_ratio, 0.03);
    EXPECT_LT(s.shear_ratio, 0.13);
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
    for (const char* word : {"density", "modulus", "strength", "shear", "damping"}) {
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
  EXPECT_EQ(material.shear_ratio, oak->shear_ratio);
  EXPECT_EQ(material.damping_ratio, oak->damping_ratio);
  EXPECT_EQ(material.strength, oak->strength);
  // The handbook's red oak: G_LT = 0.081 E_L.
  EXPECT_NEAR(shear_modulus(material), 0.081 * 8.3e9, 1);
}

// G = E / (2 (1 + nu)) where nothing else is said.
TEST(Material, PoissonsRatioIsForWhatIsAlikeInAllDirections) {
  Material material{.young = 2.6e9, .poisson = 0.3};
  EXPECT_DOUBLE_EQ(shear_modulus(material), 1e9);
  material.shear_ratio = 0.1;
  EXPECT_DOUBLE_EQ(shear_modulus(material), 0.26e9);
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

// Wood Handbook (FPL-GTR-282): G_LT/E_L of table 5-1. Eleven of them are in transcriptions that name it, five
// are from memory as in the species table, which says which: of these this is no second source.
TEST(Species, ShearIsTheHandbooksAcrossTheRings) {
  const std::map<std::string, double> ratios = {
      {"Douglas-fir", 0.078},    {"Engelmann spruce", 0.120},
      {"Sitka spruce", 0.061},   {"loblolly pine", 0.081},
      {"lodgepole pine", 0.046}, {"red pine", 0.081},
      {"subalpine fir", 0.058},  {"western hemlock", 0.032},
      {"western larch", 0.069},  {"red oak", 0.081},
      {"yellow birch", 0.068},   {"black cherry", 0.097},
      {"sugar maple", 0.063},    {"white ash", 0.077},
      {"yellow poplar", 0.069},  {"eastern cottonwood", 0.052},
  };
  const std::string before = "table 5-1, ";
  for (const Species& s : all_species()) {
    SCOPED_TRACE(s.name);
    const std::string source(s.source);
    std::string wood(s.common_name);  // where the row is the wood's own
    if (const std::size_t at = source.find(before); at != std::string::npos) {
      const std::size_t start = at + before.size();
      wood = source.substr(start, source.find(';', start) - start);
    }
    const auto found = ratios.find(wood);
    ASSERT_NE(found, ratios.end()) << wood;
    EXPECT_EQ(s.shear_ratio, found->second);
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
}  // namespace thigmo::species_test
