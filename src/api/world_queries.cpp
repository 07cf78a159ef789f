#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "api/world_content.h"
#include "mechanics/step/section_loads.h"
#include "mesh/deform.h"
#include "simulation/edit_places.h"
#include "simulation/loads_now.h"
#include "simulation/pick.h"
#include "simulation/solver.h"

// Where everything in a world is, how it moves and what it bears.

namespace thigmo {
namespace {

Result<Done> check_room(std::size_t given, std::size_t needed, const char* what) {
  if (given >= needed) return Done{};
  return bad_argument(
      fmt::format("there is room for {} {}, and {} are needed", given, what, needed),
      "ask for the plant's segments first: edits change how many there are");
}

SegmentInfo info_of(const SimulatedPlant& plant, Index i) {
  const Segment& s = segment_at(plant.model->plant, i);
  return {.id = segment_id(plant, i),
          .parent = s.parent,
          .length = s.length,
          .radius_base = s.radius_base,
          .radius_tip = s.radius_tip,
          .axis = s.axis,
          .order = s.order,
          .module = s.origin.module,
          .rule = s.origin.rule,
          .step = s.origin.step,
          .symbol = s.origin.symbol,
          .material = s.material};
}

// One transform in the caller's layout.
template <class Number>
void put_transform(Layout layout, const Vec3& p, const Quat& q, Number* to) {
  const auto put = [&to](std::initializer_list<double> values) {
    for (const double value : values) *to++ = static_cast<Number>(value);
  };
  if (layout == Layout::position_rotation) {
    put({p.x, p.y, p.z, q.w, q.x, q.y, q.z});
    return;
  }
  const Mat3 m = matrix(q);
  if (layout == Layout::matrix_3x4) {
    put({m.row_x.x, m.row_x.y, m.row_x.z, p.x});
    put({m.row_y.x, m.row_y.y, m.row_y.z, p.y});
    put({m.row_z.x, m.row_z.y, m.row_z.z, p.z});
    return;
  }
  put({m.row_x.x, m.row_y.x, m.row_z.x, 0});
  put({m.row_x.y, m.row_y.y, m.row_z.y, 0});
  put({m.row_x.z, m.row_y.z, m.row_z.z, 0});
  put({p.x, p.y, p.z, 1});
}

template <class Number>
Result<Done> put_transforms(const Simulation& simulation, PlantId id, Layout layout,
                            std::span<Number> to) {
  const Result<std::size_t> number = find_plant(simulation, id);
  if (!number) return number.diagnostics();
  const std::size_t each = numbers_of(layout);
  if (each == 0) return bad_argument("this is no layout of transforms");
  const SimulatedPlant& plant = simulation.plants[*number];
  const std::size_t n = plant.model->mechanism.body.size();
  if (const Result<Done> done = check_room(to.size(), each * n, "numbers"); !done) return done;
  const Pose pose = pose_of(plant);
  for (std::size_t i = 0; i < n; ++i) {
    put_transform(layout, pose.base_world[i], pose.world_from_segment[i], to.data() + each * i);
  }
  return Done{};
}

std::optional<Picked> hit_of(const Simulation& simulation, const std::optional<Met>& met) {
  if (!met) return std::nullopt;
  return Picked{.plant = plant_id(simulation, met->plant),
                .segment = segment_id(simulation.plants[met->plant], met->segment),
                .along = met->along,
                .position = numbers(met->position_world),
                .distance = met->distance};
}

}  // namespace

std::size_t numbers_of(Layout layout) {
  switch (layout) {
    case Layout::position_rotation:
      return 7;
    case Layout::matrix_3x4:
      return 12;
    case Layout::matrix_4x4_columns:
      return 16;
  }
  return 0;
}

const char* to_string(EventKind kind) {
  constexpr const char* names[] = {"added",   "removed", "cut",  "grafted", "changed",
                                   "touched", "slept",   "woke", "stopped"};
  const auto number = static_cast<std::size_t>(kind);
  return number < std::size(names) ? names[number] : "unknown";
}

Outcome<PlantId> World::plant_of(SegmentId segment) const {
  return call(*content_, [&]() -> Result<PlantId> {
    const Result<FoundSegment> found = find_segment(content_->simulation, segment);
    if (!found) return found.diagnostics();
    return plant_id(content_->simulation, found->plant);
  });
}

Outcome<std::size_t> World::segment_count(PlantId id) const {
  return call(*content_, [&]() -> Result<std::size_t> {
    const Result<std::size_t> number = find_plant(content_->simulation, id);
    if (!number) return number.diagnostics();
    return content_->simulation.plants[*number].model->plant.segments.size();
  });
}

Outcome<std::vector<SegmentInfo>> World::segments(PlantId id) const {
  return call(*content_, [&]() -> Result<std::vector<SegmentInfo>> {
    const Result<std::size_t> number = find_plant(content_->simulation, id);
    if (!number) return number.diagnostics();
    const SimulatedPlant& plant = content_->simulation.plants[*number];
    std::vector<SegmentInfo> all;
    all.reserve(plant.model->plant.segments.size());
    for (Index i = 0; i < thigmo::segment_count(plant.model->plant); ++i) {
      all.push_back(info_of(plant, i));
    }
    return all;
  });
}

Outcome<std::vector<MaterialInfo>> World::materials(PlantId id) const {
  return call(*content_, [&]() -> Result<std::vector<MaterialInfo>> {
    const Result<std::size_t> number = find_plant(content_->simulation, id);
    if (!number) return number.diagnostics();
    std::vector<MaterialInfo> all;
    for (const Material& m : content_->simulation.plants[*number].model->plant.materials) {
      all.push_back({.name = m.name,
                     .density = m.density,
                     .young = m.young,
                     .shear = shear_modulus(m),
                     .damping_ratio = m.damping_ratio,
                     .strength = m.strength});
    }
    return all;
  });
}

Outcome<Done> World::bodies(PlantId id, std::span<SegmentBody> to) const {
  return call(*content_, [&]() -> Result<Done> {
    const Result<std::size_t> number = find_plant(content_->simulation, id);
    if (!number) return number.diagnostics();
    const Mechanism& mechanism = content_->simulation.plants[*number].model->mechanism;
    if (const Result<Done> done = check_room(to.size(), mechanism.body.size(), "segments"); !done)
      return done;
    std::transform(mechanism.body.begin(), mechanism.body.end(), to.begin(), [](const Body& body) {
      return SegmentBody{.mass = body.mass,
                         .stiffness = numbers(body.stiffness),
                         .damping_time = static_cast<double>(body.damping_time)};
    });
    return Done{};
  });
}

Outcome<SegmentId> World::segment(PlantId id, std::size_t number) const {
  return call(*content_, [&]() -> Result<SegmentId> {
    const Result<std::size_t> found = find_plant(content_->simulation, id);
    if (!found) return found.diagnostics();
    const SimulatedPlant& plant = content_->simulation.plants[*found];
    const std::size_t n = plant.model->plant.segments.size();
    if (number >= n) {
      return bad_argument(fmt::format("there is no segment {} in a plant of {}", number, n),
                          "segments count from 0");
    }
    return segment_id(plant, static_cast<Index>(number));
  });
}

Outcome<SegmentId> World::tip(PlantId id) const {
  return call(*content_, [&]() -> Result<SegmentId> {
    const Result<std::size_t> found = find_plant(content_->simulation, id);
    if (!found) return found.diagnostics();
    const SimulatedPlant& plant = content_->simulation.plants[*found];
    return segment_id(plant, main_axis(plant.model->plant).back());
  });
}

std::vector<Transform> World::transforms(PlantId id) const {
  return ask(*content_, std::vector<Transform>{}, [&] {
    std::vector<Transform> transforms;
    const std::optional<std::size_t> number = find_plant(content_->simulation.registry, id);
    if (!number) return transforms;
    const SimulatedPlant& plant = content_->simulation.plants[*number];
    const Pose pose = pose_of(plant);
    transforms.reserve(pose.base_world.size());
    for (std::size_t i = 0; i < pose.base_world.size(); ++i) {
      const Quat& q = pose.world_from_segment[i];
      transforms.push_back(
          {.position = numbers(pose.base_world[i]), .rotation = {q.w, q.x, q.y, q.z}});
    }
    return transforms;
  });
}

Outcome<Done> World::transforms(PlantId plant, Layout layout, std::span<double> to) const {
  return call(*content_, [&] { return put_transforms(content_->simulation, plant, layout, to); });
}
Outcome<Done> World::transforms(PlantId plant, Layout layout, std::span<float> to) const {
  return call(*content_, [&] { return put_transforms(content_->simulation, plant, layout, to); });
}

Outcome<Done> World::velocities(PlantId id, std::span<Motion3> to) const {
  return call(*content_, [&]() -> Result<Done> {
    const Result<std::size_t> number = find_plant(content_->simulation, id);
    if (!number) return number.diagnostics();
    const SimulatedPlant& plant = content_->simulation.plants[*number];
    std::vector<BodyMotion> motions(plant.model->mechanism.body.size());
    if (const Result<Done> done = check_room(to.size(), motions.size(), "segments"); !done)
      return done;
    find_motions(plant, motions);
    for (std::size_t i = 0; i < motions.size(); ++i) {
      to[i] = {numbers(motions[i].velocity), numbers(motions[i].omega)};
    }
    return Done{};
  });
}

Outcome<Done> World::section_loads(PlantId id, std::span<SectionLoad> to) const {
  return call(*content_, [&]() -> Result<Done> {
    const Simulation& simulation = content_->simulation;
    const Result<std::size_t> number = find_plant(simulation, id);
    if (!number) return number.diagnostics();
    const SimulatedPlant& plant = simulation.plants[*number];
    const PlantModel& model = *plant.model;
    if (const Result<Done> done = needs_joints(plant, "there are no section loads"); !done)
      return done;
    if (const Result<Done> done = check_room(to.size(), model.mechanism.body.size(), "segments");
        !done)
      return done;
    const LoadsNow now(simulation, *number);
    const auto loads = moving_section_loads(model.plant, model.mechanism, now.loads, plant.state);
    for (std::size_t i = 0; i < loads.size(); ++i) {
      to[i] = {numbers(loads[i].force_world), numbers(loads[i].moment_world), loads[i].stress};
    }
    return Done{};
  });
}

Outcome<Momentum> World::momentum(PlantId id) const {
  return call(*content_, [&]() -> Result<Momentum> {
    const Result<std::size_t> number = find_plant(content_->simulation, id);
    if (!number) return number.diagnostics();
    const SimulatedPlant& plant = content_->simulation.plants[*number];
    const PlantMomentum m = momentum_of(plant);
    return Momentum{.mass = m.mass,
                    .center = numbers(m.center_world),
                    .linear = numbers(m.linear_world),
                    .angular = numbers(m.angular_world)};
  });
}

Outcome<ParticleCounts> World::particles(PlantId id) const {
  return call(*content_, [&]() -> Result<ParticleCounts> {
    const Result<std::size_t> number = find_plant(content_->simulation, id);
    if (!number) return number.diagnostics();
    return counts_of(content_->simulation.plants[*number]);
  });
}

Outcome<std::optional<Picked>> World::pick(const Ray& ray) const {
  return call(*content_, [&]() -> Result<std::optional<Picked>> {
    if (const Result<Done> done = check_finite("begin of a ray", ray.origin); !done)
      return done.diagnostics();
    if (const Result<Done> done = check_finite("direction of a ray", ray.direction); !done)
      return done.diagnostics();
    const double norm = length(vector(ray.direction));
    if (!(norm > 0 && std::isfinite(norm)) || !(ray.reach >= 0)) {
      return bad_argument("a ray needs a direction and a reach of 0 or more");
    }
    const Simulation& simulation = content_->simulation;
    return hit_of(simulation, thigmo::pick(simulation, vector(ray.origin),
                                           vector(ray.direction) / norm, ray.reach));
  });
}

Outcome<std::optional<Picked>> World::nearest(const Numbers3& point, double within) const {
  return call(*content_, [&]() -> Result<std::optional<Picked>> {
    if (const Result<Done> done = check_finite("point", point); !done) return done.diagnostics();
    if (!(within >= 0)) {
      return bad_argument(fmt::format("a distance of {} m cannot be looked within", within));
    }
    const Simulation& simulation = content_->simulation;
    return hit_of(simulation, thigmo::nearest(simulation, vector(point), within));
  });
}

}  // namespace thigmo
