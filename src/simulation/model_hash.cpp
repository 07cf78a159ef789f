#include "simulation/model_hash.h"

#include <map>

#include "base/hash.h"

namespace thigmo {
namespace {

void add(const Vec3& v, Hasher& hasher) {
  for (const double value : {v.x, v.y, v.z}) hasher.add(value);
}
void add(const Quat& q, Hasher& hasher) {
  for (const double value : {q.w, q.x, q.y, q.z}) hasher.add(value);
}

void add_loads(const Simulation& simulation, Hasher& hasher) {
  for (const AppliedForce& force : simulation.forces) {
    hasher.add(static_cast<std::uint64_t>(force.plant));
    hasher.add(static_cast<std::uint64_t>(force.load.body));
    hasher.add(static_cast<std::uint64_t>(force.load.follower));
    add(force.load.point_in_body, hasher);
    hasher.add(force.start);
    hasher.add(force.end);
    hasher.add(force.omega);
    hasher.add(force.phase);
    add(force.load.force, hasher);
    add(force.load.moment, hasher);
  }
  for (const Grab& grab : simulation.grabs) {
    for (const double value : {grab.load.stiffness, grab.load.damping, grab.release}) {
      hasher.add(value);
    }
    add(grab.path.start.origin_world, hasher);
    add(grab.load.point_in_body, hasher);
    hasher.add(static_cast<std::uint64_t>(grab.plant));
    hasher.add(static_cast<std::uint64_t>(grab.load.body));
  }
}

std::uint64_t hash_of(const Mechanism& mechanism) {
  Hasher hasher;
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const Body& body = mechanism.body[i];
    hasher.add(static_cast<std::uint64_t>(static_cast<std::int64_t>(mechanism.parent[i])));
    const Quat& q = body.parent_from_rest;
    for (const double value : {q.w, q.x, q.y, q.z, body.mass}) hasher.add(value);
    hasher.add(static_cast<double>(body.length));
    add(body.base_in_parent, hasher);
    add(body.stiffness, hasher);
    add(widened(body.section), hasher);
    hasher.add(static_cast<double>(body.damping_time));
    add(body.first_moment, hasher);
    add(widened(body.drag_point), hasher);
    hasher.add(static_cast<double>(body.drag_across));
    hasher.add(static_cast<double>(body.drag_around));
    const Sym3 inertia = widened(body.inertia);
    for (const double value :
         {inertia.xx, inertia.xy, inertia.xz, inertia.yy, inertia.yz, inertia.zz}) {
      hasher.add(value);
    }
  }
  return hasher.value();
}

// Of models that plants share, once.
using ModelHashes = std::map<const PlantModel*, std::uint64_t>;

void add_plant(const SimulatedPlant& plant, ModelHashes& hashes, Hasher& hasher) {
  const Mechanism& mechanism = plant.model->mechanism;
  hasher.add(static_cast<std::uint64_t>(mechanism.body.size()));
  hasher.add(mechanism.mass_damping);
  // A root that was let go on the way is that of a plant with a release.
  hasher.add(static_cast<std::uint64_t>(is_free(plant.state.root) && !plant.release));
  hasher.add(plant.release.value_or(-1.0));
  hasher.add(mechanism.pot_mass);
  hasher.add(mechanism.pot_radius);
  add(plant.stands.origin_world, hasher);
  add(plant.stands.world_from_plant, hasher);
  const Wind& wind = plant.wind_model;
  add(wind.mean_world, hasher);
  for (const double value : {wind.sigma, wind.length_scale, wind.decay}) hasher.add(value);
  hasher.add(wind.seed);
  if (plant.ground) {
    const Ground& g = *plant.ground;
    for (const double value : {g.height, g.stiffness, g.damping, g.friction}) hasher.add(value);
  }
  const auto [known, is_new] = hashes.try_emplace(plant.model.get());
  if (is_new) known->second = hash_of(mechanism);
  hasher.add(known->second);
  if (!plant.particles) return;
  const ParticleSettings& settings = plant.particles->model->settings;
  hasher.add(std::string_view("particles"));
  for (const double value : {settings.power, settings.velocity_kept}) hasher.add(value);
  for (const int value : {settings.supports, settings.iterations, settings.twist ? 1 : 0}) {
    hasher.add(static_cast<std::uint64_t>(value));
  }
}

}  // namespace

std::uint64_t model_hash(const Simulation& simulation, std::uint64_t said) {
  Hasher hasher;
  hasher.add(said);
  hasher.add(simulation.step);
  add(simulation.gravity_world, hasher);
  hasher.add(simulation.options.numerical_damping);
  const DragModel& drag = simulation.drag;
  for (const double value :
       {drag.air_density, drag.stem_coefficient, drag.organ_coefficient, drag.streamlining_speed}) {
    hasher.add(value);
  }
  add_loads(simulation, hasher);
  ModelHashes hashes;
  for (const SimulatedPlant& plant : simulation.plants) add_plant(plant, hashes, hasher);
  return hasher.value();
}

}  // namespace thigmo
