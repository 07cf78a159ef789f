#include "mechanics/kinematics/momentum.h"

namespace thigmo {
namespace {

// ∫ (r² 1 - r rᵀ) dm of a mass at a point.
Sym3 inertia_of_point(double mass, const Vec3& r) {
  return (identity_times(dot(r, r)) - outer(r)) * mass;
}

}  // namespace

Wrench momentum_of(const Body& body, const BodyMotion& motion) {
  const Mat3 r = matrix(motion.world_from_body);
  const Vec3 moment = r * body.first_moment;
  return {
      .torque = conjugate(r, widened(body.inertia)) * motion.omega + cross(moment, motion.velocity),
      .force = motion.velocity * body.mass + cross(motion.omega, moment)};
}

PlantMomentum momentum_of(const Mechanism& mechanism, const State& state) {
  const RootState& root = state.root;
  const Vec3 origin = root.position_world;  // near the plant: what is far away would lose digits
  PlantMomentum sum;
  Vec3 first_moment, angular;
  Sym3 inertia{};
  const auto add = [&](const Body& body, const BodyMotion& motion) {
    const Vec3 at = motion.joint_world - origin;
    const Vec3 moment = rotate(motion.world_from_body, body.first_moment);
    const Wrench own = momentum_of(body, motion);
    sum.mass += body.mass;
    first_moment += at * body.mass + moment;
    sum.linear_world += own.force;
    angular += own.torque + cross(at, own.force);
    // ∫ |at + r|² 1 - (at + r)(at + r)ᵀ dm
    const Sym3 mixed =
        identity_times(2 * dot(at, moment)) - (outer(at + moment) - outer(at) - outer(moment));
    inertia += conjugate(matrix(motion.world_from_body), widened(body.inertia)) + mixed +
               inertia_of_point(body.mass, at);
  };
  std::vector<BodyMotion> motions(mechanism.body.size());
  find_motions(mechanism, state, motions);
  for (std::size_t i = 0; i < motions.size(); ++i) add(mechanism.body[i], motions[i]);
  const double ball = 0.4 * mechanism.pot_mass * mechanism.pot_radius * mechanism.pot_radius;
  add({.mass = mechanism.pot_mass, .inertia = narrowed(identity_times(ball))}, motion_of(root));
  const Vec3 center = sum.mass > 0 ? first_moment / sum.mass : Vec3{};
  sum.center_world = origin + center;
  sum.angular_world = angular + cross(origin, sum.linear_world);
  sum.inertia_world = inertia - inertia_of_point(sum.mass, center);
  return sum;
}

}  // namespace thigmo
