#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mechanics/mechanism.h"

namespace thigmo {

// The most bodies that a processor moves side by side.
inline constexpr Index most_lanes = 8;

// Up to `width` bodies whose numbers lie side by side. In most packs none is another's ancestor; in a
// serial one parents stand before their children, and what runs along the plant goes from lane to lane.
struct Pack {
  std::array<Index, most_lanes> body{};         // lanes beyond `filled` repeat lane 0
  std::array<Index, most_lanes> parent_pack{};  // -1: on the base
  std::array<Index, most_lanes> parent_lane{};
  int filled = 0;
  Index foot = no_index;  // into Schedule::feet, where the parents are of another block or the base
  // Where all parents are in two packs: these, and each lane's place in the two side by side; -1: they
  // are not.
  std::array<Index, 2> two_parents{no_index, no_index};
  std::array<std::int8_t, most_lanes> place{};
  Index first_round = 0;  // the rounds in which it hands on what it carries; none: lane by lane
  Index rounds = 0;
  bool serial = false;
  bool on_base = false;  // all lanes stand on the base (packs do not mix, but for serial ones)
  bool aligned = false;  // the parents are one pack, lane for lane
};

// Children handing something to the parents in one pack, at most one child to each.
struct Round {
  Index parent_pack = 0;
  std::array<std::int8_t, most_lanes>
      from{};  // the child's lane, by parent's lane; most_lanes: none
};

// A run of packs that fits the cache together: whole subtrees, one after the other or side by side.
struct Block {
  Index begin = 0, end = 0;  // packs
};

// The order in which bodies are moved. Within a block parents come first; the first block
// holds what stays near the trunk, nothing for a small plant, and only it has bodies of other blocks
// beyond it. Blocks other than the first are independent of each other.
struct Schedule {
  int width = 4;  // lanes of a pack: 4 or 8
  std::vector<Pack> packs;
  std::vector<Block> blocks;
  std::vector<Index> feet;  // packs at the foot of all blocks but the first
  std::vector<Round> rounds;
  std::vector<Index> slot;  // of each body: pack * most_lanes + lane
};

// Level by level in packs of eight or four, where the plant is wide enough to fill them, else in serial
// packs.
Schedule make_schedule(const Mechanism& mechanism, int widest);
Schedule make_schedule(const Mechanism& mechanism, int width, bool serial);

}  // namespace thigmo
