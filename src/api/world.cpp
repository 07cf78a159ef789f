#include "api/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <optional>

#include "api/common.h"
#include "api/plant_surface.h"
#include "api/surface_options.h"
#include "mechanics/kinematics/energy.h"
#include "mechanics/modes/frequency.h"
#include "mechanics/modes/sway.h"
#include "mesh/build.h"
#include "mesh/mesh_size.h"
#include "plant/sizes.h"
#include "simulation/add_plant.h"
#include "simulation/advance.h"
#include "simulation/energy_book.h"
#include "simulation/set_wind.h"

namespace thigmo {

struct World::Content {
  Simulation simulation;
  std::optional<EnergyBook> book = std::nullopt;
};

World::World() : content_(std::make_unique<Content>()) {
  content_->simulation.gravity_world = {0, -9.81, 0};
  content_->simulation.drag.air_density = 0;
}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

namespace {

Result<std::size_t> grow_into(const GrammarPlant& plant, Simulation& simulation) {
  const Result<std::optional<Material>> material = material_of(plant.species);
  if (!material) return material.diagnostics();
  const std::string file = plant.file.empty() ? "text.lsys" : plant.file;
  if (plant.file.empty() && plant.text.empty())
    return error("the plant has neither a file nor a text",
                 "name a grammar file, or give its text");
  const ReadFile read = [&](std::string_view name, std::string_view folder) -> Result<std::string> {
    if (!plant.text.empty() && name == file) return plant.text;
    return read_any(name, folder);
  };
  Result<Plant> grown = grow_from_file({.file = file,
                                        .steps = plant.steps,
                                        .seed = plant.seed,
                                        .parameters = plant.parameters,
                                        .material = *material,
                                        .smallest_body = plant.smallest_body},
                                       read, simulation.notes);
  if (!grown) return grown.diagnostics();
  const bool rests = !grown->given_bodies.empty();
  return thigmo::add_plant(std::move(*grown), {.shift_world = vector(plant.position)},
                           rests ? StartPose::rest : StartPose::modelled, simulation);
}

}  // namespace

Outcome<std::size_t> World::add_plant(const GrammarPlant& plant) {
  return attempt([&] { return grow_into(plant, content_->simulation); });
}

bool World::set_wind(const GustyWind& wind) {
  const WindModel model{.kind = wind.intensity > 0 ? WindKind::gusty : WindKind::uniform,
                        .mean_world = vector(wind.mean),
                        .intensity = wind.intensity,
                        .length_scale = wind.length_scale,
                        .decay = wind.decay,
                        .seed = wind.seed};
  Simulation& simulation = content_->simulation;
  if (const Result<Done> done = check_wind(model); !done) {
    simulation.notes.push_back(done.diagnostics().front());
    return false;
  }
  thigmo::set_wind(make_wind(model), simulation);
  return true;
}

bool World::step(double dt, int threads) {
  // Nothing is called on the way, so that nothing fails.
  static_cast<void>(advance({.step = dt, .threads = threads}, content_->simulation));
  return content_->simulation.finite;
}

double World::time() const { return content_->simulation.time; }

std::size_t World::plant_count() const { return content_->simulation.plants.size(); }

std::size_t World::segment_count() const {
  return static_cast<std::size_t>(thigmo::segment_count(content_->simulation));
}

std::int64_t World::rejected_steps() const { return content_->simulation.rejected_steps; }
std::int64_t World::braked_joints() const { return content_->simulation.braked_joints; }
std::int64_t World::coarse_steps() const { return content_->simulation.coarse_steps; }
const Diagnostics& World::notes() const { return content_->simulation.notes; }
double World::energy_gain() const { return content_->simulation.energy_gain; }

int World::substeps() const {
  int most = 0;
  for (const SimulatedPlant& plant : content_->simulation.plants) {
    most = std::max(most, plant.report.substeps);
  }
  return most;
}

std::vector<Transform> World::transforms(std::size_t plant) const {
  const SimulatedPlant& simulated = content_->simulation.plants.at(plant);
  const Pose pose = pose_of(simulated.model->mechanism, simulated.state);
  std::vector<Transform> transforms;
  transforms.reserve(pose.base_world.size());
  for (std::size_t i = 0; i < pose.base_world.size(); ++i) {
    const Quat& q = pose.world_from_segment[i];
    transforms.push_back(
        {.position = numbers(pose.base_world[i]), .rotation = {q.w, q.x, q.y, q.z}});
  }
  return transforms;
}

Outcome<PlantSurface> World::surface(std::size_t plant, const SurfaceDetail& detail) const {
  return attempt([&]() -> Result<PlantSurface> {
    if (!detail.organs.empty())
      return error(fmt::format("the mesh '{}' is in a file, which a world does not read",
                               detail.organs.front().file),
                   "make the surface with surface_with_organs");
    const Result<MeshOptions> options = surface_options(detail);
    if (!options) return options.diagnostics();
    return WorldAccess::surface(*this, plant, *options);
  });
}

Result<PlantSurface> WorldAccess::surface(const World& world, std::size_t plant,
                                          const MeshOptions& options) {
  const Simulation& simulation = world.content_->simulation;
  if (plant >= simulation.plants.size())
    return error(fmt::format("there is no plant number {}", plant), "plants count from 0");
  const SimulatedPlant& simulated = simulation.plants[plant];
  const Plant& modelled = simulated.model->plant;
  const MovingPlant still = standing(simulated);
  if (const Result<Done> done = check_sizes({&still, 1}, Precision::single); !done)
    return done.diagnostics();
  if (const Result<Done> done = check_mesh({&still, 1}, options); !done) return done.diagnostics();
  auto content = std::make_unique<PlantSurface::Content>();
  content->mesh = build_mesh(modelled, options, simulated.stands);
  return PlantSurface(std::move(content));
}

World WorldAccess::world_of(Simulation simulation) {
  World world;
  world.content_->simulation = std::move(simulation);
  return world;
}

std::vector<ProbeReading> World::probes() const { return read_probes(content_->simulation); }

Numbers3 World::air_velocity(std::size_t plant, const Numbers3& point) const {
  return numbers(
      thigmo::air_velocity(content_->simulation.plants.at(plant).wind.air, vector(point)));
}

Energies World::energies() const {
  Energies sum;
  for (const SimulatedPlant& plant : content_->simulation.plants) {
    const Energy energy =
        energy_of(plant.model->mechanism, plant.state, content_->simulation.gravity_world);
    sum.kinetic += energy.kinetic;
    sum.elastic += energy.elastic;
    sum.gravitational += energy.gravitational;
  }
  return sum;
}

void World::keep_account() { content_->book.emplace(content_->simulation); }

EnergyWorks World::account() const {
  if (!content_->book) return {};
  EnergyBook book = *content_->book;
  book.add_step(content_->simulation);
  const EnergyAccount& a = book.account();
  return {.by_air = a.by_air,
          .by_loads = a.by_loads,
          .by_ground = a.by_ground,
          .by_base = a.by_base,
          .lost_in_joints = a.lost_in_joints,
          .lost_by_mass = a.lost_by_mass,
          .numerical = a.numerical};
}

double World::first_frequency(std::size_t plant) const {
  return thigmo::first_frequency(content_->simulation.plants.at(plant).model->mechanism);
}

double World::sway_frequency(std::size_t plant) const {
  const Simulation& simulation = content_->simulation;
  const SimulatedPlant& p = simulation.plants.at(plant);
  return main_sway(p.model->mechanism, simulation.gravity_world, &p.state).frequency;
}

double World::frequency_error(std::size_t plant, double dt) const {
  using std::numbers::pi;
  return frequency_ratio(content_->simulation.options, 2 * pi * first_frequency(plant) * dt) - 1;
}

std::uint64_t World::state_hash() const { return thigmo::state_hash(content_->simulation); }

const char* version() { return THIGMO_VERSION; }

}  // namespace thigmo
