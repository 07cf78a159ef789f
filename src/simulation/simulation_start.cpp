#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mechanics/equilibrium.h"
#include "mechanics/inverse_statics.h"
#include "simulation/simulation_parts.h"

namespace thigmo {
namespace {

// The diagnosis when no rest shape lets a plant stand as modelled.
Diagnostic too_weak(const SimulatedPlant& plant, const InverseReport& report) {
  return error(
      fmt::format("the plant '{}' is too weak to stand as modelled: its weight would bend segment "
                  "{} by {:.0f} degrees or more",
                  plant.plant.name, report.at,
                  report.largest_joint_angle * 180.0 / std::numbers::pi),
      "give it a stiffer material or thicker stems, or start = \"rest\"");
}

// What is said of a plant that starts at rest because it cannot stand as modelled.
Diagnostic too_weak_note(const SimulatedPlant& plant) {
  return warning(
      fmt::format(
          "the plant '{}' is too weak to stand as modelled: it starts without its weight and sags",
          plant.plant.name),
      "give it a stiffer material (young, species) or thicker stems");
}

// What is said of a plant that stands as modelled like a pencil on its point.
Diagnostic falling_note(const SimulatedPlant& plant, const InverseReport& report) {
  return warning(
      fmt::format("the plant '{}' is in balance as modelled but falls at a touch, in {} {}",
                  plant.plant.name, report.falling,
                  report.falling == 1 ? "direction" : "directions"),
      "give it a stiffer material (young, species), thicker stems or less to carry, or start = "
      "\"equilibrium\"");
}

// What is said of one whose rest shape stands like that: a straight rod that is set upright.
Diagnostic balanced_note(const SimulatedPlant& plant, int falling) {
  return warning(
      fmt::format("the plant '{}' stands straight up like a pencil on its point: it is too weak to "
                  "be held, in {} {}, and falls at a touch",
                  plant.plant.name, falling, falling == 1 ? "direction" : "directions"),
      "give it a stiffer material (young, species) or a thicker stem, or lean it a little");
}

// The diagnosis when a plant finds no equilibrium to start in.
Diagnostic no_equilibrium(const SimulatedPlant& plant, const EquilibriumReport& report) {
  return error(fmt::format("no equilibrium was found for the plant '{}': Newton's method came as "
                           "far as {:.4g} of its loads",
                           plant.plant.name, report.load_fraction),
               "weaken the loads, or start = \"rest\"");
}

// Loads as the model sees them that stands where no placement has turned it.
void turn_back(const Placement& placement, Vec3& gravity_world, std::vector<PointLoad>& loads) {
  if (placement.turn == 0) return;
  const Quat back = conjugate(rotation_of(placement));
  gravity_world = rotate(back, gravity_world);
  for (PointLoad& load : loads) {
    if (load.follower) continue;
    load.force = rotate(back, load.force);
    load.moment = rotate(back, load.moment);
  }
}

// Directions in which a plant falls that is at rest in its first pose although nothing holds it there: no
// joint has anything to bear, so that nothing moves until something touches it. 0 where it moves, or is held.
int pencil_directions(const Simulation& simulation, std::size_t number) {
  const SimulatedPlant& plant = simulation.plants[number];
  State state = rest_state(plant.mechanism);
  state.rest_from_body = plant.state.rest_from_body;
  Vec3 gravity = simulation.gravity_world;
  std::vector<PointLoad> points = standing_loads(simulation, number);
  turn_back(plant.placement, gravity, points);
  const Loads loads{.gravity_world = gravity, .points = points};
  const Pose pose = pose_of(plant.mechanism, state);
  double moment = 0, largest = 0;  // that the weight could have, and has [N m]
  for (const Body& body : plant.mechanism.body) {
    moment += body.mass * length(gravity) * static_cast<double>(body.length);
  }
  for (const Vec3& torque : joint_load_torques(plant.mechanism, loads, pose)) {
    largest = std::max(largest, length(torque));
  }
  const bool balanced = largest <= 1e-9 * moment;
  return balanced ? falling_directions(plant.mechanism, loads, state) : 0;
}

}  // namespace

StartPose start_of(const PlantSource& source, const Plant& plant) {
  const bool rod = std::holds_alternative<RodDescription>(source.source);
  // What nothing holds does not stand; rest angles that were stated are those it rests at.
  const bool stands = !rod && !source.root.free && plant.given_bodies.empty();
  return source.start.value_or(stands ? StartPose::modelled : StartPose::rest);
}

void turn_to_start_angles(SimulatedPlant& plant) {
  for (std::size_t i = 0; i < plant.plant.segments.size(); ++i) {
    const Index given = plant.plant.segments[i].given;
    if (given == no_index) continue;
    const Vec3 angles = plant.plant.given_bodies[static_cast<std::size_t>(given)].start_angles;
    const Quat turned = plant.state.rest_from_body[i] * exp_rotation(angles);
    plant.state.rest_from_body.set(i, normalized(turned));
  }
}

void warn_of_pencils(const Scenario& scenario, Simulation& simulation) {
  for (std::size_t i = 0; i < scenario.plants.size(); ++i) {
    const PlantSource& source = scenario.plants[i];
    if (source.like || source.root.free ||
        start_of(source, simulation.plants[i].plant) != StartPose::rest)
      continue;
    const int falling = pencil_directions(simulation, i);
    if (falling > 0) simulation.notes.push_back(balanced_note(simulation.plants[i], falling));
  }
}

Result<Done> set_start(const PlantSource& source, std::size_t number, Simulation& simulation) {
  SimulatedPlant& plant = simulation.plants[number];
  const StartPose start = start_of(source, plant.plant);
  if (source.like && simulation.plants[*source.like].model == plant.model &&
      start != StartPose::equilibrium) {
    plant.state.rest_from_body = simulation.plants[*source.like].state.rest_from_body;
    return Done{};
  }
  switch (start) {
    case StartPose::rest:
      turn_to_start_angles(plant);
      break;
    case StartPose::modelled: {
      const InverseReport report = make_pose_equilibrium(
          {.gravity_world = simulation.gravity_world}, plant.mechanism, plant.state);
      if (!report.found && source.start) return too_weak(plant, report);
      if (!report.found) simulation.notes.push_back(too_weak_note(plant));
      if (report.falling > 0) simulation.notes.push_back(falling_note(plant, report));
      turn_to_start_angles(plant);
      break;
    }
    case StartPose::equilibrium: {
      const std::vector<PointLoad> standing = standing_loads(simulation, number);
      plant.loads.assign(standing.begin(), standing.end());
      Vec3 gravity = simulation.gravity_world;
      turn_back(plant.placement, gravity, plant.loads);
      const Loads loads{.gravity_world = gravity, .points = plant.loads};
      const EquilibriumReport report = find_equilibrium(plant.mechanism, loads, {}, plant.state);
      if (!report.converged) return no_equilibrium(plant, report);
      break;
    }
  }
  return Done{};
}

}  // namespace thigmo
