#include "app/stems.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "base/assert.h"

namespace thigmo {
namespace {

// Places on a stem are the same to this part of a metre, and of its length.
constexpr double same_place = 1e-9;

bool is_same(double a, double b) { return std::abs(a - b) <= same_place * (1 + std::abs(a)); }

struct IdHash {
  std::size_t operator()(const SegmentId& id) const {
    return std::hash<std::uint64_t>{}((std::uint64_t{id.birth} << 32) | id.number);
  }
};

// What a segment was when it was last seen.
struct KnownSegment {
  StemRange stretch;
  const Segment* segment = nullptr;
};
using KnownSegments = std::unordered_map<SegmentId, KnownSegment, IdHash>;

// Segments that were cut off the upper ends of others.
struct CutOff {
  SegmentId upper, lower;
  double height = 0;  // on the lower one [m]
};

// Follows segments from epoch to epoch.
class StemFinder {
 public:
  explicit StemFinder(const Registry& registry) {
    for (std::size_t b = 0; b < registry.births.size(); ++b) {
      const SegmentBirth& birth = registry.births[b];
      if (birth.cut_from == SegmentId{}) continue;
      const SegmentId upper{.number = 0, .birth = static_cast<std::uint32_t>(b)};
      number_of_cut_[upper] = cuts_.size();
      cuts_.push_back({.upper = upper, .lower = birth.cut_from, .height = birth.height});
    }
  }

  // The stretches of an epoch's segments, plant after plant.
  std::vector<std::vector<StemRange>> next(const Epoch& epoch) {
    KnownSegments now;
    for (const EpochPlant& plant : epoch.plants) {
      for (std::size_t s = 0; s < plant.ids.size(); ++s) {
        now[plant.ids[s]] = {.stretch = {}, .segment = &plant.model->plant.segments[s]};
      }
    }
    std::vector<char> reshaped;
    for (const EpochPlant& plant : epoch.plants) reshaped.push_back(is_reshaped(plant, now));
    for (const bool cut_off : {false, true}) {
      for (std::size_t p = 0; p < epoch.plants.size(); ++p) {
        for (const SegmentId id : epoch.plants[p].ids) {
          KnownSegment& segment = now[id];
          if (number_of_cut_.contains(id) != cut_off) continue;
          const std::optional<StemRange> from = reshaped[p] != 0 ? std::nullopt : begin_of(id, now);
          segment.stretch = from ? *from : StemRange{.stem = stems_++};
          segment.stretch.to = segment.stretch.from + segment.segment->length;
        }
      }
    }
    std::vector<std::vector<StemRange>> stretches;
    for (const EpochPlant& plant : epoch.plants) {
      std::vector<StemRange>& own = stretches.emplace_back();
      for (const SegmentId id : plant.ids) own.push_back(now[id].stretch);
    }
    known_ = std::move(now);
    return stretches;
  }

  Index stems() const { return stems_; }

 private:
  // Whether segments of a plant grew or thickened since the last epoch.
  char is_reshaped(const EpochPlant& plant, const KnownSegments& now) const {
    for (std::size_t s = 0; s < plant.ids.size(); ++s) {
      const auto before = known_.find(plant.ids[s]);
      if (before == known_.end()) continue;
      if (is_other(plant.ids[s], before->second, plant.model->plant.segments[s], now)) return 1;
    }
    return 0;
  }

  bool is_other(SegmentId id, const KnownSegment& before, const Segment& after,
                const KnownSegments& now) const {
    const Segment& was = *before.segment;
    if (was.radius_base != after.radius_base || was.height_base != after.height_base) return true;
    if (was.length == after.length)
      return was.radius_tip != after.radius_tip || was.height_tip != after.height_tip;
    if (after.length < was.length) {
      return std::none_of(cuts_.begin(), cuts_.end(), [&](const CutOff& cut) {
        return cut.lower == id && cut.height == after.length;
      });
    }
    return !is_joined(before.stretch, before.stretch.from + after.length, now);
  }

  // Whether a stretch was made longer by those that stood on its end.
  bool is_joined(const StemRange& before, double to, const KnownSegments& now) const {
    double end = before.to;
    for (bool found = true; found && end < to && !is_same(end, to);) {
      found = false;
      for (const CutOff& cut : cuts_) {
        const auto upper = known_.find(cut.upper);
        if (upper == known_.end() || now.contains(cut.upper)) continue;
        const StemRange& stretch = upper->second.stretch;
        if (stretch.stem != before.stem || !is_same(stretch.from, end)) continue;
        end = stretch.to;
        found = true;
      }
    }
    return is_same(end, to);
  }

  // Where a segment begins that is known, or was cut off one that is.
  std::optional<StemRange> begin_of(SegmentId id, const KnownSegments& now) const {
    double height = 0;
    for (;;) {
      const auto known = known_.find(id);
      if (known != known_.end()) {
        const StemRange& stretch = known->second.stretch;
        return StemRange{.stem = stretch.stem, .from = stretch.from + height};
      }
      const auto cut = number_of_cut_.find(id);
      if (cut == number_of_cut_.end()) break;
      height += cuts_[cut->second].height;
      id = cuts_[cut->second].lower;
    }
    const auto whole = now.find(id);
    if (whole == now.end() || whole->second.stretch.stem == no_index) return std::nullopt;
    const StemRange& stretch = whole->second.stretch;
    return StemRange{.stem = stretch.stem, .from = stretch.from + height};
  }

  std::vector<CutOff> cuts_;
  std::unordered_map<SegmentId, std::size_t, IdHash> number_of_cut_;
  KnownSegments known_;
  Index stems_ = 0;
};

// The parts of all stems, and which of them a stretch has.
class Partition {
 public:
  Partition(const std::vector<std::vector<std::vector<StemRange>>>& epochs, Index stems) {
    std::vector<StemRange> first(as_size(stems));
    std::map<Index, std::vector<double>> ends;  // of stems with other stretches than their first
    const auto each = [&](const auto& work) {
      for (const auto& plants : epochs) {
        for (const auto& stretches : plants)
          std::for_each(stretches.begin(), stretches.end(), work);
      }
    };
    each([&](const StemRange& s) {
      StemRange& known = at(first, s.stem);
      if (known.stem == no_index) known = s;
      if (!is_same(known.from, s.from) || !is_same(known.to, s.to)) ends[s.stem];
    });
    if (!ends.empty()) {
      each([&](const StemRange& s) {
        const auto found = ends.find(s.stem);
        if (found != ends.end()) found->second.insert(found->second.end(), {s.from, s.to});
      });
    }
    for (Index stem = 0; stem < stems; ++stem) {
      first_part_.push_back(static_cast<Index>(parts.size()));
      const auto found = ends.find(stem);
      if (found == ends.end()) {
        parts.push_back({.stretch = at(first, stem)});
        continue;
      }
      std::vector<double>& all = found->second;
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end(), is_same), all.end());
      for (std::size_t k = 1; k < all.size(); ++k) {
        parts.push_back({.stretch = {.stem = stem, .from = all[k - 1], .to = all[k]}});
      }
    }
    first_part_.push_back(static_cast<Index>(parts.size()));
  }

  // Parts [first, end) of a stretch.
  std::pair<Index, Index> of(const StemRange& stretch) const {
    Index first = at(first_part_, stretch.stem), end = at(first_part_, stretch.stem + 1);
    while (first < end && middle(first) < stretch.from) ++first;
    while (first < end && middle(end - 1) > stretch.to) --end;
    return {first, end};
  }

  // The part of a stretch that bears what stands there: what stands on a cut stands on the lower one.
  Index bearer(const StemRange& stretch, double place) const {
    const auto [first, end] = of(stretch);
    Index part = first;
    while (part + 1 < end && at(parts, part).stretch.to < place - same_place * (1 + place)) ++part;
    return part;
  }

  std::vector<StemPart> parts;

 private:
  double middle(Index part) const {
    return 0.5 * (at(parts, part).stretch.from + at(parts, part).stretch.to);
  }
  std::vector<Index> first_part_;
};

// What the first part of a segment stands on.
PartLink link_of(const Plant& plant, const std::vector<StemRange>& stretches, std::size_t segment,
                 const Partition& partition) {
  const Segment& s = plant.segments[segment];
  if (s.parent == no_index) {
    if (segment == 0) return {};
    return {.kind = PartLink::Kind::beside,
            .part = partition.of(stretches.front()).first,
            .base = s.base_in_parent};
  }
  const StemRange& parent = at(stretches, s.parent);
  const double place = parent.from + s.base_in_parent.y;
  const Index bearer = partition.bearer(parent, place);
  return {.kind = PartLink::Kind::joint,
          .part = bearer,
          .base = {s.base_in_parent.x, place - at(partition.parts, bearer).stretch.from,
                   s.base_in_parent.z}};
}

bool is_same(const PartLink& a, const PartLink& b) {
  return a.kind == b.kind && a.part == b.part &&
         length(a.base - b.base) <= same_place * (1 + length(a.base));
}

// Notes where the parts of a segment are, and what they stand on.
void place_parts(const Plant& plant, const std::vector<StemRange>& stretches, std::size_t segment,
                 std::size_t epoch, Index plant_number, Partition& partition, StemParts& all) {
  const StemRange& stretch = stretches[segment];
  const auto [first, end] = partition.of(stretch);
  THIGMO_ASSERT(first < end);
  for (Index part = first; part < end; ++part) {
    StemPart& p = at(partition.parts, part);
    at(all.places.back(), part) = {.plant = plant_number,
                                   .segment = static_cast<Index>(segment),
                                   .height = part == first ? 0 : p.stretch.from - stretch.from};
    PartLink link = link_of(plant, stretches, segment, partition);
    if (part > first) {
      const StemRange& below = at(partition.parts, part - 1).stretch;
      link = {
          .kind = PartLink::Kind::joint, .part = part - 1, .base = {0, below.to - below.from, 0}};
    }
    if (p.first_epoch == epoch) {
      p.link = link;
      all.in_order.push_back(part);
    }
    p.stays = p.stays && is_same(p.link, link);
  }
}

}  // namespace

StemParts find_parts(std::span<const Epoch> epochs, const Registry& registry) {
  StemFinder finder(registry);
  std::vector<std::vector<std::vector<StemRange>>> stretches;
  for (const Epoch& epoch : epochs) stretches.push_back(finder.next(epoch));
  Partition partition(stretches, finder.stems());
  std::vector<char> seen(partition.parts.size(), 0);
  for (std::size_t e = 0; e < epochs.size(); ++e) {
    for (const std::vector<StemRange>& plant : stretches[e]) {
      for (const StemRange& stretch : plant) {
        const auto [first, end] = partition.of(stretch);
        for (Index part = first; part < end; ++part) {
          StemPart& p = at(partition.parts, part);
          if (at(seen, part) == 0) p.first_epoch = e;
          p.last_epoch = e;
          at(seen, part) = 1;
        }
      }
    }
  }
  StemParts all;
  for (std::size_t e = 0; e < epochs.size(); ++e) {
    all.places.emplace_back(partition.parts.size());
    for (std::size_t p = 0; p < epochs[e].plants.size(); ++p) {
      const Plant& plant = epochs[e].plants[p].model->plant;
      for (std::size_t s = 0; s < plant.segments.size(); ++s) {
        place_parts(plant, stretches[e][p], s, e, static_cast<Index>(p), partition, all);
      }
    }
  }
  all.parts = std::move(partition.parts);
  return all;
}

}  // namespace thigmo
