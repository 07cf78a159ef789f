#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "grammar/derive/derivation.h"
#include "grammar/grammar.h"
#include "grammar/helpers.h"
#include "grammar/sha256.h"
#include "grammar/turtle/turtle.h"
#include "support/structure.h"

namespace thigmo::oracle_test {
namespace {

// Lengths, counts and boxes of published L-systems, computed by another program (tests/data,
// copied from the project's oracles).
nlohmann::json oracle_entries() {
  std::ifstream file(THIGMO_SOURCE_DIR "/tests/data/lsystems.json");
  return nlohmann::json::parse(file)["entries"];
}

class Oracle : public ::testing::TestWithParam<std::string> {
 protected:
  nlohmann::json entry_;
  void SetUp() override {
    for (const auto& entry : oracle_entries()) {
      if (entry["name"] == GetParam()) entry_ = entry;
    }
    ASSERT_FALSE(entry_.is_null());
  }
};

void expect_near(const Vec3& found, const nlohmann::json& wanted, const char* what) {
  // 1e-4 is the oracle's own bound, relative for the large models.
  const double scale =
      std::max({1.0, std::abs(wanted[0].get<double>()), std::abs(wanted[1].get<double>()),
                std::abs(wanted[2].get<double>())});
  EXPECT_NEAR(found.x, wanted[0].get<double>(), 1e-4 * scale) << what;
  EXPECT_NEAR(found.y, wanted[1].get<double>(), 1e-4 * scale) << what;
  EXPECT_NEAR(found.z, wanted[2].get<double>(), 1e-4 * scale) << what;
}

TEST_P(Oracle, LengthsCountsAndBox) {
  const auto grammar = parse_grammar(GetParam() + ".lsys", entry_["cpfg_text"].get<std::string>());
  ASSERT_TRUE(grammar) << to_string(grammar.diagnostics());
  const auto& expected = entry_["expected"];
  GrowOptions options{.angle_degrees = entry_["angle"].get<double>()};

  std::vector<std::int64_t> lengths;  // from the axiom on
  const auto watch = [&](const ModuleString& now, std::span<const std::int64_t>) {
    lengths.push_back(plain_length(now));
  };
  const auto watched = derive_string(grammar->program, options, {.watch = watch});
  ASSERT_TRUE(watched) << to_string(watched.diagnostics());
  EXPECT_EQ(lengths, expected["length_per_step"].get<std::vector<std::int64_t>>());

  const auto string = derive(*grammar, options);
  ASSERT_TRUE(string);
  EXPECT_EQ(plain_length(*string), expected["length"].get<std::int64_t>());
  // The oracle counts characters, so a two-character name counts under both of its characters.
  std::map<std::string, std::int64_t> counts;
  for (const char c : plain_text(*string)) ++counts[std::string(1, c)];
  EXPECT_EQ(counts, (expected["counts"].get<std::map<std::string, std::int64_t>>()));
  if (expected.contains("string")) {
    EXPECT_EQ(full_text(*string), expected["string"].get<std::string>());
  }

  EXPECT_EQ(sha256(plain_text(*string)), expected["symbols_sha256"].get<std::string>());
  const auto interpreted = drawn_text(*string, options);
  ASSERT_TRUE(interpreted);
  EXPECT_EQ(interpreted->size(), expected["interpreted_length"].get<std::size_t>());
  EXPECT_EQ(sha256(*interpreted), expected["interpreted_sha256"].get<std::string>());

  const auto growth = grow(*grammar, options);
  ASSERT_TRUE(growth) << to_string(growth.diagnostics());
  EXPECT_EQ(support::structure_error(growth->plant), "");
  const auto& turtle = expected["turtle"];
  EXPECT_EQ(growth->drawn_segments, turtle["segments"].get<std::int64_t>());
  EXPECT_NEAR(growth->drawn_length, turtle["total_length"].get<double>(),
              1e-9 * (1 + turtle["total_length"].get<double>()));
  EXPECT_EQ(growth->polygons, turtle["polygons"].get<std::int64_t>());
  EXPECT_EQ(growth->deepest_bracket, turtle["max_bracket_depth"].get<std::int64_t>());
  expect_near(growth->drawn.min, turtle["bbox_min"], "min");
  expect_near(growth->drawn.max, turtle["bbox_max"], "max");
  expect_near(growth->drawn_and_filled.min, turtle["bbox_all_min"], "min with polygons");
  expect_near(growth->drawn_and_filled.max, turtle["bbox_all_max"], "max with polygons");
  expect_near(growth->end_position, turtle["end"], "end");

  // The lean way gives the same numbers.
  const auto measured = measure(*string, options);
  ASSERT_TRUE(measured);
  EXPECT_TRUE(measured->plant.segments.empty());
  EXPECT_EQ(measured->segments, static_cast<std::int64_t>(growth->plant.segments.size()));
  EXPECT_EQ(measured->organs, static_cast<std::int64_t>(growth->plant.organs.size()));
  EXPECT_EQ(measured->drawn.min, growth->drawn.min);
  EXPECT_EQ(measured->drawn.max, growth->drawn.max);

  // The plant that the turtle leaves stands in the same box.
  if (!growth->plant.segments.empty()) {
    const Box box = bounding_box(growth->plant, rest_pose(growth->plant));
    expect_near(box.min, turtle["bbox_min"], "plant min");
    expect_near(box.max, turtle["bbox_max"], "plant max");
  }
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const auto& entry : oracle_entries()) {
    if (!entry.contains("stochastic")) names.push_back(entry["name"].get<std::string>());
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Literature, Oracle, ::testing::ValuesIn(names()),
                         [](const ::testing::TestParamInfo<std::string>& param) {
                           std::string name = param.param;
                           for (char& c : name) {
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           }
                           return name;
                         });

// The mean of F over K seeds lies within four standard errors; one in 16,000 seeds sets would not.
TEST(StochasticOracle, MeanOverSeeds) {
  for (const auto& entry : oracle_entries()) {
    if (!entry.contains("stochastic")) continue;
    const auto grammar = parse_grammar("s.lsys", entry["cpfg_text"].get<std::string>());
    ASSERT_TRUE(grammar);
    const auto& law = entry["expected"]["stochastic"];
    constexpr int seeds = 2000;
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      const auto string = derive(*grammar, {.seed = seed});
      ASSERT_TRUE(string);
      const auto count = symbol_counts(*string)["F"];
      EXPECT_GE(count, law["min_F"].get<std::int64_t>());
      EXPECT_LE(count, law["max_F"].get<std::int64_t>());
      sum += static_cast<double>(count);
      if (seed < 5) {
        EXPECT_EQ(plain_text(*string), plain_text(*derive(*grammar, {.seed = seed})));
        EXPECT_NE(plain_text(*string), plain_text(*derive(*grammar, {.seed = seed + 1})));
      }
    }
    EXPECT_NEAR(sum / seeds, law["mean_F"].get<double>(),
                4 * law["std_F"].get<double>() / std::sqrt(seeds));
  }
}

}  // namespace
}  // namespace thigmo::oracle_test
