#include "mechanics/step.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

// One step is one linearly implicit pass of the articulated-body method, O(n).
//
// Unknown: the joint accelerations a of all bodies. With g = theta, h = dt, forces are taken at
//   θ_g = θ + g h w + (g h)² a,   w_g = w + g h a      (the g-point)
// First every joint drifts to θ + g h w; geometry, gravity, springs and loads are evaluated there,
// which makes them second order for g = 1/2. What is left of the g-point is linear in a: springs
// and dampers give the joint block X = g h D + (g h)² K, drag gives g h times its slope, the pull
// along a body (g h)² times its geometric stiffness. Velocities in Coriolis and centrifugal terms are
// predicted at the g-point with the last step's a. Then
//   w ← w + h a,   θ ← θ_g-drifted + (1 - g) h w + g h² a.
//
// Spatial quantities are in world axes about each body's own joint; an articulated inertia is
//   torque = A α + B v̇ + n,   force = Bᵀ α + C v̇ + f    (α of the body, v̇ of its joint)
// and reaches the parent by a shift along r = joint - parent's joint, without rotation.

namespace thigmo {
namespace {

// A body may turn this far within one accepted piece: explicit terms are accurate to about the cube
// of it.
constexpr double largest_turn = 0.5;  // [rad]
constexpr int deepest_halving = 12;

// J⁻ᵀ(θ) k: the torque of the spring energy ½ θᵀKθ is not -Kθ but -J⁻ᵀKθ, J the right Jacobian of
// the exponential map. With b = ½θ cot(½θ):  J⁻ᵀ = 1 - ½[θ]× + (1 - b)/θ² [θ]×².
Vec3 spring_torque(const Vec3& theta, const Vec3& stiffness) {
  const Vec3 k = scale(stiffness, theta);
  const double angle_squared = dot(theta, theta);
  double c;  // (1 - b)/θ²
  if (angle_squared < 1e-4) {
    c = 1.0 / 12.0 + angle_squared / 720.0;
  } else {
    const double half = 0.5 * std::sqrt(angle_squared);
    c = (1.0 - half / std::tan(half)) / angle_squared;
  }
  const Vec3 theta_k = cross(theta, k);
  return -(k - 0.5 * theta_k + c * cross(theta, theta_k));
}

// Adds the inertia of a tensor mass m at point r to an articulated inertia.
void add_point_mass(const Vec3& r, const Sym3& m, BodyScratch& s) {
  const Mat3 rx = cross_matrix(r);
  const Mat3 rm = rx * full(m);
  s.c += m;
  s.b = s.b + rm;
  s.a += symmetric_part(rm * transposed(rx));
}

// Quadratic drag on the relative wind u = wind - velocity at the drag point:
//   F = k⊥ |u⊥| u⊥ + k |u| u,  slope ∂F/∂v = -(k⊥|u⊥| (P + û⊥û⊥ᵀ) + k|u| (1 + ûûᵀ)),  P = 1 - ŷŷᵀ.
// The slope times g h acts like a mass at that point.
void add_drag(const Body& body, const AirLattice& air, double gh, BodyScratch& s) {
  const Vec3 r = s.world_from_body * body.drag_point;
  const Vec3 u = air_velocity(air, s.joint_world + r) - s.velocity - cross(s.omega, r);
  const Vec3 axis{s.world_from_body.row_x.y, s.world_from_body.row_y.y, s.world_from_body.row_z.y};
  const Vec3 across = u - axis * dot(u, axis);
  const double speed = length(u), speed_across = length(across);
  const Vec3 force = across * (body.drag_across * speed_across) + u * (body.drag_around * speed);
  s.force -= force;
  s.torque -= cross(r, force);
  Sym3 slope;
  if (speed_across > 0) {
    slope += (identity_times(1.0) - outer(axis)) * (body.drag_across * speed_across) +
             outer(across) * (body.drag_across / speed_across);
  }
  if (speed > 0) {
    slope += identity_times(body.drag_around * speed) + outer(u) * (body.drag_around / speed);
  }
  add_point_mass(r, slope * gh, s);
}

// Pass 1, base to tips: drift to the g-point, place every body, its inertia and the forces on it.
void place_bodies(const Mechanism& mechanism, const Loads& loads, double g, double h, State& state,
                  std::vector<BodyScratch>& scratch) {
  const double gh = g * h;
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const Body& body = mechanism.body[i];
    BodyScratch& s = scratch[i];
    const Index parent = mechanism.parent[i];
    const BodyScratch* p =
        parent == no_index ? nullptr : &scratch[static_cast<std::size_t>(parent)];

    const Vec3 w = state.joint_velocity[i];
    Quat& q = state.rest_from_body[i];
    q = q * exp_rotation(w * gh);
    const Vec3 theta = log_rotation(q);

    const Quat parent_from_body = body.parent_from_rest * q;
    s.world_from_body_quat = p ? p->world_from_body_quat * parent_from_body : parent_from_body;
    s.world_from_body = matrix(s.world_from_body_quat);
    s.from_parent = p ? p->world_from_body * body.base_in_parent : body.base_in_parent;
    s.joint_world = p ? p->joint_world + s.from_parent : s.from_parent;
    const Mat3& r = s.world_from_body;

    s.relative_omega = r * (w + state.joint_acceleration[i] * gh);
    s.omega = p ? p->omega + s.relative_omega : s.relative_omega;
    s.velocity = p ? p->velocity + cross(p->omega, s.from_parent) : Vec3{};

    const Vec3 moment = r * body.first_moment;
    s.a = conjugate(r, body.inertia);
    s.b = cross_matrix(moment);
    s.c = identity_times(body.mass);
    s.torque = cross(s.omega, s.a * s.omega) - cross(moment, loads.gravity_world);
    s.force = cross(s.omega, cross(s.omega, moment)) - loads.gravity_world * body.mass;

    const Vec3 axis{r.row_x.y, r.row_y.y, r.row_z.y};
    s.a += (identity_times(1.0) - outer(axis)) * (gh * gh * state.tension_torque[i]);
    if (loads.air) add_drag(body, *loads.air, gh, s);

    s.joint_block = conjugate(r, body.damping * gh + body.stiffness * (gh * gh));
    s.joint_torque = r * (spring_torque(theta, body.stiffness) - scale(body.damping, w));
  }
  for (const PointLoad& load : loads.points) {
    BodyScratch& s = scratch[static_cast<std::size_t>(load.body)];
    const Vec3 force = load.follower ? s.world_from_body * load.force : load.force;
    const Vec3 moment = load.follower ? s.world_from_body * load.moment : load.moment;
    s.force -= force;
    s.torque -= cross(s.world_from_body * load.point_in_body, force) + moment;
  }
}

// What the parent's motion adds to a joint's acceleration: α += ω_p × w, v̇ += ω_p × (ω_p × r).
struct Transport {
  Vec3 alpha, acceleration;
};
Transport transport(const BodyScratch* p, const BodyScratch& s) {
  if (!p) return {};
  return {.alpha = cross(p->omega, s.relative_omega),
          .acceleration = cross(p->omega, cross(p->omega, s.from_parent))};
}

// Pass 2, tips to base: what each joint lets through becomes part of the parent. With the joint
// block X and U = (A + X)⁻¹, Y = X U:
//   A' = Y A, B' = Y B, C' = C - Bᵀ U B,  n' = τ₀ + Y (n - τ₀), f' = f - Bᵀ U (n - τ₀),
// written with X so that neither a stiff nor a soft joint cancels digits.
void gather_inertia(const Mechanism& mechanism, std::vector<BodyScratch>& scratch) {
  for (std::size_t i = mechanism.body.size(); i-- > 0;) {
    BodyScratch& s = scratch[i];
    s.inverse = inverse(s.a + s.joint_block);
    const Index parent = mechanism.parent[i];
    if (parent == no_index) continue;
    BodyScratch& p = scratch[static_cast<std::size_t>(parent)];

    const Mat3 y = full(s.joint_block) * full(s.inverse);
    const Mat3 ub = full(s.inverse) * s.b;
    const Sym3 a = symmetric_part(y * full(s.a));
    const Mat3 b = y * s.b;
    const Sym3 c = s.c - symmetric_part(transposed(s.b) * ub);
    const Vec3 excess = s.torque - s.joint_torque;
    const Transport t = transport(&p, s);
    const Vec3 torque = s.joint_torque + y * excess + a * t.alpha + b * t.acceleration;
    const Vec3 force =
        s.force - transposed_times(ub, excess) + transposed_times(b, t.alpha) + c * t.acceleration;

    // Shift to the parent's joint: B += [r]×C, A += [r]×Bᵀ + B[r]×ᵀ + [r]×C[r]×ᵀ.
    const Mat3 rx = cross_matrix(s.from_parent);
    const Mat3 rc = rx * full(c);
    const Mat3 b_rx = b * transposed(rx);
    p.a += a + symmetric_part(b_rx + transposed(b_rx) + rc * transposed(rx));
    p.b = p.b + b + rc;
    p.c += c;
    p.torque += torque + cross(s.from_parent, force);
    p.force += force;
  }
}

// Pass 3, base to tips: accelerations, then the second half of the drift. Returns the largest turn
// of a body within the step.
double move_bodies(const Mechanism& mechanism, const Loads& loads, double g, double h, State& state,
                   std::vector<BodyScratch>& scratch) {
  double fastest_squared = 0;  // ω² of the fastest body
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    BodyScratch& s = scratch[i];
    const Index parent = mechanism.parent[i];
    const BodyScratch* p =
        parent == no_index ? nullptr : &scratch[static_cast<std::size_t>(parent)];
    const Transport t = transport(p, s);
    const Vec3 alpha = p ? p->alpha + t.alpha : Vec3{};
    s.acceleration = p ? p->acceleration + cross(p->alpha, s.from_parent) + t.acceleration : Vec3{};
    const Vec3 turn = s.inverse * (s.joint_torque - s.torque - s.a * alpha - s.b * s.acceleration);
    s.alpha = alpha + turn;

    const Vec3 a = transposed_times(s.world_from_body, turn);
    Vec3& w = state.joint_velocity[i];
    Quat& q = state.rest_from_body[i];
    q = normalized(q * exp_rotation(w * ((1.0 - g) * h) + a * (g * h * h)));
    w += a * h;
    state.joint_acceleration[i] = a;
    fastest_squared = std::max(fastest_squared, dot(s.omega, s.omega));

    // The pull on this body: its weight, and what hangs on it beyond its far end. The force that a
    // child's joint carries is the one its articulated inertia asks for.
    const Body& body = mechanism.body[i];
    state.tension_torque[i] =
        std::max(0.0, dot(s.world_from_body * body.first_moment, loads.gravity_world));
    if (p) {
      const Vec3 carried =
          transposed_times(s.b, s.alpha) + s.c * s.acceleration + s.force;  // by the joint, on s
      state.tension_torque[static_cast<std::size_t>(parent)] +=
          std::max(0.0, -dot(s.from_parent, carried));
    }
  }
  return std::sqrt(fastest_squared) * h;
}

// One piece, not checked.
double attempt(const Mechanism& mechanism, const Loads& loads, double g, double h, State& state,
               Workspace& workspace) {
  place_bodies(mechanism, loads, g, h, state, workspace.body);
  gather_inertia(mechanism, workspace.body);
  const double turn = move_bodies(mechanism, loads, g, h, state, workspace.body);
  state.time += h;
  return turn;
}

}  // namespace

Workspace make_workspace(const Mechanism& mechanism) {
  return {.body = std::vector<BodyScratch>(mechanism.body.size()), .start = rest_state(mechanism)};
}

StepReport step(const Mechanism& mechanism, const Loads& loads, const StepOptions& options,
                double dt, State& state, Workspace& workspace) {
  THIGMO_DEBUG_ASSERT(workspace.body.size() == mechanism.body.size());
  StepReport report;
  // Pieces are 2^-level of dt; `done` counts finished pieces of the finest level.
  const long whole = 1L << deepest_halving;
  int level = 0;
  for (long done = 0; done < whole;) {
    workspace.start = state;
    const double h = std::ldexp(dt, -level);
    const double turn = attempt(mechanism, loads, options.theta, h, state, workspace);
    const bool good = std::isfinite(turn) && is_finite(state);
    if (good && (turn <= largest_turn || level == deepest_halving)) {
      ++report.substeps;
      report.worst_turn = std::max(report.worst_turn, turn);
      done += whole >> level;
      // Grow again where the pieces allow it.
      if (level > 0 && turn < 0.25 * largest_turn && done % (whole >> (level - 1)) == 0) --level;
      continue;
    }
    state = workspace.start;
    ++report.rejected;
    if (level == deepest_halving) {
      report.finite = false;
      return report;
    }
    ++level;
  }
  return report;
}

Energy energy_of(const Mechanism& mechanism, const State& state, const Vec3& gravity_world) {
  Energy energy;
  std::vector<Vec3> omega(mechanism.body.size()), velocity(mechanism.body.size());
  const Pose pose = pose_of(mechanism, state);
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const Body& body = mechanism.body[i];
    const Index parent = mechanism.parent[i];
    const auto p = static_cast<std::size_t>(parent);
    const Mat3 r = matrix(pose.world_from_segment[i]);
    const Vec3 relative = r * state.joint_velocity[i];
    omega[i] = parent == no_index ? relative : omega[p] + relative;
    velocity[i] = parent == no_index
                      ? Vec3{}
                      : velocity[p] + cross(omega[p], pose.base_world[i] - pose.base_world[p]);
    const Vec3 moment = r * body.first_moment;
    const Vec3 theta = log_rotation(state.rest_from_body[i]);
    energy.kinetic += 0.5 * dot(omega[i], conjugate(r, body.inertia) * omega[i]) +
                      0.5 * body.mass * dot(velocity[i], velocity[i]) +
                      dot(velocity[i], cross(omega[i], moment));
    energy.elastic += 0.5 * dot(theta, scale(body.stiffness, theta));
    energy.gravitational -= dot(gravity_world, pose.base_world[i] * body.mass + moment);
  }
  return energy;
}

}  // namespace thigmo
