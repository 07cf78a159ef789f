#include "mechanics/schedule/schedule.h"

#include <algorithm>
#include <optional>

#include "base/assert.h"

namespace thigmo {
namespace {

// Bodies of a block: its scratch (about 0.5 kB a body) should stay in a core's cache; the larger a
// block, the fewer of its lanes are empty.
constexpr Index block_bodies = 1536;

// What packs cost, full or not, and a body of a serial pack, measured on oaks and rods; a body of a full
// pack of eight is 1.
constexpr double serial_cost = 2.3;
double cost_of_pack(int width) {
  if (width == 4) return 5.2;
  return 2.4 +
         0.7 * width;  // 8 for eight; others were not measured, and lie on the line through both
}
// Not worth looking for better.
constexpr double good_cost = 1.1;

// More rounds than this cost more than lanes one by one.
constexpr int most_rounds = 4;

// Children of every body, in order.
struct Children {
  std::vector<Index> first, next;  // linked lists
};

Children find_children(const Mechanism& mechanism) {
  Children children{.first = std::vector<Index>(mechanism.body.size(), no_index),
                    .next = std::vector<Index>(mechanism.body.size(), no_index)};
  for (Index i = body_count(mechanism); i-- > 0;) {
    const Index parent = at(mechanism.parent, i);
    if (parent == no_index) continue;
    at(children.next, i) = at(children.first, parent);
    at(children.first, parent) = i;
  }
  return children;
}

class Builder {
 public:
  Builder(const Mechanism& mechanism, int width, bool serial)
      : mechanism_(mechanism), children_(find_children(mechanism)), serial_(serial) {
    schedule_.width = width;
    schedule_.slot.assign(mechanism.body.size(), no_index);
  }

  Schedule build() {
    const std::vector<Index>& sizes = mechanism_.subtree_size;
    // Whole subtrees small enough for a block are cut off what is left as the first block.
    std::vector<Index> cut, boundary;
    for (Index i = 0; i < body_count(mechanism_);) {
      if (at(sizes, i) <= block_bodies) {
        cut.push_back(i);
        i += at(sizes, i);
      } else {
        if (at(mechanism_.parent, i) == no_index) boundary.push_back(i);
        ++i;
      }
    }
    std::vector<bool> is_cut(mechanism_.body.size(), false);
    for (Index i : cut) at(is_cut, i) = true;
    add_block(boundary, is_cut);
    for (std::size_t next = 0; next < cut.size();) {
      std::vector<Index> together;
      Index bodies = 0;
      while (next < cut.size() &&
             (together.empty() || bodies + sizes[as_size(cut[next])] <= block_bodies)) {
        bodies += sizes[as_size(cut[next])];
        together.push_back(cut[next++]);
      }
      const std::vector<bool> none;
      add_block(together, none);
      const Block& block = schedule_.blocks.back();
      for (Index k = block.begin; k < block.end; ++k) {
        Pack& pack = at(schedule_.packs, k);
        const Lane* lanes = lanes_of(k);
        const auto outside = [&block](const Lane& l) { return l.parent_pack < block.begin; };
        if (std::none_of(lanes, lanes + pack.filled, outside)) continue;
        pack.boundary = static_cast<Index>(schedule_.boundaries.size());
        schedule_.boundaries.push_back(k);
      }
    }
    find_exchanges();
    return std::move(schedule_);
  }

 private:
  const Lane* lanes_of(Index pack) const {
    return &schedule_.lanes[as_size(pack) * as_size(schedule_.width)];
  }

  // How the lanes of packs meet their parents' lanes.
  void find_exchanges() {
    schedule_.places.assign(schedule_.lanes.size(), 0);
    if (schedule_.width < least_shuffled_lanes) return;
    for (Index k = 0; k < static_cast<Index>(schedule_.packs.size()); ++k) {
      const Pack& pack = at(schedule_.packs, k);
      if (pack.serial || pack.on_root || pack.aligned) continue;
      if (find_places(k)) find_rounds(k);
    }
  }

  // Whether the parents are in two packs at most.
  bool find_places(Index k) {
    const int width = schedule_.width;
    const Lane* lanes = lanes_of(k);
    std::array<Index, 2> two{lanes[0].parent_pack, lanes[0].parent_pack};
    for (int l = 0; l < width; ++l) {
      const Index parent = lanes[l].parent_pack;
      if (parent != two[0] && two[1] == two[0]) two[1] = parent;
      if (parent != two[0] && parent != two[1]) return false;
      schedule_.places[as_size(k * width + l)] =
          static_cast<std::uint8_t>(lanes[l].parent_lane + (parent == two[0] ? 0 : width));
    }
    at(schedule_.packs, k).parents = two;
    return true;
  }

  // Each child joins the first round that has nothing for its parent yet.
  void find_rounds(Index k) {
    Pack& pack = at(schedule_.packs, k);
    const auto width = as_size(schedule_.width);
    const auto none = static_cast<std::uint8_t>(width);
    const Lane* lanes = lanes_of(k);
    std::vector<Round> rounds;
    std::vector<std::uint8_t> from;
    for (int l = 0; l < pack.filled; ++l) {
      const Lane& lane = lanes[l];
      std::size_t round = 0;
      while (round < rounds.size() && (rounds[round].parent_pack != lane.parent_pack ||
                                       from[round * width + as_size(lane.parent_lane)] != none)) {
        ++round;
      }
      if (round == rounds.size()) {
        rounds.push_back({.parent_pack = lane.parent_pack});
        from.insert(from.end(), width, none);
      }
      from[round * width + as_size(lane.parent_lane)] = static_cast<std::uint8_t>(l);
    }
    if (static_cast<int>(rounds.size()) > most_rounds) return;
    pack.first_round = static_cast<Index>(schedule_.rounds.size());
    pack.rounds = static_cast<Index>(rounds.size());
    schedule_.rounds.insert(schedule_.rounds.end(), rounds.begin(), rounds.end());
    schedule_.from.insert(schedule_.from.end(), from.begin(), from.end());
  }

  // Packs the subtrees of `roots`, stopping before bodies that are cut off.
  void add_block(const std::vector<Index>& roots, const std::vector<bool>& is_cut) {
    const auto begin = static_cast<Index>(schedule_.packs.size());
    if (serial_) {
      add_serial_packs(roots, is_cut);
    } else {
      add_levels(roots, is_cut);
    }
    schedule_.blocks.push_back({.begin = begin, .end = static_cast<Index>(schedule_.packs.size())});
  }

  void add_serial_packs(const std::vector<Index>& roots, const std::vector<bool>& is_cut) {
    std::vector<Index> bodies, packs;
    const auto flush = [&] {
      add_pack(bodies, packs);
      bodies.clear();
    };
    for (const Index root : roots) {
      for (Index i = root; i < root + at(mechanism_.subtree_size, root);) {
        if (!is_cut.empty() && at(is_cut, i)) {
          i += at(mechanism_.subtree_size, i);
          continue;
        }
        bodies.push_back(i++);
        if (static_cast<int>(bodies.size()) == schedule_.width) flush();
      }
    }
    if (!bodies.empty()) flush();
  }

  void add_levels(const std::vector<Index>& roots, const std::vector<bool>& is_cut) {
    std::vector<Index> level_packs;  // packs of the level before
    std::vector<Index> loose = roots;
    pack_loose(loose, level_packs);
    while (!level_packs.empty()) {
      std::vector<Index> next_packs;
      loose.clear();
      for (Index pack : level_packs) add_children_of(pack, is_cut, next_packs, loose);
      pack_loose(loose, next_packs);
      level_packs = std::move(next_packs);
    }
  }

  // The k-th children of all lanes of a pack make an aligned pack; where not every lane has one, they
  // are left to be packed with others.
  void add_children_of(Index pack_number, const std::vector<bool>& is_cut,
                       std::vector<Index>& next_packs, std::vector<Index>& loose) {
    const int filled = at(schedule_.packs, pack_number).filled;
    std::vector<Index> child(as_size(filled), no_index);
    const auto skip_cut = [&](Index i) {
      while (i != no_index && !is_cut.empty() && at(is_cut, i)) i = at(children_.next, i);
      return i;
    };
    for (int l = 0; l < filled; ++l)
      at(child, l) = skip_cut(children_.first[as_size(lanes_of(pack_number)[l].body)]);
    while (true) {
      std::vector<Index> row;
      for (Index& c : child) {
        if (c == no_index) continue;
        row.push_back(c);
        c = skip_cut(at(children_.next, c));
      }
      if (row.empty()) return;
      if (static_cast<int>(row.size()) == schedule_.width) {
        add_pack(row, next_packs);
      } else {
        loose.insert(loose.end(), row.begin(), row.end());
      }
    }
  }

  void pack_loose(const std::vector<Index>& loose, std::vector<Index>& packs) {
    // Bodies on the root are packed apart: they have no parent to read.
    std::vector<Index> with_parent, on_root;
    for (Index i : loose)
      (at(mechanism_.parent, i) == no_index ? on_root : with_parent).push_back(i);
    for (const std::vector<Index>* list : {&on_root, &with_parent}) {
      for (std::size_t i = 0; i < list->size(); i += as_size(schedule_.width)) {
        const std::size_t end = std::min(list->size(), i + as_size(schedule_.width));
        add_pack(std::vector<Index>(list->begin() + static_cast<std::ptrdiff_t>(i),
                                    list->begin() + static_cast<std::ptrdiff_t>(end)),
                 packs);
      }
    }
  }

  void add_pack(const std::vector<Index>& bodies, std::vector<Index>& packs) {
    const auto number = static_cast<Index>(schedule_.packs.size());
    Pack pack{.filled = static_cast<int>(bodies.size())};
    pack.serial = serial_;
    pack.on_root = !serial_ && mechanism_.parent[as_size(bodies[0])] == no_index;
    pack.aligned = !serial_ && !pack.on_root;
    const Index width = schedule_.width;
    for (Index l = 0; l < width; ++l) {
      const Index body = bodies[l < pack.filled ? as_size(l) : 0];
      const Index parent = at(mechanism_.parent, body);
      if (l < pack.filled) at(schedule_.slot, body) = number * width + l;
      Lane lane{.body = body};
      if (parent != no_index) {
        lane.parent_pack = at(schedule_.slot, parent) / width;
        lane.parent_lane = at(schedule_.slot, parent) % width;
      }
      schedule_.lanes.push_back(lane);
    }
    const Lane* lanes = lanes_of(number);
    for (Index l = 0; l < width; ++l) {
      pack.aligned = pack.aligned && l < pack.filled && lanes[l].parent_lane == l &&
                     lanes[l].parent_pack == lanes[0].parent_pack;
    }
    if (pack.aligned) pack.parents = {lanes[0].parent_pack, lanes[0].parent_pack};
    schedule_.packs.push_back(pack);
    packs.push_back(number);
  }

  const Mechanism& mechanism_;
  Children children_;
  bool serial_;
  Schedule schedule_;
};

}  // namespace

ScheduleView view_of(const Schedule& schedule) {
  return {.packs = schedule.packs.data(),
          .lanes = schedule.lanes.data(),
          .places = schedule.places.data(),
          .blocks = schedule.blocks.data(),
          .boundaries = schedule.boundaries.data(),
          .rounds = schedule.rounds.data(),
          .from = schedule.from.data(),
          .slot = schedule.slot.data(),
          .pack_count = static_cast<Index>(schedule.packs.size()),
          .block_count = static_cast<Index>(schedule.blocks.size()),
          .boundary_count = static_cast<Index>(schedule.boundaries.size())};
}

Schedule make_schedule(const Mechanism& mechanism, int width, bool serial) {
  // Places in two packs are bytes.
  THIGMO_ASSERT(width >= 1 && width <= 128 && (width & (width - 1)) == 0);
  return Builder(mechanism, width, serial).build();
}

Schedule make_schedule(const Mechanism& mechanism, int widest) {
  std::vector<Index> depth(mechanism.body.size(), 0), on_level;
  for (std::size_t i = 0; i < depth.size(); ++i) {
    const Index parent = mechanism.parent[i];
    if (parent != no_index) depth[i] = at(depth, parent) + 1;
    if (as_size(depth[i]) >= on_level.size()) on_level.resize(as_size(depth[i]) + 1, 0);
    ++on_level[as_size(depth[i])];
  }
  const double bodies = static_cast<double>(mechanism.body.size());
  double least_cost = serial_cost * bodies;
  std::optional<Schedule> best;
  for (int width = widest; width >= std::min(widest, 4); width /= 2) {
    if (best && least_cost <= good_cost * bodies) continue;
    // At best every level is packed without a gap but at its end.
    Index packs = 0;
    for (const Index on_this : on_level) packs += (on_this + width - 1) / width;
    if (cost_of_pack(width) * packs >= least_cost) continue;
    Schedule levels = make_schedule(mechanism, width, false);
    const double cost = cost_of_pack(width) * static_cast<double>(levels.packs.size());
    if (cost >= least_cost) continue;
    least_cost = cost;
    best = std::move(levels);
  }
  return best ? std::move(*best) : make_schedule(mechanism, widest, true);
}

}  // namespace thigmo
