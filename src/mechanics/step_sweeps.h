#pragma once

// The sweeps of a step over packs of bodies: written once, compiled for four or eight lanes and for
// each kind of processor. step.cpp has the equations.

#include <cmath>

#include "math/lanes.h"
#include "mechanics/contact.h"
#include "mechanics/joint_pass.h"
#include "mechanics/joint_turn.h"
#include "mechanics/pack_lanes.h"
#include "mechanics/step_kernel.h"

namespace thigmo {

template <class Real>
struct Sweeps {
  using One = typename Real::Alone;
  using V = Vec3T<Real>;
  using M = Mat3T<Real>;
  using S = Sym3T<Real>;
  using Q = QuatT<Real>;
  static constexpr int width = Real::width;

  // All digits for what decides where a plant stands still: there statics and steps agree.
  struct Constants {
    Q parent_from_rest;
    V base_in_parent;
    Real mass;
    V first_moment;
    RoundSprings<Real> springs;
    ShorterBlock<Real> inertia;
    ShorterVector<Real> drag_point;
    Short<Real> damping_time;
    Short<Real> drag_across, drag_around;
    Short<Real> length;
  };

  // Of one pack between its first and second sweep; world axes, about the bodies' own joints.
  struct Scratch : Pushed<Real> {
    Q world_from_body;
    V axis;         // along the body
    Real own_pull;  // of its own weight along it [N m]
    Link<Real> link;
  };

  // Of one pack in the third sweep.
  struct Swing {
    V alpha, accel;  // of the body and of its joint
    V omega_error;   // what the prediction of ω was off by
  };

  // What the third sweep needs of the first two: how the joint answers.
  struct Kept {
    Q world_from_body;  // all digits, or a motion in a plane would leave it
    ShorterVector<Real> omega, from_parent;
    ShorterVector<Real> turn;
    ShorterMatrix<Real> turn_alpha, turn_accel;
  };
  // And, where tension matters, p + q·α + r·v̇, the pull along a body.
  struct KeptPull {
    Short<Real> pull;
    ShorterVector<Real> pull_alpha, pull_accel;
  };

  static const Constants* constants(const KernelTask& task) {
    return reinterpret_cast<const Constants*>(task.bodies);
  }
  static const FlatSprings<Real>* flat_springs_of(const KernelTask& task, Index k) {
    if (!task.flat_springs) return nullptr;
    return reinterpret_cast<const FlatSprings<Real>*>(task.flat_springs) + k;
  }
  static Contact<Real>* contacts(const KernelTask& task) {
    return reinterpret_cast<Contact<Real>*>(task.contacts);
  }
  static ContactScheme<Real> contact_scheme(const KernelTask& task) {
    const Scheme& scheme = *task.scheme;
    return {Real(scheme.c_x), Real(scheme.c_v), Real(to_end_of(scheme)),
            -contact_reach(scheme, task.loads->gravity_world), task.pass};
  }
  static Kept* kept(const KernelTask& task) { return reinterpret_cast<Kept*>(task.kept); }
  static KeptPull* kept_pulls(const KernelTask& task) {
    return reinterpret_cast<KeptPull*>(task.kept_pulls);
  }

  // Scratch by pack number: of a block, and of the first, where its feet stand.
  template <class Item>
  struct Local {
    Item* items;
    Index begin;
    Item* trunk;
    Item& operator[](Index pack) const { return pack < begin ? trunk[pack] : items[pack - begin]; }
  };
  template <class Item>
  static Local<Item> local(std::byte* bytes, const Block& block, std::byte* trunk) {
    return {reinterpret_cast<Item*>(bytes), block.begin, reinterpret_cast<Item*>(trunk)};
  }

  // Asks for memory some packs before it is needed. Within a page the processor does so by itself, but
  // a sweep reads too many streams of too few bytes.
  static constexpr Index packs_ahead = 4;
  template <class Item>
  [[gnu::always_inline]] static void fetch(const Item* begin, int count) {
    const auto* at = reinterpret_cast<const char*>(begin);
    const int bytes = count * static_cast<int>(sizeof(Item));
    for (int line = 0; line < bytes; line += 64) __builtin_prefetch(at + line);
  }
  [[gnu::always_inline]] static void fetch_state(const State& state, Index k) {
    fetch(state.rest_from_body.pack(k), 4 * width);
    fetch(state.joint_velocity.pack(k), 3 * width);
    fetch(state.joint_acceleration.pack(k), 3 * width);
  }

  static V broadcast(const Vec3& v) { return {Real(v.x), Real(v.y), Real(v.z)}; }
  static Q broadcast(const Quat& q) { return {Real(q.w), Real(q.x), Real(q.y), Real(q.z)}; }

  // The values of a pack of the state.
  static Real load(const PerBody<double, float>& values, Index k) {
    return Short<Real>::at(values.pack(k));
  }
  static V load(const PerBody<Vec3, float>& values, Index k) {
    const float* p = values.pack(k);
    return {Short<Real>::at(p), Short<Real>::at(p + width), Short<Real>::at(p + 2 * width)};
  }
  static V load(const PerBody<Vec3>& values, Index k) {
    const double* p = values.pack(k);
    return {Real::at(p), Real::at(p + width), Real::at(p + 2 * width)};
  }
  static Q load(const PerBody<Quat>& values, Index k) {
    const double* p = values.pack(k);
    return {Real::at(p), Real::at(p + width), Real::at(p + 2 * width), Real::at(p + 3 * width)};
  }
  static void store(const Real& value, PerBody<double, float>& to, Index k) {
    Short<Real>(value).copy_to(to.pack(k));
  }
  static void store(const V& v, PerBody<Vec3, float>& to, Index k) {
    float* p = to.pack(k);
    Short<Real>(v.x).copy_to(p);
    Short<Real>(v.y).copy_to(p + width);
    Short<Real>(v.z).copy_to(p + 2 * width);
  }
  static void store(const V& v, PerBody<Vec3>& to, Index k) {
    double* p = to.pack(k);
    v.x.copy_to(p);
    v.y.copy_to(p + width);
    v.z.copy_to(p + 2 * width);
  }
  static void store(const Q& q, PerBody<Quat>& to, Index k) {
    double* p = to.pack(k);
    q.w.copy_to(p);
    q.x.copy_to(p + width);
    q.y.copy_to(p + 2 * width);
    q.z.copy_to(p + 3 * width);
  }

  using Places = VectorOf<8>::Places;
  static Vec3T<One> single(const Vec3& v) { return {v.x, v.y, v.z}; }
  static QuatT<One> single(const Quat& q) { return {q.w, q.x, q.y, q.z}; }

  // A field of the parents of a pack's bodies, as `Out`.
  template <class Out, class Items, class Field>
  [[gnu::always_inline]] static Out from_parents(const Items& all, const Pack& pack, Field field) {
    if (pack.aligned) return all[pack.parent_pack[0]].*field;
    if constexpr (width == 8) {
      if (pack.two_parents[0] != no_index) {
        return shuffle(Out(all[pack.two_parents[0]].*field), Out(all[pack.two_parents[1]].*field),
                       places<Real>(pack.place));
      }
    }
    Out out{};
    for (int l = 0; l < width; ++l) {
      const auto i = static_cast<std::size_t>(l);
      set_lane(out, l, lane_of(all[pack.parent_pack[i]].*field, pack.parent_lane[i]));
    }
    return out;
  }

  // A field that each body has from its parent and by `step`, own = step(parent, lane): sets it, and
  // gives that of the parents. The lanes of a serial pack follow each other.
  template <class Item, class Field, class Base, class Step>
  [[gnu::always_inline]] static auto carry(const Local<Item>& all, Index k, const Pack& pack,
                                           Field field, const Base& of_base, const Step& step) {
    using Value = std::decay_t<decltype(all[k].*field)>;
    Value& own = all[k].*field;
    Value parents;
    if (!pack.serial) {
      parents = pack.on_base ? broadcast(of_base) : from_parents<Value>(all, pack, field);
      own = step(parents, -1);
      return parents;
    }
    auto last = single(of_base);
    for (int l = 0; l < width; ++l) {
      const auto i = static_cast<std::size_t>(l);
      const Index parent = pack.parent_pack[i];
      if (parent == no_index) {
        last = single(of_base);
      } else if (parent != k || pack.parent_lane[i] != l - 1) {
        last = lane_of(all[parent].*field, pack.parent_lane[i]);
      }
      set_lane(parents, l, last);
      last = step(last, l);
      set_lane(own, l, last);
    }
    return parents;
  }
  // The same for a field that grows by `growth` from parent to child.
  template <class Item, class Field>
  [[gnu::always_inline]] static V add_up(const Local<Item>& all, Index k, const Pack& pack,
                                         Field field, const Vec3& of_base, const V& growth) {
    return carry(all, k, pack, field, of_base, [&growth](const auto& parent, int lane) {
      if constexpr (std::is_same_v<std::decay_t<decltype(parent)>, V>) {
        return parent + growth;
      } else {
        return parent + lane_of(growth, lane);
      }
    });
  }

  // ---- packing ----

  static void pack_bodies(const Mechanism& mechanism, const Schedule& schedule, std::byte* bytes) {
    Constants* out = reinterpret_cast<Constants*>(bytes);
    for (std::size_t k = 0; k < schedule.packs.size(); ++k) {
      const Pack& pack = schedule.packs[k];
      V base, moment, drag_point;
      S inertia{};
      Q parent_from_rest;
      Real mass, damping_time, across, around, length;
      for (int l = 0; l < width; ++l) {
        const auto lane = static_cast<std::size_t>(l);
        const Body& body = mechanism.body[static_cast<std::size_t>(pack.body[lane])];
        const Vec3 foot = pack.parent_pack[lane] == no_index ? mechanism.base_world : Vec3{};
        set(parent_from_rest, l, body.parent_from_rest);
        set(base, l, body.base_in_parent - foot);
        mass.set(l, body.mass);
        set(moment, l, body.first_moment);
        add_to_lane(inertia, l, widened(body.inertia));
        damping_time.set(l, body.damping_time);
        set(drag_point, l, widened(body.drag_point));
        across.set(l, body.drag_across);
        around.set(l, body.drag_around);
        length.set(l, body.length);
      }
      out[k] = {.parent_from_rest = parent_from_rest,
                .base_in_parent = base,
                .mass = mass,
                .first_moment = moment,
                .springs = round_springs<Real>(mechanism, pack),
                .inertia = inertia,
                .drag_point = drag_point,
                .damping_time = damping_time,
                .drag_across = across,
                .drag_around = around,
                .length = length};
    }
  }

  static void pack_flat_springs(const Mechanism& mechanism, const Schedule& schedule,
                                std::byte* bytes) {
    auto* out = reinterpret_cast<FlatSprings<Real>*>(bytes);
    for (std::size_t k = 0; k < schedule.packs.size(); ++k) {
      out[k] = flat_springs<Real>(mechanism, schedule.packs[k]);
    }
  }

  // ---- first sweep ----

  // Where the bodies of a block are and how they move, what acts on them, their springs.
  static void place(const KernelTask& task, const Block& block, std::byte* bytes) {
    const Scheme& scheme = *task.scheme;
    const State& state = *task.state;
    const Mechanism& mechanism = *task.mechanism;
    const Real drift_w(scheme.drift_w), drift_a(scheme.drift_a), known_a(scheme.known_a);
    const Real c_v(scheme.c_v), c_x(scheme.c_x);
    const V gravity = broadcast(task.loads->gravity_world);
    const Local<Scratch> own = local<Scratch>(bytes, block, task.trunk);
    const BaseFrame& base = *task.base;
    // A base that is moved is placed where it will be.
    const V given_alpha = broadcast(task.base_inertia ? Vec3{} : base.alpha);
    Kept* keep = kept(task);
    for (Index k = block.begin; k < block.end; ++k) {
      const Pack& pack = task.schedule->packs[static_cast<std::size_t>(k)];
      const Constants& body = constants(task)[k];
      Scratch& s = own[k];
      if (task.fetch_ahead) {
        const Index ahead = std::min(k + packs_ahead, block.end - 1);
        fetch(constants(task) + ahead, 1);
        fetch_state(state, ahead);
        fetch(keep + ahead, 1);
        if (task.with_tension) fetch(kept_pulls(task) + ahead, 1);
      }
      const V w = load(state.joint_velocity, k);
      const V a = load(state.joint_acceleration, k);
      const V guessed_a = task.corrected ? last_found(task, k, a) : a;
      const V known_w = w + a * known_a;
      // Places without a guess at first: springs, whose slopes are known, lose nothing by it, and what
      // has no slope here would be fed by accelerations that ring.
      V drift = w * drift_w + a * drift_a;
      if (task.corrected) drift += guessed_a * c_x;
      const Turned<Real> joint = turned(load(state.rest_from_body, k), drift);

      const Q parent_from_body = body.parent_from_rest * joint.q;
      const Q world_from_parent =
          carry(own, k, pack, &Scratch::world_from_body, base.world_from_base,
                [&parent_from_body](const auto& parent, int lane) {
                  if constexpr (std::is_same_v<std::decay_t<decltype(parent)>, Q>) {
                    return parent * parent_from_body;
                  } else {
                    return parent * lane_of(parent_from_body, lane);
                  }
                });
      const M r = matrix(s.world_from_body);
      Link<Real>& link = s.link;
      link.from_parent = rotate(world_from_parent, body.base_in_parent);
      const V relative = r * (known_w + guessed_a * c_v);
      const V parent_omega = add_up(own, k, pack, &Scratch::omega, base.omega, relative);
      const V turning = cross(parent_omega, link.from_parent);
      add_up(own, k, pack, &Scratch::joint_world, base.origin_world, link.from_parent);
      add_up(own, k, pack, &Scratch::velocity, base.velocity, turning);
      link.transport_alpha = cross(parent_omega, relative);
      link.transport_accel = cross(parent_omega, turning);
      // The turns that places were taken without come from all but these.
      V placed_alpha = given_alpha;
      if (task.pushed || task.corrected) {
        const V alpha = add_up(own, k, pack, &Scratch::alpha_guess, base.alpha_guess,
                               link.transport_alpha + r * guessed_a);
        add_up(own, k, pack, &Scratch::accel_guess, base.accel_guess,
               cross(alpha, link.from_parent) + link.transport_accel);
        if (task.corrected) placed_alpha = alpha + link.transport_alpha;
      }
      keep[k].world_from_body = s.world_from_body;
      keep[k].omega = s.omega;
      keep[k].from_parent = link.from_parent;

      const V moment = r * body.first_moment;
      s.a = conjugate(r, S(body.inertia));
      s.b = cross_matrix(moment);
      s.c = identity_times(body.mass);
      s.torque = cross(s.omega, s.a * s.omega) - cross(moment, gravity);
      s.force = cross(s.omega, cross(s.omega, moment)) - gravity * body.mass;
      if (mechanism.mass_damping > 0)
        damp_mass(Real(mechanism.mass_damping), body.mass, moment, c_v, s);
      const V axis{r.row_x.y, r.row_y.y, r.row_z.y};
      if (task.with_tension) {
        const Real pull =
            load(task.corrected ? task.next->tension_torque : state.tension_torque, k) * c_x;
        s.a += (identity_times(Real(1.0)) - outer(axis)) * pull;
        if (task.corrected) {
          s.torque -= (s.alpha_guess - axis * dot(axis, s.alpha_guess)) * pull;
        }
        s.axis = axis;
        s.own_pull = dot(moment, gravity);
      }
      if (task.air) {
        add_drag(*task.air, r * V(body.drag_point), axis, Real(body.length) * Real(drag_spread),
                 Real(body.drag_across), Real(body.drag_around), mechanism.streamlining_speed, c_v,
                 s);
      }
      if (task.loads->ground) {
        stand_on_ground(task, k, axis * Real(body.length), s);
      }

      // X ā has all of c_x K ā, springs taken where the guess leads have that of the guess.
      V behind = known_w * Real(body.damping_time);
      if (task.corrected) behind -= guessed_a * c_x;
      const FlatSprings<Real>* flat = flat_springs_of(task, k);
      const SpringTerms<Real> spring = flat ? spring_terms(*flat, joint.theta, behind, r)
                                            : spring_terms(body.springs, joint.theta, behind, r);
      link.block = spring.world * (Real(body.damping_time) * c_v + c_x);
      const V of_spring = spring_torque(joint, spring.of_theta);
      V torque = of_spring - spring.of_w;
      if (joint.may_fold) {
        const V placed_a = task.corrected ? guessed_a : V{Real(0.0), Real(0.0), Real(0.0)};
        add_fold(joint.theta, flat ? flat->diagonal : body.springs.diagonal(), r, known_w, placed_a,
                 scheme.c_x, scheme.c_v, scheme.h, torque, link.block);
      }
      link.turning = r * of_spring * (c_x * Real(0.5));
      link.torque = r * torque + cross(link.turning, placed_alpha);
    }
    for (const PointLoad& load : task.loads->points) add_load(task, block, own, load);
    for (const PullLoad& pull : task.loads->pulls) add_pull(task, block, own, pull);
  }

  // Apart from the rest, which has enough to keep in registers.
  [[gnu::noinline]] static void stand_on_ground(const KernelTask& task, Index k, const V& tip,
                                                Scratch& s) {
    add_contact(*task.loads->ground, tip, constants(task)[k].mass, contact_scheme(task),
                contacts(task)[k], s);
  }

  // How the joints of a pack turn but for what the acceleration to be found adds; world axes.
  static V known_spin(const KernelTask& task, Index k, const Scratch& s) {
    return rotate(s.world_from_body,
                  load(task.state->joint_velocity, k) +
                      load(task.state->joint_acceleration, k) * Real(task.scheme->known_a));
  }

  // ā as the last sweep found it, from the accelerations that it left.
  static V last_found(const KernelTask& task, Index k, const V& a) {
    const double am = task.scheme->alpha_m;
    return load(task.next->joint_acceleration, k) * Real(1 - am) + a * Real(am);
  }

  // What the parents feel of springs that turned with the guess, where places were taken with one.
  static V guessed_torque(const KernelTask& task, Index k, const Scratch& s) {
    const V found = last_found(task, k, load(task.state->joint_acceleration, k));
    return cross(s.link.turning, rotate(s.world_from_body, found));
  }

  // A body's lane in a block; no scratch: it is another block's.
  struct Found {
    Scratch* scratch = nullptr;
    int lane = 0;
    Quat world_from_body;
  };
  static Found find_body(const KernelTask& task, const Block& block, const Local<Scratch>& own,
                         Index body) {
    const Index slot = task.schedule->slot[static_cast<std::size_t>(body)];
    const Index pack = slot / most_lanes;
    if (pack < block.begin || pack >= block.end) return {};
    const int lane = slot % most_lanes;
    return {&own[pack], lane, get(own[pack].world_from_body, lane)};
  }

  static void add_load(const KernelTask& task, const Block& block, const Local<Scratch>& own,
                       const PointLoad& load) {
    const auto [s, lane, world_from_body] = find_body(task, block, own, load.body);
    if (!s) return;
    const Vec3 force = load.follower ? thigmo::rotate(world_from_body, load.force) : load.force;
    const Vec3 moment = load.follower ? thigmo::rotate(world_from_body, load.moment) : load.moment;
    const Vec3 arm = thigmo::rotate(world_from_body, load.point_in_body);
    set(s->force, lane, get(s->force, lane) - force);
    set(s->torque, lane, get(s->torque, lane) - cross(arm, force) - moment);
  }

  // A spring and damper from a point of the body to a hand: F = k (x_h - x) + c (v_h - v).
  static void add_pull(const KernelTask& task, const Block& block, const Local<Scratch>& own,
                       const PullLoad& pull) {
    const auto [s, lane, world_from_body] = find_body(task, block, own, pull.body);
    if (!s) return;
    // One lane of the pack pulled, the others by nothing.
    const V arm = broadcast(thigmo::rotate(world_from_body, pull.point_in_body));
    Real stiffness(0.0), damping(0.0);
    stiffness.set(lane, pull.stiffness);
    damping.set(lane, pull.damping);
    const V stretch = broadcast(pull.hand_world) - s->joint_world - arm;
    const V speed = broadcast(pull.hand_velocity_world) - s->velocity - cross(s->omega, arm);
    const S by_velocity = identity_times(damping * Real(task.scheme->c_v));
    const S m = by_velocity + identity_times(stiffness * Real(task.scheme->c_x));
    push(arm, stretch * stiffness + speed * damping, m, task.corrected ? m : by_velocity, *s);
  }

  // ---- second sweep ----

  template <class To>
  static void add_lane(const Inertia<Real>& t, int from, To& p, int to) {
    add_through(t, p,
                [from, to](Real& sum, const Real& part) { sum.set(to, sum[to] + part[from]); });
  }
  static void add_lane_to_base(const Inertia<Real>& t, int from, BaseInertia& base) {
    add_through(t, base, [from](double& sum, const Real& part) { sum += part[from]; });
  }
  static Inertia<Real>* outbox(const KernelTask& task) {
    return reinterpret_cast<Inertia<Real>*>(task.outbox);
  }

  static void gather(const KernelTask& task, const Block& block, std::byte* bytes) {
    const Local<Scratch> own = local<Scratch>(bytes, block, task.trunk);
    for (Index k = block.end; k-- > block.begin;) {
      const Pack& pack = task.schedule->packs[static_cast<std::size_t>(k)];
      Scratch& s = own[k];
      if (pack.serial) pass_lane_by_lane(task, block, own, k);
      if (task.free_spin < no_brake && !pack.serial) brake_pack(task, k, s);
      Passed<Real> passed = pass(Inertia<Real>{s.a, s.b, s.c, s.torque, s.force}, s.link);
      if (task.corrected && !pack.serial) passed.through.torque += guessed_torque(task, k, s);
      Kept& keep = kept(task)[k];
      keep.turn = passed.answer.turn;
      keep.turn_alpha = passed.answer.turn_alpha;
      keep.turn_accel = passed.answer.turn_accel;
      if (task.with_tension) keep_pull(constants(task)[k], s, kept_pulls(task)[k]);
      if (!pack.serial) hand_on(task, own, pack, passed.through);
    }
  }

  // What a pack lets through, to the parents.
  [[gnu::always_inline]] static void hand_on(const KernelTask& task, const Local<Scratch>& own,
                                             const Pack& pack, const Inertia<Real>& t) {
    if (pack.on_base && !task.base_inertia) return;
    if (pack.foot != no_index) {
      // The first block, which other threads' blocks share, takes it from here afterwards.
      outbox(task)[pack.foot] = t;
    } else if (pack.on_base) {
      for (int l = 0; l < pack.filled; ++l) add_lane_to_base(t, l, *task.base_inertia);
    } else if (pack.aligned) {
      add_through(t, own[pack.parent_pack[0]], [](Real& sum, const Real& part) { sum += part; });
    } else if (width == 8 && pack.rounds > 0) {
      for (Index i = 0; i < pack.rounds; ++i) {
        const Round& round = task.schedule->rounds[static_cast<std::size_t>(pack.first_round + i)];
        const Places from = places<Real>(round.from);
        add_through(t, own[round.parent_pack], [&from](Real& sum, const Real& part) {
          sum += shuffle(part, Real(0.0), from);
        });
      }
    } else {
      for (int l = 0; l < pack.filled; ++l) {
        const auto i = static_cast<std::size_t>(l);
        add_lane(t, l, own[pack.parent_pack[i]], pack.parent_lane[i]);
      }
    }
  }

  [[gnu::noinline]] static void brake_pack(const KernelTask& task, Index k, Scratch& s) {
    s.link = braked(s.link, Inertia<Real>{s.a, s.b, s.c, s.torque, s.force}, known_spin(task, k, s),
                    Real(task.free_spin), Real(task.brake), Real(task.scheme->c_v));
  }

  // The lanes of a serial pack, last first: what one lets through may be for the one before.
  static void pass_lane_by_lane(const KernelTask& task, const Block& block,
                                const Local<Scratch>& own, Index k) {
    const Pack& pack = task.schedule->packs[static_cast<std::size_t>(k)];
    Scratch& s = own[k];
    const bool braking = task.free_spin < no_brake;
    const V spin = braking ? known_spin(task, k, s) : V{};
    const V guessed = task.corrected ? guessed_torque(task, k, s) : V{};
    for (int l = pack.filled; l-- > 0;) {
      const auto i = static_cast<std::size_t>(l);
      const Index parent = pack.parent_pack[i];
      const Inertia<One> body{lane_of(s.a, l), lane_of(s.b, l), lane_of(s.c, l),
                              lane_of(s.torque, l), lane_of(s.force, l)};
      if (braking) {
        const Link<One> link = braked(lane_of(s.link, l), body, lane_of(spin, l),
                                      One(task.free_spin), One(task.brake), One(task.scheme->c_v));
        set_lane(s.link.torque, l, link.torque);
        set_lane(s.link.block, l, link.block);
      }
      if (parent == no_index && !task.base_inertia) continue;
      const Link<One> link = lane_of(s.link, l);
      Inertia<One> through = pass(body, link).through;
      if (task.corrected) through.torque += lane_of(guessed, l);
      const auto set_lane_of = [l](Real& to, const One& part) { to.set(l, part.value); };
      if (parent < block.begin && pack.foot != no_index) {
        add_through(through, outbox(task)[pack.foot], set_lane_of);
      } else if (parent == no_index) {
        add_through(through, *task.base_inertia,
                    [](double& sum, const One& part) { sum += part.value; });
      } else {
        const int to = pack.parent_lane[i];
        add_through(through, own[parent],
                    [to](Real& sum, const One& part) { sum.set(to, sum[to] + part.value); });
      }
    }
  }

  // The pull along a body, where it is one: its own weight at the middle of its mass, all that hangs
  // on it as if on its tip. The force that its joint carries is the one that the articulated inertia
  // asks for, Bᵀ α + C v̇ + f.
  static void keep_pull(const Constants& body, const Scratch& s, KeptPull& keep) {
    const V tip = s.axis * Real(body.length);
    keep.pull = -dot(tip, s.force) - s.own_pull;
    keep.pull_alpha = -(s.b * tip);
    keep.pull_accel = -(s.c * tip);
  }

  static void take_outbox(const KernelTask& task) {
    Scratch* trunk = reinterpret_cast<Scratch*>(task.trunk);
    const Index end_of_trunk = task.schedule->blocks[0].end;
    for (std::size_t i = 0; i < task.schedule->feet.size(); ++i) {
      const Pack& pack = task.schedule->packs[static_cast<std::size_t>(task.schedule->feet[i])];
      const Inertia<Real>& through = outbox(task)[i];
      for (int l = 0; l < pack.filled; ++l) {
        const auto lane = static_cast<std::size_t>(l);
        const Index parent = pack.parent_pack[lane];
        if (parent >= end_of_trunk) continue;  // of a serial pack, within its block
        if (parent != no_index) {
          add_lane(through, l, trunk[parent], pack.parent_lane[lane]);
        } else if (task.base_inertia) {
          add_lane_to_base(through, l, *task.base_inertia);
        }
      }
    }
  }

  // ---- third sweep ----

  // The accelerations of a block's bodies, and the state they lead to.
  static SweepResult solve(const KernelTask& task, const Block& block, std::byte* bytes) {
    const Scheme& scheme = *task.scheme;
    const State& state = *task.state;
    const Real c_v(scheme.c_v), h(scheme.h);
    const Real am(scheme.alpha_m), per_one_minus_am(1 / (1 - scheme.alpha_m));
    const Real x_a0(scheme.x_a0), x_a1(scheme.x_a1), v_a0(scheme.v_a0), v_a1(scheme.v_a1);
    const Local<Swing> own = local<Swing>(bytes, block, task.trunk_swing);
    const BaseFrame& base = *task.base;
    const Kept* keep = kept(task);
    // A base that is moved is placed where it will be.
    const V given_alpha = broadcast(task.base_inertia ? Vec3{} : base.alpha);
    Real fastest(0.0), worst(0.0), worst_place(0.0), worst_contact(0.0), check(0.0);
    for (Index k = block.begin; k < block.end; ++k) {
      const Pack& pack = task.schedule->packs[static_cast<std::size_t>(k)];
      const Kept& p = keep[k];
      Swing& s = own[k];
      if (task.fetch_ahead) {
        const Index ahead = std::min(k + packs_ahead, block.end - 1);
        fetch(keep + ahead, 1);
        if (task.with_tension) fetch(kept_pulls(task) + ahead, 1);
        fetch_state(state, ahead);
      }
      const V omega = p.omega, from_parent = p.from_parent;
      const V parent_omega = parents_omega(keep, pack, base);
      const V turn = swing(base, own, k, pack, p, cross(parent_omega, omega),
                           cross(parent_omega, cross(parent_omega, from_parent)));
      const M r = matrix(p.world_from_body);
      const V found = transposed_times(r, turn);
      const V a0 = load(state.joint_acceleration, k);
      // Predicted and found velocities differ by c_v (ā found - ā guessed) of each joint.
      const V guessed_a = task.corrected ? last_found(task, k, a0) : a0;
      add_up(own, k, pack, &Swing::omega_error, (base.alpha - base.alpha_guess) * scheme.c_v,
             r * ((found - guessed_a) * c_v));
      Real speed_squared = dot(omega, omega);
      Real product = speed_squared * dot(s.omega_error, s.omega_error);
      const V misplaced = task.corrected ? s.omega_error : s.alpha - given_alpha;
      Real place_squared = dot(misplaced, misplaced);
      Real finite = dot(found, found) * Real(0.0);  // NaN where anything is not
      // Lanes that repeat lane 0 carry nothing of its children.
      for (int l = pack.filled; l < width; ++l) {
        speed_squared.set(l, 0.0);
        product.set(l, 0.0);
        place_squared.set(l, 0.0);
        finite.set(l, 0.0);
      }
      fastest = lane_max(fastest, speed_squared);
      worst = lane_max(worst, product);
      worst_place = lane_max(worst_place, place_squared);
      check += finite;
      if (task.contacts && contacts(task)[k].any) {
        Contact<Real>& contact = contacts(task)[k];
        Real error = take_force(*task.loads->ground, s.accel + cross(s.alpha, contact.arm),
                                contact_scheme(task), contact);
        for (int l = pack.filled; l < width; ++l) error.set(l, 0.0);
        worst_contact = lane_max(worst_contact, error);
      }

      const V w0 = load(state.joint_velocity, k);
      const V a1 = (found - a0 * am) * per_one_minus_am;
      const Q q1 = renormalized(load(state.rest_from_body, k) *
                                exp_rotation(w0 * h + a0 * x_a0 + a1 * x_a1));
      const V w1 = w0 + a0 * v_a0 + a1 * v_a1;
      if (task.with_tension) {
        const KeptPull& along = kept_pulls(task)[k];
        const Real pull = Real(along.pull) + dot(V(along.pull_alpha), s.alpha) +
                          dot(V(along.pull_accel), s.accel);
        store(lane_max(pull, Real(0.0)), task.next->tension_torque, k);
      }
      store(q1, task.next->rest_from_body, k);
      store(w1, task.next->joint_velocity, k);
      store(a1, task.next->joint_acceleration, k);
      if (pack.filled < width) repeat_first(pack, k, *task.next);
    }
    const double poison = largest(check);
    return {largest(fastest) + poison, largest(worst) + poison, largest(worst_place) + poison,
            largest(worst_contact)};
  }

  static V parents_omega(const Kept* keep, const Pack& pack, const BaseFrame& base) {
    if (pack.on_base) return broadcast(base.omega);
    if (!pack.serial) return from_parents<V>(keep, pack, &Kept::omega);
    V omega;
    for (int l = 0; l < width; ++l) {
      const auto i = static_cast<std::size_t>(l);
      const Index parent = pack.parent_pack[i];
      set_lane(omega, l,
               parent == no_index ? single(base.omega)
                                  : lane_of(keep[parent].omega, pack.parent_lane[i]));
    }
    return omega;
  }

  // The accelerations of a pack's bodies from those of their parents; gives the joints' turns.
  // `transport_…` is what the parents' motion adds.
  static V swing(const BaseFrame& base, const Local<Swing>& all, Index k, const Pack& pack,
                 const Kept& kept, const V& transport_alpha, const V& transport_accel) {
    Swing& s = all[k];
    if (!pack.serial) {
      const V alpha =
          pack.on_base ? broadcast(base.alpha) : from_parents<V>(all, pack, &Swing::alpha);
      const V accel =
          pack.on_base ? broadcast(base.accel) : from_parents<V>(all, pack, &Swing::accel);
      const Answer<Real> answer{kept.turn, kept.turn_alpha, kept.turn_accel};
      const Swung<Real> swung =
          swung_by(alpha, accel, V(kept.from_parent), answer, transport_alpha, transport_accel);
      s.alpha = swung.alpha;
      s.accel = swung.accel;
      return swung.turn;
    }
    V turn;
    Vec3T<One> alpha = single(base.alpha), accel = single(base.accel);
    for (int l = 0; l < width; ++l) {
      const auto i = static_cast<std::size_t>(l);
      const Index parent = pack.parent_pack[i];
      if (parent == no_index) {
        alpha = single(base.alpha);
        accel = single(base.accel);
      } else if (parent != k || pack.parent_lane[i] != l - 1) {
        alpha = lane_of(all[parent].alpha, pack.parent_lane[i]);
        accel = lane_of(all[parent].accel, pack.parent_lane[i]);
      }
      const Answer<One> answer{lane_of(kept.turn, l), lane_of(kept.turn_alpha, l),
                               lane_of(kept.turn_accel, l)};
      const Swung<One> swung = swung_by(alpha, accel, lane_of(kept.from_parent, l), answer,
                                        lane_of(transport_alpha, l), lane_of(transport_accel, l));
      alpha = swung.alpha;
      accel = swung.accel;
      set_lane(s.alpha, l, alpha);
      set_lane(s.accel, l, accel);
      set_lane(turn, l, swung.turn);
    }
    return turn;
  }

  // Lanes that are not filled repeat the first.
  static void repeat_first(const Pack& pack, Index k, State& state) {
    const auto repeat = [&pack](auto* numbers, int components) {
      for (int c = 0; c < components; ++c) {
        std::fill(numbers + c * width + pack.filled, numbers + (c + 1) * width, numbers[c * width]);
      }
    };
    repeat(state.rest_from_body.pack(k), 4);
    repeat(state.joint_velocity.pack(k), 3);
    repeat(state.joint_acceleration.pack(k), 3);
    repeat(state.tension_torque.pack(k), 1);
  }

  // The body of a block that turned fastest in the last sweep.
  static Index fastest_body(const KernelTask& task, const Block& block) {
    Index fastest = no_index;
    double most = -1;
    for (Index k = block.begin; k < block.end; ++k) {
      const Pack& pack = task.schedule->packs[static_cast<std::size_t>(k)];
      const V omega = kept(task)[k].omega;
      const Real speed = dot(omega, omega);
      for (int l = 0; l < pack.filled; ++l) {
        if (speed[l] <= most) continue;
        most = speed[l];
        fastest = pack.body[static_cast<std::size_t>(l)];
      }
    }
    return fastest;
  }

  static GroundForce ground_force(const KernelTask& task, Index body) {
    const Index slot = task.schedule->slot[static_cast<std::size_t>(body)];
    const Contact<Real>& contact = contacts(task)[slot / most_lanes];
    if (!contact.any) return {};
    const int lane = slot % most_lanes;
    return {.arm = get(contact.arm, lane), .force = get(contact.force, lane)};
  }

  static StepKernel kernel() {
    return {.body_bytes = sizeof(Constants),
            .kept_bytes = sizeof(Kept),
            .kept_pull_bytes = sizeof(KeptPull),
            .scratch_bytes = sizeof(Scratch),
            .swing_bytes = sizeof(Swing),
            .outbox_bytes = sizeof(Inertia<Real>),
            .flat_spring_bytes = sizeof(FlatSprings<Real>),
            .contact_bytes = sizeof(Contact<Real>),
            .pack_bodies = pack_bodies,
            .pack_flat_springs = pack_flat_springs,
            .place = place,
            .gather = gather,
            .take_outbox = take_outbox,
            .solve = solve,
            .fastest_body = fastest_body,
            .ground_force = ground_force};
  }
};

}  // namespace thigmo
