#include "mechanics/step/way.h"

#include "mechanics/step/step_root.h"

// Kinetic energy belongs to bodies. What it gains in a substep is, to the last digit,
//   ΔT = Σ m Δv·v̄ + Δω·I ω̄,
// v of the centre of mass, ω in the body's axes, bars for the mean of start and end. Forces act on the
// mechanism as it stands where the substep takes them, and its joints do no work on motions that it can make
// there. The v̄ are none: where an arm r turns by Δr while ω changes by Δω, the mean of ω×r is
// ω̄×r̄ + ¼ Δω×Δr, and what a joint grabs with does work along the second. For what a step resolves that is
// of second order; in a blow it is a part h Δω of all there is, whatever the scheme. So works are counted
// along the motion u that is nearest to v̄ as the step itself weighs accelerations:
//   ½ Σ |u - v̄|²_M + ½ Σ (w - w̄)·X (w - w̄)  is least,   X = c_v D + c_x K,
// with w the turning of the joints. With M ā = F + τ, and τ = τ₀ - X ā the torques of the joints, it makes
//   ΔT = F·u + τ·w + ā·X (w - w̄) = F·u + τ·w̄ + τ₀·(w - w̄):
// springs and dampers keep the joints' own mean velocities, and what is left is what springs held before
// times what is small. For a stiff rod F·u is the work about its centre of mass.

namespace thigmo {
namespace {

Vec3 joint_velocity_world(const BodyMotion& middle, const State& before, const State& after,
                          std::size_t i) {
  return rotate(middle.world_from_body, (before.joint_velocity[i] + after.joint_velocity[i]) * 0.5);
}

// M u - p, p the momentum of the mean velocities.
Inertia<double> gap_of(const Body& body, const BodyMotion& start, const BodyMotion& middle,
                       const BodyMotion& end) {
  const Mat3 r = matrix(middle.world_from_body);
  const Vec3 moment = r * body.first_moment;
  const Vec3 center = body.mass > 0 ? moment / body.mass : Vec3{};
  const Vec3 omega = r * ((rotate(conjugate(start.world_from_body), start.omega) +
                           rotate(conjugate(end.world_from_body), end.omega)) *
                          0.5);
  const Vec3 linear = (momentum_of(body, start).force + momentum_of(body, end).force) * 0.5;
  const Sym3 inertia = conjugate(r, widened(body.inertia));
  const Vec3 angular =
      inertia * omega - cross(moment, cross(omega, center)) + cross(center, linear);
  return {.a = inertia,
          .b = cross_matrix(moment),
          .c = identity_times(body.mass),
          .torque = -angular,
          .force = -linear};
}

// A free root goes where all that hangs on it is nearest; others have their own mean velocity.
Velocity velocity_of_root(const Mechanism& mechanism, const RootState& root, const Velocity& mean,
                          const Inertia<double>& through) {
  if (!is_free(root)) return mean;
  const double mass = mechanism.pot_mass,
               inertia = 0.4 * mass * mechanism.pot_radius * mechanism.pot_radius;
  RootFrame root_frame{};
  solve_root({.a = through.a + identity_times(inertia),
              .b = through.b,
              .c = through.c + identity_times(mass),
              .torque = through.torque - mean.omega * inertia,
              .force = through.force - mean.joint * mass},
             root_frame);
  return {.omega = root_frame.alpha, .joint = root_frame.accel};
}

}  // namespace

Way make_way(std::size_t body_count) {
  Way way;
  way.velocity.resize(body_count + 1);
  way.gap.resize(body_count + 1);
  way.answer.resize(body_count);
  return way;
}

void find_way(const Mechanism& mechanism, const Scheme& scheme, const State& before,
              const State& after, const std::vector<BodyMotion>& start,
              const std::vector<BodyMotion>& middle, const std::vector<BodyMotion>& end, Way& way) {
  const std::size_t n = mechanism.body.size();
  const auto behind = [&](std::size_t i) {
    return mechanism.parent[i] == no_index ? n : as_size(mechanism.parent[i]);
  };
  for (std::size_t i = 0; i < n; ++i) {
    way.gap[i] = gap_of(mechanism.body[i], start[i], middle[i], end[i]);
  }
  way.gap[n] = {};
  // The step's own pass from tips to root, with velocities in the place of accelerations.
  for (std::size_t i = n; i-- > 0;) {
    const Body& body = mechanism.body[i];
    const Sym3 block = conjugate(matrix(middle[i].world_from_body), joint_stiffness(body)) *
                       (static_cast<double>(body.damping_time) * scheme.c_v + scheme.c_x);
    const Link<double> link{.from_parent = middle[i].joint_world - middle[behind(i)].joint_world,
                            .transport_alpha = {},
                            .transport_accel = {},
                            .torque = block * joint_velocity_world(middle[i], before, after, i),
                            .block = block,
                            .turning = {}};
    const Passed<double> passed = pass(way.gap[i], link);
    way.answer[i] = passed.answer;
    add_through(passed.through, way.gap[behind(i)], [](double& sum, double part) { sum += part; });
  }
  const Velocity mean{.omega = (start[n].omega + end[n].omega) * 0.5,
                      .joint = (start[n].velocity + end[n].velocity) * 0.5};
  way.velocity[n] = velocity_of_root(mechanism, after.root, mean, way.gap[n]);
  for (std::size_t i = 0; i < n; ++i) {
    const Velocity& parent = way.velocity[behind(i)];
    const Swung<double> swung =
        swung_by(parent.omega, parent.joint, middle[i].joint_world - middle[behind(i)].joint_world,
                 way.answer[i], Vec3{}, Vec3{});
    way.velocity[i] = {.omega = swung.alpha, .joint = swung.accel};
  }
}

}  // namespace thigmo
