#include "simulation/edit_places.h"

#include <fmt/format.h>

#include <algorithm>

#include "simulation/solver.h"

namespace thigmo {
namespace {

Diagnostic stale(std::string message) {
  Diagnostic said =
      error(std::move(message),
            "it was removed, or the name was never one of this world; ask again which there are");
  said.trouble = Trouble::stale;
  return said;
}

// Where a thing is that was at a point of a segment: that segment, or what was beyond the point where it was
// divided; and how far its base has moved along it.
struct Moved {
  std::size_t plant = 0;
  Index segment = 0;
  double back = 0;  // [m]
};
std::optional<Moved> moved_to(SegmentId id, double height, const EditResult& result,
                              const Simulation& simulation) {
  double back = 0;
  for (const SegmentSplit& join : result.joins) {
    if (id != join.upper) continue;
    const std::optional<SegmentPlace> lower = find_place(simulation.registry, join.lower);
    if (!lower) return std::nullopt;
    const auto plant = as_size(at(simulation.registry.slots, lower->slot).plant);
    const double length = segment_at(simulation.plants[plant].model->plant, lower->segment).length;
    return Moved{plant, lower->segment, -join.along * length};
  }
  for (const SegmentSplit& split : result.splits) {
    if (id != split.lower) continue;
    const std::optional<SegmentPlace> place = find_place(simulation.registry, id);
    if (!place) break;
    const auto plant = as_size(at(simulation.registry.slots, place->slot).plant);
    const double lower = segment_at(simulation.plants[plant].model->plant, place->segment).length;
    if (height <= lower) break;
    id = split.upper;
    back = lower;
  }
  const std::optional<SegmentPlace> place = find_place(simulation.registry, id);
  if (!place) return std::nullopt;
  return Moved{as_size(at(simulation.registry.slots, place->slot).plant), place->segment, back};
}

// Puts one load where its segment is; false: it is gone.
template <class Load>
bool put_load(SegmentId id, const EditResult& result, const Simulation& simulation,
              std::size_t& plant, Load& load) {
  const std::optional<Moved> moved = moved_to(id, load.point_in_body.y, result, simulation);
  if (!moved) return false;
  plant = moved->plant;
  load.body = moved->segment;
  load.point_in_body.y -= moved->back;
  return true;
}

// Puts what acted on plants where it would act now.
template <class Load>
void put_acting(const std::vector<ActedOn<Load>>& acting, const EditResult& result,
                std::vector<Load> SimulatedPlant::*list, Simulation& simulation) {
  for (SimulatedPlant& plant : simulation.plants) (plant.*list).clear();
  for (ActedOn<Load> acted : acting) {
    std::size_t plant = 0;
    if (!put_load(acted.segment, result, simulation, plant, acted.load)) continue;
    (simulation.plants[plant].*list).push_back(acted.load);
  }
}

// Keeps those of a list that `keeps` says.
template <class Thing, class Keeps>
void keep_if(std::vector<Thing>& things, const Keeps& keeps) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < things.size(); ++i) {
    if (!keeps(i, things[i])) continue;
    if (kept != i) things[kept] = std::move(things[i]);
    ++kept;
  }
  things.resize(kept);
}

}  // namespace

Result<FoundSegment> find_segment(const Simulation& simulation, SegmentId id) {
  const std::optional<SegmentPlace> place = find_place(simulation.registry, id);
  if (!place) {
    return stale(fmt::format("there is no segment {} of birth {}", id.number, id.birth));
  }
  return FoundSegment{as_size(at(simulation.registry.slots, place->slot).plant), place->segment};
}

Result<std::size_t> find_plant(const Simulation& simulation, PlantId id) {
  const std::optional<std::size_t> plant = find_plant(simulation.registry, id);
  if (plant) return *plant;
  return stale(fmt::format("there is no plant {} of generation {}", id.slot, id.generation));
}

Result<Done> check_along(double along) {
  if (along >= 0 && along <= 1) return Done{};
  Diagnostic said = error(fmt::format("{} is no place along a segment", along),
                          "give a part of its length: 0 is its base, 1 its tip");
  said.trouble = Trouble::argument;
  return said;
}

double counted_energy(const Simulation& simulation, std::size_t plant) {
  if (!simulation.account_start) return no_count;
  return total(energy_of(simulation.plants[plant], simulation.gravity_world));
}

Holdings holdings_of(const Simulation& simulation) {
  Holdings holdings;
  const auto name = [&](std::size_t plant, Index body) {
    return segment_id(simulation.plants[plant], body);
  };
  for (const AppliedForce& force : simulation.forces) {
    holdings.of_forces.push_back(name(force.plant, force.load.body));
  }
  for (const Grab& grab : simulation.grabs) {
    holdings.of_grabs.push_back(name(grab.plant, grab.load.body));
  }
  for (const Probe& probe : simulation.probes) {
    holdings.of_probes.push_back(probe.gone ? SegmentId{} : name(probe.plant, probe.body));
  }
  for (const SimulatedPlant& plant : simulation.plants) {
    for (const PointLoad& load : plant.loads) {
      holdings.last_loads.push_back({segment_id(plant, load.body), load});
    }
    for (const GrabLoad& load : plant.grabs) {
      holdings.last_grabs.push_back({segment_id(plant, load.body), load});
    }
  }
  return holdings;
}

void put_back(const Holdings& holdings, const EditResult& result, Simulation& simulation) {
  keep_if(simulation.forces, [&](std::size_t i, AppliedForce& force) {
    return put_load(holdings.of_forces[i], result, simulation, force.plant, force.load);
  });
  keep_if(simulation.grabs, [&](std::size_t i, Grab& grab) {
    return put_load(holdings.of_grabs[i], result, simulation, grab.plant, grab.load);
  });
  for (std::size_t i = 0; i < simulation.probes.size(); ++i) {
    Probe& probe = simulation.probes[i];
    const std::optional<Moved> moved =
        moved_to(holdings.of_probes[i], probe.point_in_body.y, result, simulation);
    probe.gone = !moved;
    if (!moved) continue;
    probe.plant = moved->plant;
    probe.body = moved->segment;
    probe.point_in_body.y -= moved->back;
  }
  put_acting(holdings.last_loads, result, &SimulatedPlant::loads, simulation);
  put_acting(holdings.last_grabs, result, &SimulatedPlant::grabs, simulation);
  for (SimulatedPlant& plant : simulation.plants) {
    plant.loads.reserve(simulation.forces.size());
    plant.grabs.reserve(simulation.grabs.size());
  }
}

void note_places(const SimulatedPlant& plant, Registry& registry) {
  for (std::size_t i = 0; i < plant.ids.size(); ++i) {
    set_place(plant.ids[i], {.slot = plant.slot, .segment = static_cast<Index>(i)}, registry);
  }
}

std::size_t add_made_plant(SimulatedPlant plant, Simulation& simulation) {
  const std::size_t number = simulation.plants.size();
  simulation.plants.push_back(std::move(plant));
  SimulatedPlant& made = simulation.plants.back();
  made.slot = take_slot(static_cast<Index>(number), simulation.registry);
  note_places(made, simulation.registry);
  return number;
}

void drop_plant(std::size_t number, Simulation& simulation) {
  for (const SegmentId id : segment_ids(simulation.plants[number])) {
    set_place(id, {}, simulation.registry);
  }
  drop_empty_plant(number, simulation);
}

void drop_empty_plant(std::size_t number, Simulation& simulation) {
  Registry& registry = simulation.registry;
  SimulatedPlant& plant = simulation.plants[number];
  if (plant.workspace.works) {
    const Works& works = *plant.workspace.works;
    Works& closed = simulation.account_closed;
    closed.by_air += works.by_air;
    closed.by_loads += works.by_loads;
    closed.by_ground += works.by_ground;
    closed.by_base += works.by_base;
    closed.lost_in_joints += works.lost_in_joints;
    closed.lost_by_mass += works.lost_by_mass;
  }
  free_slot(plant.slot, registry);
  simulation.plants.erase(simulation.plants.begin() + static_cast<std::ptrdiff_t>(number));
  for (std::size_t i = number; i < simulation.plants.size(); ++i) {
    at(registry.slots, simulation.plants[i].slot).plant = static_cast<Index>(i);
  }
}

void tell(EventKind kind, PlantId plant, SegmentId segment, PlantId other, Simulation& simulation) {
  simulation.events.push_back(
      {.kind = kind, .time = simulation.time, .plant = plant, .segment = segment, .other = other});
}

}  // namespace thigmo
