#include "mechanics/kinematics/energy.h"

#include "mechanics/model/joint_spring.h"

namespace thigmo {

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
    const Body& body = mechanism.body[i];
    const BodyMotion& m = motions[i];
    const Mat3 r = matrix(m.world_from_body);
    const Vec3 moment = r * body.first_moment;
    const Vec3 omega_in_body = transposed_times(r, m.omega);
    energy.kinetic += 0.5 * dot(omega_in_body, widened(body.inertia) * omega_in_body) +
                      0.5 * body.mass * dot(m.velocity, m.velocity) +
                      dot(m.velocity, cross(m.omega, moment));
    energy.elastic += joint_energy(log_rotation(state.rest_from_body[i]), joint_stiffness(body));
    energy.gravitational -= dot(gravity_world, m.joint_world * body.mass + moment);
  }
  return energy;
}

}  // namespace thigmo
