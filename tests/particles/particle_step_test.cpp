#include "particles/particle_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "material/species.h"
#include "particles/particle_motion.h"
#include "plant/rod.h"
#include "simulation/add_plant.h"
#include "simulation/solver.h"
#include "support/allocations.h"
#include "support/gallery.h"

namespace thigmo::particle_step_test {
namespace {

constexpr double dt = 1.0 / 60;
constexpr double g = 9.81;
const Material wood{.name = "wood",
                    .density = 800,
                    .young = 8e9,
                    .shear_ratio = 0.07,
                    .damping_ratio = 0.02,
                    .strength = 5e7};

Simulation with_particles(Plant plant, const ParticleSettings& settings,
                          const Vec3& gravity = {0, -g, 0}) {
  Simulation simulation{.gravity_world = gravity};
  simulation.drag.air_density = 0;
  add_plant(std::move(plant), {}, StartPose::rest, simulation);
  const Result<Done> done = use_particles(settings, simulation.plants[0]);
  EXPECT_TRUE(done) << to_string(done.diagnostics());
  return simulation;
}

Plant rod(int segments, const Vec3& direction = {1, 0, 0}) {
  return make_rod({.segments = segments,
                   .length = 1,
                   .radius_base = 0.01,
                   .radius_tip = 0.01,
                   .direction = direction,
                   .up = any_perpendicular(direction),
                   .material = wood});
}

Plant grown(const std::string& name) {
  Diagnostics notes;
  const std::string file = (support::gallery_folder() / "plants" / name).string();
  Result<Plant> plant = grow_from_file({.file = file, .parameters = support::small_settings(name)},
                                       support::read_text, notes);
  EXPECT_TRUE(plant) << to_string(plant.diagnostics());
  return std::move(*plant);
}

void run(Simulation& simulation, int steps, double step_length = dt) {
  for (int i = 0; i < steps; ++i) step(simulation, step_length, 1);
  EXPECT_TRUE(simulation.finite);
}

// What nothing holds keeps its momentum, linear and angular, whatever its constraints do: each pulls both of its ends
// alike, along the line between them.
TEST(ParticleStep, FreePlantsKeepTheirMomentum) {
  for (const bool twist : {false, true}) {
    Simulation simulation = with_particles(grown("young_tree.lsys"), {.twist = twist}, {});
    SimulatedPlant& plant = simulation.plants[0];
    plant.state.root.hold = RootHold::free;
    plant.state.root.velocity_world = {0.3, -0.2, 0.5};
    plant.state.root.omega_plant = {1.5, 2, -1};
    place_particles(plant);
    const PlantMomentum before = momentum_of(plant);
    run(simulation, 60);
    const PlantMomentum after = momentum_of(plant);
    EXPECT_LT(length(after.linear_world - before.linear_world), 1e-9 * length(before.linear_world));
    // Verlet's velocities are those of half a step ago.
    const Vec3 lag = cross(before.linear_world, before.linear_world / before.mass) * dt;
    EXPECT_LT(length(after.angular_world - before.angular_world - lag),
              2e-2 * length(before.angular_world));
  }
}

// x = ½ g t (t + dt), Verlet's sum of a t dt over n steps.
TEST(ParticleStep, FreePlantsFall) {
  Simulation simulation = with_particles(rod(6), {});
  SimulatedPlant& plant = simulation.plants[0];
  plant.state.root.hold = RootHold::free;
  run(simulation, 60);
  EXPECT_NEAR(pose_of(plant).base_world[0].y, -0.5 * g * 1 * (1 + dt), 1e-9);
  EXPECT_NEAR(plant.state.root.position_world.y, -0.5 * g * 1 * (1 + dt), 1e-9);
}

// A component of one constraint is satisfied after one iteration (Li 2012, appendix A.1).
TEST(ParticleStep, OneConstraintNeedsOneIteration) {
  Simulation simulation = with_particles(rod(1), {}, {});
  SimulatedPlant& plant = simulation.plants[0];
  plant.state.root.hold = RootHold::free;
  plant.particles->state.position_world[1] += Vec3{0.3, 0.2, -0.1};
  plant.particles->state.previous_world = plant.particles->state.position_world;
  run(simulation, 1);
  const auto& place = plant.particles->state.position_world;
  EXPECT_NEAR(length(place[1] - place[0]), 1, 1e-12);
}

// With the same step a beam sags less the more iterations its constraints get, down to nothing.
TEST(ParticleStep, IterationsMakeStiff) {
  double before = 1;
  for (const int iterations : {20, 80, 320, 1280}) {
    Simulation simulation =
        with_particles(rod(10), {.supports = 2, .iterations = iterations, .velocity_kept = 0.1});
    run(simulation, 300);
    const SimulatedPlant& plant = simulation.plants[0];
    const double sag = -point_motion(plant, 9, {0, 0.1, 0}).position_world.y;
    EXPECT_GT(sag, 0);
    EXPECT_LT(sag, before);
    before = sag;
  }
  EXPECT_LT(before, 0.05);
}

// A plant at rest without weight stays as it is, to rounding, and its frames are those of its rest.
TEST(ParticleStep, RestIsKept) {
  for (const char* name : {"young_tree.lsys", "fern.lsys", "soft_tree_exact.sbt"}) {
    Simulation simulation = with_particles(grown(name), {}, {});
    run(simulation, 5);
    const SimulatedPlant& plant = simulation.plants[0];
    const Pose pose = pose_of(plant), rest = rest_pose(plant.model->plant, plant.stands);
    for (std::size_t i = 0; i < pose.base_world.size(); ++i) {
      EXPECT_LT(length(pose.base_world[i] - rest.base_world[i]), 1e-9);
      const Quat between = conjugate(rest.world_from_segment[i]) * pose.world_from_segment[i];
      EXPECT_LT(length(log_rotation(between)), 1e-6) << name << ' ' << i;
    }
  }
}

// Without ties between their supports branches swing about the stem that they stand on (Li 2012, section 5.1).
TEST(ParticleStep, TiesHoldTwists) {
  const auto swing = [](bool twist) {
    // An arm across the end of a level stem: its weight turns the stem about itself.
    Plant plant = rod(4);
    Segment arm = plant.segments.back();
    arm.parent = 3;
    arm.base_in_parent = {0, plant.segments[3].length, 0};
    arm.parent_from_segment = rotation_between(
        {0, 1, 0}, rotate(conjugate(rest_pose(plant).world_from_segment[3]), {0, 0, 1}));
    plant.segments.push_back(arm);
    Simulation simulation = with_particles(std::move(plant), {.iterations = 400, .twist = twist});
    run(simulation, 60);
    const SimulatedPlant& moved = simulation.plants[0];
    const Pose pose = pose_of(moved);
    return std::asin(rotate(pose.world_from_segment[4], {0, 1, 0}).y);
  };
  EXPECT_LT(swing(false), -0.5);
  EXPECT_GT(swing(true), -0.1);
}

// A grab's spring carries the weight at rest: k times how far it is drawn out.
TEST(ParticleStep, GrabsPullAsTheirSpringsSay) {
  for (const double stiffness : {5.0, 500.0}) {
    Simulation simulation = with_particles(rod(5, {0, -1, 0}), {.velocity_kept = 0.05});
    SimulatedPlant& plant = simulation.plants[0];
    plant.state.root.hold = RootHold::free;
    const Vec3 from = pose_of(plant).base_world[0];
    simulation.grabs.push_back({.plant = 0,
                                .load = {.body = 0,
                                         .point_in_body = {},
                                         .target_world = from,
                                         .stiffness = stiffness,
                                         .damping = 2},
                                .release = 1e9,
                                .last_target_world = from});
    plant.grabs.reserve(1);
    run(simulation, 1200);
    double mass = 0;
    for (const Body& body : plant.model->mechanism.body) mass += body.mass;
    const double drawn = from.y - pose_of(plant).base_world[0].y;
    EXPECT_NEAR(drawn, mass * g / stiffness, 2e-3 * mass * g / stiffness);
  }
}

// Half of the velocity is lost in the time that it is asked to be.
TEST(ParticleStep, VelocityFades) {
  Simulation simulation = with_particles(rod(3), {.velocity_kept = 0.5}, {});
  SimulatedPlant& plant = simulation.plants[0];
  plant.state.root.hold = RootHold::free;
  plant.state.root.velocity_world = {2, 0, 0};
  place_particles(plant);
  run(simulation, 120);
  EXPECT_NEAR(momentum_of(plant).linear_world.x / momentum_of(plant).mass, 0.5, 1e-9);
}

// No part of a plant goes below the ground, and friction stops what slides.
TEST(ParticleStep, GroundHoldsWhatFalls) {
  Simulation simulation = with_particles(grown("soft_tree_exact.sbt"), {});
  SimulatedPlant& plant = simulation.plants[0];
  plant.state.root.hold = RootHold::free;
  plant.state.root.velocity_world = {1, 0, 0.5};
  place_particles(plant);
  plant.ground = Ground{.height = -0.5, .friction = 0.6};
  run(simulation, 900);
  double lowest = 1;
  for (const ParticleStem& stem : plant.particles->model->stems) {
    lowest = std::min(lowest, at(plant.particles->state.position_world, stem.tip).y);
  }
  EXPECT_GT(lowest, -0.5 - 1e-2);
  EXPECT_TRUE(plant.touches);
  const PlantMomentum m = momentum_of(plant);
  EXPECT_LT(length(m.linear_world) / m.mass, 0.05);
}

// A flat plant stays in its plane, whatever pushes it.
TEST(ParticleStep, TwoSupportsKeepThePlane) {
  Simulation simulation = with_particles(grown("soft_tree_exact.sbt"), {.supports = 2});
  simulation.forces.push_back({.plant = 0,
                               .load = {.body = 7, .point_in_body = {}, .force = {20, 0, 50}},
                               .end_flexibility = {},
                               .start = 0,
                               .end = 1});
  simulation.plants[0].loads.reserve(1);
  run(simulation, 60);
  for (const Vec3& place : simulation.plants[0].particles->state.position_world) {
    EXPECT_NEAR(place.z, 0, 1e-9);
  }
}

// The air takes what it drags along, never beyond its own velocity, in any wind.
TEST(ParticleStep, WindCarriesAndNeverOvertakes) {
  for (const double speed : {5.0, 500.0}) {
    Simulation simulation = with_particles(grown("young_tree.lsys"), {}, {});
    simulation.drag.air_density = 1.225;
    SimulatedPlant& plant = simulation.plants[0];
    plant.model = with_drag(*plant.model, {});
    plant.state.root.hold = RootHold::free;
    plant.wind_model = make_wind({.kind = WindKind::uniform, .mean_world = {speed, 0, 0}});
    plant.wind = make_wind_sampler(plant.wind_model, {.min = {-5, -5, -5}, .max = {5, 5, 5}});
    run(simulation, 240);
    const PlantMomentum m = momentum_of(plant);
    EXPECT_GT(m.linear_world.x / m.mass, 0.1 * speed);
    EXPECT_LT(m.linear_world.x / m.mass, 1.001 * speed);
  }
}

// What is beyond all numbers stops, and says so; the plant stays where it was.
TEST(ParticleStep, StopsWhereNumbersEnd) {
  Simulation simulation = with_particles(rod(4), {});
  simulation.forces.push_back({.plant = 0,
                               .load = {.body = 2, .point_in_body = {}, .force = {0, 1e308, 0}},
                               .end_flexibility = {},
                               .start = 0,
                               .end = 1});
  simulation.plants[0].loads.reserve(1);
  for (int i = 0; i < 10; ++i) step(simulation, dt, 1);
  EXPECT_FALSE(simulation.finite);
  EXPECT_TRUE(is_finite(simulation.plants[0].particles->state));
  EXPECT_NE(why_stopped(simulation).message.find("particles"), std::string::npos);
}

#ifndef __SANITIZE_ADDRESS__
TEST(ParticleStep, AllocatesNothing) {
  Simulation simulation = with_particles(grown("soft_tree_exact.sbt"), {});
  run(simulation, 3);
  const long before = allocations;
  for (int i = 0; i < 5; ++i) step(simulation, dt, 1);
  EXPECT_EQ(allocations, before);
}
#endif

}  // namespace
}  // namespace thigmo::particle_step_test
