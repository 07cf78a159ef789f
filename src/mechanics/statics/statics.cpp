#include "mechanics/statics/statics.h"

#include <algorithm>
#include <cmath>

#include "mechanics/model/joint_spring.h"

// Under loads that keep their direction the place of any point is a sum of vectors, one per body on
// the path to the root, each depending on that body's absolute rotation alone. In absolute rotations
// the energy of the loads is therefore a sum over bodies, its Hessian block-diagonal, and springs
// couple parent and child only.

namespace thigmo {
namespace {

Vec3 turned(const PointLoad& load, const Mat3& r, const Vec3& v) {
  return load.follower ? r * v : v;
}

}  // namespace

// Energy -c·f, torque c × f, curvature (c·f) 1 - sym(c fᵀ).
void add_force(const Vec3& c, const Vec3& f, std::size_t body, Statics& s) {
  const double work = dot(c, f);
  s.energy -= work;
  s.energy_scale += std::abs(work);
  s.imbalance[body] += cross(c, f);
  const Mat3 cf{f * c.x, f * c.y, f * c.z};
  s.blocks[body].own = s.blocks[body].own + full(identity_times(work) - symmetric_part(cf));
}

void evaluate_statics(const Mechanism& mechanism, const Loads& loads, double fraction,
                      const State& state, Statics& s) {
  const std::size_t n = mechanism.body.size();
  s.places.resize(n);
  s.world_from_body.resize(n);
  s.force.assign(n, {});
  s.imbalance.assign(n, {});
  s.blocks.resize(n);
  s.energy = s.energy_scale = s.largest_held = 0;
  const Vec3 gravity = loads.gravity_world * fraction;
  walk(
      mechanism, place_of(frame_of(state.root)),
      [&](std::size_t i) { return state.rest_from_body[i]; },
      [&](std::size_t p) -> const BodyPlace& { return s.places[p]; },
      [&](std::size_t i, const BodyPlace& place) { s.places[i] = place; });
  for (std::size_t i = 0; i < n; ++i) {
    const Body& body = mechanism.body[i];
    const Mat3& r = s.world_from_body[i] = matrix(s.places[i].world_from_body);
    const JointSpring spring =
        joint_spring(log_rotation(state.rest_from_body[i]), joint_stiffness(body));
    s.energy += spring.energy;
    s.energy_scale += spring.energy;
    s.blocks[i] = {.joint = conjugate(r, spring.curvature),
                   .torque = r * spring.gradient,
                   .own = {},
                   .inverse = {}};
    s.force[i] = gravity * body.mass;
    add_force(r * body.first_moment, gravity, i, s);
  }
  for (const PointLoad& load : loads.points) {
    const auto i = as_size(load.body);
    const Mat3& r = s.world_from_body[i];
    const Vec3 force = turned(load, r, load.force) * fraction;
    s.force[i] += force;
    add_force(r * load.point_in_body, force, i, s);
    // A moment that keeps its direction has the slope 0, a follower moment the slope [m]×; both
    // are seen from coordinates that turn halfway along: ∓½[m]×.
    const Vec3 moment = turned(load, r, load.moment) * fraction;
    s.imbalance[i] += moment;
    s.blocks[i].own = s.blocks[i].own + cross_matrix(moment) * (load.follower ? 0.5 : -0.5);
  }
  for (std::size_t i = n; i-- > 0;) {
    const Vec3& held = s.blocks[i].torque;
    s.largest_held = std::max(s.largest_held, length(held));
    s.imbalance[i] -= held;
    if (mechanism.parent[i] == no_index) continue;
    const auto p = as_size(mechanism.parent[i]);
    s.imbalance[p] += held;
    s.force[p] += s.force[i];
    add_force(s.places[i].from_parent, s.force[i], p, s);
  }
}

}  // namespace thigmo
