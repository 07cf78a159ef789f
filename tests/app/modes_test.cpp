#include <gtest/gtest.h>

#include "thigmo/thigmo.h"

namespace thigmo::modes_test {
namespace {

ModesSummary modes_of_scan(const char* tree, double young, double density, const char* about) {
  const Outcome<ModesSummary> found =
      modes({.file = std::string(THIGMO_SOURCE_DIR) + "/tests/data/qsm/qsm_" + tree + ".json",
             .count = 2,
             .about = about,
             .young = young,
             .density = density,
             .poisson = 0.38});  // G = E / 2.76
  EXPECT_TRUE(found) << (found ? "" : found.error());
  return found ? *found : ModesSummary{.frequencies_hz = {0, 0}};
}

// Beam finite elements (Euler-Bernoulli, consistent mass) of the two scans of Jackson et al. 2019.
// Tf3 is given for sycamore wood, 8.4 GPa and 721 kg/m³, and for birch's 9.9 GPa and 801 kg/m³. Under
// their weight, standing as scanned: prestressed elements.
TEST(ScannedTrees, VibrateLikeTheirFiniteElementModels) {
  const struct {
    const char* tree;
    double young, density, first, standing;
  } rows[] = {{"Tf18_LeafOff", 9.9e9, 801, 0.21021, 0.13131},
              {"Tf3_LeafOff", 8.4e9, 721, 0.20720, 0.10868},
              {"Tf3_LeafOff", 9.9e9, 801, 0.21341, 0}};
  for (const auto& row : rows) {
    const ModesSummary still = modes_of_scan(row.tree, row.young, row.density, "rest");
    EXPECT_NEAR(still.frequencies_hz[0] / row.first, 1, 1e-2) << row.tree;
    EXPECT_EQ(still.sag, 0);
    // Gravity on, the scan taken as the unloaded shape as finite element models do: 12 to 40 % lower.
    const ModesSummary heavy = modes_of_scan(row.tree, row.young, row.density, "equilibrium");
    EXPECT_LT(heavy.frequencies_hz[0], 0.88 * row.first) << row.tree;
    EXPECT_GT(heavy.frequencies_hz[0], 0.60 * row.first) << row.tree;
    EXPECT_GT(heavy.sag, 1);
    // The scanned tree already stood under its weight. Its mass is then higher up than after a
    // second sagging, so that it takes away more.
    const ModesSummary standing = modes_of_scan(row.tree, row.young, row.density, "modelled");
    EXPECT_LT(standing.frequencies_hz[0], heavy.frequencies_hz[0]);
    if (row.standing > 0) {
      EXPECT_NEAR(standing.frequencies_hz[0] / row.standing, 1, 1e-2) << row.tree;
    }
    EXPECT_LT(standing.sag, 1e-6);
  }
}

}  // namespace
}  // namespace thigmo::modes_test
