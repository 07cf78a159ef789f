#include "simulation/save/particle_fields.h"

namespace thigmo {

void make_saved_particles(const ParticleSettings& settings, const Vec3& normal_in_plant,
                          SimulatedPlant& plant, FieldReader& reader) {
  if (!reader.sound()) return;
  const PlantModel& model = *plant.model;
  if (settings.supports == 2 && !(std::abs(length(normal_in_plant) - 1) < 1e-6)) {
    return reader.refuse("the plane of particles has no normal");
  }
  const Result<Done> sound = check_particles(model.plant, model.mechanism, settings);
  if (!sound) return reader.refuse(sound.diagnostics().front().message);
  auto particles = std::make_shared<const ParticleModel>(
      make_particle_model(model.plant, model.mechanism, settings, normal_in_plant));
  plant.particles = make_particle_plant(std::move(particles), plant.state.root);
}

}  // namespace thigmo
