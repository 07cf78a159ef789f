#include "mechanics/step/step_root.h"

#include <algorithm>

namespace thigmo {
namespace {

using One = PotNumber;
Vec3T<One> one(const Vec3& v) { return {v.x, v.y, v.z}; }
// A pot without mass is as heavy as this for the first guess of its friction.
constexpr double least_pot_mass = 1e-6;  // [kg]
ContactScheme<One> contact_scheme(const Loads& loads, const Scheme& scheme, int pass) {
  return {One(scheme.c_x), One(scheme.c_v), One(to_end_of(scheme)),
          -contact_reach(scheme, loads.gravity_world), pass};
}

}  // namespace

RootFrame place_root(const Loads& loads, const Scheme& scheme, const State& state,
                     const RootState& next, bool corrected) {
  const RootState& b = state.root;
  if (!is_free(b)) {
    const RootState at =
        b.hold == RootHold::on_path ? root_at(*loads.root_path, state.time + scheme.drift_w) : b;
    const Vec3 alpha = rotate(at.world_from_plant, at.alpha_plant);
    return {.world_from_plant = at.world_from_plant,
            .origin_world = at.position_world,
            .velocity = at.velocity_world,
            .omega = rotate(at.world_from_plant, at.omega_plant),
            .accel_guess = at.accel_world,
            .alpha_guess = alpha,
            .accel = at.accel_world,
            .alpha = alpha};
  }
  const double am = scheme.alpha_m;
  const auto guessed = [&](const Vec3& before, const Vec3& after) {
    return corrected ? after * (1 - am) + before * am : before;
  };
  const double c_x = corrected ? scheme.c_x : 0;
  const Vec3 accel = guessed(b.accel_world, next.accel_world);
  const Vec3 alpha = guessed(b.alpha_plant, next.alpha_plant);
  const Quat q =
      normalized(b.world_from_plant * exp_rotation(b.omega_plant * scheme.drift_w +
                                                   b.alpha_plant * scheme.drift_a + alpha * c_x));
  return {.world_from_plant = q,
          .origin_world = b.position_world + b.velocity_world * scheme.drift_w +
                          b.accel_world * scheme.drift_a + accel * c_x,
          .velocity = b.velocity_world + b.accel_world * scheme.known_a + accel * scheme.c_v,
          .omega = rotate(q, b.omega_plant + b.alpha_plant * scheme.known_a + alpha * scheme.c_v),
          .accel_guess = accel,
          .alpha_guess = rotate(q, alpha),
          .accel = {},
          .alpha = {}};
}

RootInertia pot_inertia(const Mechanism& mechanism, const Loads& loads, const Scheme& scheme,
                        const RootFrame& root, int pass, PotContact& contact) {
  const double inertia = 0.4 * mechanism.pot_mass * mechanism.pot_radius * mechanism.pot_radius;
  Pushed<One> pot{.joint_world = one(root.origin_world),
                  .omega = one(root.omega),
                  .velocity = one(root.velocity),
                  .alpha_guess = one(root.alpha_guess),
                  .accel_guess = one(root.accel_guess),
                  .a = identity_times(One(inertia)),
                  .b = {},
                  .c = identity_times(One(mechanism.pot_mass)),
                  .torque = {},
                  .force = one(loads.gravity_world * -mechanism.pot_mass)};
  if (loads.ground) {
    const One radius = mechanism.pot_radius;
    add_contact(*loads.ground, Vec3T<One>{One(0.0), -radius, One(0.0)},
                One(std::max(mechanism.pot_mass, least_pot_mass)),
                contact_scheme(loads, scheme, pass), contact, pot);
  }
  const auto back = [](const Vec3T<One>& v) { return Vec3{v.x.value, v.y.value, v.z.value}; };
  const auto block = [](const Sym3T<One>& s) {
    return Sym3{s.xx.value, s.xy.value, s.xz.value, s.yy.value, s.yz.value, s.zz.value};
  };
  return {.a = block(pot.a),
          .b = {back(pot.b.row_x), back(pot.b.row_y), back(pot.b.row_z)},
          .c = block(pot.c),
          .torque = back(pot.torque),
          .force = back(pot.force)};
}

double take_pot_force(const Loads& loads, const Scheme& scheme, const RootFrame& root, int pass,
                      PotContact& contact) {
  if (!loads.ground || !contact.any) return 0;
  const Vec3T<One> accel = one(root.accel) + cross(one(root.alpha), contact.arm);
  return take_force(*loads.ground, accel, contact_scheme(loads, scheme, pass), contact).value;
}

void solve_root(const RootInertia& all, RootFrame& root) {
  const Sym3 a_inverse = inverse(all.a);
  const Mat3 ab = full(a_inverse) * all.b;
  const Sym3 c = all.c - symmetric_part(transposed(all.b) * ab);
  root.accel = inverse(c) * (transposed_times(ab, all.torque) - all.force);
  root.alpha = -(a_inverse * (all.torque + all.b * root.accel));
}

RootState next_root(const Loads& loads, const Scheme& scheme, const State& state,
                    const RootFrame& root) {
  const RootState& b = state.root;
  if (!is_free(b)) {
    return b.hold == RootHold::on_path ? root_at(*loads.root_path, state.time + scheme.h) : b;
  }
  const double am = scheme.alpha_m, h = scheme.h;
  const auto new_acceleration = [am](const Vec3& found, const Vec3& before) {
    return (found - before * am) / (1 - am);
  };
  const auto moved = [&](const Vec3& v, const Vec3& a0, const Vec3& a1) {
    return v * h + a0 * scheme.x_a0 + a1 * scheme.x_a1;
  };
  const auto sped = [&](const Vec3& v, const Vec3& a0, const Vec3& a1) {
    return v + a0 * scheme.v_a0 + a1 * scheme.v_a1;
  };
  const Vec3 accel = new_acceleration(root.accel, b.accel_world);
  const Vec3 alpha =
      new_acceleration(rotate(conjugate(root.world_from_plant), root.alpha), b.alpha_plant);
  return {.position_world = b.position_world + moved(b.velocity_world, b.accel_world, accel),
          .world_from_plant = normalized(b.world_from_plant *
                                         exp_rotation(moved(b.omega_plant, b.alpha_plant, alpha))),
          .velocity_world = sped(b.velocity_world, b.accel_world, accel),
          .accel_world = accel,
          .omega_plant = sped(b.omega_plant, b.alpha_plant, alpha),
          .alpha_plant = alpha,
          .hold = b.hold};
}

}  // namespace thigmo
