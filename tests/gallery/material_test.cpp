#include <gtest/gtest.h>

#include "material/species.h"
#include "scenario/make_simulation.h"
#include "simulation/simulation.h"

namespace thigmo::material_test {
namespace {

// The modulus of the first segment of a plant whose grammar and [[plant]] table hold these lines.
double young(const std::string& grammar_line, const std::string& plant_line) {
  const auto scenario =
      parse_scenario("s.toml", "[[plant]]\ngrammar = \"p.lsys\"\n" + plant_line + "\n");
  EXPECT_TRUE(scenario);
  const auto simulation = make_simulation(*scenario, [&](std::string_view) {
    return Result<std::string>(grammar_line + "\nAxiom: F(1)\n");
  });
  EXPECT_TRUE(simulation) << to_string(simulation.diagnostics());
  const Plant& plant = simulation->plants[0].model->plant;
  return plant.materials[static_cast<std::size_t>(plant.segments[0].material)].young;
}

TEST(PlantMaterial, TheScenarioGoesBeforeTheGrammarAndTheGrammarBeforeOak) {
  EXPECT_EQ(young("material: birch", "species = \"beech\""), find_species("beech")->young);
  EXPECT_EQ(young("material: birch", ""), find_species("birch")->young);
  EXPECT_EQ(young("", ""), find_species("oak")->young);
  EXPECT_EQ(young("material: birch", "young = 5e9"), 5e9);
}

}  // namespace
}  // namespace thigmo::material_test
