#include "api/world.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "api/grown_plant.h"
#include "api/plant_surface.h"
#include "api/surface_options.h"
#include "api/world_content.h"
#include "base/parallel.h"
#include "mechanics/kinematics/energy.h"
#include "mechanics/modes/frequency.h"
#include "mechanics/modes/sway.h"
#include "mesh/build.h"
#include "mesh/mesh_size.h"
#include "plant/sizes.h"
#include "simulation/add_plant.h"
#include "simulation/advance.h"
#include "simulation/edit_places.h"
#include "simulation/solver.h"

namespace thigmo {

World::World() : content_(std::make_unique<Content>()) {
  content_->simulation.gravity_world = {0, -9.81, 0};
  content_->simulation.drag.air_density = 0;
}
World::World(const World& other) : World() {
  // What is being changed cannot be copied: an empty world says so.
  const Outcome<Done> copied = call(*other.content_, [&]() -> Result<Done> {
    content_ = std::make_unique<Content>(*other.content_);
    return Done{};
  });
  if (copied) return;
  for (const Diagnostic& said : copied.diagnostics()) content_->simulation.notes.push_back(said);
}
World& World::operator=(const World& other) {
  if (this != &other) content_ = std::move(World(other).content_);
  return *this;
}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

Diagnostic bad_argument(std::string message, std::string hint) {
  Diagnostic said = error(std::move(message), std::move(hint));
  said.trouble = Trouble::argument;
  return said;
}

Diagnostics as_arguments(Diagnostics refused) {
  for (Diagnostic& said : refused) {
    if (said.trouble == Trouble::input) said.trouble = Trouble::argument;
  }
  return refused;
}

Result<Done> check_finite(const char* what, std::initializer_list<double> values) {
  constexpr double largest = 1e12;  // beyond it no digits are left for what moves
  for (const double value : values) {
    if (!(std::abs(value) <= largest)) {
      return bad_argument(fmt::format("the {} cannot be {}", what, value),
                          fmt::format("give numbers up to {:g}", largest));
    }
  }
  return Done{};
}

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// The plant of a name; null: there is none.
const SimulatedPlant* known_plant(const Simulation& simulation, PlantId id) {
  const std::optional<std::size_t> plant = find_plant(simulation.registry, id);
  return plant ? &simulation.plants[*plant] : nullptr;
}

template <class Content>
Result<PlantId> stand(const GrownPlant& plant_to_stand, const Placing& placing, Content& content) {
  const GrownPlantContent& grown = *GrownPlantAccess::content(plant_to_stand);
  Simulation& simulation = content.simulation;
  if (const Result<Done> done = check_finite("place of a plant", placing.position); !done)
    return done.diagnostics();
  if (const Result<Done> done = check_finite("turn of a plant", {placing.turn}); !done)
    return done.diagnostics();
  const bool particles = grown.method == Method::particles;
  const std::size_t number = thigmo::add_plant(
      grown.plant, {.shift_world = grown.root + vector(placing.position), .turn = placing.turn},
      grown.rests || particles ? StartPose::rest : StartPose::modelled, simulation);
  SimulatedPlant& plant = simulation.plants[number];
  if (particles) {
    Result<Done> done = use_particles(grown.particles, plant);
    if (done && simulation.account_start)
      done = needs_joints(plant, "no account can be kept of energy");
    if (!done) {
      drop_plant(number, simulation);
      return done.diagnostics();
    }
  }
  if (simulation.ground) plant.ground = ground_for(*simulation.ground, plant.model->mechanism);
  const PlantId id = plant_id(simulation, number);
  tell(EventKind::added, id, {}, {}, simulation);
  if (content.log) {
    const std::uint64_t in_log = content.log->number_of(plant_to_stand);
    content.log->add(AddCall{in_log, placing}, gives_of(id));
  }
  return id;
}

}  // namespace

Outcome<PlantId> World::add(const GrammarPlant& plant) {
  return call(*content_, [&]() -> Result<PlantId> {
    const Result<GrownPlant> grown = grow_grammar(plant, content_->simulation.notes);
    if (!grown) return grown.diagnostics();
    return stand(*grown, {.position = plant.position}, *content_);
  });
}

Outcome<PlantId> World::add(const RodPlant& rod) {
  return call(*content_, [&]() -> Result<PlantId> {
    const Result<GrownPlant> grown = grow_rod(rod);
    if (!grown) return grown.diagnostics();
    return stand(*grown, {.position = rod.position}, *content_);
  });
}

Outcome<PlantId> World::add(const GrownPlant& plant, const Placing& placing) {
  return call(*content_, [&]() -> Result<PlantId> {
    if (!plant) return bad_argument("this is no plant", "grow or read one first");
    return stand(plant, placing, *content_);
  });
}

Outcome<std::vector<PlantId>> World::add_instances(PlantId like,
                                                   std::span<const Placing> placings) {
  const auto noted = noting(*content_, [&] {
    return InstancesCall{like, {placings.begin(), placings.end()}};
  });
  return call(noted, [&]() -> Result<std::vector<PlantId>> {
    Simulation& simulation = content_->simulation;
    const Result<std::size_t> first = find_plant(simulation, like);
    if (!first) return first.diagnostics();
    for (const Placing& placing : placings) {
      const Numbers3& p = placing.position;
      const Result<Done> done = check_finite("place of a plant", {p[0], p[1], p[2], placing.turn});
      if (!done) return done.diagnostics();
    }
    std::vector<PlantId> ids;
    simulation.plants.reserve(simulation.plants.size() + placings.size());
    for (const Placing& placing : placings) {
      const std::size_t number = add_instance(
          *first, {.shift_world = vector(placing.position), .turn = placing.turn}, simulation);
      ids.push_back(plant_id(simulation, number));
      tell(EventKind::added, ids.back(), {}, {}, simulation);
    }
    return ids;
  });
}

std::size_t World::plant_count() const {
  return ask(*content_, std::size_t{0}, [&] { return content_->simulation.plants.size(); });
}

std::size_t World::segment_count() const {
  return ask(*content_, std::size_t{0},
             [&] { return as_size(thigmo::segment_count(content_->simulation)); });
}

PlantId World::plant(std::size_t number) const {
  return ask(*content_, PlantId{}, [&] {
    const Simulation& simulation = content_->simulation;
    return number < simulation.plants.size() ? plant_id(simulation, number) : PlantId{};
  });
}

std::vector<PlantId> World::plants() const {
  return ask(*content_, std::vector<PlantId>{}, [&] {
    const Simulation& simulation = content_->simulation;
    std::vector<PlantId> ids;
    for (std::size_t i = 0; i < simulation.plants.size(); ++i) {
      ids.push_back(plant_id(simulation, i));
    }
    return ids;
  });
}

bool World::holds(PlantId plant) const {
  return ask(*content_, false,
             [&] { return find_plant(content_->simulation.registry, plant).has_value(); });
}
bool World::holds(SegmentId segment) const {
  return ask(*content_, false,
             [&] { return find_place(content_->simulation.registry, segment).has_value(); });
}

bool World::step(double dt, int threads) {
  const Outcome<Done> done = step(dt, Jobs{.threads = threads});
  return static_cast<bool>(done);
}

Outcome<Done> World::step(double dt, const Jobs& jobs) {
  return call(*content_, [&]() -> Result<Done> {
    if (!(std::isfinite(dt) && dt > 0)) {
      return bad_argument(fmt::format("a step of {} s cannot be taken", dt), "give a time above 0");
    }
    if (jobs.threads < 0) {
      return bad_argument(fmt::format("a step cannot be taken by {} threads", jobs.threads),
                          "0 takes as many as the machine has");
    }
    // A plant that could not be moved on is tried again: what stopped it may be gone.
    content_->simulation.finite = true;
    const WithJobs with(jobs.run, jobs.user);
    // Nothing is called on the way, so that nothing fails.
    static_cast<void>(advance({.step = dt, .threads = jobs.threads}, content_->simulation));
    if (content_->log) content_->log->add_step(dt, content_->simulation);
    if (content_->simulation.finite) return Done{};
    Diagnostic why = why_stopped(content_->simulation);
    why.trouble = Trouble::motion;
    return why;
  });
}

double World::time() const { return content_->simulation.time; }

std::span<const Event> World::events() const {
  return ask(*content_, std::span<const Event>{},
             [&] { return std::span<const Event>(content_->simulation.events); });
}

bool World::asleep(PlantId plant) const {
  return ask(*content_, false, [&] {
    const SimulatedPlant* known = known_plant(content_->simulation, plant);
    return known != nullptr && known->asleep;
  });
}

std::int64_t World::rejected_steps() const { return content_->simulation.rejected_steps; }
std::int64_t World::braked_joints() const { return content_->simulation.braked_joints; }
std::int64_t World::coarse_steps() const { return content_->simulation.coarse_steps; }
const Diagnostics& World::notes() const { return content_->simulation.notes; }
double World::energy_gain() const { return content_->simulation.energy_gain; }

int World::substeps() const {
  return ask(*content_, 0, [&] {
    int most = 0;
    for (const SimulatedPlant& plant : content_->simulation.plants) {
      most = std::max(most, plant.report.substeps);
    }
    return most;
  });
}

Outcome<PlantSurface> World::surface(PlantId plant, const SurfaceDetail& detail) const {
  return call(*content_, [&]() -> Result<PlantSurface> {
    if (!detail.organs.empty())
      return error(fmt::format("the mesh '{}' is in a file, which a world does not read",
                               detail.organs.front().file),
                   "make the surface with surface_with_organs");
    const Result<MeshOptions> options = surface_options(detail);
    if (!options) return options.diagnostics();
    return WorldAccess::surface(*this, plant, *options);
  });
}

Result<PlantSurface> WorldAccess::surface(const World& world, PlantId plant,
                                          const MeshOptions& options) {
  const Simulation& simulation = world.content_->simulation;
  const Result<std::size_t> number = find_plant(simulation, plant);
  if (!number) return number.diagnostics();
  const SimulatedPlant& simulated = simulation.plants[*number];
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
  World::Content& content = *world.content_;
  content.simulation = std::move(simulation);
  // One that keeps account goes on with it.
  if (content.simulation.account_start) {
    content.book.emplace(content.simulation, EnergyBook::Start::go_on);
  }
  return world;
}

std::vector<ProbeReading> World::probes() const {
  return ask(*content_, std::vector<ProbeReading>{},
             [&] { return read_probes(content_->simulation); });
}

Numbers3 World::air_velocity(PlantId plant, const Numbers3& point) const {
  constexpr Numbers3 none{no_number, no_number, no_number};
  return ask(*content_, none, [&] {
    const SimulatedPlant* known = known_plant(content_->simulation, plant);
    if (known == nullptr) return none;
    return numbers(thigmo::air_velocity(air_around(*known), vector(point)));
  });
}

Energies World::energies() const {
  constexpr Energies none{no_number, no_number, no_number};
  return ask(*content_, none, [&] {
    Energies sum;
    for (const SimulatedPlant& plant : content_->simulation.plants) {
      const Energy energy = energy_of(plant, content_->simulation.gravity_world);
      sum.kinetic += energy.kinetic;
      sum.elastic += energy.elastic;
      sum.gravitational += energy.gravitational;
    }
    return sum;
  });
}

Outcome<Done> World::keep_account() {
  const auto noted = noting(*content_, [] { return AccountCall{}; });
  return call(noted, [&]() -> Result<Done> {
    for (const SimulatedPlant& plant : content_->simulation.plants) {
      const Result<Done> done = needs_joints(plant, "no account can be kept of energy");
      if (!done) return done;
    }
    content_->book.emplace(content_->simulation);
    return Done{};
  });
}

EnergyWorks World::account() const {
  return ask(*content_, EnergyWorks{}, [&] {
    if (!content_->book) return EnergyWorks{};
    EnergyBook book = *content_->book;
    book.add_step(content_->simulation);
    const EnergyAccount& a = book.account();
    return EnergyWorks{.by_air = a.by_air,
                       .by_loads = a.by_loads,
                       .by_ground = a.by_ground,
                       .by_base = a.by_base,
                       .by_edits = a.by_edits,
                       .lost_in_joints = a.lost_in_joints,
                       .lost_by_mass = a.lost_by_mass,
                       .numerical = a.numerical};
  });
}

double World::first_frequency(PlantId plant) const {
  return ask(*content_, no_number, [&] {
    const SimulatedPlant* known = known_plant(content_->simulation, plant);
    return known == nullptr || known->particles ? no_number
                                                : thigmo::first_frequency(known->model->mechanism);
  });
}

double World::sway_frequency(PlantId plant) const {
  return ask(*content_, no_number, [&] {
    const Simulation& simulation = content_->simulation;
    const SimulatedPlant* known = known_plant(simulation, plant);
    if (known == nullptr || known->particles) return no_number;
    return main_sway(known->model->mechanism, simulation.gravity_world, &known->state).frequency;
  });
}

double World::frequency_error(PlantId plant, double dt) const {
  using std::numbers::pi;
  if (!holds(plant) || !(std::isfinite(dt) && dt > 0)) return no_number;
  return frequency_ratio(content_->simulation.options, 2 * pi * first_frequency(plant) * dt) - 1;
}

std::uint64_t World::state_hash() const {
  return ask(*content_, std::uint64_t{0}, [&] { return thigmo::state_hash(content_->simulation); });
}

const char* version() { return THIGMO_VERSION; }

}  // namespace thigmo
