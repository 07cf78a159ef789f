#include "mechanics/mechanism.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "material/section.h"
#include "math/principal_axes.h"
#include "mechanics/damping.h"

namespace thigmo {
namespace {

constexpr double pi = std::numbers::pi;

// A tip that runs out to nothing would have infinite flexibility; below this part of its base
// radius a stem is taken as this thick.
constexpr double thinnest_part = 1e-3;

// A lone child continues its parent's beam when it deviates by less than this.
constexpr double straight_cosine = 0.94;  // 20°

double radius_at(const Segment& s, double fraction) {
  const double radius = s.radius_base + (s.radius_tip - s.radius_base) * fraction;
  return std::max(radius, thinnest_part * std::max(s.radius_base, s.radius_tip));
}

// As radius_at.
Rectangle sides_at(const Segment& s, double fraction) {
  const Rectangle r = rectangle_at(s, fraction), base = rectangle_at(s, 0),
                  tip = rectangle_at(s, 1);
  return {.width = std::max(r.width, thinnest_part * std::max(base.width, tip.width)),
          .height = std::max(r.height, thinnest_part * std::max(base.height, tip.height))};
}

// Gauss's points and weights in 0 … 1: right for polynomials up to the fifth degree.
struct GaussPoint {
  double at, weight;
};
constexpr GaussPoint three_points[] = {
    {0.1127016653792583, 5.0 / 18}, {0.5, 8.0 / 18}, {0.8872983346207417, 5.0 / 18}};

// What a segment and its organs weigh and catch of the wind, before it is stored.
struct Matter {
  double mass = 0;
  Vec3 first_moment;
  Sym3 inertia;
  Vec3 drag_point;
  double drag_across = 0, drag_around = 0;
};

// Frustum of length l with radii a and b (or a flat bar), y from its base:
//   m = ρ π l (a² + ab + b²)/3 and the moments ∫ y dm, ∫ y² dm, ∫ r²/2 dm by exact integration. What is
// hollow to the part h of its radius lacks the parts h², h², h² and h⁴ of them.
void add_stem(const Segment& s, double density, Matter& matter) {
  const double l = s.length;
  double mass, first, second, across_x, across_z;  // ∫dm ∫y dm ∫y² dm ∫x² dm ∫z² dm
  if (is_flat(s)) {
    mass = first = second = across_x = across_z = 0;
    // Polynomials of the fourth degree at most.
    for (const auto& [y, weight] : three_points) {
      const Section section = section_at(s, y);
      const double dy = density * l * weight, dm = dy * section.area;
      mass += dm;
      first += dm * y * l;
      second += dm * y * l * y * l;
      across_x += dy * section.second_moment_z;
      across_z += dy * section.second_moment_x;
    }
  } else {
    const double a = s.radius_base, b = s.radius_tip, d = b - a;
    const double h2 = s.hollow * s.hollow, wall = density * (1 - h2);
    mass = wall * pi * l * (a * a + a * b + b * b) / 3;
    first = wall * pi * l * l * (a * a / 2 + 2 * a * d / 3 + d * d / 4);
    second = wall * pi * l * l * l * (a * a / 3 + a * d / 2 + d * d / 5);
    const double r4 =
        (a * a * a * a + a * a * a * b + a * a * b * b + a * b * b * b + b * b * b * b) / 5;
    across_x = across_z = wall * (1 + h2) * pi * l * r4 / 4;
  }
  matter.mass += mass;
  matter.first_moment += Vec3{0, first, 0};
  matter.inertia += diagonal(Vec3{second + across_z, across_x + across_z, second + across_x});
}

// A thin plate of the organ's size, centred half its length out; its turning about its own centre
// is that of a rectangle of the same sides.
void add_organ_mass(const Organ& organ, Matter& matter) {
  const Mat3 r = matrix(segment_from_organ(organ));
  const Vec3 center = base_in_segment(organ) + r * Vec3{0, organ.length / 2, 0};
  const double ll = organ.mass * organ.length * organ.length / 12;
  const double ww = organ.mass * organ.width * organ.width / 12;
  matter.mass += organ.mass;
  matter.first_moment += center * organ.mass;
  matter.inertia += (identity_times(dot(center, center)) - outer(center)) * organ.mass +
                    conjugate(r, Vec3{ll, ww, ll + ww});
}

void add_drag(const Segment& s, const DragModel& drag, Matter& matter) {
  const double width = s.radius_base + s.radius_tip, height = rectangle_at(s, 0.5).height;
  const double diameter = std::max(width, height);
  matter.drag_across = 0.5 * drag.air_density * drag.stem_coefficient * diameter * s.length;
  matter.drag_point = Vec3{0, s.length / 2, 0};
}

// The organs' drag joins the stem's in one point, weighted by how much each catches.
void add_organ_drag(const Organ& organ, const DragModel& drag, Matter& matter) {
  const double part = 0.5 * drag.air_density * drag.organ_coefficient * organ.drag_area;
  const double before = matter.drag_across + matter.drag_around;
  const Vec3 center =
      base_in_segment(organ) + rotate(segment_from_organ(organ), {0, organ.length / 2, 0});
  if (before + part > 0) {
    matter.drag_point = (matter.drag_point * before + center * part) / (before + part);
  }
  matter.drag_around += part;
}

float single(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -most, most));
}
Vec3T<float> single(const Vec3& v) { return {single(v.x), single(v.y), single(v.z)}; }
Sym3T<float> single(const Sym3& s) {
  return {single(s.xx), single(s.xy), single(s.xz), single(s.yy), single(s.yz), single(s.zz)};
}

Vec3 half_compliance(const Plant& plant, const Segment& s, bool outer) {
  const Material& material = plant.materials[static_cast<std::size_t>(s.material)];
  return stretch_compliance(s, material, outer ? 0.5 : 0.0, outer ? 1.0 : 0.5);
}

// Each joint stands for a stretch of beam, its flexibility lumped where the segment starts:
//   - the first half of its own segment;
//   - the second half of its parent, where it alone continues it. This and the missing half at a
//     clamp make the chain converge at second order in the segment length;
//   - the second half of its own segment where that ends in a fork: all branches of the fork turn
//     with it, so it cannot belong to one of them. Its place is off by a part of one segment, its
//     turning is right for every branch: again second order.
std::vector<Vec3> joint_flexibilities(const Plant& plant, const std::vector<Index>& next) {
  std::vector<bool> has_child(plant.segments.size(), false);
  for (const Segment& s : plant.segments) {
    if (s.parent != no_index) has_child[static_cast<std::size_t>(s.parent)] = true;
  }
  std::vector<Vec3> flexibility(plant.segments.size());
  for (std::size_t i = 0; i < flexibility.size(); ++i) {
    const Segment& s = plant.segments[i];
    flexibility[i] += half_compliance(plant, s, false);
    if (next[i] != no_index) {
      flexibility[static_cast<std::size_t>(next[i])] += half_compliance(plant, s, true);
    } else if (has_child[i]) {
      flexibility[i] += half_compliance(plant, s, true);
    }
  }
  return flexibility;
}

// Half of a turn by less than 360°.
Quat half_turn(const Quat& q) {
  const double sign = q.w < 0 ? -1 : 1;
  return normalized(Quat{1 + sign * q.w, sign * q.x, sign * q.y, sign * q.z});
}

// The beam's section at a segment's base, seen from the segment: halfway from the parent's in the
// direction of its axis and in the roll about it. Where a beam begins, as if it had curved before as it
// does at its next joint; a segment alone is straight. No roll changes where the axis points, and one
// by 180° leaves a rectangle what it is.
Quat section_at_base(const Plant& plant, const std::vector<Index>& next, std::size_t i) {
  const Index parent = plant.segments[i].parent;
  const bool continues =
      parent != no_index && next[static_cast<std::size_t>(parent)] == static_cast<Index>(i);
  if (!continues && next[i] == no_index) return {};
  const Quat turn =
      plant.segments[continues ? i : static_cast<std::size_t>(next[i])].parent_from_segment;
  const Quat swing = rotation_between({0, 1, 0}, rotate(turn, {0, 1, 0}));
  Quat roll = conjugate(swing) * turn;
  if (std::abs(roll.y) > std::abs(roll.w)) roll = Quat{-roll.y, 0, roll.w, 0};
  const Quat half_swing = half_turn(swing), half_roll = half_turn(roll);
  return continues ? conjugate(half_swing * half_roll) * turn : half_roll * half_swing;
}

// See joint_axes. Round sections have no x' of their own.
Vec3T<float> section_numbers(const Quat& section_from_segment, bool round) {
  const Mat3 axes = matrix(section_from_segment);  // its rows, in the segment's frame
  const Vec3 &x = axes.row_x, &y = axes.row_y;
  const auto beyond_rounding = [](double part) { return std::abs(part) > 1e-12 ? part : 0.0; };
  return single(Vec3{beyond_rounding(y.x / y.y), beyond_rounding(y.z / y.y),
                     round ? 0.0 : beyond_rounding(x.z / x.x)});
}

// K of a given body: springs about its principal axes. Which of these stands for which of the body's is
// chosen such that |x·x' y·y' z·z'| is largest, a sixth at least: all of them can then be held.
void set_given_stiffness(const GivenBody& given, Body& body) {
  body.stiffness = given.joint_stiffness;
  const Vec3 &k = given.joint_stiffness, &c = given.joint_coupling;
  if (c == Vec3{}) return;
  const PrincipalAxes found = principal_axes({k.x, c.x, c.y, k.y, c.z, k.z});
  constexpr std::size_t orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                       {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const auto likeness = [&](const std::size_t(&order)[3]) {
    return std::abs(found.axis[order[0]].x * found.axis[order[1]].y * found.axis[order[2]].z);
  };
  const auto& best =
      *std::max_element(std::begin(orders), std::end(orders),
                        [&](const auto& a, const auto& b) { return likeness(a) < likeness(b); });
  body.stiffness = {found.value[best[0]], found.value[best[1]], found.value[best[2]]};
  const Vec3 x = found.axis[best[0]], y = found.axis[best[1]];
  body.section = single(Vec3{y.x / y.y, y.z / y.y, x.z / x.x});
}

void set_joint_stiffness(const Plant& plant, std::vector<Body>& bodies) {
  const std::vector<Index> next = beam_continuations(plant);
  const std::vector<Vec3> flexibility = joint_flexibilities(plant, next);
  const std::vector<Vec3> shift = flexibility_shifts(plant, next);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Segment& s = plant.segments[i];
    if (s.given != no_index) {
      set_given_stiffness(plant.given_bodies[static_cast<std::size_t>(s.given)], bodies[i]);
      continue;
    }
    const Vec3 sum = flexibility[i] + shift[i];
    bodies[i].stiffness = Vec3{1.0 / sum.x, 1.0 / sum.y, 1.0 / sum.z} * s.joint_factor;
    bodies[i].section = section_numbers(section_at_base(plant, next, i), is_round(bodies[i]));
  }
}

// A spring behind a spring: their flexibilities add.
void add_root_springs(const Plant& plant, std::vector<Body>& bodies) {
  const double flexibility = 1.0 / plant.root_stiffness;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Segment& s = plant.segments[i];
    if (s.parent != no_index || s.given != no_index) continue;
    const auto with_root = [&](double k) { return 1.0 / (1.0 / k + flexibility / s.joint_factor); };
    const Vec3& k = bodies[i].stiffness;
    bodies[i].stiffness = {with_root(k.x), with_root(k.y), with_root(k.z)};
  }
}

}  // namespace

JointAxes joint_axes(const Body& body) {
  const double u = body.section.x, v = body.section.y, p = body.section.z;
  const Vec3 x = normalized(Vec3{1, -u - p * v, p}), y = normalized(Vec3{u, 1, v});
  return {x, y, cross(x, y)};
}

// Beside its diagonal K is held in single precision in a step; where sections are round, K is
// k_x 1 + (k_y - k_x) y'y'ᵀ there.
Sym3 joint_stiffness(const Body& body) {
  if (body.section == Vec3T<float>{}) return diagonal(body.stiffness);
  const JointAxes axes = joint_axes(body);
  const Vec3& k = body.stiffness;
  Sym3 sum = outer(axes.x) * k.x + outer(axes.y) * k.y + outer(axes.z) * k.z;
  if (!is_round(body)) {
    for (double* beside : {&sum.xy, &sum.xz, &sum.yz}) *beside = single(*beside);
  }
  return sum;
}

Sym3 joint_flexibility(const Body& body) {
  const JointAxes axes = joint_axes(body);
  // A joint without a spring is taken as one with a spring of 1e-9 N m/rad.
  constexpr double free = 1e9;  // [rad/(N m)]
  const auto inverse = [](double k) { return k == 0 ? free : 1 / k; };
  const Vec3& k = body.stiffness;
  return outer(axes.x) * inverse(k.x) + outer(axes.y) * inverse(k.y) + outer(axes.z) * inverse(k.z);
}

std::vector<Index> beam_continuations(const Plant& plant) {
  std::vector<Index> child_count(plant.segments.size(), 0), next(plant.segments.size(), no_index);
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    const Segment& s = plant.segments[i];
    if (s.parent == no_index) continue;
    const auto p = static_cast<std::size_t>(s.parent);
    ++child_count[p];
    const Vec3 tip_of_parent{0, plant.segments[p].length, 0};
    const bool at_tip = length(s.base_in_parent - tip_of_parent) < 1e-6 * plant.segments[p].length;
    const bool straight = rotate(s.parent_from_segment, {0, 1, 0}).y > straight_cosine;
    if (at_tip && straight) next[p] = static_cast<Index>(i);
  }
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (child_count[i] != 1) next[i] = no_index;
  }
  return next;
}

// The deflection of a beam is ∫ f ds, f = M (L - s)/EI, and the chain's a sum of f at its joints.
//
// Where a beam begins, halves of segments are the trapezium rule's weights, ½, 1, 1, ..., which miss
// h²/12 f'(0) and h³/24 f''(0). Gregory's weights 3/8, 7/6, 23/24, 1, ... have both; for two segments
// they are 5/12, 13/12.
//
// Where a beam ends in a fork there is no joint for the last half, nor for the end correction: f is
// extrapolated to there from the last joints. Linearly that makes the last weights 1, 7/12, 23/12; by
// a parabola 11/8, -1/6, 55/24. A third of the way from one to the other is as far as flexibilities
// stay well above zero: 9/8, 1/3, 49/24. A beam of two segments has 2/9, 16/9, exact for a force at
// its end.
//
// What is moved is measured in the least half of the segments concerned. Every joint between them has two
// halves and loses at most 4/3 of the least: none runs out of flexibility.
std::vector<Vec3> flexibility_shifts(const Plant& plant, const std::vector<Index>& next) {
  const std::size_t n = plant.segments.size();
  const auto smaller = [](const Vec3& a, const Vec3& b) {
    return Vec3{std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
  };
  const auto half = [&](Index i) {
    const Segment& s = plant.segments[static_cast<std::size_t>(i)];
    return smaller(half_compliance(plant, s, false), half_compliance(plant, s, true));
  };
  const auto follower_of = [&](Index i) {
    return i == no_index ? no_index : next[static_cast<std::size_t>(i)];
  };
  std::vector<Index> before(n, no_index);
  std::vector<bool> has_child(n, false);
  for (std::size_t i = 0; i < n; ++i) {
    if (next[i] != no_index) before[static_cast<std::size_t>(next[i])] = static_cast<Index>(i);
    const Index parent = plant.segments[i].parent;
    if (parent != no_index) has_child[static_cast<std::size_t>(parent)] = true;
  }
  std::vector<Vec3> shift(n);
  const auto move = [&](Index i, const Vec3& size, double part) {
    shift[static_cast<std::size_t>(i)] += size * part;
  };
  for (std::size_t k = 0; k < n; ++k) {
    const auto i = static_cast<Index>(k);
    if (before[k] == no_index && next[k] != no_index) {
      const Index second = next[k], third = follower_of(second);
      const Vec3 two = smaller(half(i), half(second));
      if (third != no_index) {
        const Vec3 three = smaller(two, half(third));
        move(i, three, -1.0 / 4);
        move(second, three, 1.0 / 3);
        move(third, three, -1.0 / 12);
      } else if (has_child[static_cast<std::size_t>(second)]) {
        move(i, two, -5.0 / 9);
        move(second, two, 5.0 / 9);
      } else {
        move(i, two, -1.0 / 6);
        move(second, two, 1.0 / 6);
      }
    }
    const bool forks = has_child[k] && next[k] == no_index;
    const Index last_but_one = before[k];
    const Index last_but_two =
        last_but_one == no_index ? no_index : before[static_cast<std::size_t>(last_but_one)];
    if (forks && last_but_two != no_index) {
      const Vec3 three = smaller(half(i), smaller(half(last_but_one), half(last_but_two)));
      move(last_but_two, three, 1.0 / 4);
      move(last_but_one, three, -4.0 / 3);
      move(i, three, 13.0 / 12);
    }
  }
  return shift;
}

Vec3 stretch_compliance(const Segment& segment, const Material& material, double from, double to) {
  const double stretch = segment.length * (to - from);
  if (is_flat(segment)) {
    // ∫ ds/I: with sides that halve within the stretch three points are right to 0.1 %.
    Vec3 compliance;
    for (const auto& [part, weight] : three_points) {
      const Section section = section_of(segment, sides_at(segment, from + (to - from) * part));
      compliance += Vec3{1 / (material.young * section.second_moment_x),
                         1 / (shear_modulus(material) * section.torsion_constant),
                         1 / (material.young * section.second_moment_z)} *
                    (stretch * weight);
    }
    return compliance;
  }
  // ∫ ds / r⁴ over a stretch whose radius runs from a to b: (a² + ab + b²) / (3 a³ b³) per length.
  const double a = radius_at(segment, from), b = radius_at(segment, to);
  const double h2 = segment.hollow * segment.hollow, stiff = 1 - h2 * h2;
  const double inverse_r4 =
      stretch * (a * a + a * b + b * b) / (3.0 * a * a * a * b * b * b * stiff);
  const double bend = 4.0 * inverse_r4 / (pi * material.young);
  const double twist = 2.0 * inverse_r4 / (pi * shear_modulus(material));
  return {bend, twist, bend};
}

Mechanism compile_mechanism(const Plant& plant, const DragModel& drag, const Vec3& gravity_world) {
  Mechanism mechanism;
  mechanism.subtree_size = subtree_sizes(plant);
  mechanism.parent.reserve(plant.segments.size());
  mechanism.body.reserve(plant.segments.size());
  auto organ = plant.organs.begin();  // they are sorted by segment
  for (const Segment& s : plant.segments) {
    Matter matter;
    if (s.given == no_index) {
      add_stem(s, plant.materials[static_cast<std::size_t>(s.material)].density, matter);
    } else {
      const GivenBody& given = plant.given_bodies[static_cast<std::size_t>(s.given)];
      matter.mass = given.mass;
      matter.first_moment = given.center * given.mass;
      matter.inertia = given.inertia;
    }
    add_drag(s, drag, matter);
    const auto number = static_cast<Index>(mechanism.body.size());
    for (; organ != plant.organs.end() && organ->segment == number; ++organ) {
      add_organ_mass(*organ, matter);
      add_organ_drag(*organ, drag, matter);
    }
    mechanism.parent.push_back(s.parent);
    mechanism.body.push_back({.base_in_parent = s.base_in_parent,
                              .parent_from_rest = s.parent_from_segment,
                              .mass = matter.mass,
                              .first_moment = matter.first_moment,
                              .inertia = single(matter.inertia),
                              .drag_point = single(matter.drag_point),
                              .drag_across = single(matter.drag_across),
                              .drag_around = single(matter.drag_around),
                              .length = static_cast<float>(s.length)});
  }
  set_joint_stiffness(plant, mechanism.body);
  mechanism.streamlining_speed = drag.streamlining_speed;
  if (!mechanism.body.empty()) mechanism.base_world = mechanism.body[0].base_in_parent;
  set_damping(plant, gravity_world, mechanism);
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const Index given = plant.segments[i].given;
    if (given == no_index) continue;
    const auto& damping = plant.given_bodies[static_cast<std::size_t>(given)].joint_damping;
    if (damping) mechanism.body[i].damping_time = static_cast<float>(*damping);
  }
  if (std::isfinite(plant.root_stiffness)) {
    add_root_springs(plant, mechanism.body);
    damp_root_springs(plant, gravity_world, mechanism);
  }
  return mechanism;
}

}  // namespace thigmo
