#include "mechanics/kinematics/energy.h"

#include "mechanics/model/joint_spring.h"

namespace thigmo {
namespace {

void add_body(const Body& body, const BodyMotion& m, const Quat& rest_from_body,
              const Vec3& gravity_world, Energy& energy) {
  const Mat3 r = matrix(m.world_from_body);
  const Vec3 moment = r * body.first_moment;
  const Vec3 omega_in_body = transposed_times(r, m.omega);
  energy.kinetic += 0.5 * dot(omega_in_body, widened(body.inertia) * omega_in_body) +
                    0.5 * body.mass * dot(m.velocity, m.velocity) +
                    dot(m.velocity, cross(m.omega, moment));
  energy.elastic += joint_energy(log_rotation(rest_from_body), joint_stiffness(body));
  energy.gravitational -= dot(gravity_world, m.joint_world * body.mass + moment);
}

}  // namespace

Energy energy_of(const Mechanism& mechanism, const State& state, const Vec3& gravity_world) {
  thread_local std::vector<BodyMotion> motions;  // grows with the largest plant the thread has met
  if (motions.size() < mechanism.body.size()) motions.resize(mechanism.body.size());
  Energy energy;
  const BodyMotion root = motion_of(state.root);
  if (mechanism.pot_mass > 0) {
    const double m = mechanism.pot_mass, r = mechanism.pot_radius;
    energy.kinetic =
        0.5 * m * dot(root.velocity, root.velocity) + 0.2 * m * r * r * dot(root.omega, root.omega);
    energy.gravitational = -m * dot(gravity_world, root.joint_world);
  }
  find_motions(mechanism, state, motions);
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    add_body(mechanism.body[i], motions[i], state.rest_from_body[i], gravity_world, energy);
  }
  return energy;
}

Energy energy_of(const Mechanism& mechanism, const State& state, const Vec3& gravity_world,
                 std::span<const Index> bodies) {
  Energy energy;
  for (const Index body : bodies) {
    add_body(at(mechanism.body, body), body_motion(mechanism, state, body),
             state.rest_from_body[as_size(body)], gravity_world, energy);
  }
  return energy;
}

}  // namespace thigmo
