#include "mechanics/step/nearest_motion.h"

#include "mechanics/kernel/joint_pass.h"
#include "mechanics/step/step_root.h"
#include "mechanics/step/way.h"

// With u the motion that is looked for and p the momenta of the bodies alone,
//   ½ Σ |u - v|²_M  is least where  M u = p  along every motion of joints and root:
// the articulated-body pass, with velocities in the place of accelerations.

namespace thigmo {
namespace {

// A joint whose bodies have no inertia about it could turn anyhow: this part of its body's own keeps it.
constexpr double least_block = 1e-12;

Inertia<double> alone_of(const Body& body, const BodyMotion& motion) {
  const Mat3 r = matrix(motion.world_from_body);
  const Wrench momentum = momentum_of(body, motion);
  return {.a = conjugate(r, widened(body.inertia)),
          .b = cross_matrix(r * body.first_moment),
          .c = identity_times(body.mass),
          .torque = -momentum.torque,
          .force = -momentum.force};
}

Velocity velocity_of_free_root(const Mechanism& mechanism, const RootState& root,
                               const Inertia<double>& through) {
  const double mass = mechanism.pot_mass,
               inertia = 0.4 * mass * mechanism.pot_radius * mechanism.pot_radius;
  RootFrame frame{};
  solve_root({.a = through.a + identity_times(inertia),
              .b = through.b,
              .c = through.c + identity_times(mass),
              .torque = through.torque - rotate(root.world_from_plant, root.omega_plant) * inertia,
              .force = through.force - root.velocity_world * mass},
             frame);
  return {.omega = frame.alpha, .joint = frame.accel};
}

}  // namespace

void take_nearest_motion(const Mechanism& mechanism, std::span<const BodyMotion> alone,
                         State& state) {
  const std::size_t n = mechanism.body.size();
  std::vector<BodyMotion> now(n + 1);
  now[n] = motion_of(state.root);
  find_motions(mechanism, state, now);
  const auto behind = [&](std::size_t i) {
    return mechanism.parent[i] == no_index ? n : as_size(mechanism.parent[i]);
  };
  std::vector<Inertia<double>> inertia(n + 1);
  std::vector<Answer<double>> answer(n);
  for (std::size_t i = 0; i < n; ++i) inertia[i] = alone_of(mechanism.body[i], alone[i]);
  for (std::size_t i = n; i-- > 0;) {
    const Sym3& a = inertia[i].a;
    const Link<double> link{.from_parent = now[i].joint_world - now[behind(i)].joint_world,
                            .transport_alpha = {},
                            .transport_accel = {},
                            .torque = {},
                            .block = identity_times(least_block * (a.xx + a.yy + a.zz)),
                            .turning = {}};
    const Passed<double> passed = pass(inertia[i], link);
    answer[i] = passed.answer;
    add_through(passed.through, inertia[behind(i)], [](double& sum, double part) { sum += part; });
  }
  std::vector<Velocity> velocity(n + 1);
  velocity[n] = {.omega = now[n].omega, .joint = now[n].velocity};
  if (is_free(state.root)) {
    velocity[n] = velocity_of_free_root(mechanism, state.root, inertia[n]);
    state.root.velocity_world = velocity[n].joint;
    state.root.omega_plant = rotate(conjugate(state.root.world_from_plant), velocity[n].omega);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Velocity& parent = velocity[behind(i)];
    const Swung<double> swung =
        swung_by(parent.omega, parent.joint, now[i].joint_world - now[behind(i)].joint_world,
                 answer[i], Vec3{}, Vec3{});
    velocity[i] = {.omega = swung.alpha, .joint = swung.accel};
    state.joint_velocity.set(i,
                             rotate(conjugate(now[i].world_from_body), swung.alpha - parent.omega));
  }
}

}  // namespace thigmo
