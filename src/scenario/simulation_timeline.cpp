#include "scenario/simulation_timeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/found_place.h"

namespace thigmo {
namespace {

// Where an edit is, and what it is about.
struct EditPlace {
  const SimulatedPlant& plant;
  std::optional<FoundPlace> found;

  SegmentId segment() const { return segment_id(plant, found ? found->body : 0); }
  double along() const { return found->along; }
  // With all that stands on it, or all of the plant.
  std::vector<SegmentId> segments() const {
    const Index first = found ? found->body : 0;
    const Index count =
        found ? at(plant.model->mechanism.subtree_size, first) : segment_count(plant.model->plant);
    std::vector<SegmentId> ids;
    for (Index i = first; i < first + count; ++i) ids.push_back(segment_id(plant, i));
    return ids;
  }
};

Result<TimedEdit> timed(const CutSource&, const EditPlace& place, const Simulation&) {
  return TimedEdit{.edit = Cut{place.segment(), place.along()}};
}

Result<TimedEdit> timed(const RemoveSource&, const EditPlace& place, const Simulation&) {
  if (place.found) return TimedEdit{.edit = RemoveSegment{place.segment()}};
  return TimedEdit{.edit = RemovePlant{}, .of = place.segment()};
}

Result<TimedEdit> timed(const GraftSource& source, const EditPlace& place,
                        const Simulation& simulation) {
  const SimulatedPlant& scion = simulation.plants[plant_number(simulation, source.scion)];
  const Result<FoundPlace> part = find_place(scion.model->plant, source.part_of_it, "the scion");
  if (!part) return part.diagnostics();
  TimedEdit edit{.of = segment_id(scion, part->body), .where_cut = !place.found};
  Graft graft{.scion = {}, .onto = place.segment(), .as_before = source.as_before};
  if (place.found) graft.along = place.along();
  graft.carry = source.carry;
  edit.edit = graft;
  return edit;
}

Result<TimedEdit> timed(const ChangeSource& source, const EditPlace& place, const Simulation&) {
  return TimedEdit{.edit = Change{.segments = place.segments(),
                                  .stiffness = source.stiffness,
                                  .mass = source.mass,
                                  .damping = source.damping,
                                  .creep = source.creep}};
}

Result<TimedEdit> timed(const ThickenSource& source, const EditPlace& place, const Simulation&) {
  return TimedEdit{.edit = Thicken{place.segments(), source.factor}};
}

Result<TimedEdit> timed(const ExtendSource& source, const EditPlace& place, const Simulation&) {
  return TimedEdit{.edit = Extend{place.segment(), source.by}};
}

Result<TimedEdit> timed_edit(const EditSource& source, const Simulation& simulation) {
  EditPlace place{.plant = simulation.plants[plant_number(simulation, source.plant)], .found = {}};
  if (source.at) {
    const Result<FoundPlace> found = find_place(place.plant.model->plant, *source.at,
                                                fmt::format("the {}", source.place.message));
    if (!found) return found.diagnostics();
    place.found = *found;
  }
  Result<TimedEdit> edit =
      std::visit([&](const auto& what) { return timed(what, place, simulation); }, source.what);
  if (!edit) return edit;
  edit->time = source.time;
  edit->place = source.place;
  return edit;
}

}  // namespace

Result<Done> add_timeline(const Scenario& scenario, Simulation& simulation) {
  std::vector<TimedEdit>& edits = simulation.timeline.edits;
  for (const EditSource& source : scenario.edits) {
    Result<TimedEdit> edit = timed_edit(source, simulation);
    if (!edit) return edit.diagnostics();
    edits.push_back(std::move(*edit));
  }
  // Those of one time in the order of the file.
  std::stable_sort(edits.begin(), edits.end(), [](const TimedEdit& a, const TimedEdit& b) {
    return a.time != b.time ? a.time < b.time : a.place.line < b.place.line;
  });
  return Done{};
}

}  // namespace thigmo
