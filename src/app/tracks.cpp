#include "app/tracks.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "app/stems.h"
#include "base/assert.h"
#include "plant/slice.h"

namespace thigmo {
namespace {

// Parts that stay together, in the order of the plant that they first were on.
using Group = std::vector<Index>;

std::vector<Group> groups_of(const StemParts& all) {
  std::vector<Group> groups;
  std::vector<std::size_t> group_of(all.parts.size());
  for (const Index part : all.in_order) {
    const StemPart& p = at(all.parts, part);
    const bool hangs = p.stays && p.link.kind != PartLink::Kind::none &&
                       at(all.parts, p.link.part).first_epoch == p.first_epoch &&
                       at(all.parts, p.link.part).last_epoch == p.last_epoch;
    if (!hangs) groups.emplace_back();
    group_of[as_size(part)] = hangs ? group_of[as_size(p.link.part)] : groups.size() - 1;
    groups[group_of[as_size(part)]].push_back(part);
  }
  return groups;
}

// The plant of a group's parts, as it was in the first epoch that has them.
class TrackMaker {
 public:
  TrackMaker(std::span<const Epoch> epochs, const StemParts& all)
      : epochs_(epochs),
        all_(all),
        cut_tip_(all.parts.size(), 0),
        own_(all.parts.size(), no_index) {}

  // Before any of them is made: which parts lose what stands on their tips.
  void note_cuts(const Group& group) {
    const StemPart& root = at(all_.parts, group.front());
    if (root.link.kind != PartLink::Kind::joint) return;
    const StemPart& bearer = at(all_.parts, root.link.part);
    const Segment end{.length = bearer.stretch.to - bearer.stretch.from};
    if (stands_on_tip(end, root.link.base)) at(cut_tip_, root.link.part) = 1;
  }

  Track make(const Group& group) {
    const StemPart& root = at(all_.parts, group.front());
    Track track{.plant = nullptr,
                .name = {},
                .stands = {},
                .first_epoch = root.first_epoch,
                .last_epoch = root.last_epoch,
                .runs = {}};
    const auto places = [&](std::size_t epoch) -> const std::vector<PartPlace>& {
      return all_.places[epoch];
    };
    const EpochPlant& origin = origin_of(group.front());
    if (is_whole(group, origin)) {
      track.plant = std::shared_ptr<const Plant>(origin.model, &origin.model->plant);
      track.stands = origin.stands;
    } else {
      track.plant = std::make_shared<const Plant>(part_of_plant(group, origin));
      track.stands = stands_of(group.front(), origin);
    }
    track.name = name_of(group.front(), origin);
    for (std::size_t e = track.first_epoch; e <= track.last_epoch; ++e) {
      track.runs.push_back(runs_of(group, places(e)));
    }
    return track;
  }

 private:
  const PartPlace& place_of(Index part, std::size_t epoch) const {
    return at(all_.places[epoch], part);
  }
  const EpochPlant& origin_of(Index part) const {
    const std::size_t epoch = at(all_.parts, part).first_epoch;
    return at(epochs_[epoch].plants, place_of(part, epoch).plant);
  }

  // Whether a group is all of a plant.
  bool is_whole(const Group& group, const EpochPlant& origin) const {
    const Plant& plant = origin.model->plant;
    if (group.size() != plant.segments.size()) return false;
    return std::all_of(group.begin(), group.end(), [&](Index part) {
      const StemPart& p = at(all_.parts, part);
      const PartPlace& place = place_of(part, p.first_epoch);
      return place.height == 0 &&
             segment_at(plant, place.segment).length == p.stretch.to - p.stretch.from;
    });
  }

  // The segment that a part is.
  Segment segment_of(Index part, const Plant& plant) const {
    const StemPart& p = at(all_.parts, part);
    const PartPlace& place = place_of(part, p.first_epoch);
    const Segment& whole = segment_at(plant, place.segment);
    const double length = p.stretch.to - p.stretch.from;
    const double from = place.height / whole.length, to = (place.height + length) / whole.length;
    constexpr double nearly_all = 1 - 1e-9;
    Segment segment =
        from == 0 && to > nearly_all ? whole : part_of(whole, from, std::min(1.0, to));
    if (from > 0) {
      segment.cut_base = true;
      segment.base_in_parent = p.link.base;
      segment.parent_from_segment = {};
    } else if (p.link.kind == PartLink::Kind::joint) {
      segment.base_in_parent = p.link.base;
    }
    // Where the segment goes on, the part of it behind is another's.
    segment.cut_tip = to < nearly_all || at(cut_tip_, part) != 0 || whole.cut_tip;
    return segment;
  }

  Plant part_of_plant(const Group& group, const EpochPlant& origin) {
    const Plant& whole = origin.model->plant;
    Plant plant{.name = whole.name,
                .materials = whole.materials,
                .given_bodies = whole.given_bodies,
                .damping = whole.damping,
                .root_stiffness = whole.root_stiffness};
    for (std::size_t k = 0; k < group.size(); ++k) {
      const StemPart& p = at(all_.parts, group[k]);
      Segment segment = segment_of(group[k], whole);
      if (k == 0 && p.link.kind == PartLink::Kind::joint) {
        segment.parent = no_index;
        segment.cut_base = true;
        segment.base_in_parent = {};
        segment.parent_from_segment = {};
      } else if (p.link.kind == PartLink::Kind::joint) {
        segment.parent = at(own_, p.link.part);
      }
      at(own_, group[k]) = static_cast<Index>(k);
      plant.segments.push_back(segment);
      add_organs(group[k], whole, plant);
    }
    return plant;
  }

  // Those of its segment that stand on a part, to its end and not on its begin.
  void add_organs(Index part, const Plant& whole, Plant& plant) const {
    const StemPart& p = at(all_.parts, part);
    const PartPlace& place = place_of(part, p.first_epoch);
    const Segment& segment = segment_at(whole, place.segment);
    const double top = place.height + p.stretch.to - p.stretch.from;
    const bool last = top > segment.length * (1 - 1e-9);
    const auto before = [](const Organ& organ, Index s) { return organ.segment < s; };
    auto organ = std::lower_bound(whole.organs.begin(), whole.organs.end(), place.segment, before);
    for (; organ != whole.organs.end() && organ->segment == place.segment; ++organ) {
      const bool above = place.height == 0 || organ->base.y > place.height;
      const bool below = last || !(organ->base.y > top);
      if (!above || !below) continue;
      plant.organs.push_back(*organ);
      plant.organs.back().segment = static_cast<Index>(plant.segments.size()) - 1;
      plant.organs.back().base.y -= static_cast<float>(place.height);
    }
  }

  PlantFrame stands_of(Index root, const EpochPlant& origin) {
    const StemPart& p = at(all_.parts, root);
    if (p.link.kind != PartLink::Kind::joint) return origin.stands;
    const PartPlace& place = place_of(root, p.first_epoch);
    Pose& rest = rest_[&origin];
    if (rest.base_world.empty()) rest = rest_pose(origin.model->plant, origin.stands);
    const Quat turn = at(rest.world_from_segment, place.segment);
    return {
        .origin_world = at(rest.base_world, place.segment) + rotate(turn, Vec3{0, place.height, 0}),
        .world_from_plant = turn};
  }

  // That of the last plant which it was the root of; else it never was one.
  std::string name_of(Index root, const EpochPlant& origin) const {
    const StemPart& p = at(all_.parts, root);
    for (std::size_t e = p.last_epoch + 1; e-- > p.first_epoch;) {
      const PartPlace& place = place_of(root, e);
      if (place.segment == 0 && place.height == 0) return at(epochs_[e].plants, place.plant).name;
    }
    return origin.name + "/part";
  }

  static std::vector<TrackRun> runs_of(const Group& group, const std::vector<PartPlace>& places) {
    std::vector<TrackRun> runs;
    for (std::size_t k = 0; k < group.size(); ++k) {
      const PartPlace& place = at(places, group[k]);
      if (!runs.empty()) {
        TrackRun& run = runs.back();
        const bool goes_on = run.plant == place.plant && run.height == 0 && place.height == 0 &&
                             run.from + run.segments.count == place.segment;
        if (goes_on) {
          ++run.segments.count;
          continue;
        }
      }
      runs.push_back({.segments = {.first = static_cast<Index>(k), .count = 1},
                      .plant = place.plant,
                      .from = place.segment,
                      .height = place.height});
    }
    return runs;
  }

  std::span<const Epoch> epochs_;
  const StemParts& all_;
  std::vector<char> cut_tip_;
  std::vector<Index> own_;                  // number in its track, of each part
  std::map<const EpochPlant*, Pose> rest_;  // of plants that were asked for
};

// What a track is in a frame of the file, into a pose.
void read_track(const Track& track, std::span<const Epoch> epochs, const PoseFile& file,
                std::size_t frame, SegmentRange range, Pose& pose) {
  const std::size_t first = epochs[track.first_epoch].first_frame;
  const std::size_t next = track.last_epoch + 1;
  if (next < epochs.size()) frame = std::min(frame, epochs[next].first_frame - 1);
  frame = std::max(frame, first);
  const std::size_t epoch = epoch_at(epochs, frame);
  pose.base_world.resize(track.plant->segments.size());
  pose.world_from_segment.resize(track.plant->segments.size());
  const Index range_end = range.first + range.count;
  for (const TrackRun& run : track.runs[epoch - track.first_epoch]) {
    const Index from = std::max(range.first, run.segments.first);
    const Index to = std::min(range_end, run.segments.first + run.segments.count);
    if (from >= to) continue;
    file.read_segments(static_cast<std::size_t>(run.plant), frame,
                       {.first = run.from + from - run.segments.first, .count = to - from}, from,
                       pose);
    if (run.height > 0) {
      at(pose.base_world, from) +=
          rotate(at(pose.world_from_segment, from), Vec3{0, run.height, 0});
    }
  }
}

}  // namespace

std::vector<Track> make_tracks(std::span<const Epoch> epochs, const Registry& registry) {
  const StemParts all = find_parts(epochs, registry);
  const std::vector<Group> groups = groups_of(all);
  TrackMaker maker(epochs, all);
  for (const Group& group : groups) maker.note_cuts(group);
  std::vector<Track> tracks;
  for (const Group& group : groups) tracks.push_back(maker.make(group));
  return tracks;
}

Motion motion_of(const Track& track, std::span<const Epoch> epochs, const PoseFile& file,
                 std::vector<double> times, std::vector<std::size_t> frames) {
  return {.times = std::move(times),
          .poses = {},
          .read = [&track, epochs, &file, numbers = std::move(frames)](
                      std::size_t frame, SegmentRange range,
                      Pose& pose) { read_track(track, epochs, file, numbers[frame], range, pose); },
          .segments = segment_count(*track.plant)};
}

std::shared_ptr<const PlantColumns> columns_of(
    const Track& track, std::span<const Epoch> epochs,
    std::span<const std::shared_ptr<const PlantColumns>> columns) {
  const auto number = static_cast<std::size_t>(track.runs.front().front().plant);
  if (track.first_epoch > 0 || number >= columns.size() || !columns[number]) return nullptr;
  const PlantColumns& all = *columns[number];
  const std::vector<Segment>& segments = epochs.front().plants[number].model->plant.segments;
  std::vector<Index> root_number(segments.size(), no_index);
  Index roots = 0;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    if (segments[s].parent == no_index) root_number[s] = roots++;
  }
  PlantColumns own{.attributes = empty_like(all.attributes),
                   .start_attributes = empty_like(all.start_attributes)};
  for (const TrackRun& run : track.runs.front()) {
    for (Index k = 0; k < run.segments.count; ++k) {
      const auto from = as_size(run.from + k);
      for (std::size_t c = 0; c < all.attributes.size(); ++c) {
        copy_element(all.attributes[c], from, own.attributes[c]);
      }
      if (at(track.plant->segments, run.segments.first + k).parent != no_index) continue;
      const bool is_root = root_number[from] != no_index && run.height == 0;
      for (std::size_t c = 0; c < all.start_attributes.size(); ++c) {
        const Attribute& column = all.start_attributes[c];
        if (is_root) {
          copy_element(column, as_size(root_number[from]), own.start_attributes[c]);
        } else {
          own.start_attributes[c].values.insert(own.start_attributes[c].values.end(),
                                                as_size(column.size), nothing_of(column));
        }
      }
    }
  }
  return std::make_shared<const PlantColumns>(std::move(own));
}

Life life_of(const Track& track, std::span<const Epoch> epochs,
             std::span<const std::size_t> frames) {
  const auto place = [&](std::size_t epoch) {
    return static_cast<std::size_t>(
        std::lower_bound(frames.begin(), frames.end(), epochs[epoch].first_frame) - frames.begin());
  };
  Life life{.from = place(track.first_epoch)};
  if (track.last_epoch + 1 < epochs.size()) life.until = place(track.last_epoch + 1);
  return life;
}

std::size_t epoch_at(std::span<const Epoch> epochs, std::size_t frame) {
  const auto after =
      std::upper_bound(epochs.begin(), epochs.end(), frame,
                       [](std::size_t f, const Epoch& epoch) { return f < epoch.first_frame; });
  return static_cast<std::size_t>(after - epochs.begin()) - 1;
}

}  // namespace thigmo
