#include "simulation/energy_book.h"

#include "simulation/solver.h"

namespace thigmo {
namespace {

Energy stored_in(const Simulation& simulation) {
  Energy sum;
  for (const SimulatedPlant& plant : simulation.plants) {
    const Energy energy = energy_of(plant, simulation.gravity_world);
    sum.kinetic += energy.kinetic;
    sum.elastic += energy.elastic;
    sum.gravitational += energy.gravitational;
  }
  return sum;
}

}  // namespace

EnergyBook::EnergyBook(Simulation& simulation, Start start) {
  if (start == Start::go_on && simulation.account_start) {
    add_step(simulation);
    return;
  }
  for (SimulatedPlant& plant : simulation.plants) {
    plant.workspace.works = make_works(plant.model->mechanism);
  }
  account_.stored = stored_in(simulation);
  simulation.account_start = total(account_.stored);
  simulation.account_by_edits = 0;
  simulation.account_closed = {};
}

void EnergyBook::add_step(const Simulation& simulation) {
  account_ = {.stored = stored_in(simulation)};
  EnergyAccount& a = account_;
  const auto add = [&a](const Works& works) {
    a.by_air += works.by_air;
    a.by_loads += works.by_loads;
    a.by_ground += works.by_ground;
    a.by_base += works.by_base;
    a.lost_in_joints += works.lost_in_joints;
    a.lost_by_mass += works.lost_by_mass;
  };
  add(simulation.account_closed);
  for (const SimulatedPlant& plant : simulation.plants) {
    if (plant.workspace.works) add(*plant.workspace.works);  // else it was added since
  }
  a.by_edits = simulation.account_by_edits;
  a.numerical = *simulation.account_start + a.by_air + a.by_loads + a.by_ground + a.by_base +
                a.by_edits - a.lost_in_joints - a.lost_by_mass - total(a.stored);
}

}  // namespace thigmo
