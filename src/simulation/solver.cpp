#include "simulation/solver.h"

#include <fmt/format.h>

#include <algorithm>

#include "particles/particle_motion.h"
#include "particles/particle_step.h"

namespace thigmo {

Result<Done> use_particles(const ParticleSettings& settings, SimulatedPlant& plant) {
  const PlantModel& model = *plant.model;
  if (const Result<Done> done = check_particles(model.plant, model.mechanism, settings); !done)
    return done;
  auto particles = std::make_shared<const ParticleModel>(
      make_particle_model(model.plant, model.mechanism, settings));
  plant.particles = make_particle_plant(std::move(particles), plant.state.root);
  return Done{};
}

void place_particles(SimulatedPlant& plant) {
  if (!plant.particles) return;
  place_at_rest(*plant.particles->model, plant.state.root, plant.particles->state);
}

StepReport step_plant(const Loads& loads, const StepOptions& options, double dt, int threads,
                      SimulatedPlant& plant) {
  const PlantModel& model = *plant.model;
  if (plant.particles) {
    const StepReport report =
        step_particles(model.plant, model.mechanism, loads, dt, plant.state, *plant.particles);
    plant.touches = plant.particles->scratch.touches;
    return report;
  }
  const StepReport report =
      step(model.mechanism, loads, options, dt, plant.state, plant.workspace, threads);
  const std::vector<double>& touched = plant.workspace.block_touched;
  plant.touches = plant.ground && std::any_of(touched.begin(), touched.end(),
                                              [](double touch) { return touch > 0; });
  return report;
}

Pose pose_of(const SimulatedPlant& plant) {
  if (!plant.particles) return pose_of(plant.model->mechanism, plant.state);
  return pose_of(plant.model->plant, *plant.particles->model, plant.state.root,
                 plant.particles->state.position_world);
}

BodyMotion body_motion(const SimulatedPlant& plant, Index segment) {
  if (!plant.particles) return body_motion(plant.model->mechanism, plant.state, segment);
  return segment_motion(plant.model->plant, *plant.particles, plant.state.root, segment);
}

void find_motions(const SimulatedPlant& plant, std::span<BodyMotion> motions) {
  if (!plant.particles) return find_motions(plant.model->mechanism, plant.state, motions);
  find_motions(plant.model->plant, *plant.particles, plant.state.root, motions);
}

PointMotion point_motion(const SimulatedPlant& plant, Index segment, const Vec3& point_in_segment) {
  if (!plant.particles)
    return point_motion(plant.model->mechanism, plant.state, segment, point_in_segment);
  return point_motion(plant.model->plant, *plant.particles, plant.state.root, segment,
                      point_in_segment);
}

Energy energy_of(const SimulatedPlant& plant, const Vec3& gravity_world) {
  if (!plant.particles) return energy_of(plant.model->mechanism, plant.state, gravity_world);
  return energy_of(*plant.particles, gravity_world);
}

PlantMomentum momentum_of(const SimulatedPlant& plant) {
  if (!plant.particles) return momentum_of(plant.model->mechanism, plant.state);
  return momentum_of(*plant.particles);
}

ParticleCounts counts_of(const SimulatedPlant& plant) {
  if (!plant.particles) return {};
  const ParticleModel& model = *plant.particles->model;
  ParticleCounts counts{.particles = particle_count(model)};
  for (const Component& c : model.components) {
    counts.components.push_back({as_size(c.constraints.count + c.anchors.count), c.iterations});
  }
  return counts;
}

Result<Done> needs_joints(const SimulatedPlant& plant, const char* what) {
  if (!plant.particles) return Done{};
  return error(fmt::format("{}: '{}' is made of particles, which have no joints", what, plant.name),
               "leave out method = \"particles\"");
}

Result<Done> check_free(const SimulatedPlant& plant) {
  if (!plant.particles || plant.particles->model->roots.size() == 1) return Done{};
  return error(fmt::format("'{}' is made of particles and has {} stems at its root, which would "
                           "fall apart if nothing held them",
                           plant.name, plant.particles->model->roots.size()),
               "leave its root held, or leave out method = \"particles\"");
}

Result<Done> check_moment(const SimulatedPlant& plant, const Vec3& moment) {
  if (!plant.particles || moment == Vec3{}) return Done{};
  return error(fmt::format("a moment cannot act on '{}': it is made of particles, which have no "
                           "orientation",
                           plant.name),
               "give two forces beside each other instead");
}

}  // namespace thigmo
