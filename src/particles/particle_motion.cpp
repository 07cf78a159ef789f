#include "particles/particle_motion.h"

namespace thigmo {
namespace {

// What is across an axis by a smaller part than this has no direction there.
constexpr double least_across = 1e-6;

// From the opposite support to the first, of what tells how a segment is turned about itself.
struct Across {
  Index support = no_index;
  Vec3 in_segment;  // at rest [m]
};
Across across_of(const ParticleModel& model, const Segment& segment, Index i, bool free) {
  const ParticleStem& stem = at(model.stems, i);
  if (segment.parent != no_index) return {stem.first_support, stem.across};
  for (const ParticleRoot& root : model.roots) {
    if (root.stem != i) continue;
    if (free) return {root.other_support, root.other_across};
    return {root.first_support, stem.across};
  }
  return {};
}

// The frame with y along its unit vector that has `at_rest` in the plane of y and `now`; none where these are along y.
std::optional<Quat> frame_from(const Vec3& y, const Vec3& now, const Vec3& at_rest) {
  const Vec3 level{at_rest.x, 0, at_rest.z}, out = now - y * dot(now, y);
  const double rest_length = length(level), out_length = length(out);
  if (!(rest_length > least_across * length(at_rest) && out_length > least_across * length(now)))
    return std::nullopt;
  const Vec3 a = level / rest_length, x = out / out_length;
  // a maps to x, and a × y to x × y.
  const Vec3 b = cross(a, {0, 1, 0}), z = cross(x, y);
  return quat_from_columns(x * a.x + z * b.x, y, x * a.z + z * b.z);
}

class Frames {
 public:
  Frames(const Plant& plant, const ParticleModel& model, const RootState& root,
         std::span<const Vec3> position_world)
      : plant_(plant), model_(model), root_(root), place_(position_world) {}

  // Where supports do not tell how a segment is turned about itself, it is turned by the smallest rotation from where
  // the nearest segment below that they tell of would have it.
  Quat of(Index i) const {
    if (const auto told = told_of(i)) return *told;
    Quat rest = segment_at(plant_, i).parent_from_segment;
    Index below = segment_at(plant_, i).parent;
    std::optional<Quat> world_from_below;
    for (; below != no_index; below = segment_at(plant_, below).parent) {
      if ((world_from_below = told_of(below))) break;
      rest = segment_at(plant_, below).parent_from_segment * rest;
    }
    rest = world_from_below.value_or(root_.world_from_plant) * rest;
    const Vec3 before = rotate(rest, {0, 1, 0});
    return normalized(rotation_between(before, normalized(along(i), before)) * rest);
  }

 private:
  Vec3 along(Index i) const {
    const ParticleStem& stem = at(model_.stems, i);
    return at(place_, stem.tip) - at(place_, stem.base);
  }
  std::optional<Quat> told_of(Index i) const {
    const Across across = across_of(model_, segment_at(plant_, i), i, is_free(root_));
    const Vec3 way = along(i);
    if (across.support == no_index || !(dot(way, way) > 0)) return std::nullopt;
    const Index opposite = across.support + model_.settings.supports / 2;
    return frame_from(normalized(way), at(place_, across.support) - at(place_, opposite),
                      across.in_segment);
  }

  const Plant& plant_;
  const ParticleModel& model_;
  const RootState& root_;
  std::span<const Vec3> place_;
};

// ω of a segment: y turns as its ends part, and about y as the supports do.
Vec3 omega_of(const ParticlePlant& p, const Segment& segment, Index i, bool free) {
  const ParticleStem& stem = at(p.model->stems, i);
  const auto& place = p.state.position_world;
  const Vec3 along = at(place, stem.tip) - at(place, stem.base);
  const double square = dot(along, along);
  if (!(square > 0)) return {};
  const Vec3 turning = velocity_of(p.state, stem.tip) - velocity_of(p.state, stem.base);
  const Vec3 omega = cross(along, turning) / square;
  const Across across = across_of(*p.model, segment, i, free);
  if (across.support == no_index) return omega;
  const Index opposite = across.support + p.model->settings.supports / 2;
  const Vec3 y = along / std::sqrt(square), now = at(place, across.support) - at(place, opposite);
  const Vec3 out = now - y * dot(now, y);
  const double out_square = dot(out, out);
  if (!(out_square > least_across * least_across * dot(now, now))) return omega;
  const Vec3 drift =
      velocity_of(p.state, across.support) - velocity_of(p.state, opposite) - cross(omega, now);
  return omega + y * (dot(cross(out, drift), y) / out_square);
}

}  // namespace

Pose pose_of(const Plant& plant, const ParticleModel& model, const RootState& root,
             std::span<const Vec3> position_world) {
  const std::size_t n = plant.segments.size();
  Pose pose{.base_world = std::vector<Vec3>(n),
            .world_from_segment = std::vector<Quat>(n),
            .root = frame_of(root)};
  const Frames frames(plant, model, root, position_world);
  for (std::size_t i = 0; i < n; ++i) {
    pose.base_world[i] = at(position_world, model.stems[i].base);
    pose.world_from_segment[i] = frames.of(static_cast<Index>(i));
  }
  return pose;
}

BodyMotion segment_motion(const Plant& plant, const ParticlePlant& particles, const RootState& root,
                          Index segment) {
  const Index base = at(particles.model->stems, segment).base;
  return {.world_from_body = world_from_segment(plant, particles, root, segment),
          .joint_world = at(particles.state.position_world, base),
          .omega = omega_of(particles, segment_at(plant, segment), segment, is_free(root)),
          .velocity = velocity_of(particles.state, base),
          .alpha = {},
          .accel = {}};
}

void find_motions(const Plant& plant, const ParticlePlant& particles, const RootState& root,
                  std::span<BodyMotion> motions) {
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    motions[i] = segment_motion(plant, particles, root, static_cast<Index>(i));
  }
}

Quat world_from_segment(const Plant& plant, const ParticlePlant& particles, const RootState& root,
                        Index segment) {
  return Frames(plant, *particles.model, root, particles.state.position_world).of(segment);
}

PointMotion point_motion(const Plant& plant, const ParticlePlant& particles, const RootState& root,
                         Index segment, const Vec3& point_in_segment) {
  const Quat turned = world_from_segment(plant, particles, root, segment);
  const ParticleStem& stem = at(particles.model->stems, segment);
  const ParticleState& state = particles.state;
  const double part = point_in_segment.y / segment_at(plant, segment).length;
  const Vec3 beside = rotate(turned, {point_in_segment.x, 0, point_in_segment.z});
  const Vec3 base = at(state.position_world, stem.base), tip = at(state.position_world, stem.tip);
  const Vec3 base_velocity = velocity_of(state, stem.base),
             tip_velocity = velocity_of(state, stem.tip);
  const Vec3 omega = omega_of(particles, segment_at(plant, segment), segment, is_free(root));
  return {.position_world = base + (tip - base) * part + beside,
          .velocity_world =
              base_velocity + (tip_velocity - base_velocity) * part + cross(omega, beside)};
}

Energy energy_of(const ParticlePlant& particles, const Vec3& gravity_world) {
  Energy energy;
  for (std::size_t i = 0; i < particles.model->mass.size(); ++i) {
    const double m = particles.model->mass[i];
    const Vec3 v = velocity_of(particles.state, static_cast<Index>(i));
    energy.kinetic += 0.5 * m * dot(v, v);
    energy.gravitational -= m * dot(gravity_world, particles.state.position_world[i]);
  }
  return energy;
}

PlantMomentum momentum_of(const ParticlePlant& particles) {
  PlantMomentum sum;
  Sym3 about_origin;
  for (std::size_t i = 0; i < particles.model->mass.size(); ++i) {
    const double m = particles.model->mass[i];
    const Vec3 x = particles.state.position_world[i],
               p = velocity_of(particles.state, static_cast<Index>(i)) * m;
    sum.mass += m;
    sum.center_world += x * m;
    sum.linear_world += p;
    sum.angular_world += cross(x, p);
    about_origin += (identity_times(dot(x, x)) + outer(x) * -1.0) * m;
  }
  const Vec3 c = sum.center_world = sum.center_world / sum.mass;
  sum.inertia_world = about_origin + (identity_times(dot(c, c)) + outer(c) * -1.0) * -sum.mass;
  return sum;
}

RootState root_with_first(const Plant& plant, const ParticlePlant& particles,
                          const RootState& root) {
  const Segment& first = plant.segments[0];
  const Frames frames(plant, *particles.model, root, particles.state.position_world);
  const Quat world_from_plant = normalized(frames.of(0) * conjugate(first.parent_from_segment));
  const Index base = particles.model->stems[0].base;
  const Vec3 omega = omega_of(particles, first, 0, is_free(root));
  const Vec3 arm = rotate(world_from_plant, first.base_in_parent);
  return {.position_world = at(particles.state.position_world, base) - arm,
          .world_from_plant = world_from_plant,
          .velocity_world = velocity_of(particles.state, base) - cross(omega, arm),
          .accel_world = {},
          .omega_plant = rotate(conjugate(world_from_plant), omega),
          .alpha_plant = {},
          .hold = root.hold};
}

}  // namespace thigmo
