#include "app/run_events.h"

namespace thigmo {

RunEvents::RunEvents(const Simulation& simulation) {
  for (const SimulatedPlant& plant : simulation.plants) {
    if (modelled_.size() <= plant.birth) modelled_.resize(plant.birth + 1);
    Modelled& modelled = modelled_[plant.birth];
    modelled.name = plant.name;
    const std::vector<Index>& ends = plant.model->plant.whole_ends;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      modelled.number_of_last[ends[i]] = static_cast<std::int64_t>(i);
    }
  }
  note_names(simulation);
}

void RunEvents::note_names(const Simulation& simulation) {
  for (std::size_t i = 0; i < simulation.plants.size(); ++i) {
    names_[plant_id(simulation, i)] = simulation.plants[i].name;
  }
}

void RunEvents::go_on(const Simulation& simulation) {
  for (const Division& division : simulation.timeline.divisions) {
    if (!division.joined) lower_[division.split.upper] = division.split.lower;
  }
  note_names(simulation);
}

void RunEvents::add_of_edit(const EditResult& result, const Simulation& simulation) {
  for (const SegmentSplit& split : result.splits) lower_[split.upper] = split.lower;
  note_names(simulation);
  take(simulation);
}

void RunEvents::add_of_step(const Simulation& simulation) {
  take(simulation);
  taken_ = 0;  // the next step tells its own
}

void RunEvents::tell_segment(SegmentId segment, RunEvent& event) const {
  for (auto found = lower_.find(segment); found != lower_.end(); found = lower_.find(segment)) {
    segment = found->second;
  }
  if (segment == SegmentId{} || segment.birth >= modelled_.size()) return;
  const Modelled& modelled = modelled_[segment.birth];
  event.modelled_in = modelled.name;
  event.segment = segment.number;
  if (modelled.number_of_last.empty()) return;
  event.segment = modelled.number_of_last.lower_bound(static_cast<Index>(segment.number))->second;
}

void RunEvents::take(const Simulation& simulation) {
  const auto name = [&](PlantId plant) {
    const auto found = names_.find(plant);
    return found == names_.end() ? std::string() : found->second;
  };
  for (; taken_ < simulation.events.size(); ++taken_) {
    if (events_.size() >= most_run_events) {
      ++left_out_;
      continue;
    }
    const Event& from = simulation.events[taken_];
    RunEvent event{.kind = from.kind,
                   .time = from.time,
                   .plant = name(from.plant),
                   .modelled_in = {},
                   .other = name(from.other)};
    tell_segment(from.segment, event);
    events_.push_back(std::move(event));
  }
}

void RunEvents::hand_over(RunSummary& summary) {
  summary.events = std::move(events_);
  summary.events_left_out = left_out_;
}

}  // namespace thigmo
