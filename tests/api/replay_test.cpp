#include "thigmo/replay.h"

#include <gtest/gtest.h>

#include "support/gallery.h"
#include "support/random_edits.h"

namespace thigmo::replay_test {
namespace {

using support::RandomEdits;

constexpr double dt = 1.0 / 60;

std::string log_of(const World& world) {
  const Outcome<std::string> log = world.log();
  EXPECT_TRUE(log) << log.error();
  return log ? *log : std::string();
}

Replay replayed(const std::string& log, int threads = 1) {
  Outcome<Replay> replay = thigmo::replay(log, {.file = "w.log", .threads = threads});
  EXPECT_TRUE(replay) << replay.error();
  if (!replay) return {};
  EXPECT_FALSE(replay->differs) << to_string(*replay->differs);
  return std::move(*replay);
}

// A short log that a person can read: a rod that is grabbed, dragged, cut and blown about.
World short_story() {
  World world;
  EXPECT_TRUE(world.keep_log(2));
  const PlantId rod = *world.add(RodPlant{.segments = 4});
  const SegmentId tip = *world.tip(rod);
  const GrabId grab = *world.grab(tip, {.stiffness = 50});
  EXPECT_TRUE(world.drag(grab, {0.125, 1, 0}));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(world.step(dt));
  EXPECT_TRUE(world.cut(*world.segment(rod, 2), 0.25));
  EXPECT_TRUE(world.step(0.5));
  return world;
}

TEST(Replay, LogsCanBeRead) {
  const World world = short_story();
  const std::string log = log_of(world);
  EXPECT_EQ(log.find("thigmo log 1\nworld\n "), 0u);
  for (const char* line : {"\nplant number=0\n ", "\nadd plant=0 position=0,0,0 turn=0 gives=0:0\n",
                           "\ngrab segment=3:0 along=1 stiffness=50 damping=-1 gives=1\n",
                           "\ndrag grab=1 to=0.125,1,0\n",
                           "\nstep seconds=0.016666666666666666 times=2\nstate steps=2",
                           "\ncut segment=2:0 along=0.25 gives=1:0/0:1\n",
                           "\nstep seconds=0.5 times=1\nstate steps=4"}) {
    EXPECT_NE(log.find(line), std::string::npos) << line << log;
  }
  const Replay again = replayed(log);
  EXPECT_EQ(again.steps, 4);
  EXPECT_EQ(again.state_hash, world.state_hash());
  EXPECT_TRUE(*again.world.save() == *world.save());
}

class ReplayedGallery : public ::testing::TestWithParam<std::string> {};

// Whatever is done comes again with the same bits, on more threads; from the middle of it too, and in copies.
TEST_P(ReplayedGallery, EverythingComesAgain) {
  World world;
  ASSERT_TRUE(world.keep_log(7));
  ASSERT_TRUE(world.set_wind({.mean = {5, 0, 1}, .seed = 3, .length_scale = 10}));
  const auto grown =
      grow_plant(GrammarPlant{.file = (support::gallery_folder() / "plants" / GetParam()).string(),
                              .parameters = support::small_settings(GetParam())});
  ASSERT_TRUE(grown) << grown.error();
  ASSERT_TRUE(world.add(*grown));
  ASSERT_TRUE(world.add(*grown, {.position = {1, 0, 0}, .turn = 1}));
  ASSERT_TRUE(world.keep_account());
  ASSERT_TRUE(world.graft(*grown, *world.tip(world.plant(0)), {.turn = {0.8, 0.6, 0, 0}}));
  ASSERT_TRUE(world.add_probe("a \"probe\"\n", *world.tip(world.plant(0))));
  RandomEdits edits(11, 1.0 / 240);
  for (int i = 0; i < 60; ++i) edits.act(world);
  const World copy = world;
  ASSERT_TRUE(world.keep_log());
  for (int i = 0; i < 30; ++i) edits.act(world);
  EXPECT_TRUE(*replayed(log_of(copy), 4).world.save() == *copy.save());
  EXPECT_TRUE(*replayed(log_of(world), 2).world.save() == *world.save());
}

INSTANTIATE_TEST_SUITE_P(Plants, ReplayedGallery,
                         ::testing::Values("young_tree.lsys", "rose.lsys", "soft_tree.sbt"),
                         support::plain_name);

TEST(Replay, HundredsOfEditsComeAgain) {
#ifdef __SANITIZE_ADDRESS__
  constexpr std::uint64_t worlds = 30;
#else
  constexpr std::uint64_t worlds = 400;
#endif
  for (std::uint64_t seed = 0; seed < worlds; ++seed) {
    World world;
    ASSERT_TRUE(world.keep_log(3));
    RandomEdits edits(seed);
    for (int i = 0; i < 15; ++i) edits.act(world);
    ASSERT_TRUE(*replayed(log_of(world)).world.save() == *world.save()) << seed;
  }
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

// Where a replay goes another way is said: at which step, or at which call.
TEST(Replay, DifferencesAreFound) {
  const std::string log = log_of(short_story());
  const auto differs = [&](const std::string& what, const std::string& by) {
    const Outcome<Replay> again = replay(replaced(log, what, by), {.file = "w.log"});
    EXPECT_TRUE(again) << again.error();
    return again && again->differs ? to_string(*again->differs) : std::string();
  };
  const std::string moved = differs("to=0.125,1,0", "to=0.25,1,0");
  EXPECT_NE(moved.find("after step 2"), std::string::npos) << moved;
  EXPECT_NE(moved.find("after step 0 it was the same"), std::string::npos) << moved;
  EXPECT_NE(moved.find("w.log:"), std::string::npos) << moved;
  EXPECT_NE(differs("gives=1:0/0:1", "gives=2:0").find("gives 1:0/0:1 now"), std::string::npos);
  EXPECT_NE(differs("cut segment=2:0", "cut segment=9:0").find("no segment 9"), std::string::npos);
  EXPECT_NE(differs("times=2", "times=3").find("after step 3"), std::string::npos);
  // What is written by hand needs neither names nor states.
  const Outcome<Replay> by_hand = replay(replaced(log, " gives=0:0", ""));
  ASSERT_TRUE(by_hand);
  EXPECT_FALSE(by_hand->differs);
}

TEST(Replay, OtherTextsAreRefusedWithLineAndColumn) {
  const std::string log = log_of(short_story());
  const auto refusal = [&](const std::string& text) {
    const Outcome<Replay> again = replay(text, {.file = "w.log"});
    return again ? std::string() : again.error();
  };
  const auto changed = [&](const std::string& what, const std::string& by) {
    return refusal(replaced(log, what, by));
  };
  EXPECT_NE(refusal("").find("w.log:1:1: error: this is not a log"), std::string::npos);
  EXPECT_NE(refusal("thigmo log 1\n").find("missing"), std::string::npos);
  EXPECT_NE(refusal("thigmo log 1\nworld\n").find("w.log:2"), std::string::npos);
  EXPECT_NE(refusal("thigmo log 1\nworld\n AAAA\n").find("snapshot"), std::string::npos);
  EXPECT_NE(refusal("thigmo log 1\nworld\n A*AA\n").find("base64"), std::string::npos);
  EXPECT_NE(changed("grab segment", "grip segment").find("no call 'grip'"), std::string::npos);
  EXPECT_NE(changed("stiffness=50", "stiffness=nan").find("'nan' is no value of 'stiffness'"),
            std::string::npos);
  EXPECT_NE(changed("stiffness=50 ", "").find("'stiffness' is missing"), std::string::npos);
  EXPECT_NE(changed("0.125,1,0", "0.125,1").find("no value of 'to'"), std::string::npos);
  EXPECT_NE(changed("0.125,1,0", "0.125,1,0,0").find("no value of 'to'"), std::string::npos);
  EXPECT_NE(changed("0.125,1,0", "0.125,1,0 more=1").find("more in this line"), std::string::npos);
  EXPECT_NE(changed("segment=3:0", "segment=3").find("no value of 'segment'"), std::string::npos);
  EXPECT_NE(changed("times=2", "times=-2").find("no value of 'times'"), std::string::npos);
  EXPECT_NE(changed("hash=", "hash=x").find("no value of 'hash'"), std::string::npos);
  const std::string place = changed("drag grab=1", "drag grab=one");
  const std::size_t line = static_cast<std::size_t>(
      std::count(log.begin(), log.begin() + static_cast<std::ptrdiff_t>(log.find("drag")), '\n'));
  EXPECT_EQ(place.find("w.log:" + std::to_string(line + 1) + ":11: error"), 0u) << place;
}

// Texts that were cut short or garbled come to an answer.
TEST(Replay, GarbledTextsComeToAnAnswer) {
  const std::string log = log_of(short_story());
  const std::size_t calls = log.find("\ngrab");
  for (std::size_t at = 0; at < log.size(); at += at < calls ? 97 : 1) {
    static_cast<void>(replay(log.substr(0, at)));
    std::string garbled = log;
    garbled[at] = static_cast<char>(garbled[at] ^ 0x03);
    // A step of 1e9 times takes its time.
    if (garbled.find("times=2") == std::string::npos || at < calls) continue;
    static_cast<void>(replay(garbled));
  }
}

TEST(Replay, WorldsWithoutALogSaySo) {
  World world;
  const auto none = world.log();
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().find("keep_log"), std::string::npos);
  EXPECT_FALSE(world.keep_log(-1));
}

// What is refused has changed nothing, and is in no log.
TEST(Replay, RefusedCallsAreNotLogged) {
  World world;
  ASSERT_TRUE(world.keep_log());
  const std::string before = log_of(world);
  EXPECT_FALSE(world.cut(SegmentId{}));
  EXPECT_FALSE(world.set_gravity({1 / 0.0, 0, 0}));
  EXPECT_FALSE(world.step(-1));
  EXPECT_EQ(log_of(world), before);
}

TEST(Replay, CanBeCancelled) {
  const std::atomic<bool> cancel = true;
  const Outcome<Replay> again = replay(log_of(short_story()), {.cancel = &cancel});
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->cancelled);
  EXPECT_EQ(again->steps, 0);
}

}  // namespace
}  // namespace thigmo::replay_test
