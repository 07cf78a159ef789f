#include "simulation/between_steps.h"

#include <algorithm>

#include "base/assert.h"
#include "mechanics/model/joint_spring.h"
#include "particles/particle_motion.h"
#include "simulation/solver.h"

namespace thigmo {
namespace {

// Hermite's cubic of a step at the part t of it: 0 and rate r0 at its begin, x1 and r1 at its end.
struct Cubic {
  double end, begin_rate, end_rate;
};
Cubic cubic_at(double t) {
  return {
      .end = t * t * (3 - 2 * t), .begin_rate = t * (1 - t) * (1 - t), .end_rate = t * t * (t - 1)};
}

// Beyond so much in a step [rad] a joint whirls, and its velocities say little of the way it took.
constexpr double fast = 1;

// From q0 along θ(t), θ = log(q0⁻¹ q). With ω in the body's frame dθ/dt = J⁻¹ω, and
// J⁻¹ω = ω + ½ θ×ω + c θ×(θ×ω).
Quat turn_between(const Quat& q0, const Quat& q1, const Vec3& omega0, const Vec3& omega1,
                  double part, double dt) {
  const Vec3 theta = log_rotation(conjugate(q0) * q1);
  const Vec3 begin_rate = omega0 * dt, end_omega = omega1 * dt;
  if (dot(begin_rate, begin_rate) > fast * fast || dot(end_omega, end_omega) > fast * fast) {
    return normalized(q0 * exp_rotation(theta * part));
  }
  const double c = log_coefficient(dot(theta, theta)).value;
  const Vec3 across = cross(theta, end_omega);
  const Vec3 end_rate = end_omega + 0.5 * across + c * cross(theta, across);
  const Cubic at = cubic_at(part);
  return normalized(
      q0 * exp_rotation(theta * at.end + begin_rate * at.begin_rate + end_rate * at.end_rate));
}

RootState root_between(const RootState& a, const RootState& b, double part, double dt) {
  const Cubic at = cubic_at(part);
  RootState root = b;
  root.position_world = a.position_world + (b.position_world - a.position_world) * at.end +
                        (a.velocity_world * at.begin_rate + b.velocity_world * at.end_rate) * dt;
  root.world_from_plant =
      turn_between(a.world_from_plant, b.world_from_plant, a.omega_plant, b.omega_plant, part, dt);
  return root;
}

// Particles go along cubics that have their velocities at both ends.
Pose pose_between(const ParticleState& before, const RootState& root, double part, double dt,
                  const SimulatedPlant& plant) {
  const ParticleState& after = plant.particles->state;
  const Cubic at = cubic_at(part);
  std::vector<Vec3> between(after.position_world.size());
  for (std::size_t i = 0; i < between.size(); ++i) {
    const Vec3 begin = before.position_world[i], way = after.position_world[i] - begin;
    const Vec3 begin_rate = (begin - before.previous_world[i]) * (dt / before.previous_step);
    const Vec3 end_rate =
        (after.position_world[i] - after.previous_world[i]) * (dt / after.previous_step);
    between[i] = begin + way * at.end + begin_rate * at.begin_rate + end_rate * at.end_rate;
  }
  return pose_of(plant.model->plant, *plant.particles->model,
                 root_between(root, plant.state.root, part, dt), between);
}

}  // namespace

void keep(const Simulation& simulation, StepBegin& begin) {
  begin.time = simulation.time;
  begin.states.resize(simulation.plants.size());
  begin.particles.resize(simulation.plants.size());
  for (std::size_t i = 0; i < simulation.plants.size(); ++i) {
    begin.states[i] = simulation.plants[i].state;
    if (simulation.plants[i].particles) begin.particles[i] = simulation.plants[i].particles->state;
  }
}

void poses_at(const Simulation& simulation, const StepBegin& begin, double time,
              std::vector<Pose>& poses) {
  const double dt = simulation.time - begin.time;
  const bool at_end =
      begin.states.empty() || !(dt > 0) || simulation.time - time <= same_instant * dt;
  poses.clear();
  for (std::size_t k = 0; k < simulation.plants.size(); ++k) {
    const SimulatedPlant& plant = simulation.plants[k];
    if (at_end) {
      poses.push_back(pose_of(plant));
      continue;
    }
    const State& before = begin.states[k];
    THIGMO_ASSERT(before.rest_from_body.size() == plant.state.rest_from_body.size());
    const double part = std::max(0.0, (time - begin.time) / dt);
    if (plant.particles) {
      poses.push_back(pose_between(begin.particles[k], before.root, part, dt, plant));
      continue;
    }
    State between = rest_state(plant.model->mechanism);
    between.root = root_between(before.root, plant.state.root, part, dt);
    for (std::size_t i = 0; i < between.rest_from_body.size(); ++i) {
      between.rest_from_body.set(
          i, turn_between(before.rest_from_body[i], plant.state.rest_from_body[i],
                          before.joint_velocity[i], plant.state.joint_velocity[i], part, dt));
    }
    poses.push_back(pose_of(plant.model->mechanism, between));
  }
}

}  // namespace thigmo
