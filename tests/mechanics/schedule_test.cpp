#include "mechanics/schedule/schedule.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "mechanics/compile/compile_mechanism.h"
#include "mechanics/schedule/per_body.h"
#include "support/plants.h"

namespace thigmo::schedule_test {
namespace {

// Every body is in one lane, and finds its parent there.
TEST(Schedule, KnowsEveryBodyAndItsParent) {
  const Mechanism mechanism = compile_mechanism(support::random_tree(5000, 2));
  for (const auto& [width, serial] : {std::pair{2, false},
                                      {4, false},
                                      {8, false},
                                      {16, false},
                                      {4, true},
                                      {8, true},
                                      {16, true}}) {
    const Schedule schedule = make_schedule(mechanism, width, serial);
    const auto lanes = static_cast<std::size_t>(width);
    std::vector<int> seen(mechanism.body.size(), 0);
    for (std::size_t k = 0; k < schedule.packs.size(); ++k) {
      const Pack& pack = schedule.packs[k];
      for (std::size_t lane = 0; lane < static_cast<std::size_t>(pack.filled); ++lane) {
        const Lane& own = schedule.lanes[k * lanes + lane];
        const auto body = static_cast<std::size_t>(own.body);
        ++seen[body];
        EXPECT_EQ(schedule.slot[body], static_cast<Index>(k * lanes + lane));
        const Index parent = mechanism.parent[body];
        if (parent == no_index) continue;
        const Index slot = schedule.slot[static_cast<std::size_t>(parent)];
        EXPECT_EQ(own.parent_pack, slot / width);
        EXPECT_EQ(own.parent_lane, slot % width);
        EXPECT_LT(serial ? slot : slot / width,
                  serial ? schedule.slot[body] : static_cast<Index>(k));
        if (pack.aligned) {
          EXPECT_EQ(pack.parents[0], slot / width);
        }
        if (pack.parents[0] != no_index && !pack.aligned) {
          const Index place = schedule.places[k * lanes + lane];
          EXPECT_EQ(pack.parents[place < width ? 0 : 1], slot / width);
          EXPECT_EQ(place % width, slot % width);
        }
      }
      // The rounds hand every child to its own parent, once.
      std::vector<int> handed(lanes, 0);
      for (Index i = 0; i < pack.rounds; ++i) {
        const auto round = static_cast<std::size_t>(pack.first_round + i);
        for (std::size_t to = 0; to < lanes; ++to) {
          const std::size_t from = schedule.from[round * lanes + to];
          if (from == lanes) continue;
          ++handed[from];
          const Lane& child = schedule.lanes[k * lanes + from];
          EXPECT_EQ(child.parent_pack, schedule.rounds[round].parent_pack);
          EXPECT_EQ(child.parent_lane, static_cast<Index>(to));
        }
      }
      for (int lane = 0; pack.rounds > 0 && lane < pack.filled; ++lane) {
        EXPECT_EQ(handed[static_cast<std::size_t>(lane)], 1);
      }
    }
    for (const int count : seen) EXPECT_EQ(count, 1);
  }
}

// What was said of a body is found again, in any order of the lanes.
TEST(PerBody, KeepsItsValuesInAnySchedule) {
  const Mechanism mechanism = compile_mechanism(support::random_tree(500, 3));
  PerBody<Vec3> vectors(mechanism.body.size());
  PerBody<double, float> numbers(mechanism.body.size());
  const auto vector = [](std::size_t i) {
    const auto x = static_cast<double>(i);
    return Vec3{x, 0.5 * x, -x};
  };
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) vectors.set(i, vector(i));
  for (const int width : {2, 4, 8, 16}) {
    const auto schedule = std::make_shared<Schedule>(make_schedule(mechanism, width, false));
    vectors.arrange(schedule);
    numbers.arrange(schedule);
    for (std::size_t i = 0; i < mechanism.body.size(); ++i)
      numbers.set(i, static_cast<double>(width) * static_cast<double>(i));
    for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
      EXPECT_EQ(vectors[i], vector(i)) << width;
      EXPECT_EQ(numbers[i], static_cast<double>(width) * static_cast<double>(i));
    }
  }
}

}  // namespace
}  // namespace thigmo::schedule_test
