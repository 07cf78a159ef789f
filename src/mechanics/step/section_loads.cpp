#include "mechanics/step/section_loads.h"

#include <cmath>

#include "mechanics/model/joint_spring.h"
#include "mechanics/step/works.h"

namespace thigmo {
namespace {

// How bodies move, with the accelerations that the last step found.
std::vector<BodyMotion> accelerated_motions(const Mechanism& mechanism, const State& state) {
  const RootState& root = state.root;
  BodyMotion frame = motion_of(root);
  frame.alpha = rotate(root.world_from_plant, root.alpha_plant);
  frame.accel = root.accel_world;
  const std::size_t n = mechanism.body.size();
  std::vector<BodyMotion> motions(n + 1);
  motions[n] = frame;
  walk(
      mechanism, frame,
      [&](std::size_t i) {
        return JointMotion{state.rest_from_body[i], state.joint_velocity[i],
                           state.started ? state.joint_acceleration[i] : Vec3{}};
      },
      [&](std::size_t p) -> const BodyMotion& { return motions[p]; },
      [&](std::size_t i, const BodyMotion& motion) { motions[i] = motion; });
  return motions;
}

// m a of a body.
Vec3 inertial_force(const Body& body, const BodyMotion& m) {
  const Vec3 moment = rotate(m.world_from_body, body.first_moment);
  return m.accel * body.mass + cross(m.alpha, moment) + cross(m.omega, cross(m.omega, moment));
}

}  // namespace

std::vector<MovingSectionLoad> moving_section_loads(const Plant& plant, const Mechanism& mechanism,
                                                    const Loads& loads, const State& state) {
  const std::size_t n = mechanism.body.size();
  const std::vector<BodyMotion> motions = accelerated_motions(mechanism, state);
  Loads without_ground = loads;
  without_ground.ground = nullptr;
  std::vector<BodyForces> forces(n + 1);
  find_forces(mechanism, without_ground, motions, {}, forces);
  std::vector<MovingSectionLoad> all(n);
  for (std::size_t i = n; i-- > 0;) {
    const Body& body = mechanism.body[i];
    const BodyMotion& m = motions[i];
    MovingSectionLoad& load = all[i];
    load.force_world += loads.gravity_world * body.mass + forces[i].air.force +
                        forces[i].loads.force + forces[i].mass.force - inertial_force(body, m);
    if (mechanism.parent[i] != no_index) {
      at(all, mechanism.parent[i]).force_world += load.force_world;
    }
    // The torque that the joint exerts on the segment holds what is beyond: its section bears the reverse.
    const Vec3 spring =
        joint_spring(log_rotation(state.rest_from_body[i]), joint_stiffness(body)).gradient;
    const Vec3 moment = spring - forces[i].damper;
    load.moment_world = rotate(m.world_from_body, moment);
    const Section section = section_at(plant.segments[i], 0);
    if (!(section.area > 0)) continue;
    const double along = rotate(conjugate(m.world_from_body), load.force_world).y;
    load.stress = std::abs(along) / section.area + bending_stress(section, moment.x, moment.z);
  }
  return all;
}

}  // namespace thigmo
