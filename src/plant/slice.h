#pragma once

#include "plant/motion.h"
#include "plant/plant.h"

namespace thigmo {

// Taking plants apart and joining them. Indices of what stays move up or down; joints stay as they are.

// Takes a run of whole subtrees out of a plant, with organs, woods and stated bodies: a plant whose roots are
// those of the subtrees. Where these stood remains in their Segment::base_in_parent and rotation.
Plant take_out(Plant& plant, SegmentRange subtrees);

// Puts a plant in behind all that stands on a segment (parent -1: behind all): where its first segment is then.
// Its axes get numbers of their own, unless `same_axes`.
Index put_in(Plant&& scion, Index parent, Index subtree_end, bool same_axes, Plant& plant);

// Notes that what stands on a segment's parent is being cut off at its base: its base is bare, and so is the
// parent's tip where it went on from there.
void bare_joint(Index segment, Plant& plant);

// The part of a segment from `from` to `to` of its length, without what stands on it. Organs are not touched.
Segment part_of(const Segment& segment, double from, double to);

}  // namespace thigmo
