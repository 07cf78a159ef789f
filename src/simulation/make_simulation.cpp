#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <map>

#include "base/budget.h"
#include "grammar/program.h"
#include "plant/subdivide.h"
#include "simulation/simulation_parts.h"

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

// A tree as its file has it, in its material and at its place.
Result<Plant> plant_from_tree(const TreeSource& source, const ReadTree& read_tree,
                              Diagnostics& notes) {
  if (!read_tree)
    return error(fmt::format("'{}': trees cannot be read from files here", source.file));
  Result<Plant> plant = read_tree(source, notes);
  if (!plant) return plant;
  if (const Result<Done> done = set_woods(source, *plant); !done) return done.diagnostics();
  if (source.base_world) {
    const Vec3 shift = *source.base_world - plant->segments.front().base_in_parent;
    for (Segment& segment : plant->segments) {
      if (segment.parent == no_index) segment.base_in_parent += shift;
    }
  }
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

// A plant at rest, without a workspace.
SimulatedPlant& add_at_rest(std::shared_ptr<PlantModel> model, const Placement& placement,
                            Simulation& simulation) {
  SimulatedPlant& plant = simulation.plants.emplace_back(std::move(model));
  plant.name = plant.plant.name;
  plant.placement = placement;
  plant.state = rest_state(plant.mechanism);
  plant.state.base.displacement_world = placement.shift_world;
  plant.state.base.world_from_base = rotation_of(placement);
  plant.wind_model = simulation.wind;
  plant.wind = make_wind_sampler(simulation.wind,
                                 bounding_box(plant.plant, rest_pose(plant.plant, placement)));
  return plant;
}

std::shared_ptr<PlantModel> make_model(Plant plant, const Simulation& simulation) {
  auto model = std::make_shared<PlantModel>();
  model->plant = std::move(plant);
  model->mechanism = compile_mechanism(model->plant, simulation.drag, simulation.gravity_world);
  return model;
}

// Whether the plants that are like number `first` can share its model: one rest shape stands in all
// of them unless they are turned under a gravity that is not along the axis they are turned about.
bool can_share(const Scenario& scenario, std::size_t first, const Plant& plant) {
  if (scenario.gravity.x == 0 && scenario.gravity.z == 0) return true;
  if (start_of(scenario.plants[first], plant) != StartPose::modelled) return true;
  return std::none_of(scenario.plants.begin(), scenario.plants.end(),
                      [&](const PlantSource& p) { return p.place && p.place->turn != 0; });
}

// Once the rest rotations are known, which they hold.
void make_workspaces(Simulation& simulation) {
  for (SimulatedPlant& plant : simulation.plants) {
    std::shared_ptr<const StepModel>& shared = plant.model->step_model;
    if (!shared) shared = make_step_model(plant.mechanism);
    plant.workspace = make_workspace(plant.mechanism, shared);
  }
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
  for (const PullSource& pull : scenario.pulls) {
    if (const Result<Done> done = add(pull.path.file); !done) return done.diagnostics();
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

// The plants of a scenario, at rest.
Result<Done> add_plants(const Scenario& scenario, const ReadFile& read_file,
                        const ReadTree& read_tree, Alike alike, Simulation& simulation) {
  std::map<std::size_t, Plant> patterns;  // by the first of equal plants with models of their own
  Budget budget{.bytes = 16e9};           // of a scenario with all its files
  for (std::size_t i = 0; i < scenario.plants.size(); ++i) {
    const PlantSource& source = scenario.plants[i];
    if (!source.like) {
      Result<Plant> plant = make_plant(source, read_file, read_tree, simulation.notes);
      if (!plant) return plant.diagnostics();
      const bool shared = alike == Alike::shared && can_share(scenario, i, *plant);
      if (const Result<Done> done = ask_for_plants(scenario, i, *plant, shared, budget); !done)
        return done.diagnostics();
      plant->damping = source.damping;
      if (source.root_spring) plant->root_stiffness = *source.root_spring;
      if (!source.place || shared) {
        add_at_rest(make_model(std::move(*plant), simulation), source.place.value_or(Placement{}),
                    simulation);
        continue;
      }
      patterns[i] = std::move(*plant);
    }
    const auto pattern = patterns.find(source.like.value_or(i));
    if (pattern == patterns.end()) {
      add_at_rest(simulation.plants[*source.like].model, *source.place, simulation).name =
          source.name;
    } else {
      Plant plant = placed(pattern->second, *source.place);
      plant.name = source.name;
      add_at_rest(make_model(std::move(plant), simulation), {}, simulation);
    }
  }
  return Done{};
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
  for (Segment& segment : plant.segments) {
    if (segment.parent == no_index) segment.base_in_parent += source.base_world;
  }
  return std::move(plant);
}

std::size_t add_plant(Plant plant, Simulation& simulation) {
  SimulatedPlant& added = add_at_rest(make_model(std::move(plant), simulation), {}, simulation);
  added.workspace = make_workspace(added.mechanism);
  return simulation.plants.size() - 1;
}

Result<Simulation> make_simulation(const Scenario& scenario, const ReadFile& read_file,
                                   const ReadTree& read_tree, Alike alike) {
  Simulation simulation{.gravity_world = scenario.gravity,
                        .options = scenario.options,
                        .drag = scenario.drag,
                        .wind = make_wind(scenario.wind),
                        .notes = scenario.notes,
                        .step = scenario.step};
  if (const Result<Done> done = add_plants(scenario, read_file, read_tree, alike, simulation);
      !done)
    return done.diagnostics();
  if (const Result<Done> done = add_forces(scenario, simulation); !done) return done.diagnostics();
  if (const Result<Done> done = add_probes(scenario, simulation); !done) return done.diagnostics();
  for (std::size_t i = 0; i < scenario.plants.size(); ++i) {
    if (const Result<Done> done = set_start(scenario.plants[i], i, simulation); !done)
      return done.diagnostics();
  }
  make_workspaces(simulation);
  if (const Result<Done> done = add_roots(scenario, read_file, simulation); !done)
    return done.diagnostics();
  if (const Result<Done> done = add_hands(scenario, read_file, simulation); !done)
    return done.diagnostics();
  const Result<std::uint64_t> said = hash_of_motion(scenario, read_file);
  if (!said) return said.diagnostics();
  simulation.scenario_hash = *said;
  return_free_memory();
  return simulation;
}

}  // namespace thigmo
