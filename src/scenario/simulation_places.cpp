#include "scenario/simulation_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/hash.h"
#include "mechanics/model/beam.h"
#include "mechanics/statics/section_forces.h"
#include "scenario/found_place.h"
#include "simulation/solver.h"

namespace thigmo {
namespace {

// Rods are curves, and their segments chords.
Vec3 natural_curvature(const PlantSource& source) {
  const auto* rod = std::get_if<RodDescription>(&source.source);
  return rod ? rod->curvature : Vec3{};
}

// A part of a load that is carried by one segment.
struct Share {
  Index body;
  Vec3 point_in_body;
  double part;
  double from_middle;  // of that segment, along the beam [m]
};

// The section at a distance x from its segment's middle is turned by the part x/h of the way to the
// middle of the segment beside it: a follower load acts on both in these parts.
std::vector<Share> shares_of(const Plant& plant, const FoundPlace& place, bool held) {
  const auto segment = [&](Index i) -> const Segment& { return at(plant.segments, i); };
  const double whole = segment(place.body).length, x = place.point_in_body.y - 0.5 * whole;
  const std::vector<Index> next = beam_continuations(plant);
  const Index parent = segment(place.body).parent;
  const bool goes_on = parent != no_index && at(next, parent) == place.body;
  // Stated bodies are rigid: a load on one is its own.
  if (segment(place.body).given != no_index) return {{place.body, place.point_in_body, 1, x}};
  // A root turns with what holds it, which takes the rest of the load; so does a fork, by the segment that
  // ends in it.
  if (x < 0 && !goes_on) {
    const double there = std::abs(x) / (0.5 * whole);
    const Share own{place.body, place.point_in_body, 1 - there, x};
    if (parent == no_index && held) return {own};
    if (parent == no_index) return {{place.body, place.point_in_body, 1, x}};
    const Segment& s = segment(place.body);
    return {
        own,
        {parent, s.base_in_parent + rotate(s.parent_from_segment, place.point_in_body), there, 0}};
  }
  const Index beside = x > 0 ? at(next, place.body) : goes_on ? parent : no_index;
  if (beside == no_index || x == 0) return {{place.body, place.point_in_body, 1, x}};
  const double between = 0.5 * (whole + segment(beside).length);  // from middle to middle
  const double there = std::abs(x) / between;
  const double other_x = x > 0 ? x - between : x + between;
  return {{place.body, place.point_in_body, 1 - there, x},
          {beside, {0, 0.5 * segment(beside).length + other_x, 0}, there, other_x}};
}

}  // namespace

Result<Done> add_forces(const Scenario& scenario, Simulation& simulation) {
  for (const ForceSource& source : scenario.forces) {
    const std::size_t number = plant_number(simulation, source.plant);
    SimulatedPlant& plant = simulation.plants[number];
    const Result<FoundPlace> place = find_place(plant.model->plant, source.at, "a force");
    if (!place) return place.diagnostics();
    const bool held =
        !scenario.plants[number].root.free && std::isinf(plant.model->plant.root_stiffness);
    if (const Result<Done> done = check_moment(plant, source.moment); !done) return done;
    const bool joints = method_of(plant) == Method::articulated;
    const std::vector<Share> shares =
        source.follower && joints ? shares_of(plant.model->plant, *place, held)
                                  : std::vector<Share>{{place->body, place->point_in_body, 1, 0}};
    for (const Share& share : shares) {
      const Quat turn =
          exp_rotation(natural_curvature(scenario.plants[number]) * share.from_middle);
      const double whole = at(plant.model->plant.segments, share.body).length;
      simulation.forces.push_back(
          {.plant = number,
           .load = {.body = share.body,
                    .point_in_body = share.point_in_body,
                    .force = rotate(turn, source.force) * share.part,
                    .moment = rotate(turn, source.moment) * share.part,
                    .follower = source.follower},
           .end_flexibility = joints ? end_flexibility(plant.model->plant, share.body,
                                                       share.point_in_body.y / whole)
                                     : Vec3{},
           .start = source.start,
           .end = source.end.value_or(std::numeric_limits<double>::infinity()),
           .omega = 2 * std::numbers::pi * source.frequency,
           .phase = source.phase_degrees * std::numbers::pi / 180,
           .number = ++simulation.loads_named});
      plant.loads.reserve(plant.loads.capacity() + 1);
    }
  }
  return Done{};
}

// Roots that are moved or let go, and the ground under them.
Result<Done> add_roots(const Scenario& scenario, const ReadFile& read_file,
                       Simulation& simulation) {
  for (std::size_t i = 0; i < scenario.plants.size(); ++i) {
    const RootSource& root = scenario.plants[i].root;
    SimulatedPlant& plant = simulation.plants[i];
    if (root.free) plant.state.root.hold = RootHold::free;
    plant.release = root.release;
    plant.state.root.velocity_world = root.velocity_world;
    plant.state.root.omega_plant =
        rotate(conjugate(plant.state.root.world_from_plant), root.spin_world);
    place_particles(plant);
    if (!scenario.ground) continue;
    plant.ground = ground_for(*scenario.ground, plant.model->mechanism);
  }
  simulation.ground = scenario.ground;
  for (const MotionSource& source : scenario.motions) {
    SimulatedPlant& plant = simulation.plants[plant_number(simulation, source.plant)];
    Result<RootPath> path = make_path(source.path, scenario.duration, read_file);
    if (!path) return path.diagnostics();
    plant.path = std::move(*path);
    plant.path->start = plant.stands;
    plant.state.root = root_at(*plant.path, simulation.time);
    place_particles(plant);
  }
  return Done{};
}

Result<Done> add_grabs(const Scenario& scenario, const ReadFile& read_file,
                       Simulation& simulation) {
  for (const GrabSource& source : scenario.grabs) {
    const std::size_t number = plant_number(simulation, source.plant);
    SimulatedPlant& plant = simulation.plants[number];
    const Result<FoundPlace> place = find_place(plant.model->plant, source.at, "a grab");
    if (!place) return place.diagnostics();
    Result<RootPath> path = make_path(source.path, scenario.duration, read_file);
    if (!path) return path.diagnostics();
    path->start.origin_world =
        point_motion(plant, place->body, place->point_in_body).position_world;
    simulation.grabs.push_back(
        {.plant = number,
         .load = {.body = place->body,
                  .point_in_body = place->point_in_body,
                  .stiffness = source.stiffness,
                  .damping = source.damping},
         .path = std::move(*path),
         .release = source.release.value_or(std::numeric_limits<double>::infinity()),
         .number = ++simulation.loads_named});
    plant.grabs.reserve(plant.grabs.capacity() + 1);
  }
  return Done{};
}

Result<Done> add_probes(const Scenario& scenario, Simulation& simulation) {
  for (const ProbeSource& source : scenario.probes) {
    const std::size_t number = plant_number(simulation, source.plant);
    const Result<FoundPlace> place = find_place(simulation.plants[number].model->plant, source.at,
                                                fmt::format("the probe '{}'", source.name));
    if (!place) return place.diagnostics();
    Hasher source_hash;
    source_hash.add(static_cast<std::uint64_t>(number));
    source_hash.add(static_cast<std::uint64_t>(place->body));
    source_hash.add(place->point_in_body.y);
    simulation.probes.push_back({.name = source.name,
                                 .plant = number,
                                 .body = place->body,
                                 .point_in_body = place->point_in_body,
                                 .curvature = natural_curvature(scenario.plants[number]),
                                 .source = source_hash.value()});
  }
  return Done{};
}

}  // namespace thigmo
