#include "mechanics/step/works.h"

#include "mechanics/kernel/contact.h"
#include "mechanics/kernel/pack_lanes.h"
#include "mechanics/step/step_root.h"

// The scheme takes each force F where it says, and has accelerations of its own, which remember the last:
//   ā = (1 - αm) a₁ + αm a,   w₁ - w = v_a0 a + v_a1 a₁.
// All of it is linear, so that every force has a share in each: a part g of the accelerations, with
// F = (1 - αm) g₁ + αm g, and an impulse v_a0 g + v_a1 g₁. Along the way of the substep (way.cpp) these
// impulses add up to what the kinetic energy gains, to the last digit where inertias do not change:
// even a blow shorter than the substep is booked for what it did.

namespace thigmo {
namespace {

// A body in the form that the step's own laws of air and ground take.
struct Booked;
using BookedNumber = Single<double, Booked>;
Vec3T<BookedNumber> booked(const Vec3& v) { return {v.x, v.y, v.z}; }
Pushed<BookedNumber> pushed(const BodyMotion& m) {
  return {.joint_world = booked(m.joint_world),
          .omega = booked(m.omega),
          .velocity = booked(m.velocity),
          .alpha_guess = booked(m.alpha),
          .accel_guess = booked(m.accel)};
}

// The laws leave minus what they do in n and f, and in A, B, C what is linear in an acceleration; that it
// is linear about is the one found.
Wrench wrench_of(const Pushed<BookedNumber>& s) {
  const Vec3T<BookedNumber> torque = s.torque + s.a * s.alpha_guess + s.b * s.accel_guess;
  const Vec3T<BookedNumber> force =
      s.force + transposed_times(s.b, s.alpha_guess) + s.c * s.accel_guess;
  return {-get(torque, 0), -get(force, 0)};
}

Wrench wrench_of(const GroundForce& ground) {
  return {.torque = cross(ground.arm, ground.force), .force = ground.force};
}

// All bodies, and the root behind the last of them.
template <class Joint>
void place_bodies(const Mechanism& mechanism, const BodyMotion& root, const Joint& joint,
                  std::vector<BodyMotion>& motions) {
  motions[mechanism.body.size()] = root;
  walk(
      mechanism, root, joint, [&](std::size_t p) -> const BodyMotion& { return motions[p]; },
      [&](std::size_t i, const BodyMotion& motion) { motions[i] = motion; });
}

void place_bodies(const Mechanism& mechanism, const State& state,
                  std::vector<BodyMotion>& motions) {
  motions[mechanism.body.size()] = motion_of(state.root);
  find_motions(mechanism, state, motions);
}

// Where the scheme takes the forces.
void place_middle(const Mechanism& mechanism, const Loads& loads, const Scheme& scheme,
                  const State& before, const State& after, std::vector<BodyMotion>& motions) {
  const double am = scheme.alpha_m;
  const RootFrame root = place_root(loads, scheme, before, after.root, true);
  place_bodies(
      mechanism,
      {root.world_from_plant, root.origin_world, root.omega, root.velocity, root.alpha_guess,
       root.accel_guess},
      [&](std::size_t i) {
        const Vec3 w = before.joint_velocity[i], a = before.joint_acceleration[i];
        const Vec3 found = Vec3(after.joint_acceleration[i]) * (1 - am) + a * am;
        return JointMotion{
            before.rest_from_body[i] *
                exp_rotation(w * scheme.drift_w + a * scheme.drift_a + found * scheme.c_x),
            w + a * scheme.known_a + found * scheme.c_v, found};
      },
      motions);
}

void add_force(const BodyMotion& m, const Vec3& point_world, const Vec3& force, Wrench& to) {
  to.force += force;
  to.torque += cross(point_world - m.joint_world, force);
}

// What forces gave a plant in a substep, about its root.
struct Impulse {
  Vec3 linear, angular;  // [N s], [N m s]
};

Impulse momentum_of(const Mechanism& mechanism, const std::vector<BodyMotion>& motions) {
  Impulse sum;
  const Vec3 origin = motions.back().joint_world;
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const Wrench p = momentum_of(mechanism.body[i], motions[i]);
    sum.linear += p.force;
    sum.angular += p.torque + cross(motions[i].joint_world - origin, p.force);
  }
  return sum;
}

}  // namespace

void find_forces(const Mechanism& mechanism, const Loads& loads,
                 const std::vector<BodyMotion>& middle, const std::vector<GroundForce>& ground,
                 std::vector<BodyForces>& forces) {
  const std::size_t n = mechanism.body.size();
  const AirView air = loads.air ? view_of(*loads.air) : AirView{};
  for (std::size_t i = 0; i < n; ++i) {
    const Body& body = mechanism.body[i];
    const BodyMotion& m = middle[i];
    BodyForces& f = forces[i];
    f = {};
    const Vec3 axis = rotate(m.world_from_body, {0, 1, 0});
    if (loads.air) {
      Pushed<BookedNumber> s = pushed(m);
      add_drag(air, booked(rotate(m.world_from_body, widened(body.drag_point))), booked(axis),
               BookedNumber(body.length * drag_spread), BookedNumber(body.drag_across),
               BookedNumber(body.drag_around), mechanism.streamlining_speed, BookedNumber(0.0), s);
      f.air = wrench_of(s);
    }
    if (loads.ground) f.ground = wrench_of(ground[i]);
    if (mechanism.mass_damping > 0) {
      const Wrench p = momentum_of(body, m);
      f.mass = {p.torque * -mechanism.mass_damping, p.force * -mechanism.mass_damping};
    }
    const BodyMotion& parent =
        middle[mechanism.parent[i] == no_index ? n : as_size(mechanism.parent[i])];
    const Vec3 w = rotate(conjugate(m.world_from_body), m.omega - parent.omega);
    f.damper = joint_stiffness(body) * w * -static_cast<double>(body.damping_time);
  }
  forces[n] = {};
  if (loads.ground) forces[n].ground = wrench_of(ground[n]);
  for (const PointLoad& load : loads.points) {
    const auto i = as_size(load.body);
    const auto [force, moment, arm] = in_world(load, middle[i].world_from_body);
    add_force(middle[i], middle[i].joint_world + arm, force, forces[i].loads);
    forces[i].loads.torque += moment;
  }
  for (const GrabLoad& grab : loads.grabs) {
    const auto i = as_size(grab.body);
    const BodyMotion& m = middle[i];
    const Vec3 arm = rotate(m.world_from_body, grab.point_in_body);
    const Vec3 v = m.velocity + cross(m.omega, arm);
    add_force(m, m.joint_world + arm,
              (grab.target_world - m.joint_world - arm) * grab.stiffness +
                  (grab.target_velocity_world - v) * grab.damping,
              forces[i].loads);
  }
}

Works make_works(const Mechanism& mechanism) {
  const std::size_t n = mechanism.body.size() + 1;
  Works works;
  works.last.resize(n);
  works.now.resize(n);
  works.ground.resize(n);
  works.start.resize(n);
  works.middle.resize(n);
  works.end.resize(n);
  works.way = make_way(n - 1);
  return works;
}

void add_substep(const Mechanism& mechanism, const Loads& loads, const Scheme& scheme,
                 const State& before, const State& after, Works& works) {
  const std::size_t n = mechanism.body.size();
  place_bodies(mechanism, before, works.start);
  place_bodies(mechanism, after, works.end);
  place_middle(mechanism, loads, scheme, before, after, works.middle);
  find_forces(mechanism, loads, works.middle, works.ground, works.now);
  find_way(mechanism, scheme, before, after, works.start, works.middle, works.end, works.way);
  const double am = scheme.alpha_m, h = scheme.h;
  const auto next = [&](const Vec3& last, const Vec3& found) {
    return works.begun ? (found - last * am) / (1 - am) : found;
  };
  // The impulse of a force, and its part of the accelerations, which takes the place of the force.
  const auto pass_on = [&](const Vec3& last, Vec3& force) {
    const Vec3 found = force;
    force = next(last, found);
    return (works.begun ? last : found) * scheme.v_a0 + force * scheme.v_a1;
  };
  Impulse given;
  const Vec3 origin = works.middle[n].joint_world;
  for (std::size_t i = 0; i <= n; ++i) {
    const BodyMotion& middle = works.middle[i];
    const Velocity& way = works.way.velocity[i];
    BodyForces &now = works.now[i], &last = works.last[i];
    const auto work = [&](const Wrench& before_it, Wrench& wrench) {
      const Vec3 torque = pass_on(before_it.torque, wrench.torque);
      const Vec3 force = pass_on(before_it.force, wrench.force);
      given.linear += force;
      given.angular += torque + cross(middle.joint_world - origin, force);
      return dot(torque, way.omega) + dot(force, way.joint);
    };
    works.by_air += work(last.air, now.air);
    works.by_loads += work(last.loads, now.loads);
    works.by_ground += work(last.ground, now.ground);
    works.lost_by_mass -= work(last.mass, now.mass);
    if (i == n) break;
    const Vec3 w = (before.joint_velocity[i] + after.joint_velocity[i]) * 0.5;
    works.lost_in_joints -= dot(pass_on(last.damper, now.damper), w);
    const Body& body = mechanism.body[i];
    const Vec3 moment = rotate(middle.world_from_body, body.first_moment);
    given.linear += loads.gravity_world * (body.mass * h);
    given.angular +=
        cross((middle.joint_world - origin) * body.mass + moment, loads.gravity_world) * h;
  }
  std::swap(works.last, works.now);
  works.begun = true;
  if (!loads.root_path) return;
  // The root gives what changes momentum and is not given by the loads; the angular one is about an origin
  // that moves: dL/dt = torque - v × p.
  const Impulse p0 = momentum_of(mechanism, works.start), p1 = momentum_of(mechanism, works.end);
  const BodyMotion &b0 = works.start[n], &b1 = works.end[n];
  const Vec3 velocity = (b0.velocity + b1.velocity) * 0.5, omega = (b0.omega + b1.omega) * 0.5;
  const Vec3 linear = p1.linear - p0.linear - given.linear;
  const Vec3 angular = p1.angular - p0.angular - given.angular +
                       cross(velocity, (p0.linear + p1.linear) * (0.5 * h));
  works.by_base += dot(linear, velocity) + dot(angular, omega);
}

}  // namespace thigmo
