#pragma once

#include "mechanics/model/mechanism.h"

namespace thigmo {

// What a segment and its organs weigh and catch of the wind, before it is stored.
struct Matter {
  double mass = 0;
  Vec3 first_moment;
  Sym3 inertia;
  Vec3 drag_point;
  double drag_across = 0, drag_around = 0;
};

// What a segment without organs is.
Matter matter_of(const Plant& plant, const Segment& segment, const DragModel& drag);
// Adds an organ that sits on it.
void add_organ(const Organ& organ, const DragModel& drag, Matter& matter);

}  // namespace thigmo
