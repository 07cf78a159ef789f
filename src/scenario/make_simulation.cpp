#include "scenario/make_simulation.h"

#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>

#include "base/budget.h"
#include "plant/subdivide.h"
#include "scenario/simulation_keys.h"
#include "scenario/simulation_places.h"
#include "scenario/simulation_start.h"
#include "scenario/simulation_timeline.h"
#include "simulation/model_hash.h"
#include "simulation/solver.h"

namespace thigmo {
namespace {

bool is_made_of(const WoodSource& wood, const Segment& s) {
  const double radius = 0.5 * (s.radius_base + s.radius_tip);
  return (!wood.axis || s.axis == *wood.axis) && s.order >= wood.first_order &&
         s.order <= wood.last_order && radius >= wood.radius_above && radius < wood.radius_below;
}

// The woods of a tree: each segment is of one, or of the tree's own.
Result<Done> set_woods(const TreeSource& source, Plant& plant) {
  plant.materials = {source.material};
  for (Segment& s : plant.segments) {
    s.material = 0;
    s.hollow = source.hollow;
  }
  for (const WoodSource& wood : source.woods) {
    const auto number = static_cast<Index>(plant.materials.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < plant.segments.size(); ++i) {
      Segment& s = plant.segments[i];
      if (!is_made_of(wood, s)) continue;
      if (s.material != 0) {
        const WoodSource& other = source.woods[static_cast<std::size_t>(s.material) - 1];
        Diagnostic twice = wood.place;
        twice.message =
            fmt::format("segment {} of '{}' would be made of two woods", i, source.file);
        twice.hint = fmt::format(
            "the other one is in line {}; make their conditions exclude each "
            "other",
            other.place.line);
        return twice;
      }
      s.material = number;
      s.hollow = wood.hollow.value_or(source.hollow);
      ++count;
    }
    if (count == 0) {
      Diagnostic none = wood.place;
      none.message = fmt::format("no segment of '{}' is made of this wood", source.file);
      none.hint = "thigmo convert writes a .csv with each segment's axis, order and radius";
      return none;
    }
    plant.materials.push_back(wood.material);
  }
  return Done{};
}

// A tree as its file has it, in its material.
Result<Plant> plant_from_tree(const TreeSource& source, const ReadTree& read_tree,
                              Diagnostics& notes) {
  if (!read_tree)
    return error(fmt::format("'{}': trees cannot be read from files here", source.file));
  Result<Plant> plant = read_tree(source, notes);
  if (!plant) return plant;
  if (const Result<Done> done = set_woods(source, *plant); !done) return done.diagnostics();
  return subdivided(*plant, source.pieces);
}

Result<Plant> make_plant(const PlantSource& source, const ReadFile& read_file,
                         const ReadTree& read_tree, Diagnostics& notes) {
  const auto* rod = std::get_if<RodDescription>(&source.source);
  const auto* tree = std::get_if<TreeSource>(&source.source);
  Result<Plant> plant =
      rod != nullptr    ? make_rod(*rod)
      : tree != nullptr ? plant_from_tree(*tree, read_tree, notes)
                        : grow_from_file(std::get<GrammarSource>(source.source), read_file, notes);
  if (plant) plant->name = source.name;
  return plant;
}

// Growing and compiling leaves holes as large as the plant, which the C library would keep.
void return_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// Fingerprint of what the scenario says of the motion, with the paths that it names.
Result<std::uint64_t> hash_of_motion(const Scenario& scenario, const ReadFile& read_file) {
  Hasher hasher;
  hasher.add(scenario.fingerprint);
  const auto add = [&](const std::string& file) -> Result<Done> {
    if (file.empty()) return Done{};
    const Result<std::string> text = read_file(file);
    if (!text) return text.diagnostics();
    hasher.add(std::string_view(*text));
    return Done{};
  };
  for (const MotionSource& motion : scenario.motions) {
    if (const Result<Done> done = add(motion.path.file); !done) return done.diagnostics();
  }
  for (const GrabSource& grab : scenario.grabs) {
    if (const Result<Done> done = add(grab.path.file); !done) return done.diagnostics();
  }
  return hasher.value();
}

// Asks for the memory of a plant and of all those like it, which is taken when they are made.
Result<Done> ask_for_plants(const Scenario& scenario, std::size_t first, const Plant& plant,
                            bool shared, Budget& budget) {
  // Measured by bench: a plant alone, and a further one that shares its model.
  constexpr double bytes_alone = 1100, bytes_shared = 400;
  const auto alike =
      static_cast<double>(std::count_if(scenario.plants.begin(), scenario.plants.end(),
                                        [first](const PlantSource& p) { return p.like == first; }));
  const auto segments = static_cast<double>(plant.segments.size());
  Result<Done> done = spend(budget, segments, bytes_alone, "segments");
  if (done)
    done = spend(budget, alike * segments, shared ? bytes_shared : bytes_alone,
                 "segments of equal plants");
  if (done) return done;
  Diagnostic too_many = done.diagnostics().front();
  too_many.message = fmt::format("plant '{}': {}", plant.name, too_many.message);
  too_many.hint = "give fewer plants, or plants of fewer segments";
  return too_many;
}

// Whether gravity is the same to all plants: none is turned, or it is along the axis of their turns.
bool gravity_is_shared(const Scenario& scenario) {
  if (scenario.gravity.x == 0 && scenario.gravity.z == 0) return true;
  return std::none_of(scenario.plants.begin(), scenario.plants.end(),
                      [](const PlantSource& p) { return p.place && p.place->turn != 0; });
}

// The plants of a scenario, where they stand.
class PlantsOfScenario {
 public:
  PlantsOfScenario(const Scenario& scenario, Simulation& simulation)
      : scenario_(scenario), simulation_(simulation), roots_(scenario.plants.size()) {}

  Result<Done> add_all(const ReadFile& read_file, const ReadTree& read_tree) {
    for (std::size_t i = 0; i < scenario_.plants.size(); ++i) {
      const PlantSource& source = scenario_.plants[i];
      Result<std::shared_ptr<const PlantModel>> model =
          source.like ? model_like(source) : first_model(i, read_file, read_tree);
      if (!model) return model.diagnostics();
      const Placement place = source.place.value_or(Placement{});
      const bool from_file = std::holds_alternative<TreeSource>(source.source);
      const Vec3 root = from_file && source.place ? Vec3{} : roots_[source.like.value_or(i)];
      add_standing(std::move(*model),
                   {.origin_world = root + place.shift_world, .world_from_plant = turn_of(source)},
                   simulation_)
          .name = source.name;
      if (const Result<Done> done = set_method(source, simulation_.plants.back()); !done)
        return done;
    }
    simulation_.notes.insert(simulation_.notes.end(), standing_notes_.begin(),
                             standing_notes_.end());
    return Done{};
  }

 private:
  static Result<Done> set_method(const PlantSource& source, SimulatedPlant& plant) {
    if (source.method == Method::articulated) return Done{};
    if (const Result<Done> done = use_particles(source.particles, plant); !done) return done;
    return source.root.free || source.root.release ? check_free(plant) : Done{};
  }
  static Quat turn_of(const PlantSource& source) {
    return rotation_of(source.place.value_or(Placement{}));
  }
  Vec3 gravity_in(const PlantSource& source) const {
    return rotate(conjugate(turn_of(source)), scenario_.gravity);
  }

  Result<std::shared_ptr<const PlantModel>> first_model(std::size_t number,
                                                        const ReadFile& read_file,
                                                        const ReadTree& read_tree) {
    const PlantSource& source = scenario_.plants[number];
    Result<Plant> plant = make_plant(source, read_file, read_tree, simulation_.notes);
    if (!plant) return plant.diagnostics();
    const Result<Done> room =
        ask_for_plants(scenario_, number, *plant, gravity_is_shared(scenario_), budget_);
    if (!room) return room.diagnostics();
    plant->damping = source.damping;
    if (source.root_spring) plant->root_stiffness = *source.root_spring;
    roots_[number] = move_origin_to_root(*plant);
    return model_of(std::move(*plant), source);
  }

  Result<std::shared_ptr<const PlantModel>> model_like(const PlantSource& source) {
    const std::shared_ptr<const PlantModel>& first = simulation_.plants[*source.like].model;
    if (first->gravity_plant == gravity_in(source)) return first;
    return model_of(first->plant, source);
  }

  Result<std::shared_ptr<const PlantModel>> model_of(Plant plant, const PlantSource& source) {
    const StartPose start = start_of(source, plant);
    MadeModel made = make_model(std::move(plant), {.start = start,
                                                   .drag = simulation_.drag,
                                                   .gravity_plant = gravity_in(source),
                                                   .pot_mass = source.root.pot_mass,
                                                   .pot_radius = source.root.pot_radius});
    const Result<Done> done = judge_standing(source, made.standing, standing_notes_);
    if (!done) return done.diagnostics();
    return std::move(made.model);
  }

  const Scenario& scenario_;
  Simulation& simulation_;
  std::vector<Vec3> roots_;       // where those that are like no other have their root
  Diagnostics standing_notes_;    // after what is said of their growth
  Budget budget_{.bytes = 16e9};  // of a scenario with all its files
};

}  // namespace

Result<Simulation> make_simulation(const Scenario& scenario, const ReadFile& read_file,
                                   const ReadTree& read_tree) {
  Simulation simulation{.gravity_world = scenario.gravity,
                        .options = scenario.options,
                        .drag = scenario.drag,
                        .wind = make_wind(scenario.wind),
                        .notes = scenario.notes,
                        .step = scenario.step};
  PlantsOfScenario plants(scenario, simulation);
  if (const Result<Done> done = plants.add_all(read_file, read_tree); !done)
    return done.diagnostics();
  if (const Result<Done> done = add_forces(scenario, simulation); !done) return done.diagnostics();
  if (const Result<Done> done = add_probes(scenario, simulation); !done) return done.diagnostics();
  for (std::size_t i = 0; i < scenario.plants.size(); ++i) {
    if (const Result<Done> done = settle(scenario.plants[i], i, simulation); !done)
      return done.diagnostics();
  }
  if (const Result<Done> done = add_roots(scenario, read_file, simulation); !done)
    return done.diagnostics();
  if (const Result<Done> done = add_grabs(scenario, read_file, simulation); !done)
    return done.diagnostics();
  add_keyed_values(scenario, simulation);
  if (const Result<Done> done = add_timeline(scenario, simulation); !done)
    return done.diagnostics();
  const Result<std::uint64_t> said = hash_of_motion(scenario, read_file);
  if (!said) return said.diagnostics();
  simulation.scenario_hash = model_hash(simulation, *said);
  return_free_memory();
  return simulation;
}

}  // namespace thigmo
