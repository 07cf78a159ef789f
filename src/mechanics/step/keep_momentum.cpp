#include "mechanics/step/keep_momentum.h"

namespace thigmo {
namespace {

Vec3 angular_about_center(const PlantMomentum& m) {
  return m.angular_world - cross(m.center_world, m.linear_world);
}

}  // namespace

void keep_momentum(const Mechanism& mechanism, const Vec3& gravity_world, double h,
                   const State& before, State& after) {
  const PlantMomentum m0 = momentum_of(mechanism, before), m1 = momentum_of(mechanism, after);
  if (!(m0.mass > 0)) return;
  const Vec3 velocity = m0.linear_world / m0.mass;
  const Vec3 center = m0.center_world + velocity * h + gravity_world * (0.5 * h * h);
  const Vec3 slower = velocity + gravity_world * h - m1.linear_world / m1.mass;
  const Vec3 turn =
      inverse(m1.inertia_world) * (angular_about_center(m0) - angular_about_center(m1));
  RootState& root = after.root;
  root.velocity_world += slower + cross(turn, root.position_world - m1.center_world);
  root.position_world += center - m1.center_world;
  root.omega_plant += rotate(conjugate(root.world_from_plant), turn);
}

}  // namespace thigmo
