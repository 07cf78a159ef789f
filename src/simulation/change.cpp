#include "simulation/change.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/parallel.h"
#include "mechanics/compile/matter.h"
#include "mechanics/model/beam.h"
#include "plant/reach.h"
#include "simulation/changed_model.h"
#include "simulation/edit_places.h"
#include "simulation/solver.h"

namespace thigmo {
namespace {

// Some segments of one plant, rising.
struct Chosen {
  std::size_t plant = 0;
  std::vector<Index> segments;
};

constexpr const char* cannot_change = "segments cannot be changed";

Result<std::vector<Chosen>> choose(const Simulation& simulation,
                                   std::span<const SegmentId> segments) {
  std::map<std::size_t, std::vector<Index>> of_plant;
  for (const SegmentId id : segments) {
    const Result<FoundSegment> found = find_segment(simulation, id);
    if (!found) return found.diagnostics();
    const Result<Done> done = needs_joints(simulation.plants[found->plant], cannot_change);
    if (!done) return done.diagnostics();
    of_plant[found->plant].push_back(found->segment);
  }
  std::vector<Chosen> chosen;
  for (auto& [plant, indices] : of_plant) {
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    chosen.push_back({plant, std::move(indices)});
  }
  return chosen;
}

Chosen all_of(const Simulation& simulation, std::size_t plant) {
  Chosen chosen{.plant = plant};
  chosen.segments.resize(simulation.plants[plant].model->plant.segments.size());
  for (std::size_t i = 0; i < chosen.segments.size(); ++i) {
    chosen.segments[i] = static_cast<Index>(i);
  }
  return chosen;
}

// A joint's rest moves so far along its present angle that `part` of the angle is left, and nothing moves.
void move_rest(Index joint, const Vec3& angle_left, PlantModel& model, State& state) {
  const auto i = as_size(joint);
  Body& body = model.mechanism.body[i];
  const Quat parent_from_body = body.parent_from_rest * state.rest_from_body[i];
  const Quat rest_from_body = exp_rotation(angle_left);
  body.parent_from_rest = normalized(parent_from_body * conjugate(rest_from_body));
  model.plant.segments[i].parent_from_segment = body.parent_from_rest;
  state.rest_from_body.set(i, rest_from_body);
}

bool is_factor(double value) { return std::isfinite(value) && value > 0 && value < 1e12; }

Result<Done> check_change(const Change& change) {
  const std::pair<const char*, double> factors[] = {{"stiffness", change.stiffness},
                                                    {"mass", change.mass}};
  for (const auto& [name, value] : factors) {
    if (!is_factor(value)) {
      return error(fmt::format("{} cannot be multiplied by {}", name, value),
                   "give a factor above 0");
    }
  }
  if (!(change.damping >= 0 && change.damping < 1e12)) {
    return error(fmt::format("damping cannot be multiplied by {}", change.damping),
                 "give a factor of 0 or more");
  }
  if (!(change.creep >= 0 && change.creep <= 1)) {
    return error(
        fmt::format("a part of {} of a joint's angle cannot become its rest", change.creep),
        "give a part from 0 to 1");
  }
  return Done{};
}

// What changes as little as that in a step is a slow motion, not a blow: accelerations go on.
constexpr double gentle = 0.01;
bool is_gentle(const Change& change) {
  return !change.material && change.creep <= gentle && std::abs(change.stiffness - 1) <= gentle &&
         std::abs(change.mass - 1) <= gentle && std::abs(change.damping - 1) <= gentle;
}

void wake_gently(bool gently, SimulatedPlant& plant) {
  const bool started = plant.state.started;
  wake(plant);
  plant.state.started = gently && started;
}

void multiply(const Change& change, Body& body) {
  body.stiffness = body.stiffness * change.stiffness;
  body.damping_time = static_cast<float>(
      std::min<double>(body.damping_time * change.damping, std::numeric_limits<float>::max()));
  if (change.mass == 1) return;
  body.mass *= change.mass;
  body.first_moment *= change.mass;
  body.inertia = narrowed(widened(body.inertia) * change.mass);
}

// The joints whose springs depend on the shape or wood of some segments: their own, and those on them.
std::vector<Index> joints_around(const Mechanism& mechanism, const std::vector<Index>& segments) {
  std::vector<Index> joints = segments;
  for (const Index s : segments) {
    const Index end = s + at(mechanism.subtree_size, s);
    for (Index c = s + 1; c < end; c += at(mechanism.subtree_size, c)) joints.push_back(c);
  }
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  return joints;
}

Matter matter_at(const Plant& plant, Index segment, const DragModel& drag) {
  Matter matter = matter_of(plant, segment_at(plant, segment), drag);
  auto organ = std::lower_bound(plant.organs.begin(), plant.organs.end(), segment,
                                [](const Organ& o, Index s) { return o.segment < s; });
  for (; organ != plant.organs.end() && organ->segment == segment; ++organ) {
    add_organ(*organ, drag, matter);
  }
  return matter;
}

// A body goes from one matter to another; what it has been changed by since it was compiled stays.
void take_matter(const Matter& before, const Matter& after, double length, Body& body) {
  const auto ratio = [](double now, double compiled) { return compiled > 0 ? now / compiled : 1; };
  const double weight = ratio(body.mass, before.mass);
  const double across = ratio(body.drag_across, before.drag_across);
  const double around = ratio(body.drag_around, before.drag_around);
  body.mass = after.mass * weight;
  body.first_moment = after.first_moment * weight;
  body.inertia = narrowed(after.inertia * weight);
  body.drag_point = narrowed(after.drag_point);
  body.drag_across = narrowed(after.drag_across * across);
  body.drag_around = narrowed(after.drag_around * around);
  body.length = static_cast<float>(length);
}

// Changes the shape or wood of segments, their masses with them and the springs of the joints around. With
// `unloaded` what is added bears nothing yet: joints keep their moments, and their rest moves.
template <class Alter>
void reshape(const std::vector<Index>& segments, const DragModel& drag, bool unloaded,
             const Alter& alter, SimulatedPlant& plant) {
  PlantModel& model = model_to_change(plant);
  Mechanism& mechanism = model.mechanism;
  const std::vector<Index> joints = joints_around(mechanism, segments);
  std::vector<Vec3> flexibility;
  std::vector<Matter> matter;
  for (const Index j : joints) {
    flexibility.push_back(joint_flexibility_at(model.plant, mechanism.subtree_size, j));
  }
  for (const Index s : segments) matter.push_back(matter_at(model.plant, s, drag));
  for (const Index s : segments) alter(s, model.plant);
  double softer = 1, heavier = 1, longer = 1;
  for (std::size_t k = 0; k < segments.size(); ++k) {
    const Body& body = at(mechanism.body, segments[k]);
    const double mass = body.mass, length = body.length;
    take_matter(matter[k], matter_at(model.plant, segments[k], drag),
                segment_at(model.plant, segments[k]).length, at(mechanism.body, segments[k]));
    heavier = std::max(heavier, body.mass / mass);
    longer = std::max(longer, body.length / length);
  }
  for (std::size_t k = 0; k < joints.size(); ++k) {
    if (segment_at(model.plant, joints[k]).given != no_index) continue;
    Body& body = at(mechanism.body, joints[k]);
    const Vec3 after = joint_flexibility_at(model.plant, mechanism.subtree_size, joints[k]);
    const Vec3 moment =
        joint_stiffness(body) * log_rotation(plant.state.rest_from_body[as_size(joints[k])]);
    const Vec3 stiffer{flexibility[k].x / after.x, flexibility[k].y / after.y,
                       flexibility[k].z / after.z};
    softer = std::min({softer, stiffer.x, stiffer.z});
    body.stiffness = {body.stiffness.x * stiffer.x, body.stiffness.y * stiffer.y,
                      body.stiffness.z * stiffer.z};
    if (unloaded) move_rest(joints[k], joint_flexibility(body) * moment, model, plant.state);
  }
  grow_reaches(model.plant, segments, model.reach);
  take_over(joints, softer, heavier * longer, model, plant);
}

void set_material(const Material& material, Index segment, Plant& plant) {
  const auto found = std::find(plant.materials.begin(), plant.materials.end(), material);
  at(plant.segments, segment).material = static_cast<Index>(found - plant.materials.begin());
  if (found == plant.materials.end()) plant.materials.push_back(material);
}

void change_material(const Material& material, const DragModel& drag, const Chosen& chosen,
                     SimulatedPlant& plant) {
  std::vector<double> ratio;
  for (const Index s : chosen.segments) {
    const Plant& p = plant.model->plant;
    ratio.push_back(at(p.materials, segment_at(p, s).material).damping_ratio);
  }
  reshape(
      chosen.segments, drag, false, [&](Index s, Plant& p) { set_material(material, s, p); },
      plant);
  PlantModel& model = model_to_change(plant);
  for (std::size_t k = 0; k < ratio.size(); ++k) {
    if (!(ratio[k] > 0)) continue;
    Body& body = at(model.mechanism.body, chosen.segments[k]);
    body.damping_time *= static_cast<float>(material.damping_ratio / ratio[k]);
  }
  take_over(chosen.segments, 1, 1, model, plant);
}

void change_plant(const Change& change, const DragModel& drag, const Chosen& chosen,
                  SimulatedPlant& plant) {
  if (change.material) change_material(*change.material, drag, chosen, plant);
  PlantModel& model = model_to_change(plant);
  for (const Index s : chosen.segments) multiply(change, at(model.mechanism.body, s));
  if (change.creep > 0) {
    for (const Index s : chosen.segments) {
      const Vec3 angle = log_rotation(plant.state.rest_from_body[as_size(s)]);
      move_rest(s, angle * (1 - change.creep), model, plant.state);
    }
  }
  if (change.mass == 1 && change.creep == 0) {
    take_over_joints(chosen.segments, change.stiffness, model, plant);
  } else {
    take_over(chosen.segments, change.stiffness, change.mass, model, plant);
  }
}

// The energy of what a change of these segments may change, where account is kept. A walk over all is cheaper
// where they are many.
double energy_around(const Chosen& chosen, const Simulation& simulation) {
  if (!simulation.account_start) return no_count;
  const SimulatedPlant& plant = simulation.plants[chosen.plant];
  const Mechanism& mechanism = plant.model->mechanism;
  constexpr std::size_t path = 16;  // bodies that a walk to the root costs, or more
  if (chosen.segments.size() * path > mechanism.body.size()) {
    return counted_energy(simulation, chosen.plant);
  }
  return total(energy_of(mechanism, plant.state, simulation.gravity_world,
                         joints_around(mechanism, chosen.segments)));
}

// Does something to the chosen segments of each plant, and says what it took.
template <class Work>
EditResult each_plant(const std::vector<Chosen>& all, bool gently, Simulation& simulation,
                      const Work& work) {
  EditResult result{.energy_before = 0, .energy_after = 0};
  for (const Chosen& chosen : all) {
    SimulatedPlant& plant = simulation.plants[chosen.plant];
    result.energy_before += energy_around(chosen, simulation);
    work(chosen, plant);
    wake_gently(gently, plant);
    result.energy_after += energy_around(chosen, simulation);
    tell(EventKind::changed, plant_id(simulation, chosen.plant),
         chosen.segments.size() == 1 ? segment_id(plant, chosen.segments.front()) : SegmentId{}, {},
         simulation);
  }
  return result;
}

}  // namespace

Result<EditResult> apply_change(const Change& change, Simulation& simulation) {
  if (const Result<Done> done = check_change(change); !done) return done.diagnostics();
  std::vector<Chosen> all;
  if (change.plant) {
    const Result<std::size_t> plant = find_plant(simulation, *change.plant);
    if (!plant) return plant.diagnostics();
    const Result<Done> done = needs_joints(simulation.plants[*plant], cannot_change);
    if (!done) return done.diagnostics();
    all.push_back(all_of(simulation, *plant));
  } else {
    Result<std::vector<Chosen>> chosen = choose(simulation, change.segments);
    if (!chosen) return chosen.diagnostics();
    all = std::move(*chosen);
  }
  return each_plant(all, is_gentle(change), simulation,
                    [&](const Chosen& chosen, SimulatedPlant& plant) {
                      change_plant(change, simulation.drag, chosen, plant);
                    });
}

Result<EditResult> apply_extend(const Extend& extend, Simulation& simulation) {
  const Result<FoundSegment> found = find_segment(simulation, extend.segment);
  if (!found) return found.diagnostics();
  const Result<Done> done = needs_joints(simulation.plants[found->plant], cannot_change);
  if (!done) return done.diagnostics();
  constexpr double longest = 1e6;  // [m]
  if (!(extend.by > 0 && extend.by <= longest)) {
    return error(fmt::format("a segment cannot grow by {} m", extend.by),
                 fmt::format("give a length above 0, of {:g} m at most", longest));
  }
  const PlantModel& model = *simulation.plants[found->plant].model;
  if (at(model.mechanism.subtree_size, found->segment) > 1 ||
      segment_at(model.plant, found->segment).given != no_index) {
    return error("only a segment that nothing stands on grows longer",
                 "extend the tip of a branch, or graft new wood");
  }
  return each_plant({{found->plant, {found->segment}}}, false, simulation,
                    [&](const Chosen& chosen, SimulatedPlant& plant) {
                      reshape(
                          chosen.segments, simulation.drag, true,
                          [&](Index s, Plant& p) { at(p.segments, s).length += extend.by; }, plant);
                    });
}

Result<EditResult> apply_thicken(const Thicken& thicken, Simulation& simulation) {
  if (!is_factor(thicken.factor)) {
    return error(fmt::format("radii cannot be multiplied by {}", thicken.factor),
                 "give a factor above 0");
  }
  const Result<std::vector<Chosen>> chosen = choose(simulation, thicken.segments);
  if (!chosen) return chosen.diagnostics();
  const auto alter = [&](Index i, Plant& p) {
    Segment& s = at(p.segments, i);
    for (double* size : {&s.radius_base, &s.radius_tip, &s.height_base, &s.height_tip}) {
      *size *= thicken.factor;
    }
  };
  const bool gently = std::abs(thicken.factor - 1) <= gentle;
  return each_plant(*chosen, gently, simulation, [&](const Chosen& each, SimulatedPlant& plant) {
    reshape(each.segments, simulation.drag, thicken.factor > 1, alter, plant);
  });
}

}  // namespace thigmo
