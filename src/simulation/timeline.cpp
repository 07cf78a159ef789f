#include "simulation/timeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "simulation/edit_places.h"

namespace thigmo {
namespace {

// Times that are as near to one step's begin as to the next one's belong to the next, whatever the rounding.
constexpr double nearer = 0.5 - 1e-6;

// Where a point of a segment is after that was divided or made whole.
void follow_point(const Division& division, SegmentId& segment, double& along) {
  const auto& [lower, upper, where] = division.split;
  if (division.joined) {
    if (segment == upper) {
      segment = lower;
      along = where + along * (1 - where);
    } else if (segment == lower) {
      along *= where;
    }
  } else if (segment == lower && along > where) {
    segment = upper;
    along = (along - where) / (1 - where);
  } else if (segment == lower) {
    along /= where;
  }
}

// Both parts of what was divided are meant.
void follow_all(const Division& division, std::vector<SegmentId>& segments) {
  if (division.joined) {
    std::erase(segments, division.split.upper);
  } else if (std::find(segments.begin(), segments.end(), division.split.lower) != segments.end()) {
    segments.push_back(division.split.upper);
  }
}

struct FollowDivision {
  const Division& division;
  void operator()(Cut& cut) const { follow_point(division, cut.segment, cut.along); }
  void operator()(Graft& graft) const { follow_point(division, graft.onto, graft.along); }
  void operator()(Extend& extend) const {
    double tip = 1;
    follow_point(division, extend.segment, tip);
  }
  void operator()(Thicken& thicken) const { follow_all(division, thicken.segments); }
  void operator()(Change& change) const { follow_all(division, change.segments); }
  void operator()(RemoveSegment& remove) const {
    double base = 0;
    follow_point(division, remove.segment, base);
  }
  void operator()(RemovePlant&) const {}
};

Result<PlantId> plant_with(SegmentId segment, const Simulation& simulation) {
  const Result<FoundSegment> found = find_segment(simulation, segment);
  if (!found) return found.diagnostics();
  return plant_id(simulation, found->plant);
}

// Onto what a piece was cut from.
Result<Done> graft_where_cut(Graft& graft, const Simulation& simulation) {
  const Result<std::size_t> scion = find_plant(simulation, graft.scion);
  if (!scion) return scion.diagnostics();
  const std::optional<Stub>& stub = simulation.plants[*scion].stub;
  if (!stub) {
    return error(fmt::format("'{}' was not cut from anything", simulation.plants[*scion].name),
                 "say where it is to be grafted: at = { segment = 3, along = 0.5 }");
  }
  const Result<FoundSegment> onto = find_segment(simulation, stub->parent);
  if (!onto) return onto.diagnostics();
  const Plant& host = simulation.plants[onto->plant].model->plant;
  graft.onto = stub->parent;
  graft.along =
      stub->through
          ? 1
          : std::clamp(stub->base_in_parent.y / segment_at(host, onto->segment).length, 0.0, 1.0);
  return Done{};
}

// Leaves the segments that are there.
Result<Done> keep_present(const Simulation& simulation, std::vector<SegmentId>& segments) {
  const std::size_t all = segments.size();
  std::erase_if(segments, [&](SegmentId id) { return !find_place(simulation.registry, id); });
  if (all > 0 && segments.empty()) return error("none of its segments is there any more");
  return Done{};
}

// The edit with the names of plants that hold by now.
Result<Edit> edit_now(const TimedEdit& timed, const Simulation& simulation) {
  Edit edit = timed.edit;
  SegmentId of = timed.of;
  for (const Division& division : simulation.timeline.divisions) {
    double base = 0;
    std::visit(FollowDivision{division}, edit);
    follow_point(division, of, base);
  }
  Result<Done> done = Done{};
  if (auto* graft = std::get_if<Graft>(&edit)) {
    const Result<PlantId> scion = plant_with(of, simulation);
    if (!scion) return scion.diagnostics();
    graft->scion = *scion;
    if (timed.where_cut) done = graft_where_cut(*graft, simulation);
  } else if (auto* remove = std::get_if<RemovePlant>(&edit)) {
    const Result<PlantId> plant = plant_with(of, simulation);
    if (!plant) return plant.diagnostics();
    remove->plant = *plant;
  } else if (auto* change = std::get_if<Change>(&edit)) {
    done = keep_present(simulation, change->segments);
  } else if (auto* thicken = std::get_if<Thicken>(&edit)) {
    done = keep_present(simulation, thicken->segments);
  }
  if (!done) return done.diagnostics();
  return edit;
}

// What is said of an edit that cannot be made.
Diagnostic left_out(const TimedEdit& timed, const Diagnostics& why) {
  Diagnostic said = timed.place;
  said.severity = Severity::warning;
  const bool gone = why.front().trouble == Trouble::stale;
  said.message = fmt::format("the {} at {:.6g} s is left out: {}", timed.place.message, timed.time,
                             gone ? "what it names is gone by then" : why.front().message.c_str());
  if (!gone) said.hint = why.front().hint;
  return said;
}

}  // namespace

void note_divisions(const EditResult& result, Timeline& timeline) {
  if (timeline.edits.empty()) return;
  for (const SegmentSplit& split : result.splits) timeline.divisions.push_back({split, false});
  for (const SegmentSplit& join : result.joins) timeline.divisions.push_back({join, true});
}

void apply_due_edits(double dt, const AfterEdit& after_edit, Simulation& simulation) {
  Timeline& timeline = simulation.timeline;
  const double due = simulation.time + nearer * dt;
  const auto is_due = [&] {
    return timeline.next < timeline.edits.size() && timeline.edits[timeline.next].time < due;
  };
  if (!is_due()) return;
  simulation.events.clear();
  while (is_due()) {
    const TimedEdit timed = timeline.edits[timeline.next++];
    const Result<Edit> edit = edit_now(timed, simulation);
    const Result<EditResult> result =
        edit ? apply_edit(*edit, simulation) : Result<EditResult>(edit.diagnostics());
    if (!result) {
      simulation.notes.push_back(left_out(timed, result.diagnostics()));
    } else if (after_edit) {
      after_edit(*result);
    }
  }
  timeline.told = simulation.events.size();
}

void skip_past_edits(double time, double dt, Timeline& timeline) {
  // Those that the step before this time began with.
  const double due = time - dt + nearer * dt;
  while (timeline.next < timeline.edits.size() && timeline.edits[timeline.next].time < due) {
    ++timeline.next;
  }
}

}  // namespace thigmo
