#pragma once

#include <map>
#include <string>
#include <vector>

#include "simulation/edit.h"
#include "simulation/simulation.h"
#include "thigmo/run.h"

namespace thigmo {

// What happened in a run, with the names that things had when it did. It keeps so many events, and counts the rest.
inline constexpr std::size_t most_run_events = 10'000;

class RunEvents {
 public:
  // Before the first step, and before a snapshot is read: all plants are as they were modelled.
  explicit RunEvents(const Simulation& simulation);
  // After a snapshot was read: what had become of plants by then.
  void go_on(const Simulation& simulation);

  // After each edit of the timeline, and after each step.
  void add_of_edit(const EditResult& result, const Simulation& simulation);
  void add_of_step(const Simulation& simulation);

  void hand_over(RunSummary& summary);

 private:
  void take(const Simulation& simulation);
  void note_names(const Simulation& simulation);
  void tell_segment(SegmentId segment, RunEvent& event) const;

  // A plant of the scenario, by the birth of its segments.
  struct Modelled {
    std::string name;
    std::map<Index, std::int64_t>
        number_of_last;  // of a tree in pieces: segments by their last piece
  };
  std::vector<Modelled> modelled_;
  std::map<SegmentId, SegmentId> lower_;  // of what was the upper part of a segment
  std::map<PlantId, std::string> names_;  // also of those that are gone
  std::size_t taken_ = 0;                 // of the simulation's events
  std::vector<RunEvent> events_;
  std::int64_t left_out_ = 0;
};

}  // namespace thigmo
