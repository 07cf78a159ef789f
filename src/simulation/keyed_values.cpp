#include "simulation/keyed_values.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "simulation/changed_model.h"
#include "simulation/edit_places.h"

namespace thigmo {
namespace {

Vec3 keyed_stiffness(const KeyedWood& wood, const KeyedWood::Given& given) {
  return given.stiffness * wood.stiffness_now;
}
float keyed_damping(const KeyedWood& wood, const KeyedWood::Given& given) {
  return static_cast<float>(given.damping_time * wood.damping_now);
}

double value_or_one(const KeyedValue<double>& keyed, double time) {
  return keyed.empty() ? 1 : value_at(keyed, time);
}

// The energy that something between steps brings counts as that of edits.
template <class Work>
void in_account(std::size_t plant, Simulation& simulation, const Work& work) {
  const bool kept = simulation.account_start.has_value();
  const double before = kept ? counted_energy(simulation, plant) : 0;
  work(simulation.plants[plant]);
  if (kept) simulation.account_by_edits += counted_energy(simulation, plant) - before;
}

// What changes slowly wakes a plant, and lets its accelerations go on.
void rouse(SimulatedPlant& plant) {
  plant.asleep = false;
  plant.quiet_time = 0;
  plant.state.watch = {};
}

void set_gravity(const Vec3& gravity, Simulation& simulation) {
  if (gravity == simulation.gravity_world) return;
  double before = 0, after = 0;
  const bool kept = simulation.account_start.has_value();
  const auto energy = [&] {
    double sum = 0;
    for (std::size_t i = 0; kept && i < simulation.plants.size(); ++i)
      sum += counted_energy(simulation, i);
    return sum;
  };
  before = energy();
  simulation.gravity_world = gravity;
  after = energy();
  if (kept) simulation.account_by_edits += after - before;
  for (SimulatedPlant& plant : simulation.plants) rouse(plant);
}

void set_wood(double time, KeyedWood& wood, Simulation& simulation) {
  const double stiffness = value_or_one(wood.stiffness, time);
  const double damping = value_or_one(wood.damping, time);
  if (stiffness == wood.stiffness_now && damping == wood.damping_now) return;
  const double softer = stiffness / wood.stiffness_now;
  wood.stiffness_now = stiffness;
  wood.damping_now = damping;
  for (const KeyedWood::Share& share : wood.shares) {
    in_account(share.plant, simulation, [&](SimulatedPlant& plant) {
      PlantModel& model = model_to_change(plant);
      for (std::size_t k = 0; k < share.bodies.size(); ++k) {
        const KeyedWood::Given& given = wood.given[share.entries[k]];
        Body& body = at(model.mechanism.body, share.bodies[k]);
        body.stiffness = keyed_stiffness(wood, given);
        body.damping_time = keyed_damping(wood, given);
      }
      take_over_joints(share.bodies, softer, model, plant);
      rouse(plant);
    });
  }
}

const Body& body_at(const Simulation& simulation, const FoundSegment& found) {
  return at(simulation.plants[found.plant].model->mechanism.body, found.segment);
}

// What an edit has changed of a joint, it has changed of what it would be without keys.
void refit_joint(const KeyedWood& wood, const Body& body, KeyedWood::Given& given) {
  if (body.stiffness != keyed_stiffness(wood, given))
    given.stiffness = body.stiffness / wood.stiffness_now;
  if (body.damping_time != keyed_damping(wood, given) && wood.damping_now > 0)
    given.damping_time = static_cast<float>(body.damping_time / wood.damping_now);
}

void refit(KeyedWood& wood, const Simulation& simulation) {
  std::map<std::size_t, KeyedWood::Share> shares;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < wood.segments.size(); ++i) {
    const Result<FoundSegment> found = find_segment(simulation, wood.segments[i]);
    if (!found) continue;
    wood.segments[kept] = wood.segments[i];
    wood.given[kept] = wood.given[i];
    refit_joint(wood, body_at(simulation, *found), wood.given[kept]);
    KeyedWood::Share& share = shares[found->plant];
    share.plant = found->plant;
    share.bodies.push_back(found->segment);
    share.entries.push_back(kept++);
  }
  wood.segments.resize(kept);
  wood.given.resize(kept);
  wood.shares.clear();
  for (auto& [plant, share] : shares) wood.shares.push_back(std::move(share));
}

// The upper part of a segment that was divided is of the same wood.
void add_upper_parts(const EditResult& result, KeyedWood& wood) {
  for (const SegmentSplit& split : result.splits) {
    const auto lower = std::find(wood.segments.begin(), wood.segments.end(), split.lower);
    if (lower == wood.segments.end()) continue;
    wood.segments.push_back(split.upper);
    wood.given.emplace_back();
  }
}

}  // namespace

void set_keyed_values(double time, Simulation& simulation) {
  KeyedValues& keyed = simulation.keyed;
  if (!keyed.gravity_world.empty()) set_gravity(value_at(keyed.gravity_world, time), simulation);
  for (KeyedWood& wood : keyed.woods) set_wood(time, wood, simulation);
}

void refit_keyed_woods(const EditResult& result, Simulation& simulation) {
  for (KeyedWood& wood : simulation.keyed.woods) {
    add_upper_parts(result, wood);
    refit(wood, simulation);
  }
}

void find_keyed_segments(Simulation& simulation) {
  for (KeyedWood& wood : simulation.keyed.woods) refit(wood, simulation);
}

void add_keyed_wood(std::size_t number, const std::vector<Index>& segments, KeyedWood keys,
                    Simulation& simulation) {
  const SimulatedPlant& plant = simulation.plants[number];
  const PlantModel& model = *plant.model;
  const bool on_spring = std::isfinite(model.plant.root_stiffness);
  for (const Index segment : segments) {
    if (on_spring && segment_at(model.plant, segment).parent == no_index) continue;
    const Body& body = at(model.mechanism.body, segment);
    keys.segments.push_back(segment_id(plant, segment));
    keys.given.push_back({.stiffness = body.stiffness, .damping_time = body.damping_time});
  }
  refit(keys, simulation);
  simulation.keyed.woods.push_back(std::move(keys));
}

}  // namespace thigmo
