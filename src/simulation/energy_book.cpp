#include "simulation/energy_book.h"

#include "mechanics/joint_turn.h"
#include "mechanics/surroundings.h"

namespace thigmo {
namespace {

struct Powers {
  double air = 0, loads = 0, ground = 0, joints = 0, mass = 0;  // [W]
  Vec3 force_world;                                             // of all loads and gravity [N]
  Vec3 torque_world;  // of them about the base's origin [N m]
};

struct Momenta {
  Vec3 linear, angular;  // angular about the base's origin
};

// One state seen as a whole: every body's velocity, what acts on it and what that does.
struct Survey {
  Powers powers;
  Momenta momenta;
};

// A body in the form that the step's own laws of air and ground take. Without the step's constants
// c_x, c_v they leave minus their force in it.
struct Plain;
using One = Single<Plain>;
Vec3T<One> one(const Vec3& v) { return {v.x, v.y, v.z}; }
Pushed<One> moving(const Vec3& joint_world, const Vec3& omega, const Vec3& velocity) {
  return {.joint_world = one(joint_world), .omega = one(omega), .velocity = one(velocity)};
}

Survey survey(const Mechanism& mechanism, const Loads& loads, const State& state) {
  Survey result;
  const std::size_t n = mechanism.body.size();
  const Pose pose = pose_of(mechanism, state);
  const BaseState& base = state.base;
  const Vec3 origin = mechanism.base_world + base.displacement_world;
  std::vector<Vec3> omega(n), velocity(n);
  const auto act = [&](double& power, const Vec3& point, const Vec3& force, const Vec3& v) {
    power += dot(force, v);
    result.powers.force_world += force;
    result.powers.torque_world += cross(point - origin, force);
  };
  const auto touch = [&](const Vec3& joint, const Vec3& w, const Vec3& v, const Vec3& arm) {
    Pushed<One> s = moving(joint, w, v);
    add_contact(*loads.ground, one(arm), One(0.0), One(0.0), false, s);
    act(result.powers.ground, joint + arm, -get(s.force, 0), v + cross(w, arm));
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Body& body = mechanism.body[i];
    const Index parent = mechanism.parent[i];
    const bool at_base = parent == no_index;
    const auto p = static_cast<std::size_t>(parent);
    const Mat3 r = matrix(pose.world_from_segment[i]);
    const Vec3 parent_omega = at_base ? rotate(base.world_from_base, base.omega_base) : omega[p];
    const Vec3 w = state.joint_velocity[i];
    omega[i] = parent_omega + r * w;
    velocity[i] = (at_base ? base.velocity_world : velocity[p]) +
                  cross(parent_omega, pose.base_world[i] - (at_base ? origin : pose.base_world[p]));
    result.powers.joints += dot(w, joint_stiffness(body) * w) * body.damping_time;

    const Vec3 moment = r * body.first_moment, at = pose.base_world[i] - origin;
    const Vec3 linear = velocity[i] * body.mass + cross(omega[i], moment);
    const Vec3 angular =
        conjugate(r, widened(body.inertia)) * omega[i] + cross(moment, velocity[i]);
    result.momenta.linear += linear;
    result.momenta.angular += angular + cross(at, linear);
    const double twice_kinetic = dot(velocity[i], linear) + dot(omega[i], angular);
    result.powers.mass += mechanism.mass_damping * twice_kinetic;
    result.powers.force_world += loads.gravity_world * body.mass - linear * mechanism.mass_damping;
    result.powers.torque_world += cross(at * body.mass + moment, loads.gravity_world) -
                                  (angular + cross(at, linear)) * mechanism.mass_damping;

    const Vec3 axis{r.row_x.y, r.row_y.y, r.row_z.y};
    if (loads.air) {
      const Vec3 arm = r * widened(body.drag_point);
      Pushed<One> s = moving(pose.base_world[i], omega[i], velocity[i]);
      add_drag(*loads.air, one(arm), one(axis), One(body.drag_across), One(body.drag_around),
               mechanism.streamlining_speed, One(0.0), s);
      act(result.powers.air, pose.base_world[i] + arm, -get(s.force, 0),
          velocity[i] + cross(omega[i], arm));
    }
    if (loads.ground) {
      touch(pose.base_world[i], omega[i], velocity[i], axis * body.length);
    }
  }
  if (mechanism.free_base && loads.ground) {
    // The pot on the ground.
    touch(origin, rotate(base.world_from_base, base.omega_base), base.velocity_world,
          {0, -mechanism.base_radius, 0});
  }
  for (const PointLoad& load : loads.points) {
    const auto i = static_cast<std::size_t>(load.body);
    const Quat& q = pose.world_from_segment[i];
    const Vec3 arm = rotate(q, load.point_in_body);
    const Vec3 moment = load.follower ? rotate(q, load.moment) : load.moment;
    act(result.powers.loads, pose.base_world[i] + arm,
        load.follower ? rotate(q, load.force) : load.force, velocity[i] + cross(omega[i], arm));
    result.powers.loads += dot(moment, omega[i]);
    result.powers.torque_world += moment;
  }
  for (const PullLoad& pull : loads.pulls) {
    const auto i = static_cast<std::size_t>(pull.body);
    const Vec3 arm = rotate(pose.world_from_segment[i], pull.point_in_body);
    const Vec3 point = pose.base_world[i] + arm, v = velocity[i] + cross(omega[i], arm);
    act(result.powers.loads, point,
        (pull.hand_world - point) * pull.stiffness + (pull.hand_velocity_world - v) * pull.damping,
        v);
  }
  return result;
}

double total(const Energy& energy) {
  return energy.kinetic + energy.elastic + energy.gravitational;
}

Energy stored_in(const Simulation& simulation) {
  Energy sum;
  for (const SimulatedPlant& plant : simulation.plants) {
    const Energy energy = energy_of(plant.mechanism, plant.state, simulation.gravity_world);
    sum.kinetic += energy.kinetic;
    sum.elastic += energy.elastic;
    sum.gravitational += energy.gravitational;
  }
  return sum;
}

}  // namespace

EnergyBook::EnergyBook(const Simulation& simulation) {
  for (const SimulatedPlant& plant : simulation.plants) before_.push_back(plant.state);
  account_.stored = stored_in(simulation);
  start_ = total(account_.stored);
}

void EnergyBook::add_step(const Simulation& simulation, double dt) {
  for (std::size_t i = 0; i < simulation.plants.size(); ++i) {
    const SimulatedPlant& plant = simulation.plants[i];
    const Loads loads = loads_of(simulation, plant);
    const Survey a = survey(plant.mechanism, loads, before_[i]);
    const Survey b = survey(plant.mechanism, loads, plant.state);
    const double half = 0.5 * dt;
    account_.by_air += half * (a.powers.air + b.powers.air);
    account_.by_loads += half * (a.powers.loads + b.powers.loads);
    account_.by_ground += half * (a.powers.ground + b.powers.ground);
    account_.lost_in_joints += half * (a.powers.joints + b.powers.joints);
    account_.lost_by_mass += half * (a.powers.mass + b.powers.mass);
    if (plant.path) {
      // The base gives what changes momentum and is not given by the loads.
      const BaseState &s0 = before_[i].base, &s1 = plant.state.base;
      const Vec3 impulse = b.momenta.linear - a.momenta.linear -
                           (a.powers.force_world + b.powers.force_world) * half;
      const Vec3 v = (s0.velocity_world + s1.velocity_world) * 0.5;
      // Angular momentum about a moving origin: dL/dt = torque - v × p.
      const Vec3 twist = b.momenta.angular - a.momenta.angular -
                         (a.powers.torque_world + b.powers.torque_world) * half +
                         cross(v, (a.momenta.linear + b.momenta.linear) * 0.5) * dt;
      const Vec3 omega =
          (rotate(s0.world_from_base, s0.omega_base) + rotate(s1.world_from_base, s1.omega_base)) *
          0.5;
      account_.by_base += dot(impulse, v) + dot(twist, omega);
    }
    before_[i] = plant.state;
  }
  account_.stored = stored_in(simulation);
  account_.numerical = start_ + account_.by_air + account_.by_loads + account_.by_ground +
                       account_.by_base - account_.lost_in_joints - account_.lost_by_mass -
                       total(account_.stored);
}

}  // namespace thigmo
