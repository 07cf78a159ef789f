#include "mechanics/energy.h"

#include "mechanics/joint_spring.h"

namespace thigmo {

Energy energy_of(const Mechanism& mechanism, const State& state, const Vec3& gravity_world) {
  struct Motion {
    Quat world_from_body;
    Vec3 joint_world, omega, velocity;
  };
  thread_local std::vector<Motion> motions;  // grows with the largest plant the thread has met
  const std::size_t n = mechanism.body.size();
  if (motions.size() < n) motions.resize(n);
  Energy energy;
  const Quat& q = state.base.world_from_base;
  const Motion base{q, mechanism.base_world + state.base.displacement_world,
                    rotate(q, state.base.omega_base), state.base.velocity_world};
  if (mechanism.base_mass > 0) {
    const double m = mechanism.base_mass, r = mechanism.base_radius;
    energy.kinetic =
        0.5 * m * dot(base.velocity, base.velocity) + 0.2 * m * r * r * dot(base.omega, base.omega);
    energy.gravitational = -m * dot(gravity_world, base.joint_world);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Body& body = mechanism.body[i];
    const Index p = mechanism.parent[i];
    const Motion& parent = p == no_index ? base : motions[static_cast<std::size_t>(p)];
    const Vec3 foot = p == no_index ? mechanism.base_world : Vec3{};
    const Vec3 from_parent = rotate(parent.world_from_body, body.base_in_parent - foot);
    const Quat turn = state.rest_from_body[i];
    Motion& m = motions[i];
    m.world_from_body = parent.world_from_body * body.parent_from_rest * turn;
    m.joint_world = parent.joint_world + from_parent;
    m.velocity = parent.velocity + cross(parent.omega, from_parent);
    const Mat3 r = matrix(m.world_from_body);
    m.omega = parent.omega + r * state.joint_velocity[i];
    const Vec3 moment = r * body.first_moment;
    const Vec3 omega_in_body = transposed_times(r, m.omega);
    energy.kinetic += 0.5 * dot(omega_in_body, widened(body.inertia) * omega_in_body) +
                      0.5 * body.mass * dot(m.velocity, m.velocity) +
                      dot(m.velocity, cross(m.omega, moment));
    energy.elastic += joint_energy(log_rotation(turn), joint_stiffness(body));
    energy.gravitational -= dot(gravity_world, m.joint_world * body.mass + moment);
  }
  return energy;
}

}  // namespace thigmo
