#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <limits>

#include "api/world.h"
#include "scenario/make_simulation.h"
#include "support/gallery.h"
#include "support/random_edits.h"
#include "thigmo/world.h"

// Worlds that are saved, restored and copied in the middle of all that may be done to them.

namespace thigmo::saved_worlds_test {
namespace {

using support::RandomEdits;

World restored(const std::string& bytes) {
  Outcome<World> world = World::restore(bytes);
  EXPECT_TRUE(world) << (world ? "" : world.error());
  return world ? std::move(*world) : World{};
}

std::string saved(const World& world) {
  const Outcome<std::string> bytes = world.save();
  EXPECT_TRUE(bytes);
  return bytes ? *bytes : std::string();
}

World with_gallery_plant(const std::string& name) {
  World world;
  EXPECT_TRUE(world.set_wind({.mean = {5, 0, 1}, .seed = 3, .length_scale = 10}));
  const auto plant = world.add({.file = (support::gallery_folder() / "plants" / name).string(),
                                .parameters = support::small_settings(name)});
  EXPECT_TRUE(plant) << plant.error();
  return world;
}

class SavedGallery : public ::testing::TestWithParam<std::string> {};

// At any moment, whatever is held, blows and was cut: what is restored is saved as the same bytes, and goes on with
// the same bits on other numbers of threads.
TEST_P(SavedGallery, GoesOnWithTheSameBits) {
  World world = with_gallery_plant(GetParam());
  ASSERT_TRUE(world.add(RodPlant{.segments = 12, .position = {0.3, 0, 0}}));
  ASSERT_TRUE(world.keep_account());
  RandomEdits edits(7, 1.0 / 240);
  for (const int threads : {2, 4}) {
    for (int i = 0; i < 40; ++i) edits.act(world);
    const std::string bytes = saved(world);
    World again = restored(bytes), copy = world;
    ASSERT_TRUE(saved(again) == bytes);
    EXPECT_EQ(again.state_hash(), world.state_hash());
    RandomEdits same = edits, once_more = edits;
    for (int i = 0; i < 25; ++i) {
      const std::string done = edits.act(world);
      ASSERT_EQ(same.act(again, threads), done);
      ASSERT_EQ(once_more.act(copy), done);
      ASSERT_EQ(again.state_hash(), world.state_hash()) << done;
    }
    EXPECT_TRUE(saved(again) == saved(world));
    EXPECT_TRUE(saved(copy) == saved(world));
  }
}

INSTANTIATE_TEST_SUITE_P(Plants, SavedGallery,
                         ::testing::Values("young_tree.lsys", "rose.lsys", "soft_bamboo.sbt",
                                           "broad_leaf.lsys"),
                         support::plain_name);

// A wind that is just coming up, and one that was set and has not blown yet.
TEST(SavedWorlds, WindsGoOnComingUp) {
  World world = with_gallery_plant("young_tree.lsys");
  const auto step = [](World& w) { ASSERT_TRUE(w.step(1.0 / 60)); };
  for (int i = 0; i < 5; ++i) step(world);
  const PlantId plant = world.plant(0);
  const Numbers3 there{0.2, 0.7, 0.1};
  for (const double mean : {9.0, 0.5}) {
    ASSERT_TRUE(world.set_wind({.mean = {0, 0, mean}, .seed = 8, .ease = 0.5}));
    for (const int steps : {0, 7}) {
      for (int i = 0; i < steps; ++i) step(world);
      World again = restored(saved(world));
      EXPECT_EQ(again.air_velocity(plant, there), world.air_velocity(plant, there));
      for (int i = 0; i < 4; ++i) {
        step(world);
        step(again);
      }
      EXPECT_EQ(again.air_velocity(plant, there), world.air_velocity(plant, there));
      EXPECT_EQ(again.state_hash(), world.state_hash());
    }
  }
}

// So do winds that change by keys, uniform ones and gusts.
TEST(SavedWorlds, WindsByKeysGoOn) {
  for (const char* kind : {"uniform", "gusty"}) {
    const std::string text =
        std::string("[[plant]]\nkind = \"rod\"\nsegments = 6\n[wind]\nkind = \"") + kind +
        "\"\nmean = { keys = [[0, 1, 0, 0], [1, 6, 0, 0]] }\n";
    const Result<Scenario> scenario = parse_scenario("keys.toml", text);
    ASSERT_TRUE(scenario) << to_string(scenario.diagnostics());
    Result<Simulation> simulation = make_simulation(*scenario, {});
    ASSERT_TRUE(simulation) << to_string(simulation.diagnostics());
    World world = WorldAccess::world_of(std::move(*simulation));
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(world.step(1.0 / 60));
    World again = restored(saved(world));
    const PlantId plant = world.plant(0);
    EXPECT_GT(world.air_velocity(plant, {0, 0.5, 0})[0], 1);
    EXPECT_EQ(again.air_velocity(plant, {0, 0.5, 0}), world.air_velocity(plant, {0, 0.5, 0}));
    EXPECT_TRUE(saved(again) == saved(world));
    for (World* one : {&world, &again}) {
      for (int i = 0; i < 20; ++i) ASSERT_TRUE(one->step(1.0 / 60));
      // What blew is what the next wind comes up from.
      ASSERT_TRUE(one->set_wind({.mean = {0, 0, 4}}));
      for (int i = 0; i < 20; ++i) ASSERT_TRUE(one->step(1.0 / 60));
    }
    EXPECT_TRUE(saved(again) == saved(world)) << kind;
  }
}

// What is asked between steps has the same answers: of what acted last, too.
TEST(SavedWorlds, AnswersAreTheSame) {
  World world;
  const PlantId rod = *world.add(RodPlant{.segments = 10, .stands_as_modelled = true});
  const SegmentId fifth = *world.segment(rod, 5), eighth = *world.segment(rod, 8);
  ASSERT_TRUE(world.push(eighth, {.force = {1, 0, 0}}));
  ASSERT_TRUE(world.grab(fifth));
  ASSERT_TRUE(world.step(0.01));
  // The force and the grab go with the piece.
  const PlantId piece = world.cut(*world.segment(rod, 3))->pieces[0];
  World again = restored(saved(world));
  for (const PlantId plant : {rod, piece}) {
    const std::size_t n = world.segments(plant)->size();
    std::vector<SectionLoad> here(n), there(n);
    ASSERT_TRUE(world.section_loads(plant, here));
    ASSERT_TRUE(again.section_loads(plant, there));
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(here[i].force, there[i].force);
  }
  std::vector<SectionLoad> of_piece(7);
  ASSERT_TRUE(world.section_loads(piece, of_piece));
  EXPECT_NEAR(of_piece.back().force[0], 0, 0.05);
  EXPECT_EQ(again.events().size(), world.events().size());
  EXPECT_EQ(again.events().back().segment, world.events().back().segment);
  EXPECT_EQ(again.time(), world.time());
  EXPECT_EQ(again.substeps(), world.substeps());
}

// Five hundred plants of one model are written as one model and five hundred states, and share it again.
TEST(SavedWorlds, SharedModelsStayShared) {
  World world = with_gallery_plant("young_tree.lsys");
  const std::size_t one = saved(world).size();
  std::vector<Placing> places(49, Placing{.position = {1, 0, 0}});
  ASSERT_TRUE(world.add_instances(world.plant(0), places));
  const std::string bytes = saved(world);
  const std::size_t segments = world.segment_count() / 50;
  EXPECT_LT(bytes.size(), one + 49 * (900 + 80 * segments));
  World again = restored(bytes);
  EXPECT_TRUE(saved(again) == bytes);
  // An edit of one of them leaves the others as they are.
  ASSERT_TRUE(again.cut(*again.segment(again.plant(7), 3)));
  EXPECT_EQ(again.segments(again.plant(8))->size(), segments);
}

// A plant that comes later is moved along its path as one that was there from the start.
TEST(SavedWorlds, PlantsThatComeLaterKeepTime) {
  World world;
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(world.step(1.0 / 60));
  const PlantId rod = *world.add(RodPlant{.segments = 4});
  ASSERT_TRUE(world.move_root(rod, {.position = {1, 0, 0}, .rotation = {1, 0, 0, 0}}, 1));
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(world.step(1.0 / 60));
  World again = restored(saved(world));
  EXPECT_NEAR(again.transforms(rod)[0].position[0], 0.5, 1e-9);
  for (int i = 0; i < 31; ++i) {
    ASSERT_TRUE(world.step(1.0 / 60));
    ASSERT_TRUE(again.step(1.0 / 60));
  }
  EXPECT_NEAR(again.transforms(rod)[0].position[0], 1, 1e-9);
  EXPECT_EQ(again.state_hash(), world.state_hash());
}

TEST(SavedWorlds, AnEmptyWorldIsOneToo) {
  World world;
  ASSERT_TRUE(world.set_gravity({0, -1.62, 0}));
  World again = restored(saved(world));
  EXPECT_EQ(again.plant_count(), 0u);
  EXPECT_TRUE(again.add(RodPlant{}));
  EXPECT_TRUE(again.step(0.01));
}

TEST(SavedWorlds, OtherBytesAreRefused) {
  World world = with_gallery_plant("young_tree.lsys");
  const std::string bytes = saved(world);
  const auto message = [](const std::string& bad) {
    const Outcome<World> read = World::restore(bad);
    return read ? std::string() : read.error();
  };
  EXPECT_NE(message("").find("not a snapshot"), std::string::npos);
  EXPECT_NE(message("garbage of some length").find("not a snapshot"), std::string::npos);
  EXPECT_NE(message(bytes.substr(0, 20)).find("cut short"), std::string::npos);
  for (std::size_t at = 32; at < bytes.size(); at += bytes.size() / 50) {
    std::string bad = bytes;
    bad[at] = static_cast<char>(bad[at] ^ 0x04);
    EXPECT_NE(message(bad).find("damaged"), std::string::npos) << at;
    EXPECT_NE(message(bytes.substr(0, at)), "") << at;
  }
}

// Sequences of ten things and more, of thousands of small worlds: no name of what is gone is accepted, no number is
// none, no mass is lost, and what is saved can be restored. Under the sanitizers fewer of them, unless
// THIGMO_EDIT_SEQUENCES says how many.
TEST(SavedWorlds, ThousandsOfEditsKeepTheirPromises) {
#ifdef __SANITIZE_ADDRESS__
  std::uint64_t sequences = 300;
#else
  std::uint64_t sequences = 10'000;
#endif
  if (const char* wanted = std::getenv("THIGMO_EDIT_SEQUENCES")) {
    sequences = std::strtoull(wanted, nullptr, 10);
  }
  int grafts = 0, restores = 0;
  for (std::uint64_t seed = 0; seed < sequences; ++seed) {
    World world;
    RandomEdits edits(seed);
    for (int i = 0; i < 12; ++i) {
      const std::string done = edits.act(world);
      if (done == "graft" || done == "cut and graft") ++grafts;
      ASSERT_LE(edits.lost_mass(), 1e-9) << seed << ": " << done;
    }
    for (const SegmentId id : edits.gone()) ASSERT_FALSE(world.holds(id)) << seed;
    for (const PlantId id : edits.gone_plants()) ASSERT_FALSE(world.holds(id)) << seed;
    for (const PlantId plant : world.plants()) {
      for (const Transform& t : world.transforms(plant)) {
        ASSERT_TRUE(std::isfinite(t.position[0] + t.position[1] + t.position[2])) << seed;
      }
    }
    if (seed % 10 != 0) continue;
    ++restores;
    World again = restored(saved(world));
    for (const SegmentId id : edits.gone()) ASSERT_FALSE(again.holds(id)) << seed;
    RandomEdits same = edits;
    for (int i = 0; i < 4; ++i) ASSERT_EQ(same.act(again), edits.act(world)) << seed;
    ASSERT_TRUE(saved(again) == saved(world)) << seed;
  }
  EXPECT_GT(grafts, static_cast<int>(sequences / 10));
  EXPECT_GT(restores, 0);
}

}  // namespace
}  // namespace thigmo::saved_worlds_test
