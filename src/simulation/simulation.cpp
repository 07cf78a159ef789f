#include "simulation/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "mechanics/statics/section_forces.h"
#include "simulation/solver.h"

namespace thigmo {
namespace {

// The forces on a plant during a step, each as it is at a point in time of it and weakened by the part of
// the step that it does not act.
void collect_loads(const Simulation& simulation, std::size_t number, double dt, double at,
                   std::vector<PointLoad>& loads) {
  loads.clear();
  const double begin = simulation.time, end = simulation.time + dt;
  for (const AppliedForce& force : simulation.forces) {
    const double acts = std::min(end, force.end) - std::max(begin, force.start);
    if (force.plant != number || !(acts > 0)) continue;
    loads.push_back(force.load);
    double strength = force.start <= begin && end <= force.end ? 1 : acts / dt;
    if (force.omega > 0) strength *= std::sin(force.omega * (at - force.start) + force.phase);
    loads.back().force *= strength;
    loads.back().moment *= strength;
    loads.back() = seen_from_middle(loads.back(), force.end_flexibility);
  }
}

bool is_dragged(const Grab& grab) { return grab.path.time.empty(); }

// The grabs on a plant at a point in time: they hold on from the first key of their path on.
void collect_grabs(const Simulation& simulation, std::size_t number, double dt, double at,
                   std::vector<GrabLoad>& grabs) {
  grabs.clear();
  for (const Grab& grab : simulation.grabs) {
    if (grab.plant != number) continue;
    if (is_dragged(grab)) {
      const Vec3 way = grab.load.target_world - grab.last_target_world;
      grabs.push_back(grab.load);
      grabs.back().target_world = grab.last_target_world + way * ((at - simulation.time) / dt);
      grabs.back().target_velocity_world = way / dt;
      continue;
    }
    if (at < grab.path.time.front() || at >= grab.release) continue;
    const RootState moved = root_at(grab.path, at);
    grabs.push_back(grab.load);
    grabs.back().target_world = moved.position_world;
    grabs.back().target_velocity_world = moved.velocity_world;
  }
}

// Whether something around a plant changes in a step: wind, forces, grabs, its root.
bool surroundings_change(const Simulation& simulation, std::size_t number, double dt) {
  const SimulatedPlant& plant = simulation.plants[number];
  const double begin = simulation.time, end = begin + dt;
  const auto within = [&](double moment) { return moment >= begin && moment < end; };
  const auto moves = [&](const RootPath& path) {
    return end > path.time.front() && begin < path.time.back() + dt;
  };
  if (simulation.drag.air_density > 0 && (has_gusts(plant.wind_model) || plant.wind_ease))
    return true;
  if (changes_within(simulation.keyed.uniform_wind, begin, end)) return true;
  if (plant.path && moves(*plant.path)) return true;
  if (plant.release && within(*plant.release)) return true;
  for (const AppliedForce& force : simulation.forces) {
    if (force.plant != number) continue;
    if (within(force.start) || within(force.end)) return true;
    if (force.omega > 0 && force.start < end && begin < force.end) return true;
  }
  for (const Grab& grab : simulation.grabs) {
    if (grab.plant != number) continue;
    if (is_dragged(grab)) {
      if (grab.load.target_world != grab.last_target_world) return true;
    } else if (moves(grab.path) || within(grab.release)) {
      return true;
    }
  }
  return false;
}

// A plant in which nothing has moved faster than this for a while is at rest.
constexpr double still_speed = 6e-8;   // [rad/s] and [m/s]
constexpr double time_to_sleep = 0.5;  // [s]

void watch_sleep(double dt, SimulatedPlant& plant) {
  const RootState& root = plant.state.root;
  const bool still = plant.report.finite && plant.report.worst_turn < still_speed * dt &&
                     length(root.velocity_world) < still_speed &&
                     length(root.omega_plant) < still_speed;
  plant.quiet_time = still ? plant.quiet_time + dt : 0;
  plant.asleep = plant.quiet_time >= time_to_sleep;
}

// The air around a plant at a time. A wind by keys of its speed, U(t) = s(t) U, is the wind of the speed U at the
// time τ = ∫ s dt, since its gusts are frozen into what has come by, and s times as strong.
void find_air(const KeyedValues& keyed, double time, SimulatedPlant& plant) {
  if (!keyed.uniform_wind.empty()) {
    plant.wind.air.velocity_world = {air_node(value_at(keyed.uniform_wind, time))};
  } else if (keyed.gust_speed.empty()) {
    sample_wind(plant.wind_model, time, plant.wind);
  } else {
    sample_wind(plant.wind_model, integral_to(keyed.gust_speed, time), plant.wind);
    plant.gust_strength = value_at(keyed.gust_speed, time);
    plant.keyed_air = plant.wind.air;
    strengthen(plant.gust_strength, plant.keyed_air);
  }
}

// One plant through one step; loads are those of the point in time where the scheme takes forces.
void step_one(Simulation& simulation, std::size_t number, double dt, int threads) {
  SimulatedPlant& plant = simulation.plants[number];
  if (plant.release && *plant.release < simulation.time + dt) {
    plant.state.root.hold = RootHold::free;
    plant.path.reset();
  }
  const bool changes = surroundings_change(simulation, number, dt);
  if (plant.asleep && !changes) {
    plant.state.time += dt;
    plant.report = {};
    return;
  }
  const double at = simulation.time + force_time(simulation.options) * dt;
  if (plant.wind_ease && simulation.time >= plant.wind_ease->end) plant.wind_ease.reset();
  find_air(simulation.keyed, at, plant);
  if (plant.wind_ease) ease_wind(at, plant.wind.air, *plant.wind_ease);
  collect_loads(simulation, number, dt, at, plant.loads);
  const std::size_t grabs = plant.grabs.size();
  collect_grabs(simulation, number, dt, at, plant.grabs);
  // Accelerations jump where a grab takes hold or lets go: those of before are none to go on with.
  if (plant.grabs.size() != grabs) plant.state.started = false;
  plant.report = step_plant(loads_of(simulation, plant), simulation.options, dt, threads, plant);
  if (changes) plant.quiet_time = 0;
  watch_sleep(dt, plant);
}

// What a step did to a plant that somebody may want to hear of.
void tell(std::size_t number, Simulation& simulation) {
  SimulatedPlant& plant = simulation.plants[number];
  const auto say = [&](EventKind kind) {
    simulation.events.push_back(
        {.kind = kind, .time = simulation.time, .plant = plant_id(simulation, number)});
  };
  if (plant.touches && !plant.told_touching) say(EventKind::touched);
  if (plant.asleep != plant.told_asleep) say(plant.asleep ? EventKind::slept : EventKind::woke);
  if (!plant.report.finite) say(EventKind::stopped);
  plant.told_touching = plant.touches;
  plant.told_asleep = plant.asleep;
}

}  // namespace

const AirLattice& air_around(const SimulatedPlant& plant) {
  if (plant.wind_ease) return plant.wind_ease->air;
  return plant.keyed_air.velocity_world.empty() ? plant.wind.air : plant.keyed_air;
}

Loads loads_of(const Simulation& simulation, const SimulatedPlant& plant) {
  return {.gravity_world = simulation.gravity_world,
          .air = simulation.drag.air_density > 0 ? &air_around(plant) : nullptr,
          .points = plant.loads,
          .grabs = plant.grabs,
          .ground = plant.ground ? &*plant.ground : nullptr,
          .root_path = plant.path ? &*plant.path : nullptr};
}

std::vector<PointLoad> standing_loads(const Simulation& simulation, std::size_t plant) {
  std::vector<PointLoad> loads;
  for (const AppliedForce& force : simulation.forces) {
    const bool acts = force.start <= simulation.time && simulation.time < force.end;
    if (force.plant != plant || !acts || force.omega > 0) continue;
    loads.push_back(seen_from_middle(force.load, force.end_flexibility));
  }
  return loads;
}

void step(Simulation& simulation, double dt, int threads) {
  const struct {
    Simulation& simulation;
    double dt;
    int threads;
  } context{simulation, dt, threads};
  parallel_for(simulation.plants.size(), threads, [&context](std::size_t i) {
    step_one(context.simulation, i, context.dt, context.threads);
  });
  for (const SimulatedPlant& plant : simulation.plants) {
    simulation.rejected_steps += plant.report.rejected;
    simulation.corrections += plant.report.corrections;
    simulation.braked_joints += plant.report.braked;
    if (plant.report.coarse) ++simulation.coarse_steps;
    simulation.energy_gain = std::max(simulation.energy_gain, plant.report.energy_gain);
    simulation.finite = simulation.finite && plant.report.finite;
  }
  if (simulation.finite) {
    simulation.time += dt;
    ++simulation.steps;
    for (Grab& grab : simulation.grabs) grab.last_target_world = grab.load.target_world;
  }
  // What the step began with is told before what it did.
  simulation.events.resize(std::min(simulation.events.size(), simulation.timeline.told));
  simulation.timeline.told = 0;
  for (std::size_t i = 0; i < simulation.plants.size(); ++i) tell(i, simulation);
}

PlantId plant_id(const Simulation& simulation, std::size_t plant) {
  const Index slot = simulation.plants[plant].slot;
  if (slot == no_index) return {};
  return {.slot = static_cast<std::uint32_t>(slot),
          .generation = at(simulation.registry.slots, slot).generation};
}

SegmentId segment_id(const SimulatedPlant& plant, Index segment) {
  if (!plant.ids.empty()) return at(plant.ids, segment);
  return {.number = static_cast<std::uint32_t>(segment), .birth = plant.birth};
}

std::vector<SegmentId> segment_ids(const SimulatedPlant& plant) {
  if (!plant.ids.empty()) return plant.ids;
  std::vector<SegmentId> ids(plant.model->plant.segments.size());
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = segment_id(plant, static_cast<Index>(i));
  return ids;
}

void name_plant(std::size_t number, Simulation& simulation) {
  SimulatedPlant& plant = simulation.plants[number];
  plant.slot = take_slot(static_cast<Index>(number), simulation.registry);
  plant.birth = add_birth(segment_count(plant.model->plant), plant.slot, simulation.registry);
  reserve_events(simulation);
}

// A step allocates nothing: what it may tell of each plant finds room.
void reserve_events(Simulation& simulation) {
  constexpr std::size_t tales_of_a_plant = 4;
  simulation.events.reserve(tales_of_a_plant * simulation.plants.size());
}

// Models are made unconst and shared as const: who is the only one to have one may change it.
PlantModel& own_model(SimulatedPlant& plant) {
  if (plant.model.use_count() > 1) plant.model = std::make_shared<PlantModel>(*plant.model);
  return const_cast<PlantModel&>(*plant.model);
}

void wake(SimulatedPlant& plant) {
  plant.asleep = false;
  plant.quiet_time = 0;
  plant.state.started = false;
  plant.state.watch = {};
}

Diagnostic why_stopped(const Simulation& simulation) {
  for (const SimulatedPlant& plant : simulation.plants) {
    if (plant.report.finite || !plant.report.coarse || !simulation.options.stop_when_violent)
      continue;
    return error(
        fmt::format("the motion of {} is too violent after {:.6g} s: neither shorter substeps "
                    "nor brakes end its step within most_passes = {}",
                    plant.name, simulation.time, simulation.options.most_passes),
        "take a shorter step, allow more most_passes, or go on with too_violent = "
        "\"coarser\"");
  }
  for (const SimulatedPlant& plant : simulation.plants) {
    if (plant.report.finite || !plant.particles) continue;
    return error(fmt::format("the particles of {} went beyond what numbers can hold after {:.6g} s",
                             plant.name, simulation.time),
                 "forces on them are too large for their masses: weaken them");
  }
  for (const SimulatedPlant& plant : simulation.plants) {
    if (plant.report.finite) continue;
    return error(
        fmt::format("the motion of '{}' could not be continued after {:.6g} s: even the "
                    "smallest step failed",
                    plant.name, simulation.time),
        "forces, speeds or stiffnesses are beyond what numbers can hold, or the plant stands "
        "where it cannot");
  }
  return error(fmt::format("the motion could not be continued after {:.6g} s", simulation.time));
}

MovingPlant standing(const SimulatedPlant& plant) {
  return {
      .plant = &plant.model->plant, .motion = nullptr, .stands = plant.stands, .name = plant.name};
}

PointMotion probe_motion(const Simulation& simulation, const Probe& probe) {
  if (probe.gone) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return {.position_world = {none, none, none}, .velocity_world = {none, none, none}};
  }
  return point_motion(simulation.plants[probe.plant], probe.body, probe.point_in_body);
}

Index segment_count(const Simulation& simulation) {
  Index count = 0;
  for (const SimulatedPlant& plant : simulation.plants) count += segment_count(plant.model->plant);
  return count;
}

std::uint64_t state_hash(const Simulation& simulation) {
  Hasher hasher;
  for (const SimulatedPlant& plant : simulation.plants) {
    add_to_hash(plant.state, hasher);
    if (plant.particles) add_to_hash(plant.particles->state, hasher);
  }
  return hasher.value();
}

double energy_taken_by_scheme(const Simulation& simulation) {
  double most = 0;
  for (const SimulatedPlant& plant : simulation.plants) {
    const EnergyWatch& watch = plant.state.watch;
    const std::vector<Body>& bodies = plant.model->mechanism.body;
    const bool undamped = plant.model->mechanism.mass_damping == 0 &&
                          std::all_of(bodies.begin(), bodies.end(),
                                      [](const Body& body) { return body.damping_time == 0; });
    if (!undamped || !watch.on || !(watch.swing > 0)) continue;
    // What is lost soon never shows as motion.
    const double lost = watch.start - watch.lowest;
    most = std::max(most, lost / std::max(watch.swing, lost));
  }
  return most;
}

}  // namespace thigmo
