#include "scenario/simulation_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mechanics/statics/equilibrium.h"
#include "mechanics/statics/inverse_statics.h"

namespace thigmo {
namespace {

// The diagnosis when no rest shape lets a plant stand as modelled.
Diagnostic too_weak(const std::string& plant, const InverseReport& report) {
  return error(
      fmt::format("the plant '{}' is too weak to stand as modelled: its weight would bend segment "
                  "{} by {:.0f} degrees or more",
                  plant, report.at, report.largest_joint_angle * 180.0 / std::numbers::pi),
      "give it a stiffer material or thicker stems, or start = \"rest\"");
}

// What is said of a plant that starts at rest because it cannot stand as modelled.
Diagnostic too_weak_note(const std::string& plant) {
  return warning(
      fmt::format(
          "the plant '{}' is too weak to stand as modelled: it starts without its weight and sags",
          plant),
      "give it a stiffer material (young, species) or thicker stems");
}

// What is said of a plant that stands as modelled like a pencil on its point.
Diagnostic falling_note(const std::string& plant, const InverseReport& report) {
  return warning(
      fmt::format("the plant '{}' is in balance as modelled but falls at a touch, in {} {}", plant,
                  report.falling, report.falling == 1 ? "direction" : "directions"),
      "give it a stiffer material (young, species), thicker stems or less to carry, or start = "
      "\"equilibrium\"");
}

// What is said of one whose rest shape stands like that: a straight rod that is set upright.
Diagnostic balanced_note(const std::string& plant, int falling) {
  return warning(
      fmt::format("the plant '{}' stands straight up like a pencil on its point: it is too weak to "
                  "be held, in {} {}, and falls at a touch",
                  plant, falling, falling == 1 ? "direction" : "directions"),
      "give it a stiffer material (young, species) or a thicker stem, or lean it a little");
}

// The diagnosis when a plant finds no equilibrium to start in.
Diagnostic no_equilibrium(const std::string& plant, const EquilibriumReport& report) {
  return error(fmt::format("no equilibrium was found for the plant '{}': Newton's method came as "
                           "far as {:.4g} of its loads",
                           plant, report.load_fraction),
               "weaken the loads, or start = \"rest\"");
}

// Directions in which a plant falls that is at rest in its first pose although nothing holds it there: no
// joint has anything to bear, so that nothing moves until something touches it. 0 where it moves, or is held.
int pencil_directions(const Simulation& simulation, std::size_t number) {
  const SimulatedPlant& plant = simulation.plants[number];
  const Mechanism& mechanism = plant.model->mechanism;
  State state = rest_state(mechanism, plant.stands);
  state.rest_from_body = plant.state.rest_from_body;
  const std::vector<PointLoad> points = standing_loads(simulation, number);
  const Loads loads{.gravity_world = simulation.gravity_world, .points = points};
  double moment = 0, largest = 0;  // that the weight could have, and has [N m]
  for (const Body& body : mechanism.body) {
    moment += body.mass * length(simulation.gravity_world) * static_cast<double>(body.length);
  }
  for (const Vec3& torque : load_sums(mechanism, loads, pose_of(mechanism, state)).torque) {
    largest = std::max(largest, length(torque));
  }
  const bool balanced = largest <= 1e-9 * moment;
  return balanced ? falling_directions(mechanism, loads, state) : 0;
}

}  // namespace

StartPose start_of(const PlantSource& source, const Plant& plant) {
  const bool rod = std::holds_alternative<RodDescription>(source.source);
  // What nothing holds does not stand; rest angles that were stated are those it rests at.
  const bool stands = !rod && !source.root.free && plant.given_bodies.empty() &&
                      source.method == Method::articulated;
  return source.start.value_or(stands ? StartPose::modelled : StartPose::rest);
}

void warn_of_pencils(const Scenario& scenario, Simulation& simulation) {
  for (std::size_t i = 0; i < scenario.plants.size(); ++i) {
    const PlantSource& source = scenario.plants[i];
    if (source.like || source.root.free || source.method == Method::particles ||
        start_of(source, simulation.plants[i].model->plant) != StartPose::rest)
      continue;
    const int falling = pencil_directions(simulation, i);
    if (falling > 0) simulation.notes.push_back(balanced_note(simulation.plants[i].name, falling));
  }
}

Result<Done> judge_standing(const PlantSource& source, const InverseReport& report,
                            Diagnostics& notes) {
  if (!report.found && source.start) return too_weak(source.name, report);
  if (!report.found) notes.push_back(too_weak_note(source.name));
  if (report.falling > 0) notes.push_back(falling_note(source.name, report));
  return Done{};
}

Result<Done> settle(const PlantSource& source, std::size_t number, Simulation& simulation) {
  SimulatedPlant& plant = simulation.plants[number];
  if (start_of(source, plant.model->plant) != StartPose::equilibrium) return Done{};
  const std::vector<PointLoad> standing = standing_loads(simulation, number);
  const Loads loads{.gravity_world = simulation.gravity_world, .points = standing};
  const EquilibriumReport report = find_equilibrium(plant.model->mechanism, loads, {}, plant.state);
  if (!report.converged) return no_equilibrium(plant.name, report);
  return Done{};
}

}  // namespace thigmo
