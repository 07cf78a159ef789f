#include "plant/slice.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"

namespace thigmo {
namespace {

auto by_segment(const Organ& organ, Index segment) { return organ.segment < segment; }

// Moves the elements of a range to the end of another vector.
template <class T>
void move_range(std::vector<T>& from, std::ptrdiff_t first, std::ptrdiff_t count,
                std::vector<T>& to) {
  const auto begin = from.begin() + first;
  to.insert(to.end(), std::make_move_iterator(begin), std::make_move_iterator(begin + count));
  from.erase(begin, begin + count);
}

// Keeps of stated bodies those that the segments have.
void keep_given_bodies(const std::vector<GivenBody>& all, Plant& plant) {
  plant.given_bodies.clear();
  if (all.empty()) return;
  for (Segment& s : plant.segments) {
    if (s.given == no_index) continue;
    plant.given_bodies.push_back(at(all, s.given));
    s.given = static_cast<Index>(plant.given_bodies.size()) - 1;
  }
}

// Where a wood stands in a plant's list, which it joins if it is not there.
Index material_number(const Material& material, std::vector<Material>& materials) {
  const auto found = std::find(materials.begin(), materials.end(), material);
  if (found != materials.end()) return static_cast<Index>(found - materials.begin());
  materials.push_back(material);
  return static_cast<Index>(materials.size()) - 1;
}

void number_axes_behind(const Plant& plant, Plant& scion) {
  Index last = 0;
  for (const Segment& s : plant.segments) last = std::max(last, s.axis);
  for (Segment& s : scion.segments) s.axis += last + 1;
}

}  // namespace

Plant take_out(Plant& plant, SegmentRange subtrees) {
  const auto [first, count] = subtrees;
  THIGMO_ASSERT(first >= 0 && count > 0 && first + count <= segment_count(plant));
  Plant piece{.name = plant.name, .materials = plant.materials, .damping = plant.damping};
  const auto organ_begin =
      std::lower_bound(plant.organs.begin(), plant.organs.end(), first, by_segment);
  const auto organ_end =
      std::lower_bound(organ_begin, plant.organs.end(), first + count, by_segment);
  const auto organ_first = organ_begin - plant.organs.begin();
  move_range(plant.organs, organ_first, organ_end - organ_begin, piece.organs);
  for (Organ& organ : piece.organs) organ.segment -= first;
  for (auto it = plant.organs.begin() + organ_first; it != plant.organs.end(); ++it) {
    it->segment -= count;
  }
  move_range(plant.segments, first, count, piece.segments);
  for (Segment& s : piece.segments) s.parent = s.parent < first ? no_index : s.parent - first;
  for (auto it = plant.segments.begin() + first; it != plant.segments.end(); ++it) {
    if (it->parent >= first) it->parent -= count;
  }
  if (!plant.given_bodies.empty()) {
    const std::vector<GivenBody> all = plant.given_bodies;
    keep_given_bodies(all, piece);
    keep_given_bodies(all, plant);
  }
  plant.whole_ends.clear();  // they count segments as they were
  return piece;
}

Index put_in(Plant&& scion, Index parent, Index subtree_end, bool same_axes, Plant& plant) {
  const Index count = segment_count(scion);
  if (!same_axes) number_axes_behind(plant, scion);
  const auto stated = static_cast<Index>(plant.given_bodies.size());
  std::vector<Index> material;
  for (const Material& m : scion.materials) {
    material.push_back(material_number(m, plant.materials));
  }
  for (Segment& s : scion.segments) {
    s.parent = s.parent == no_index ? parent : s.parent + subtree_end;
    s.material = at(material, s.material);
    if (s.given != no_index) s.given += stated;
  }
  plant.given_bodies.insert(plant.given_bodies.end(), scion.given_bodies.begin(),
                            scion.given_bodies.end());
  for (auto it = plant.segments.begin() + subtree_end; it != plant.segments.end(); ++it) {
    if (it->parent >= subtree_end) it->parent += count;
  }
  plant.segments.insert(plant.segments.begin() + subtree_end, scion.segments.begin(),
                        scion.segments.end());
  const auto organ_at =
      std::lower_bound(plant.organs.begin(), plant.organs.end(), subtree_end, by_segment);
  for (auto it = organ_at; it != plant.organs.end(); ++it) it->segment += count;
  for (Organ& organ : scion.organs) organ.segment += subtree_end;
  plant.organs.insert(organ_at, scion.organs.begin(), scion.organs.end());
  plant.whole_ends.clear();
  return subtree_end;
}

void bare_joint(Index segment, Plant& plant) {
  Segment& s = at(plant.segments, segment);
  s.cut_base = true;
  if (s.parent == no_index) return;
  Segment& parent = at(plant.segments, s.parent);
  if (stands_on_tip(parent, s.base_in_parent)) parent.cut_tip = true;
}

Segment part_of(const Segment& segment, double from, double to) {
  const Rectangle base = rectangle_at(segment, from), tip = rectangle_at(segment, to);
  Segment part = segment;
  part.length = segment.length * (to - from);
  part.radius_base = 0.5 * base.width;
  part.radius_tip = 0.5 * tip.width;
  part.height_base = base.height;
  part.height_tip = tip.height;
  return part;
}

}  // namespace thigmo
