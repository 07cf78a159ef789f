#pragma once

// Where names lead during an edit, and how what holds on to segments goes along with them.

#include "mechanics/kinematics/energy.h"
#include "simulation/edit.h"
#include "simulation/simulation.h"

namespace thigmo {

struct FoundSegment {
  std::size_t plant = 0;
  Index segment = 0;
};
Result<FoundSegment> find_segment(const Simulation& simulation, SegmentId id);
Result<std::size_t> find_plant(const Simulation& simulation, PlantId id);

// Whether this is a part of a length.
Result<Done> check_along(double along);

// Of a plant, where account is kept; else no_count [J].
double counted_energy(const Simulation& simulation, std::size_t plant);

// Forces, grabs and probes, by the names of their segments; and what acted on all plants in the last step.
template <class Load>
struct ActedOn {
  SegmentId segment;
  Load load;
};
struct Holdings {
  std::vector<SegmentId> of_forces, of_grabs, of_probes;
  std::vector<ActedOn<PointLoad>> last_loads;
  std::vector<ActedOn<GrabLoad>> last_grabs;
};
Holdings holdings_of(const Simulation& simulation);

// Puts them where their segments are now. Those beyond a split are on its upper part; those whose segments are
// gone are gone, but for probes, which say so.
void put_back(const Holdings& holdings, const EditResult& result, Simulation& simulation);

// Notes where the segments of a plant are now.
void note_places(const SimulatedPlant& plant, Registry& registry);

// Adds a plant that an edit has made, without giving its segments other names.
std::size_t add_made_plant(SimulatedPlant plant, Simulation& simulation);

// Takes a plant out of the simulation, whose segments are elsewhere by now, or with them. The numbers of plants
// behind it go down.
void drop_empty_plant(std::size_t plant, Simulation& simulation);
void drop_plant(std::size_t plant, Simulation& simulation);

void tell(EventKind kind, PlantId plant, SegmentId segment, PlantId other, Simulation& simulation);

}  // namespace thigmo
