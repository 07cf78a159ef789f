#include "simulation/loads_now.h"

#include <cmath>

#include "mechanics/statics/section_forces.h"

namespace thigmo {

LoadsNow::LoadsNow(const Simulation& simulation, std::size_t plant)
    : loads(loads_of(simulation, simulation.plants[plant])) {
  const double now = simulation.time;
  for (const AppliedForce& force : simulation.forces) {
    if (force.plant != plant || now < force.start || now >= force.end) continue;
    PointLoad load = force.load;
    const double strength =
        force.omega > 0 ? std::sin(force.omega * (now - force.start) + force.phase) : 1;
    load.force *= strength;
    load.moment *= strength;
    points.push_back(seen_from_middle(load, force.end_flexibility));
  }
  for (const Grab& grab : simulation.grabs) {
    if (grab.plant != plant) continue;
    GrabLoad load = grab.load;
    if (grab.path.time.empty()) {  // it is dragged, and stands between two steps
      load.target_world = grab.last_target_world;
      load.target_velocity_world = {};
    } else {
      if (now < grab.path.time.front() || now >= grab.release) continue;
      const RootState moved = root_at(grab.path, now);
      load.target_world = moved.position_world;
      load.target_velocity_world = moved.velocity_world;
    }
    grabs.push_back(load);
  }
  loads.points = points;
  loads.grabs = grabs;
}

}  // namespace thigmo
