#include "mechanics/step.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/assert.h"

// One step is one linearly implicit pass of the articulated-body method, O(n), in the
// generalized-alpha scheme (Chung & Hulbert 1993): second order, and motions too fast for the step
// shrink by rho in each step instead of ringing on. With joint rotations θ, velocities w, the
// scheme's accelerations a, and the constants of struct Scheme:
//   θ₁ = θ + h w + h² ((½ - β) a + β a₁),   w₁ = w + h ((1 - γ) a + γ a₁)
//   inertia at ā = (1 - αm) a₁ + αm a,   forces at θf, wf, a part 1 - αf of the step after its start.
// The unknown is ā, and θf = θk + c_x ā, wf = wk + c_v ā with θk, wk known. Every joint drifts to θk;
// geometry, gravity, springs and loads are evaluated there. What is left is linear in ā: springs and
// dampers give the joint block X = c_v D + c_x K, drag c_v times its slope, the pull along a body
// c_x times its geometric stiffness. Velocities in Coriolis, centrifugal and drag terms are predicted
// with the last a; where the pass shows that they were not predicted well enough it is repeated with
// the better ones.
//
// Spatial quantities are in world axes about each body's own joint; an articulated inertia is
//   torque = A α + B v̇ + n,   force = Bᵀ α + C v̇ + f    (α of the body, v̇ of its joint)
// and reaches the parent by a shift along r = joint - parent's joint, without rotation.

namespace thigmo {
namespace {

// A body may turn this far within one accepted piece.
constexpr double largest_turn = 0.5;  // [rad]
// h² |ω| |ω error|, the turn by wrong Coriolis and centrifugal forces, may be this large.
constexpr double largest_prediction_error = 1e-3;  // [rad]
constexpr int most_corrections = 3;
constexpr int deepest_halving = 16;

// A joint bent further than this meets growing resistance, infinite at a fold by 180°: stems cannot
// pass through themselves, and beyond 180° a rotation no longer knows which way it came.
constexpr double fold_start = 2.4;  // [rad]

struct Scheme {
  double alpha_m, alpha_f, beta, gamma;
  double h;    // [s]
  double c_v;  // dwf / dā [s]
  double c_x;  // dθf / dā [s²]
};

Scheme make_scheme(double rho, double h) {
  const double am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1);
  const double gamma = 0.5 - am + af, beta = 0.25 * (1 - am + af) * (1 - am + af);
  return {.alpha_m = am,
          .alpha_f = af,
          .beta = beta,
          .gamma = gamma,
          .h = h,
          .c_v = (1 - af) * gamma / (1 - am) * h,
          .c_x = (1 - af) * beta / (1 - am) * h * h};
}

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

// Near a fold the torque k (x/(π - θ))² (x = θ - fold_start) acts against θ; its slope is given too,
// for the implicit block.
struct FoldSpring {
  double torque = 0;  // [N m]
  double slope = 0;   // [N m/rad]
};
FoldSpring fold_spring(double angle, const Vec3& stiffness) {
  if (angle <= fold_start) return {};
  const double k = std::max({stiffness.x, stiffness.y, stiffness.z});
  const double x = angle - fold_start;
  const double left = std::max(std::numbers::pi - angle, 1e-3);
  const double ratio = x / left;
  return {.torque = k * ratio * ratio, .slope = 2 * k * ratio * (1 + ratio) / left};
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
// The slope times c_v acts like a mass at that point.
void add_drag(const Body& body, const AirLattice& air, double c_v, BodyScratch& s) {
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
  add_point_mass(r, slope * c_v, s);
}

// Before the passes: joints drift to θk, their velocities wf are predicted with a₁ = a.
void drift_and_predict(const Scheme& scheme, State& state, std::vector<Vec3>& guess) {
  const auto& [am, af, beta, gamma, h, c_v, c_x] = scheme;
  const double known = (1 - af) * h * h * (0.5 - beta - beta * am / (1 - am));
  for (std::size_t i = 0; i < guess.size(); ++i) {
    const Vec3& w = state.joint_velocity[i];
    const Vec3& a = state.joint_acceleration[i];
    state.rest_from_body[i] =
        state.rest_from_body[i] * exp_rotation(w * ((1 - af) * h) + a * known);
    guess[i] = w + a * ((1 - af) * h);
  }
}

// wk: the part of wf that does not depend on ā.
Vec3 known_velocity(const Scheme& scheme, const State& state, std::size_t i) {
  const auto& [am, af, beta, gamma, h, c_v, c_x] = scheme;
  return state.joint_velocity[i] +
         state.joint_acceleration[i] * ((1 - af) * h * (1 - gamma - gamma * am / (1 - am)));
}

// Pass 1, base to tips: place every body, its inertia and the forces on it.
void place_bodies(const Mechanism& mechanism, const Loads& loads, const Scheme& scheme,
                  const State& state, const std::vector<Vec3>& guess,
                  std::vector<BodyScratch>& scratch) {
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const Body& body = mechanism.body[i];
    BodyScratch& s = scratch[i];
    const Index parent = mechanism.parent[i];
    const BodyScratch* p =
        parent == no_index ? nullptr : &scratch[static_cast<std::size_t>(parent)];

    const Quat& q = state.rest_from_body[i];
    const Vec3 theta = log_rotation(q);

    const Quat parent_from_body = body.parent_from_rest * q;
    s.world_from_body_quat = p ? p->world_from_body_quat * parent_from_body : parent_from_body;
    s.world_from_body = matrix(s.world_from_body_quat);
    s.from_parent = p ? p->world_from_body * body.base_in_parent : body.base_in_parent;
    s.joint_world = p ? p->joint_world + s.from_parent : s.from_parent;
    const Mat3& r = s.world_from_body;

    s.relative_omega = r * guess[i];
    s.omega = p ? p->omega + s.relative_omega : s.relative_omega;
    s.velocity = p ? p->velocity + cross(p->omega, s.from_parent) : Vec3{};

    const Vec3 moment = r * body.first_moment;
    s.a = conjugate(r, body.inertia);
    s.b = cross_matrix(moment);
    s.c = identity_times(body.mass);
    s.torque = cross(s.omega, s.a * s.omega) - cross(moment, loads.gravity_world);
    s.force = cross(s.omega, cross(s.omega, moment)) - loads.gravity_world * body.mass;

    const Vec3 axis{r.row_x.y, r.row_y.y, r.row_z.y};
    s.a += (identity_times(1.0) - outer(axis)) * (scheme.c_x * state.tension_torque[i]);
    if (loads.air) add_drag(body, *loads.air, scheme.c_v, s);

    s.joint_block = conjugate(r, body.damping * scheme.c_v + body.stiffness * scheme.c_x);
    Vec3 torque = spring_torque(theta, body.stiffness) -
                  scale(body.damping, known_velocity(scheme, state, i));
    if (dot(theta, theta) > fold_start * fold_start) {
      const double angle = length(theta);
      const FoldSpring fold = fold_spring(angle, body.stiffness);
      const Vec3 along = theta / angle;
      torque -= along * fold.torque;
      s.joint_block += outer(r * along) * (scheme.c_x * fold.slope);
    }
    s.joint_torque = r * torque;
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

// Pass 3, base to tips: accelerations. Says how far the fastest body turns, and what the predicted
// velocities would have it turn wrongly.
struct Solved {
  double turn = 0;              // [rad]
  double prediction_error = 0;  // [rad]
};
Solved solve_accelerations(const Mechanism& mechanism, const Scheme& scheme, const State& state,
                           Workspace& workspace) {
  const double h = scheme.h;
  double fastest_squared = 0, worst_product_squared = 0;
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    BodyScratch& s = workspace.body[i];
    const Index parent = mechanism.parent[i];
    const BodyScratch* p =
        parent == no_index ? nullptr : &workspace.body[static_cast<std::size_t>(parent)];
    const Transport t = transport(p, s);
    const Vec3 alpha = p ? p->alpha + t.alpha : Vec3{};
    s.acceleration = p ? p->acceleration + cross(p->alpha, s.from_parent) + t.acceleration : Vec3{};
    const Vec3 turn = s.inverse * (s.joint_torque - s.torque - s.a * alpha - s.b * s.acceleration);
    s.alpha = alpha + turn;

    const Vec3 a = transposed_times(s.world_from_body, turn);
    workspace.joint_acceleration[i] = a;
    const Vec3 better = known_velocity(scheme, state, i) + a * scheme.c_v;
    const Vec3 error = s.world_from_body * (better - workspace.guess[i]);
    workspace.guess[i] = better;
    s.omega_error = p ? p->omega_error + error : error;
    const double speed_squared = dot(s.omega, s.omega);
    fastest_squared = std::max(fastest_squared, speed_squared);
    worst_product_squared =
        std::max(worst_product_squared, speed_squared * dot(s.omega_error, s.omega_error));
  }
  return {.turn = std::sqrt(fastest_squared) * h,
          .prediction_error = std::sqrt(worst_product_squared) * h * h};
}

// The pull along each body: its weight, and what hangs on its far end. The force that a child's
// joint carries is the one its articulated inertia asks for.
void find_tension(const Mechanism& mechanism, const Loads& loads,
                  const std::vector<BodyScratch>& scratch, std::vector<double>& tension_torque) {
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const BodyScratch& s = scratch[i];
    const Vec3 moment = s.world_from_body * mechanism.body[i].first_moment;
    tension_torque[i] = std::max(0.0, dot(moment, loads.gravity_world));
    const Index parent = mechanism.parent[i];
    if (parent != no_index) {
      const Vec3 carried =
          transposed_times(s.b, s.alpha) + s.c * s.acceleration + s.force;  // by the joint, on s
      tension_torque[static_cast<std::size_t>(parent)] +=
          std::max(0.0, -dot(s.from_parent, carried));
    }
  }
}

// After the passes: the new rotations from the old ones, the new velocities and accelerations.
void move_bodies(const Scheme& scheme, const State& start, const std::vector<Vec3>& solved,
                 State& state) {
  const auto& [am, af, beta, gamma, h, c_v, c_x] = scheme;
  for (std::size_t i = 0; i < solved.size(); ++i) {
    const Vec3 a0 = start.joint_acceleration[i];
    const Vec3 w0 = start.joint_velocity[i];
    const Vec3 a1 = (solved[i] - a0 * am) / (1 - am);
    state.rest_from_body[i] = normalized(
        start.rest_from_body[i] * exp_rotation(w0 * h + (a0 * (0.5 - beta) + a1 * beta) * (h * h)));
    state.joint_velocity[i] = w0 + (a0 * (1 - gamma) + a1 * gamma) * h;
    state.joint_acceleration[i] = a1;
  }
  state.time += h;
}

// Accelerations and pulls of a state as it stands: the scheme needs them once, to begin with.
void begin(const Mechanism& mechanism, const Loads& loads, State& state, Workspace& workspace) {
  const Scheme standing = make_scheme(1.0, 0.0);
  workspace.guess = state.joint_velocity;
  place_bodies(mechanism, loads, standing, state, workspace.guess, workspace.body);
  gather_inertia(mechanism, workspace.body);
  solve_accelerations(mechanism, standing, state, workspace);
  find_tension(mechanism, loads, workspace.body, state.tension_torque);
  state.joint_acceleration = workspace.joint_acceleration;
  state.started = true;
}

// One piece. False: it must be taken back.
bool attempt(const Mechanism& mechanism, const Loads& loads, const Scheme& scheme, State& state,
             Workspace& workspace, StepReport& report) {
  workspace.start = state;
  drift_and_predict(scheme, state, workspace.guess);
  for (int correction = 0;; ++correction) {
    place_bodies(mechanism, loads, scheme, state, workspace.guess, workspace.body);
    gather_inertia(mechanism, workspace.body);
    const Solved solved = solve_accelerations(mechanism, scheme, workspace.start, workspace);
    if (!(solved.turn <= largest_turn)) return false;
    if (solved.prediction_error <= largest_prediction_error) {
      report.worst_turn = std::max(report.worst_turn, solved.turn);
      break;
    }
    if (correction == most_corrections) return false;
    ++report.corrections;
  }
  find_tension(mechanism, loads, workspace.body, state.tension_torque);
  move_bodies(scheme, workspace.start, workspace.joint_acceleration, state);
  return is_finite(state);
}

}  // namespace

double force_time(const StepOptions& options) {
  return 1.0 - make_scheme(1.0 - options.numerical_damping, 1.0).alpha_f;
}

Workspace make_workspace(const Mechanism& mechanism) {
  const std::size_t n = mechanism.body.size();
  return {.body = std::vector<BodyScratch>(n),
          .guess = std::vector<Vec3>(n),
          .joint_acceleration = std::vector<Vec3>(n),
          .start = rest_state(mechanism)};
}

StepReport step(const Mechanism& mechanism, const Loads& loads, const StepOptions& options,
                double dt, State& state, Workspace& workspace) {
  THIGMO_DEBUG_ASSERT(workspace.body.size() == mechanism.body.size());
  StepReport report;
  // Pieces are 2^-halvings of dt; `done` counts finished pieces of the finest kind.
  const long whole = 1L << deepest_halving;
  if (!state.started) begin(mechanism, loads, state, workspace);
  for (long done = 0; done < whole;) {
    const Scheme scheme =
        make_scheme(1.0 - options.numerical_damping, std::ldexp(dt, -state.halvings));
    report.worst_turn = 0;
    if (attempt(mechanism, loads, scheme, state, workspace, report)) {
      ++report.substeps;
      done += whole >> state.halvings;
      // Grow again where the motion allows it and the larger piece still ends on the step.
      const bool easy = report.worst_turn < 0.25 * largest_turn;
      if (state.halvings > 0 && easy && done % (whole >> (state.halvings - 1)) == 0)
        --state.halvings;
      continue;
    }
    state = workspace.start;
    ++report.rejected;
    if (state.halvings == deepest_halving) {
      report.finite = false;
      return report;
    }
    ++state.halvings;
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
