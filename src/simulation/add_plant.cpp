#include "simulation/add_plant.h"

#include "grammar/rules/program.h"
#include "material/species.h"

namespace thigmo {
namespace {

// Particles like those of another plant: at rest, or where it was edited as that one is bent now, still.
ParticlePlant like_particles(const ParticlePlant& first, const RootState& root,
                             const SimulatedPlant& plant) {
  ParticlePlant particles = make_particle_plant(first.model, plant.state.root);
  if (plant.model->start.rest_from_body.size() > 0) return particles;
  const RootState& to = plant.state.root;
  const Quat turn = to.world_from_plant * conjugate(root.world_from_plant);
  for (std::size_t i = 0; i < particles.state.position_world.size(); ++i) {
    const Vec3 arm = first.state.position_world[i] - root.position_world;
    particles.state.position_world[i] = to.position_world + rotate(turn, arm);
  }
  particles.state.previous_world = particles.state.position_world;
  return particles;
}

}  // namespace

Result<Plant> grow_from_file(const GrammarSource& source, const ReadFile& read_file,
                             Diagnostics& notes) {
  const Result<std::string> text = read_file(source.file);
  if (!text) return text.diagnostics();
  const Result<Grammar> grammar = parse_grammar(source.file, *text, read_file);
  if (!grammar) return grammar.diagnostics();
  std::optional<Material> material = source.material;
  if (!material && grammar->program->materials.empty()) {
    material = material_from(*find_species("oak"));
  }
  GrowOptions options{.steps = source.steps,
                      .seed = source.seed,
                      .angle_degrees = source.angle_degrees,
                      .material = material,
                      .defines = source.parameters};
  if (source.smallest_body) options.smallest_body_mass = *source.smallest_body;
  Result<Growth> growth = grow(*grammar, options);
  if (!growth) return growth.diagnostics();
  notes.insert(notes.end(), growth->warnings.begin(), growth->warnings.end());
  Plant& plant = growth->plant;
  if (plant.segments.empty()) {
    return Diagnostic{.message = "the grammar draws no segment",
                      .file = source.file,
                      .hint = "derive more steps, or draw with F"};
  }
  return std::move(plant);
}

SimulatedPlant& add_standing(std::shared_ptr<const PlantModel> model, const PlantFrame& stands,
                             Simulation& simulation) {
  SimulatedPlant& plant = simulation.plants.emplace_back();
  plant.model = std::move(model);
  const Plant& modelled = plant.model->plant;
  plant.name = modelled.name;
  plant.stands = stands;
  plant.state = plant.model->start;
  plant.state.time = simulation.time;
  plant.state.root.position_world = stands.origin_world;
  plant.state.root.world_from_plant = stands.world_from_plant;
  plant.workspace = make_workspace(plant.model->step_model);
  plant.wind_model = simulation.wind;
  plant.wind =
      make_wind_sampler(simulation.wind, bounding_box(modelled, rest_pose(modelled, stands)));
  name_plant(simulation.plants.size() - 1, simulation);
  return plant;
}

std::size_t add_instance(std::size_t like, const Placement& place, Simulation& simulation) {
  const std::shared_ptr<const PlantModel> model = simulation.plants[like].model;
  SimulatedPlant& plant = add_standing(
      model, {.origin_world = place.shift_world, .world_from_plant = rotation_of(place)},
      simulation);
  const SimulatedPlant& first = simulation.plants[like];
  plant.name = first.name;
  plant.ground = first.ground;
  // Nothing moves its root.
  plant.state.root.hold = is_free(first.state.root) ? RootHold::free : RootHold::clamped;
  if (model->start.rest_from_body.size() == 0) {
    plant.state.rest_from_body = first.state.rest_from_body;
    const std::size_t n = plant.state.rest_from_body.size();
    plant.state.joint_velocity = PerBody<Vec3>(n);
    plant.state.joint_acceleration = PerBody<Vec3, float>(n);
    plant.state.tension_torque = PerBody<double, float>(n);
  }
  if (first.particles) {
    plant.particles = like_particles(*first.particles, first.state.root, plant);
  }
  return simulation.plants.size() - 1;
}

std::size_t add_plant(Plant plant, const Placement& place, StartPose start,
                      Simulation& simulation) {
  const Quat turn = rotation_of(place);
  const PlantFrame stands{.origin_world = move_origin_to_root(plant) + place.shift_world,
                          .world_from_plant = turn};
  const ModelOptions options{.start = start,
                             .drag = simulation.drag,
                             .gravity_plant = rotate(conjugate(turn), simulation.gravity_world)};
  add_standing(make_model(std::move(plant), options).model, stands, simulation);
  return simulation.plants.size() - 1;
}

}  // namespace thigmo
