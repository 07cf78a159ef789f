#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "mechanics/statics/equilibrium.h"
#include "mechanics/statics/section_forces.h"
#include "scenario/make_simulation.h"
#include "simulation/simulation.h"

// A modelled plant already stands under gravity: it must neither sag nor fall when time begins.

namespace thigmo::stillness_test {
namespace {

namespace fs = std::filesystem;

const fs::path plants_folder = fs::path(THIGMO_SOURCE_DIR) / "gallery" / "plants";

// Sanitizers make steps some ten times slower; a pose that is no equilibrium moves at once.
#ifdef __SANITIZE_ADDRESS__
constexpr int steps = 60;
#else
constexpr int steps = 600;
#endif

std::vector<std::string> plant_files() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(plants_folder)) {
    files.push_back(entry.path().filename().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of(const std::string& file) {
  std::ifstream stream(plants_folder / file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

// What a scenario runs that names nothing but the grammar and some of its constants, "A=1 B=2".
Simulation simulation_of(const std::string& file, const std::string& settings = "") {
  const std::string list = std::regex_replace(settings, std::regex(" "), ", ");
  const auto scenario = parse_scenario(
      "s.toml", "[[plant]]\ngrammar = \"" + file + "\"\nparameters = { " + list + " }\n");
  EXPECT_TRUE(scenario) << settings;
  auto simulation = make_simulation(
      *scenario, [&](std::string_view) { return Result<std::string>(text_of(file)); });
  EXPECT_TRUE(simulation) << to_string(simulation.diagnostics());
  return std::move(*simulation);
}

std::string name_of(const ::testing::TestParamInfo<std::string>& file) {
  return file.param.substr(0, file.param.find('.'));
}

class GalleryStillness : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Gallery, GalleryStillness, ::testing::ValuesIn(plant_files()), name_of);

// Ten seconds of still air, in full size. An unstable pose would leave exponentially, so that every
// tenth of a second is often enough to look.
TEST_P(GalleryStillness, NothingMovesByAMillionthOfTheHeight) {
  Simulation simulation = simulation_of(GetParam());
  const SimulatedPlant& plant = simulation.plants[0];
  const Pose before = pose_of(plant.model->mechanism, plant.state);
  const double height = bounding_box(plant.model->plant, before).max.y;
  double largest = 0;
  for (int i = 1; i <= steps; ++i) {
    step(simulation, 1.0 / 60, 1);
    if (i % 6 != 0) continue;
    const Pose now = pose_of(plant.model->mechanism, plant.state);
    for (std::size_t k = 0; k < now.base_world.size(); ++k) {
      const Vec3 tip{0, plant.model->plant.segments[k].length, 0};
      const Vec3 moved = now.base_world[k] + rotate(now.world_from_segment[k], tip) -
                         before.base_world[k] - rotate(before.world_from_segment[k], tip);
      largest = std::max(largest, length(moved));
    }
  }
  EXPECT_LT(largest, 1e-6 * height);
}

// Standing still for ten seconds is not enough: a pencil on its tip does so too. Every deflection must
// take energy, and the wood must bear its own leaves and fruits.
void expect_stable(const std::string& file, const std::string& settings) {
  SCOPED_TRACE(file + " " + settings);
  Simulation simulation = simulation_of(file, settings);
  SimulatedPlant& plant = simulation.plants[0];
  const Loads loads{.gravity_world = simulation.gravity_world};
  const Pose pose = pose_of(plant.model->mechanism, plant.state);
  double safety = 1e9;
  for (const SegmentForces& forces :
       section_forces(plant.model->plant, plant.model->mechanism, loads, pose)) {
    safety = std::min(safety, forces.safety);
  }
  EXPECT_GT(safety, 1.5);
  const EquilibriumReport report = find_equilibrium(plant.model->mechanism, loads, {}, plant.state);
  EXPECT_TRUE(report.converged);
  EXPECT_TRUE(report.stable);
  EXPECT_EQ(report.negative_directions, 0);
}

TEST_P(GalleryStillness, ThePoseIsStableAndTheWoodHoldsInEverySize) {
  expect_stable(GetParam(), "");
  const std::string text = text_of(GetParam());
  std::smatch sizes;
  if (std::regex_search(text, sizes, std::regex("Sizes: small (.*), large (.*) \\*/"))) {
    expect_stable(GetParam(), sizes[1]);
    expect_stable(GetParam(), sizes[2]);
  } else {
    EXPECT_NE(GetParam().find(".sbt"), std::string::npos) << "no sizes in " << GetParam();
  }
}

}  // namespace
}  // namespace thigmo::stillness_test
