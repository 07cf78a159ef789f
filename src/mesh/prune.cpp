#include "mesh/prune.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace thigmo {
namespace {

std::vector<std::size_t> tube_of_segments(const Plant& plant, std::span<const Tube> tubes) {
  std::vector<std::size_t> tube_of(plant.segments.size(), 0);
  for (std::size_t t = 0; t < tubes.size(); ++t) {
    for (const Index s : tubes[t].segments) at(tube_of, s) = t;
  }
  return tube_of;
}

// Of a tube that is left out, the segment nearest to the ground with which the pruned twig begins; the
// tube's own first segment where its parent is drawn. Without an index: nothing is drawn below.
std::vector<Index> cuts_of_tubes(const Plant& plant, std::span<const Tube> tubes,
                                 const std::vector<std::size_t>& tube_of,
                                 const std::vector<char>& drawn) {
  std::vector<Index> cuts(tubes.size(), no_index);
  for (std::size_t t = 0; t < tubes.size(); ++t) {
    const Index first = tubes[t].segments.front(), parent = at(plant.segments, first).parent;
    if (drawn[t] != 0 || parent == no_index) continue;
    const std::size_t below = at(tube_of, parent);
    cuts[t] = drawn[below] != 0 ? first : cuts[below];
  }
  return cuts;
}

// Puts an organ on the parent of the segment `cut`, looking where it looked.
void carry(const Plant& plant, const Pose& rest, Index cut, std::size_t number, Organ& organ) {
  const Segment& twig = at(plant.segments, cut);
  const Segment& bearer = at(plant.segments, twig.parent);
  const Index from = organ.segment, to = twig.parent;
  const Vec3 was =
      at(rest.base_world, from) + rotate(at(rest.world_from_segment, from), base_in_segment(organ));
  const double off = length(was - at(rest.base_world, cut));
  const Quat bearer_from_organ = conjugate(at(rest.world_from_segment, to)) *
                                 at(rest.world_from_segment, from) * segment_from_organ(organ);
  Vec3 base = twig.base_in_parent;
  // Twigs of climbers begin beside their bearers.
  const double beside = std::hypot(base.x, base.z), most = 0.9 * bearer.radius_tip;
  if (beside > most) {
    base.x *= most / beside;
    base.z *= most / beside;
  }
  base.y += off * (unit_from_bits(mix_bits(number, 0x5ea7)) - 0.5);
  base.y = std::clamp(base.y, 0.0, bearer.length);
  organ.segment = twig.parent;
  set_place(base, bearer_from_organ, organ);
}

}  // namespace

std::vector<char> drawn_tubes(const Plant& plant, std::span<const Tube> tubes,
                              const MeshOptions& options) {
  const std::vector<std::size_t> tube_of = tube_of_segments(plant, tubes);
  std::vector<char> drawn(tubes.size(), 0);
  for (std::size_t t = tubes.size(); t-- > 0;) {
    for (const Index s : tubes[t].segments) {
      if (at(plant.segments, s).radius_base >= options.min_radius) drawn[t] = 1;
    }
    const Index parent = at(plant.segments, tubes[t].segments.front()).parent;
    if (drawn[t] != 0 && parent != no_index) drawn[at(tube_of, parent)] = 1;
  }
  return drawn;
}

std::vector<Organ> seated_organs(const Plant& plant, const Pose& rest, std::span<const Tube> tubes,
                                 const MeshOptions& options) {
  std::vector<Organ> organs = plant.organs;
  const std::vector<std::size_t> tube_of = tube_of_segments(plant, tubes);
  const std::vector<char> drawn = drawn_tubes(plant, tubes, options);
  const std::vector<Index> cuts = cuts_of_tubes(plant, tubes, tube_of, drawn);
  for (std::size_t i = 0; i < organs.size(); ++i) {
    const std::size_t tube = at(tube_of, organs[i].segment);
    if (drawn[tube] != 0) continue;
    if (cuts[tube] == no_index) {
      organs[i].segment = no_index;
    } else {
      carry(plant, rest, cuts[tube], i, organs[i]);
    }
  }
  return organs;
}

}  // namespace thigmo
