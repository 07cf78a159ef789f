#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mechanics/model/mechanism.h"

namespace thigmo {

// Packs of fewer lanes than this exchange with their parents lane by lane: shuffles do not pay there.
inline constexpr int least_shuffled_lanes = 8;

// One lane of a pack: its body, and where the body's parent is.
struct Lane {
  Index body = 0;
  Index parent_pack = no_index;  // -1: on the root
  Index parent_lane = no_index;
};

// Bodies whose numbers lie side by side, as many as the schedule has lanes. In most packs none is another's
// ancestor; in a serial one parents stand before their children, and what runs along the plant goes from
// lane to lane.
struct Pack {
  int filled = 0;  // lanes beyond repeat lane 0
  Index boundary =
      no_index;  // into Schedule::boundaries, where the parents are of another block or the root
  // The packs that all parents are in, where those are one or two, and shuffles reach them; -1: they are
  // not. Schedule::places has each lane's place in the two side by side.
  std::array<Index, 2> parents{no_index, no_index};
  Index first_round = 0;  // the rounds in which it hands on what it carries; none: lane by lane
  Index rounds = 0;
  bool serial = false;
  bool on_root = false;  // all lanes stand on the root (packs do not mix, but for serial ones)
  bool aligned = false;  // the parents are one pack, parents[0], lane for lane
};

// Children handing something to the parents in one pack, at most one child to each. Schedule::from has
// the child's lane by parent's lane; the number of lanes: none.
struct Round {
  Index parent_pack = 0;
};

// A run of packs that fits the cache together: whole subtrees, one after the other or side by side.
struct Block {
  Index begin = 0, end = 0;  // packs
};

// The order in which bodies are moved. Within a block parents come first; the first block
// holds what stays near the trunk, nothing for a small plant, and only it has bodies of other blocks
// beyond it. Blocks other than the first are independent of each other.
struct Schedule {
  int width = 4;  // lanes of a pack: a power of two, up to 128
  std::vector<Pack> packs;
  std::vector<Lane> lanes;           // `width` for each pack
  std::vector<std::uint8_t> places;  // for each lane; see Pack::parents
  std::vector<Block> blocks;
  std::vector<Index> boundaries;  // packs at the boundary of all blocks but the first
  std::vector<Round> rounds;
  std::vector<std::uint8_t> from;  // `width` for each round
  std::vector<Index> slot;         // of each body: pack * width + lane
};

// A schedule as plain arrays.
struct ScheduleView {
  const Pack* packs = nullptr;
  const Lane* lanes = nullptr;
  const std::uint8_t* places = nullptr;
  const Block* blocks = nullptr;
  const Index* boundaries = nullptr;
  const Round* rounds = nullptr;
  const std::uint8_t* from = nullptr;
  const Index* slot = nullptr;
  Index pack_count = 0, block_count = 0, boundary_count = 0;
};
ScheduleView view_of(const Schedule& schedule);

// Level by level in packs of `widest` lanes, or of half as many down to four, where the plant is wide enough
// to fill them, else in serial packs.
Schedule make_schedule(const Mechanism& mechanism, int widest);
Schedule make_schedule(const Mechanism& mechanism, int width, bool serial);

}  // namespace thigmo
