#pragma once

// Edits that come by themselves, each at its time.

#include <functional>

#include "simulation/edit.h"

namespace thigmo {

// An edit, its segments by the names that they had when it was written down: it finds them in whatever plant
// they are by then.
struct TimedEdit {
  double time = 0;  // [s]
  Edit edit;
  // The plant that has this segment by then is grafted, or removed whole; or all that came into the world
  // together with it is changed.
  SegmentId of = {};
  bool where_cut = false;  // a graft: onto what the plant was cut from
  Diagnostic place = {};   // where it was asked for; its message names the edit
};

// A segment that was divided, or made whole again.
struct Division {
  SegmentSplit split;
  bool joined = false;
};

struct Timeline {
  std::vector<TimedEdit> edits;  // in the order of their times
  std::size_t next = 0;          // the first that is still to come
  std::vector<Division>
      divisions;         // so far, in their order: where the segments of edits to come are now
  std::size_t told = 0;  // events that the step to come begins with
};

// Keeps what edits to come need to know of one that was made.
void note_divisions(const EditResult& result, Timeline& timeline);

// Applies what is due before a step of dt, which is what lies nearer to its begin than to its end. An edit that
// cannot be made is left out, and a note of the simulation says why.
using AfterEdit = std::function<void(const EditResult&)>;
void apply_due_edits(double dt, const AfterEdit& after_edit, Simulation& simulation);

// Passes over the edits that a run had made when it came to this time, by steps of dt.
void skip_past_edits(double time, double dt, Timeline& timeline);

}  // namespace thigmo
