#pragma once

// The sweeps of a step over packs of bodies: written once, compiled for one or four lanes and for
// each kind of processor. step.cpp has the equations.

#include <cmath>
#include <cstring>
#include <numbers>

#include "math/lanes.h"
#include "mechanics/joint_spring.h"
#include "mechanics/step_kernel.h"

namespace thigmo {

template <class Real>
struct Sweeps {
  using V = Vec3T<Real>;
  using M = Mat3T<Real>;
  using S = Sym3T<Real>;
  using Q = QuatT<Real>;
  static constexpr int width = Real::width;

  struct Constants {
    V base_in_parent;
    Q parent_from_rest;
    Real mass;
    V first_moment;
    S inertia;
    V stiffness, damping;
    V drag_point;
    Real drag_across, drag_around;
    Real length;
  };

  // Of one pack between the sweeps; world axes, about the bodies' own joints.
  struct Scratch {
    Q world_from_body;
    V from_parent;  // own joint minus the parent's joint [m]
    // Of the joint: where it is [m] and how fast it moves [m/s]; after the second sweep the body's
    // angular and the joint's linear acceleration.
    union {
      V joint_world;
      V alpha;
    };
    union {
      V velocity;
      V accel;
    };
    V omega;                             // of the body
    V transport_alpha, transport_accel;  // what the parent's motion adds: ω_p × w, ω_p × (ω_p × r)
    S a;                                 // articulated inertia: torque = A α + B v̇ + n
    M b;
    S c;
    V torque, force;  // its bias n, f
    union {
      V joint_torque;  // τ₀ of spring and damper
      V omega_error;   // after the second sweep: what the prediction of ω was off by
    };
    S joint_block;  // X = c_v D + c_x K; after the second sweep (A + X)⁻¹
    V joint_accel;  // the unknown ā, body frame
    Real pull;      // c·F of the pull along the body [N m]

    Scratch() : joint_world{}, velocity{}, joint_torque{} {}
  };

  static Constants* constants(const KernelTask& task) {
    return reinterpret_cast<Constants*>(task.bodies);
  }
  static Scratch* scratch(const KernelTask& task) {
    return reinterpret_cast<Scratch*>(task.scratch);
  }

  // ---- single lanes of packs ----

  static void set(V& to, int lane, const Vec3& v) {
    to.x.set(lane, v.x);
    to.y.set(lane, v.y);
    to.z.set(lane, v.z);
  }
  static Vec3 get(const V& v, int lane) { return {v.x[lane], v.y[lane], v.z[lane]}; }
  static Quat get(const Q& q, int lane) { return {q.w[lane], q.x[lane], q.y[lane], q.z[lane]}; }
  static void set(Q& to, int lane, const Quat& q) {
    to.w.set(lane, q.w);
    to.x.set(lane, q.x);
    to.y.set(lane, q.y);
    to.z.set(lane, q.z);
  }

  static V load(const Vec3* values, const Pack& pack) {
    V v;
    for (int l = 0; l < width; ++l) set(v, l, values[pack.body[static_cast<std::size_t>(l)]]);
    return v;
  }
  static Q load(const Quat* values, const Pack& pack) {
    Q q;
    for (int l = 0; l < width; ++l) set(q, l, values[pack.body[static_cast<std::size_t>(l)]]);
    return q;
  }
  static Real load(const double* values, const Pack& pack) {
    Real r;
    for (int l = 0; l < width; ++l) r.set(l, values[pack.body[static_cast<std::size_t>(l)]]);
    return r;
  }

  // A field of the parents of a pack's bodies.
  static V from_parents(const Scratch* all, const Pack& pack, V Scratch::*field) {
    if (pack.aligned) return all[pack.parent_pack[0]].*field;
    V v;
    for (int l = 0; l < width; ++l) {
      const auto i = static_cast<std::size_t>(l);
      set(v, l, get(all[pack.parent_pack[i]].*field, pack.parent_lane[i]));
    }
    return v;
  }
  static Q from_parents(const Scratch* all, const Pack& pack, Q Scratch::*field) {
    if (pack.aligned) return all[pack.parent_pack[0]].*field;
    Q q;
    for (int l = 0; l < width; ++l) {
      const auto i = static_cast<std::size_t>(l);
      set(q, l, get(all[pack.parent_pack[i]].*field, pack.parent_lane[i]));
    }
    return q;
  }

  // ---- packing ----

  static void pack_bodies(const Mechanism& mechanism, const Schedule& schedule, std::byte* bytes) {
    Constants* out = reinterpret_cast<Constants*>(bytes);
    for (std::size_t k = 0; k < schedule.packs.size(); ++k) {
      Constants c;
      for (int l = 0; l < width; ++l) {
        const Body& body = mechanism.body[static_cast<std::size_t>(
            schedule.packs[k].body[static_cast<std::size_t>(l)])];
        set(c.base_in_parent, l, body.base_in_parent);
        set(c.parent_from_rest, l, body.parent_from_rest);
        c.mass.set(l, body.mass);
        set(c.first_moment, l, body.first_moment);
        c.inertia.xx.set(l, body.inertia.xx);
        c.inertia.xy.set(l, body.inertia.xy);
        c.inertia.xz.set(l, body.inertia.xz);
        c.inertia.yy.set(l, body.inertia.yy);
        c.inertia.yz.set(l, body.inertia.yz);
        c.inertia.zz.set(l, body.inertia.zz);
        set(c.stiffness, l, body.stiffness);
        set(c.damping, l, body.damping);
        set(c.drag_point, l, body.drag_point);
        c.drag_across.set(l, body.drag_across);
        c.drag_around.set(l, body.drag_around);
        c.length.set(l, body.length);
      }
      out[k] = c;
    }
  }

  // ---- first sweep ----

  // A joint's rotation away from rest: as quaternion and as vector θ, with the c of
  // J⁻ᵀ(θ) = 1 - ½[θ]× + c [θ]×², c = (1 - ½θ cot ½θ)/θ²; J is the right Jacobian of the exponential
  // map.
  struct Turned {
    Q q;
    V theta;
    Real c;
    bool may_fold;
  };

  // q = from · exp(by). Up to half a radian of `by` and 0.28 rad of θ by series in packs, beyond that
  // lane by lane.
  static Turned turned(const Q& from, const V& by) {
    Turned t;
    const Real by_squared = dot(by, by);
    t.q = from * exp_rotation_near(by, by_squared);
    const V u{t.q.x, t.q.y, t.q.z};
    const Real sine_squared = dot(u, u);
    if (all_below(by_squared, exp_rotation_limit, sine_squared, log_rotation_limit, t.q.w)) {
      t.theta = log_rotation_near(u, sine_squared);
      constexpr double series[] = {1.0 / 12, 1.0 / 720, 1.0 / 30240, 1.0 / 1209600, 1.0 / 47900160};
      t.c = polynomial(series, dot(t.theta, t.theta));
      t.may_fold = false;
      return t;
    }
    turn_far(from, by, t);
    return t;
  }

  [[gnu::noinline]] static void turn_far(const Q& from, const V& by, Turned& t) {
    t.may_fold = false;
    for (int l = 0; l < width; ++l) {
      const Quat q = get(from, l) * thigmo::exp_rotation(get(by, l));
      const Vec3 theta = thigmo::log_rotation(q);
      const double x = thigmo::dot(theta, theta), half = 0.5 * std::sqrt(x);
      set(t.q, l, q);
      set(t.theta, l, theta);
      t.c.set(l, x < 1e-4 ? 1.0 / 12.0 + x / 720.0 : (1.0 - half / std::tan(half)) / x);
      if (!(x <= fold_start * fold_start)) t.may_fold = true;
    }
  }

  // -J⁻ᵀ(θ) K θ, the torque of the spring energy ½ θᵀKθ.
  static V spring_torque(const Turned& t, const V& stiffness) {
    const V k = scale(stiffness, t.theta);
    const V theta_k = cross(t.theta, k);
    return -(k - theta_k * Real(0.5) + cross(t.theta, theta_k) * t.c);
  }

  // Near a fold the torque k (x/(π - θ))² (x = θ - fold_start) acts against θ, its slope joins the
  // implicit block.
  static void add_fold(const V& theta, const V& stiffness, const M& r, double c_x, V& torque,
                       S& block) {
    for (int l = 0; l < width; ++l) {
      const Vec3 t = get(theta, l);
      const double angle = length(t);
      if (!(angle > fold_start)) continue;
      const double k = std::fmax(std::fmax(stiffness.x[l], stiffness.y[l]), stiffness.z[l]);
      const double left = std::fmax(std::numbers::pi - angle, 1e-3);
      const double ratio = (angle - fold_start) / left;
      const double push = k * ratio * ratio, slope = 2 * k * ratio * (1 + ratio) / left;
      const Vec3 along = t / angle;
      set(torque, l, get(torque, l) - along * push);
      const Vec3 w{r.row_x.x[l] * along.x + r.row_x.y[l] * along.y + r.row_x.z[l] * along.z,
                   r.row_y.x[l] * along.x + r.row_y.y[l] * along.y + r.row_y.z[l] * along.z,
                   r.row_z.x[l] * along.x + r.row_z.y[l] * along.y + r.row_z.z[l] * along.z};
      const Sym3 o = outer(w) * (c_x * slope);
      block.xx.set(l, block.xx[l] + o.xx);
      block.xy.set(l, block.xy[l] + o.xy);
      block.xz.set(l, block.xz[l] + o.xz);
      block.yy.set(l, block.yy[l] + o.yy);
      block.yz.set(l, block.yz[l] + o.yz);
      block.zz.set(l, block.zz[l] + o.zz);
    }
  }

  // Quadratic drag on the relative wind u at the drag point:
  //   F = k⊥ |u⊥| u⊥ + k |u| u,  -∂F/∂v = k⊥|u⊥| (P + û⊥û⊥ᵀ) + k|u| (1 + ûûᵀ),  P = 1 - ŷŷᵀ;
  // the slope times c_v acts like a tensor mass at that point.
  static void add_drag(const Constants& body, const AirLattice& air, const M& r, double c_v,
                       Scratch& s) {
    const V arm = r * body.drag_point;
    const V point = s.joint_world + arm;
    V wind;
    if (air.velocity_world.size() == 1) {
      wind = {Real(air.velocity_world[0].x), Real(air.velocity_world[0].y),
              Real(air.velocity_world[0].z)};
    } else {
      wind = air_velocity(air, point);
    }
    const V u = wind - s.velocity - cross(s.omega, arm);
    const V axis{r.row_x.y, r.row_y.y, r.row_z.y};
    const V across = u - axis * dot(u, axis);
    // A tiny speed added keeps the unit vectors finite in dead calm, where their factor vanishes.
    const Real tiny(1e-30);
    const Real speed = lane_sqrt(dot(u, u) + tiny),
               speed_across = lane_sqrt(dot(across, across) + tiny);
    const Real k_across = body.drag_across * speed_across, k_around = body.drag_around * speed;
    const V force = across * k_across + u * k_around;
    s.force -= force;
    s.torque -= cross(arm, force);
    const S slope = (identity_times(k_across + k_around) - outer(axis) * k_across +
                     outer(across) * (body.drag_across / speed_across) +
                     outer(u) * (body.drag_around / speed)) *
                    Real(c_v);
    add_point_mass(arm, slope, s);
  }

  // Adds a tensor mass m at point r: C += m, B += [r]×m, A += [r]× m [r]×ᵀ.
  static void add_point_mass(const V& r, const S& m, Scratch& s) {
    const M rm = cross_times(r, m);
    s.c += m;
    s.b = s.b + rm;
    s.a += times_cross_transposed(rm, r);
  }

  // [r]× m
  static M cross_times(const V& r, const S& m) {
    return {{r.y * m.xz - r.z * m.xy, r.y * m.yz - r.z * m.yy, r.y * m.zz - r.z * m.yz},
            {r.z * m.xx - r.x * m.xz, r.z * m.xy - r.x * m.yz, r.z * m.xz - r.x * m.zz},
            {r.x * m.xy - r.y * m.xx, r.x * m.yy - r.y * m.xy, r.x * m.yz - r.y * m.xz}};
  }
  // m [r]×ᵀ where the product is known to be symmetric: rows of m crossed with r.
  static S times_cross_transposed(const M& m, const V& r) {
    // (m [r]×ᵀ)_ij = (r × m_i)_j
    const V x = cross(r, m.row_x), y = cross(r, m.row_y), z = cross(r, m.row_z);
    return {x.x, x.y, x.z, y.y, y.z, z.z};
  }

  static void place(const KernelTask& task, const Block& block) {
    const Scheme& scheme = *task.scheme;
    const State& state = *task.state;
    const double af = scheme.alpha_f, am = scheme.alpha_m, h = scheme.h;
    const Real drift_w((1 - af) * h);
    const Real drift_a((1 - af) * h * h * (0.5 - scheme.beta - scheme.beta * am / (1 - am)));
    const Real known_a((1 - af) * h * (1 - scheme.gamma - scheme.gamma * am / (1 - am)));
    const Real c_v(scheme.c_v), c_x(scheme.c_x);
    const Vec3 g = task.loads->gravity_world;
    const V gravity{Real(g.x), Real(g.y), Real(g.z)};
    Scratch* all = scratch(task);
    for (Index k = block.begin; k < block.end; ++k) {
      const Pack& pack = task.schedule->packs[static_cast<std::size_t>(k)];
      const Constants& body = constants(task)[k];
      Scratch& s = all[k];
      const V w = load(state.joint_velocity.data(), pack);
      const V a = load(state.joint_acceleration.data(), pack);
      const V known_w = w + a * known_a;
      const V guess = known_w + (task.corrected ? s.joint_accel : a) * c_v;
      const Turned joint =
          turned(load(state.rest_from_body.data(), pack), w * drift_w + a * drift_a);
      const Q parent_from_body = body.parent_from_rest * joint.q;

      M r;
      if (pack.on_base) {
        s.world_from_body = parent_from_body;
        s.from_parent = body.base_in_parent;
        s.joint_world = s.from_parent;
        r = matrix(s.world_from_body);
        s.omega = r * guess;
        s.velocity = V{};
        s.transport_alpha = s.transport_accel = V{};
      } else {
        const Q world_from_parent = from_parents(all, pack, &Scratch::world_from_body);
        const V parent_omega = from_parents(all, pack, &Scratch::omega);
        s.world_from_body = world_from_parent * parent_from_body;
        s.from_parent = rotate(world_from_parent, body.base_in_parent);
        s.joint_world = from_parents(all, pack, &Scratch::joint_world) + s.from_parent;
        r = matrix(s.world_from_body);
        const V relative = r * guess;
        const V turning = cross(parent_omega, s.from_parent);
        s.omega = parent_omega + relative;
        s.velocity = from_parents(all, pack, &Scratch::velocity) + turning;
        s.transport_alpha = cross(parent_omega, relative);
        s.transport_accel = cross(parent_omega, turning);
      }

      const V moment = r * body.first_moment;
      s.a = conjugate(r, body.inertia);
      s.b = cross_matrix(moment);
      s.c = identity_times(body.mass);
      s.torque = cross(s.omega, s.a * s.omega) - cross(moment, gravity);
      s.force = cross(s.omega, cross(s.omega, moment)) - gravity * body.mass;
      if (task.with_tension) {
        const V axis{r.row_x.y, r.row_y.y, r.row_z.y};
        const Real pull = load(state.tension_torque.data(), pack) * c_x;
        s.a += (identity_times(Real(1.0)) - outer(axis)) * pull;
      }
      if (task.loads->air) add_drag(body, *task.loads->air, r, scheme.c_v, s);

      s.joint_block = conjugate(r, body.damping * c_v + body.stiffness * c_x);
      V torque = spring_torque(joint, body.stiffness) - scale(body.damping, known_w);
      if (joint.may_fold) {
        add_fold(joint.theta, body.stiffness, r, scheme.c_x, torque, s.joint_block);
      }
      s.joint_torque = r * torque;
    }
    for (const PointLoad& load : task.loads->points) add_load(task, block, load);
  }

  static void add_load(const KernelTask& task, const Block& block, const PointLoad& load) {
    const Index slot = task.schedule->slot[static_cast<std::size_t>(load.body)];
    if (slot / most_lanes < block.begin || slot / most_lanes >= block.end) return;
    Scratch& s = scratch(task)[slot / most_lanes];
    const int lane = slot % most_lanes;
    const Quat world_from_body = get(s.world_from_body, lane);
    const Vec3 force = load.follower ? thigmo::rotate(world_from_body, load.force) : load.force;
    const Vec3 moment = load.follower ? thigmo::rotate(world_from_body, load.moment) : load.moment;
    const Vec3 arm = thigmo::rotate(world_from_body, load.point_in_body);
    set(s.force, lane, get(s.force, lane) - force);
    set(s.torque, lane, get(s.torque, lane) - cross(arm, force) - moment);
  }

  // ---- second sweep ----

  // What a joint lets through, shifted to the parent's joint. With U = (A + X)⁻¹, Y = X U:
  //   A' = Y A, B' = Y B, C' = C - Bᵀ U B,  n' = τ₀ + Y (n - τ₀), f' = f - Bᵀ U (n - τ₀),
  // written with X so that neither a stiff nor a soft joint cancels digits.
  struct Through {
    S a;
    M b;
    S c;
    V torque, force;
  };
  static Through through_joint(Scratch& s) {
    const S u = inverse(s.a + s.joint_block);
    const M y = full(s.joint_block) * full(u);
    const M ub = full(u) * s.b;
    s.joint_block = u;
    const M ya = y * full(s.a);
    const S a = symmetric_part(ya);
    const M b = y * s.b;
    const S c = s.c - transposed_times_symmetric(s.b, ub);
    const V excess = s.torque - s.joint_torque;
    const V torque = s.joint_torque + y * excess + a * s.transport_alpha + b * s.transport_accel;
    const V force = s.force - transposed_times(ub, excess) +
                    transposed_times(b, s.transport_alpha) + c * s.transport_accel;
    // B += [r]×C, A += [r]×Bᵀ + B[r]×ᵀ + [r]×C[r]×ᵀ
    const V& r = s.from_parent;
    const M rc = cross_times(r, c);
    const V bx = cross(r, b.row_x), by = cross(r, b.row_y),
            bz = cross(r, b.row_z);  // rows of B[r]×ᵀ
    const S shift{bx.x + bx.x, bx.y + by.x, bx.z + bz.x, by.y + by.y, by.z + bz.y, bz.z + bz.z};
    return {a + shift + times_cross_transposed(rc, r), b + rc, c, torque + cross(r, force), force};
  }

  // Bᵀ (U B), symmetric: six dot products of columns.
  static S transposed_times_symmetric(const M& b, const M& ub) {
    const M p = transposed(b), q = transposed(ub);
    return {dot(p.row_x, q.row_x), dot(p.row_x, q.row_y), dot(p.row_x, q.row_z),
            dot(p.row_y, q.row_y), dot(p.row_y, q.row_z), dot(p.row_z, q.row_z)};
  }

  static void add_lane(const Through& t, int from, Scratch& p, int to) {
    const auto add = [from, to](Real& sum, const Real& part) { sum.set(to, sum[to] + part[from]); };
    const auto add_v = [&](V& sum, const V& part) {
      add(sum.x, part.x);
      add(sum.y, part.y);
      add(sum.z, part.z);
    };
    const auto add_s = [&](S& sum, const S& part) {
      add(sum.xx, part.xx);
      add(sum.xy, part.xy);
      add(sum.xz, part.xz);
      add(sum.yy, part.yy);
      add(sum.yz, part.yz);
      add(sum.zz, part.zz);
    };
    add_s(p.a, t.a);
    add_v(p.b.row_x, t.b.row_x);
    add_v(p.b.row_y, t.b.row_y);
    add_v(p.b.row_z, t.b.row_z);
    add_s(p.c, t.c);
    add_v(p.torque, t.torque);
    add_v(p.force, t.force);
  }

  static void gather(const KernelTask& task, const Block& block) {
    Scratch* all = scratch(task);
    const bool first_block = block.begin == 0;
    Through* outbox = reinterpret_cast<Through*>(task.outbox);
    for (Index k = block.end; k-- > block.begin;) {
      const Pack& pack = task.schedule->packs[static_cast<std::size_t>(k)];
      Scratch& s = all[k];
      if (pack.on_base) {
        s.joint_block = inverse(s.a + s.joint_block);
        continue;
      }
      const Through t = through_joint(s);
      // The feet of a block stand on the first block, which other threads' blocks share.
      if (!first_block && pack.parent_pack[0] < block.begin) {
        hand_over(task, block, k, pack, t, outbox);
      } else if (pack.aligned) {
        Scratch& p = all[pack.parent_pack[0]];
        p.a += t.a;
        p.b = p.b + t.b;
        p.c += t.c;
        p.torque += t.torque;
        p.force += t.force;
      } else {
        for (int l = 0; l < pack.filled; ++l) {
          const auto i = static_cast<std::size_t>(l);
          add_lane(t, l, all[pack.parent_pack[i]], pack.parent_lane[i]);
        }
      }
    }
  }

  // A pack of block feet goes into the outbox as it is, once for each of its roots.
  static void hand_over(const KernelTask& task, const Block& block, Index k, const Pack& pack,
                        const Through& t, Through* outbox) {
    for (Index i = block.outbox_begin; i < block.outbox_end; ++i) {
      const BlockRoot& root = task.schedule->roots[static_cast<std::size_t>(i)];
      if (root.pack == k && root.lane < pack.filled) outbox[i] = t;
    }
  }

  static void take_outbox(const KernelTask& task) {
    const Through* outbox = reinterpret_cast<const Through*>(task.outbox);
    for (std::size_t i = 0; i < task.schedule->roots.size(); ++i) {
      const BlockRoot& root = task.schedule->roots[i];
      add_lane(outbox[i], root.lane, scratch(task)[root.parent_pack], root.parent_lane);
    }
  }

  // ---- third sweep ----

  // The pull along a body, where it is one: its own weight at the middle of its mass, all that hangs
  // on it as if on its tip. The force that its joint carries is the one the articulated inertia asks
  // for.
  static Real pull_along(const Constants& body, const Scratch& s, const M& r, const V& gravity) {
    const V carried = transposed_times(s.b, s.alpha) + s.c * s.accel + s.force;
    const V axis{r.row_x.y, r.row_y.y, r.row_z.y};
    const Real own = dot(r * body.first_moment, gravity);
    return lane_max(-body.length * dot(axis, carried) - own, Real(0.0));
  }

  static SweepResult solve(const KernelTask& task, const Block& block) {
    const Scheme& scheme = *task.scheme;
    const State& state = *task.state;
    const Real c_v(scheme.c_v);
    const Vec3 g = task.loads->gravity_world;
    const V gravity{Real(g.x), Real(g.y), Real(g.z)};
    Scratch* all = scratch(task);
    Real fastest(0.0), worst(0.0), check(0.0);
    for (Index k = block.begin; k < block.end; ++k) {
      const Pack& pack = task.schedule->packs[static_cast<std::size_t>(k)];
      Scratch& s = all[k];
      V alpha, parent_error;
      if (pack.on_base) {
        alpha = parent_error = s.accel = V{};
      } else {
        const V parent_alpha = from_parents(all, pack, &Scratch::alpha);
        alpha = parent_alpha + s.transport_alpha;
        s.accel = from_parents(all, pack, &Scratch::accel) + cross(parent_alpha, s.from_parent) +
                  s.transport_accel;
        parent_error = from_parents(all, pack, &Scratch::omega_error);
      }
      const V turn = s.joint_block * (s.joint_torque - s.torque - s.a * alpha - s.b * s.accel);
      s.alpha = alpha + turn;
      const M r = matrix(s.world_from_body);
      const V joint_accel = transposed_times(r, turn);
      const V a = load(state.joint_acceleration.data(), pack);
      // Predicted and found velocities differ by c_v (ā found - ā guessed) of each joint.
      const V change = (joint_accel - (task.corrected ? s.joint_accel : a)) * c_v;
      s.joint_accel = joint_accel;
      s.omega_error = parent_error + r * change;
      if (task.with_tension) s.pull = pull_along(constants(task)[k], s, r, gravity);
      const Real speed_squared = dot(s.omega, s.omega);
      fastest = lane_max(fastest, speed_squared);
      worst = lane_max(worst, speed_squared * dot(s.omega_error, s.omega_error));
      check += dot(joint_accel, joint_accel) * Real(0.0);  // NaN where anything is not finite
    }
    const double poison = largest(check);
    return {largest(fastest) + poison, largest(worst) + poison};
  }

  // ---- after the sweeps ----

  static void commit(const KernelTask& task, const Block& block, State& state) {
    const Scheme& scheme = *task.scheme;
    const Real am(scheme.alpha_m), per_one_minus_am(1 / (1 - scheme.alpha_m)), h(scheme.h);
    const Real x_a0(scheme.h * scheme.h * (0.5 - scheme.beta)),
        x_a1(scheme.h * scheme.h * scheme.beta);
    const Real v_a0(scheme.h * (1 - scheme.gamma)), v_a1(scheme.h * scheme.gamma);
    const Scratch* all = scratch(task);
    for (Index k = block.begin; k < block.end; ++k) {
      const Pack& pack = task.schedule->packs[static_cast<std::size_t>(k)];
      const V a0 = load(state.joint_acceleration.data(), pack);
      const V w0 = load(state.joint_velocity.data(), pack);
      const V a1 = (all[k].joint_accel - a0 * am) * per_one_minus_am;
      const Q q = renormalized(load(state.rest_from_body.data(), pack) *
                               exp_rotation(w0 * h + a0 * x_a0 + a1 * x_a1));
      const V w1 = w0 + a0 * v_a0 + a1 * v_a1;
      for (int l = 0; l < pack.filled; ++l) {
        const auto i = static_cast<std::size_t>(pack.body[static_cast<std::size_t>(l)]);
        state.rest_from_body[i] = get(q, l);
        state.joint_velocity[i] = get(w1, l);
        state.joint_acceleration[i] = get(a1, l);
        state.tension_torque[i] = all[k].pull[l];
      }
    }
  }

  static StepKernel kernel() {
    return {.body_bytes = sizeof(Constants),
            .scratch_bytes = sizeof(Scratch),
            .outbox_bytes = sizeof(Through),
            .pack_bodies = pack_bodies,
            .place = place,
            .gather = gather,
            .take_outbox = take_outbox,
            .solve = solve,
            .commit = commit};
  }
};

}  // namespace thigmo
