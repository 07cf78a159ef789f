#include "simulation/simulation.h"

#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "base/assert.h"
#include "base/parallel.h"
#include "grammar/program.h"
#include "mechanics/equilibrium.h"
#include "mechanics/inverse_statics.h"
#include "mechanics/section_forces.h"
#include "plant/subdivide.h"

namespace thigmo {
namespace {

// A tree as its file has it, in its material and at its place.
Result<Plant> plant_from_tree(const TreeSource& source, const ReadTree& read_tree,
                              std::vector<std::string>& notes) {
  if (!read_tree)
    return error(fmt::format("'{}': trees cannot be read from files here", source.file));
  Result<Plant> plant = read_tree(source, notes);
  if (!plant) return plant;
  plant->materials.assign(plant->materials.size(), source.material);
  if (source.base_world) {
    const Vec3 shift = *source.base_world - plant->segments.front().base_in_parent;
    for (Segment& segment : plant->segments) {
      if (segment.parent == no_index) segment.base_in_parent += shift;
    }
  }
  return subdivided(*plant, source.pieces);
}

Result<Plant> make_plant(const PlantSource& source, const ReadFile& read_file,
                         const ReadTree& read_tree, std::vector<std::string>& notes) {
  const auto* rod = std::get_if<RodDescription>(&source.source);
  const auto* tree = std::get_if<TreeSource>(&source.source);
  Result<Plant> plant = rod != nullptr ? make_rod(*rod)
                        : tree != nullptr
                            ? plant_from_tree(*tree, read_tree, notes)
                            : grow_from_file(std::get<GrammarSource>(source.source), read_file);
  if (plant) plant->name = source.name;
  return plant;
}

// A place of the scenario as a body and a point in its frame.
struct FoundPlace {
  Index body;
  Vec3 point_in_body;
};
Result<FoundPlace> find_place(const Plant& plant, const PointOnPlant& place,
                              std::string_view what) {
  AxisPoint point;
  switch (place.kind) {
    case PointOnPlant::Kind::tip:
      point = {.segment = main_axis(plant).back(), .fraction = 1.0};
      break;
    case PointOnPlant::Kind::fraction:
      point = point_on_main_axis(plant, place.fraction);
      break;
    case PointOnPlant::Kind::segment: {
      const bool cut = !plant.whole_ends.empty();
      const Index count = cut ? static_cast<Index>(plant.whole_ends.size()) : segment_count(plant);
      if (place.segment >= count) {
        return error(fmt::format("{} is at segment {}, but the plant '{}' has segments 0 to {}",
                                 what, place.segment, plant.name, count - 1));
      }
      point = {.segment =
                   cut ? plant.whole_ends[static_cast<std::size_t>(place.segment)] : place.segment,
               .fraction = 1.0};
      break;
    }
  }
  const double length = plant.segments[static_cast<std::size_t>(point.segment)].length;
  return FoundPlace{.body = point.segment, .point_in_body = {0, length * point.fraction, 0}};
}

std::size_t plant_number(const Simulation& simulation, std::string_view name) {
  for (std::size_t i = 0; i < simulation.plants.size(); ++i) {
    if (simulation.plants[i].name == name) return i;
  }
  THIGMO_ASSERT(false && "the scenario's names are checked when it is read");
  return 0;
}

// Rods are curves, and their segments chords.
Vec3 natural_curvature(const PlantSource& source) {
  const auto* rod = std::get_if<RodDescription>(&source.source);
  return rod ? rod->curvature : Vec3{};
}

// A part of a load that is carried by one segment.
struct Share {
  Index body;
  Vec3 point_in_body;
  double part;
  double from_middle;  // of that segment, along the beam [m]
};

// The section at a distance x from its segment's middle is turned by the part x/h of the way to the
// middle of the segment beside it: a load that turns along acts on both in these parts.
std::vector<Share> shares_of(const Plant& plant, const FoundPlace& place) {
  const auto segment = [&](Index i) -> const Segment& {
    return plant.segments[static_cast<std::size_t>(i)];
  };
  const double whole = segment(place.body).length, x = place.point_in_body.y - 0.5 * whole;
  const std::vector<Index> next = beam_continuations(plant);
  const Index parent = segment(place.body).parent;
  const bool goes_on = parent != no_index && next[static_cast<std::size_t>(parent)] == place.body;
  const Index beside = x > 0     ? next[static_cast<std::size_t>(place.body)]
                       : goes_on ? parent
                                 : no_index;
  if (beside == no_index || x == 0) return {{place.body, place.point_in_body, 1, x}};
  const double between = 0.5 * (whole + segment(beside).length);  // from middle to middle
  const double there = std::abs(x) / between;
  const double other_x = x > 0 ? x - between : x + between;
  return {{place.body, place.point_in_body, 1 - there, x},
          {beside, {0, 0.5 * segment(beside).length + other_x, 0}, there, other_x}};
}

Result<Done> add_forces(const Scenario& scenario, Simulation& simulation) {
  for (const ForceSource& source : scenario.forces) {
    const std::size_t number = plant_number(simulation, source.plant);
    SimulatedPlant& plant = simulation.plants[number];
    const Result<FoundPlace> place = find_place(plant.plant, source.at, "a force");
    if (!place) return place.diagnostics();
    const std::vector<Share> shares =
        source.follower ? shares_of(plant.plant, *place)
                        : std::vector<Share>{{place->body, place->point_in_body, 1, 0}};
    for (const Share& share : shares) {
      const Quat turn =
          exp_rotation(natural_curvature(scenario.plants[number]) * share.from_middle);
      const double whole = plant.plant.segments[static_cast<std::size_t>(share.body)].length;
      simulation.forces.push_back(
          {.plant = number,
           .load = {.body = share.body,
                    .point_in_body = share.point_in_body,
                    .force = rotate(turn, source.force) * share.part,
                    .moment = rotate(turn, source.moment) * share.part,
                    .follower = source.follower},
           .end_flexibility =
               end_flexibility(plant.plant, share.body, share.point_in_body.y / whole),
           .start = source.start,
           .end = source.end.value_or(std::numeric_limits<double>::infinity()),
           .omega = 2 * std::numbers::pi * source.frequency,
           .phase = source.phase_degrees * std::numbers::pi / 180});
      plant.loads.reserve(plant.loads.capacity() + 1);
    }
  }
  return Done{};
}

// Feet that are moved or let go, and the ground under them.
Result<Done> add_roots(const Scenario& scenario, const ReadFile& read_file,
                       Simulation& simulation) {
  for (std::size_t i = 0; i < scenario.plants.size(); ++i) {
    const RootSource& root = scenario.plants[i].root;
    SimulatedPlant& plant = simulation.plants[i];
    plant.mechanism.free_base = root.free;
    plant.mechanism.base_mass = root.pot_mass;
    plant.mechanism.base_radius = root.pot_radius;
    plant.mechanism.mass_damping = scenario.plants[i].mass_damping;
    plant.release = root.release;
    plant.state.base.velocity_world = root.velocity_world;
    plant.state.base.omega_base =
        rotate(conjugate(plant.state.base.world_from_base), root.spin_world);
    if (!scenario.ground) continue;
    double mass = root.pot_mass;
    for (const Body& body : plant.mechanism.body) mass += body.mass;
    // One millimetre under the whole weight, a quarter of critical damping for the whole mass.
    const double stiffness = scenario.ground->stiffness.value_or(mass * 9.81 / 1e-3);
    plant.ground =
        Ground{.height = scenario.ground->height,
               .stiffness = stiffness,
               .damping = scenario.ground->damping.value_or(0.5 * std::sqrt(stiffness * mass)),
               .friction = scenario.ground->friction};
  }
  for (const MotionSource& source : scenario.motions) {
    SimulatedPlant& plant = simulation.plants[plant_number(simulation, source.plant)];
    Result<BasePath> path = make_path(source.path, scenario.duration, read_file);
    if (!path) return path.diagnostics();
    plant.path = std::move(*path);
    plant.path->shift_world = plant.placement.shift_world;
    plant.path->turn = rotation_of(plant.placement);
    plant.state.base = base_at(*plant.path, simulation.time);
  }
  return Done{};
}

Result<Done> add_hands(const Scenario& scenario, const ReadFile& read_file,
                       Simulation& simulation) {
  for (const PullSource& source : scenario.pulls) {
    const std::size_t number = plant_number(simulation, source.plant);
    SimulatedPlant& plant = simulation.plants[number];
    const Result<FoundPlace> place = find_place(plant.plant, source.at, "a pull");
    if (!place) return place.diagnostics();
    Result<BasePath> path = make_path(source.path, scenario.duration, read_file);
    if (!path) return path.diagnostics();
    simulation.hands.push_back(
        {.plant = number,
         .load = {.body = place->body,
                  .point_in_body = place->point_in_body,
                  .stiffness = source.stiffness,
                  .damping = source.damping},
         .origin_world =
             point_motion(plant.mechanism, plant.state, place->body, place->point_in_body)
                 .position_world,
         .path = std::move(*path),
         .release = source.release.value_or(std::numeric_limits<double>::infinity())});
    plant.pulls.reserve(plant.pulls.capacity() + 1);
  }
  return Done{};
}

Result<Done> add_probes(const Scenario& scenario, Simulation& simulation) {
  for (const ProbeSource& source : scenario.probes) {
    const std::size_t number = plant_number(simulation, source.plant);
    const Result<FoundPlace> place = find_place(simulation.plants[number].plant, source.at,
                                                fmt::format("the probe '{}'", source.name));
    if (!place) return place.diagnostics();
    simulation.probes.push_back({.name = source.name,
                                 .plant = number,
                                 .body = place->body,
                                 .point_in_body = place->point_in_body,
                                 .curvature = natural_curvature(scenario.plants[number])});
  }
  return Done{};
}

// The forces on a plant during a step, each as it is at a point in time of it and weakened by the part of
// the step that it does not act.
void collect_loads(const Simulation& simulation, std::size_t number, double dt, double at,
                   std::vector<PointLoad>& loads) {
  loads.clear();
  const double begin = simulation.time, end = simulation.time + dt;
  for (const AppliedForce& force : simulation.forces) {
    const double acts = std::min(end, force.end) - std::max(begin, force.start);
    if (force.plant != number || !(acts > 0)) continue;
    loads.push_back(force.load);
    double strength = force.start <= begin && end <= force.end ? 1 : acts / dt;
    if (force.omega > 0) strength *= std::sin(force.omega * (at - force.start) + force.phase);
    loads.back().force *= strength;
    loads.back().moment *= strength;
    loads.back() = seen_from_middle(loads.back(), force.end_flexibility);
  }
}

// The hands on a plant at a point in time: they hold on from the first key of their path on.
void collect_pulls(const Simulation& simulation, std::size_t number, double at,
                   std::vector<PullLoad>& pulls) {
  pulls.clear();
  for (const Hand& hand : simulation.hands) {
    if (hand.plant != number || at < hand.path.time.front() || at >= hand.release) continue;
    const BaseState moved = base_at(hand.path, at);
    pulls.push_back(hand.load);
    pulls.back().hand_world = hand.origin_world + moved.displacement_world;
    pulls.back().hand_velocity_world = moved.velocity_world;
  }
}

// Whether something around a plant changes in a step: wind, forces, hands, its foot.
bool surroundings_change(const Simulation& simulation, std::size_t number, double dt) {
  const SimulatedPlant& plant = simulation.plants[number];
  const double begin = simulation.time, end = begin + dt;
  const auto within = [&](double moment) { return moment >= begin && moment < end; };
  const auto moves = [&](const BasePath& path) {
    return end > path.time.front() && begin < path.time.back() + dt;
  };
  if (simulation.drag.air_density > 0 && !plant.wind_model.waves.empty()) return true;
  if (plant.path && moves(*plant.path)) return true;
  if (plant.release && within(*plant.release)) return true;
  for (const AppliedForce& force : simulation.forces) {
    if (force.plant != number) continue;
    if (within(force.start) || within(force.end)) return true;
    if (force.omega > 0 && force.start < end && begin < force.end) return true;
  }
  for (const Hand& hand : simulation.hands) {
    if (hand.plant == number && (moves(hand.path) || within(hand.release))) return true;
  }
  return false;
}

// A plant in which nothing has moved faster than this for a while is at rest.
constexpr double still_speed = 6e-8;   // [rad/s] and [m/s]
constexpr double time_to_sleep = 0.5;  // [s]

void watch_sleep(double dt, SimulatedPlant& plant) {
  const BaseState& base = plant.state.base;
  const bool still = plant.report.finite && plant.report.worst_turn < still_speed * dt &&
                     length(base.velocity_world) < still_speed &&
                     length(base.omega_base) < still_speed;
  plant.quiet_time = still ? plant.quiet_time + dt : 0;
  plant.asleep = plant.quiet_time >= time_to_sleep;
}

// One plant through one step; loads are those of the point in time where the scheme takes forces.
void step_plant(Simulation& simulation, std::size_t number, double dt, int threads) {
  SimulatedPlant& plant = simulation.plants[number];
  const bool changes = surroundings_change(simulation, number, dt);
  if (plant.asleep && !changes) {
    plant.state.time += dt;
    plant.report = {};
    return;
  }
  const double at = simulation.time + force_time(simulation.options) * dt;
  sample_wind(plant.wind_model, at, plant.wind);
  collect_loads(simulation, number, dt, at, plant.loads);
  collect_pulls(simulation, number, at, plant.pulls);
  plant.report = step(plant.mechanism, loads_of(simulation, plant), simulation.options, dt,
                      plant.state, plant.workspace, threads);
  if (changes) plant.quiet_time = 0;
  watch_sleep(dt, plant);
}

// Feet that are let go within a step. Plants share mechanisms, so that this is no work for threads.
void release_feet(double dt, Simulation& simulation) {
  for (SimulatedPlant& plant : simulation.plants) {
    if (!plant.release || !(*plant.release < simulation.time + dt)) continue;
    plant.mechanism.free_base = true;
    plant.path.reset();
  }
}

// The diagnosis when no rest shape lets a plant stand as modelled.
Diagnostic too_weak(const SimulatedPlant& plant, const InverseReport& report) {
  return error(
      fmt::format("the plant '{}' is too weak to stand as modelled: its weight would bend segment "
                  "{} by {:.0f} degrees or more",
                  plant.plant.name, report.at,
                  report.largest_joint_angle * 180.0 / std::numbers::pi),
      "give it a stiffer material or thicker stems, or start = \"rest\"");
}

// What is said of a plant that starts at rest because it cannot stand as modelled.
std::string too_weak_note(const SimulatedPlant& plant) {
  return fmt::format(
      "warning: the plant '{}' is too weak to stand as modelled: it starts without its weight and "
      "sags. Give it a stiffer material (young, species) or thicker stems",
      plant.plant.name);
}

// What is said of a plant that stands as modelled like a pencil on its point.
std::string falling_note(const SimulatedPlant& plant, const InverseReport& report) {
  return fmt::format(
      "warning: the plant '{}' is in balance as modelled but falls at a touch, in {} {}. Give it a "
      "stiffer material (young, species), thicker stems or less to carry, or start = "
      "\"equilibrium\"",
      plant.plant.name, report.falling, report.falling == 1 ? "direction" : "directions");
}

// The diagnosis when a plant finds no equilibrium to start in.
Diagnostic no_equilibrium(const SimulatedPlant& plant, const EquilibriumReport& report) {
  return error(fmt::format("no equilibrium was found for the plant '{}': Newton's method came as "
                           "far as {:.4g} of its loads",
                           plant.plant.name, report.load_fraction),
               "weaken the loads, or start = \"rest\"");
}

StartPose start_of(const PlantSource& source) {
  const bool rod = std::holds_alternative<RodDescription>(source.source);
  // What nothing holds does not stand.
  const bool stands = !rod && !source.root.free;
  return source.start.value_or(stands ? StartPose::modelled : StartPose::rest);
}

// Loads as the model sees them that stands where no placement has turned it.
void turn_back(const Placement& placement, Vec3& gravity_world, std::vector<PointLoad>& loads) {
  if (placement.turn == 0) return;
  const Quat back = conjugate(rotation_of(placement));
  gravity_world = rotate(back, gravity_world);
  for (PointLoad& load : loads) {
    if (load.follower) continue;
    load.force = rotate(back, load.force);
    load.moment = rotate(back, load.moment);
  }
}

// Puts a plant into its start pose.
Result<Done> set_start(const PlantSource& source, std::size_t number, Simulation& simulation) {
  SimulatedPlant& plant = simulation.plants[number];
  const StartPose start = start_of(source);
  if (source.like && simulation.plants[*source.like].model == plant.model &&
      start != StartPose::equilibrium) {
    plant.state.rest_from_body = simulation.plants[*source.like].state.rest_from_body;
    return Done{};
  }
  switch (start) {
    case StartPose::rest:
      turn_to_start_angles(plant);
      break;
    case StartPose::modelled: {
      const InverseReport report = make_pose_equilibrium(
          {.gravity_world = simulation.gravity_world}, plant.mechanism, plant.state);
      if (!report.found && source.start) return too_weak(plant, report);
      if (!report.found) simulation.notes.push_back(too_weak_note(plant));
      if (report.falling > 0) simulation.notes.push_back(falling_note(plant, report));
      turn_to_start_angles(plant);
      break;
    }
    case StartPose::equilibrium: {
      const std::vector<PointLoad> standing = standing_loads(simulation, number);
      plant.loads.assign(standing.begin(), standing.end());
      Vec3 gravity = simulation.gravity_world;
      turn_back(plant.placement, gravity, plant.loads);
      const Loads loads{.gravity_world = gravity, .points = plant.loads};
      const EquilibriumReport report = find_equilibrium(plant.mechanism, loads, {}, plant.state);
      if (!report.converged) return no_equilibrium(plant, report);
      break;
    }
  }
  return Done{};
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

std::shared_ptr<PlantModel> make_model(Plant plant, const DragModel& drag) {
  auto model = std::make_shared<PlantModel>();
  model->plant = std::move(plant);
  model->mechanism = compile_mechanism(model->plant, drag);
  return model;
}

// Whether the plants that are like number `first` can share its model: one rest shape stands in all
// of them unless they are turned under a gravity that is not along the axis they are turned about.
bool can_share(const Scenario& scenario, std::size_t first) {
  if (scenario.gravity.x == 0 && scenario.gravity.z == 0) return true;
  if (start_of(scenario.plants[first]) != StartPose::modelled) return true;
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

// The plants of a scenario, at rest.
Result<Done> add_plants(const Scenario& scenario, const ReadFile& read_file,
                        const ReadTree& read_tree, Alike alike, Simulation& simulation) {
  std::map<std::size_t, Plant> patterns;  // by the first of equal plants with models of their own
  for (std::size_t i = 0; i < scenario.plants.size(); ++i) {
    const PlantSource& source = scenario.plants[i];
    if (!source.like) {
      Result<Plant> plant = make_plant(source, read_file, read_tree, simulation.notes);
      if (!plant) return plant.diagnostics();
      if (source.root_spring) plant->root_stiffness = *source.root_spring;
      if (!source.place || (alike == Alike::shared && can_share(scenario, i))) {
        add_at_rest(make_model(std::move(*plant), simulation.drag),
                    source.place.value_or(Placement{}), simulation);
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
      add_at_rest(make_model(std::move(plant), simulation.drag), {}, simulation);
    }
  }
  return Done{};
}

}  // namespace

void turn_to_start_angles(SimulatedPlant& plant) {
  for (std::size_t i = 0; i < plant.plant.segments.size(); ++i) {
    const Index given = plant.plant.segments[i].given;
    if (given == no_index) continue;
    const Vec3 angles = plant.plant.given_bodies[static_cast<std::size_t>(given)].start_angles;
    const Quat turned = plant.state.rest_from_body[i] * exp_rotation(angles);
    plant.state.rest_from_body.set(i, normalized(turned));
  }
}

Result<Plant> grow_from_file(const GrammarSource& source, const ReadFile& read_file) {
  const Result<std::string> text = read_file(source.file);
  if (!text) return text.diagnostics();
  const Result<Grammar> grammar = parse_grammar(source.file, *text, read_file);
  if (!grammar) return grammar.diagnostics();
  std::optional<Material> material = source.material;
  if (!material && grammar->program->materials.empty()) {
    material = material_from(*find_species("oak"));
  }
  Result<Plant> plant = grow_plant(*grammar, {.steps = source.steps,
                                              .seed = source.seed,
                                              .angle_degrees = source.angle_degrees,
                                              .material = material,
                                              .defines = source.parameters});
  if (!plant) return plant;
  if (plant->segments.empty()) {
    return Diagnostic{.message = "the grammar draws no segment",
                      .file = source.file,
                      .hint = "derive more steps, or draw with F"};
  }
  for (Segment& segment : plant->segments) {
    if (segment.parent == no_index) segment.base_in_parent += source.base_world;
  }
  return plant;
}

Loads loads_of(const Simulation& simulation, const SimulatedPlant& plant) {
  return {.gravity_world = simulation.gravity_world,
          .air = simulation.drag.air_density > 0 ? &plant.wind.air : nullptr,
          .points = plant.loads,
          .pulls = plant.pulls,
          .ground = plant.ground ? &*plant.ground : nullptr,
          .base_path = plant.path ? &*plant.path : nullptr};
}

std::size_t add_plant(Plant plant, Simulation& simulation) {
  SimulatedPlant& added =
      add_at_rest(make_model(std::move(plant), simulation.drag), {}, simulation);
  added.workspace = make_workspace(added.mechanism);
  return simulation.plants.size() - 1;
}

Result<Simulation> make_simulation(const Scenario& scenario, const ReadFile& read_file,
                                   const ReadTree& read_tree, Alike alike) {
  Simulation simulation{.gravity_world = scenario.gravity,
                        .options = scenario.options,
                        .drag = scenario.drag,
                        .wind = make_wind(scenario.wind)};
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
  return_free_memory();
  return simulation;
}

std::vector<PointLoad> standing_loads(const Simulation& simulation, std::size_t plant) {
  std::vector<PointLoad> loads;
  for (const AppliedForce& force : simulation.forces) {
    const bool acts = force.start <= simulation.time && simulation.time < force.end;
    if (force.plant != plant || !acts || force.omega > 0) continue;
    loads.push_back(seen_from_middle(force.load, force.end_flexibility));
  }
  return loads;
}

void step(Simulation& simulation, double dt, int threads) {
  release_feet(dt, simulation);
  const struct {
    Simulation& simulation;
    double dt;
    int threads;
  } context{simulation, dt, threads};
  parallel_for(simulation.plants.size(), threads, [&context](std::size_t i) {
    step_plant(context.simulation, i, context.dt, context.threads);
  });
  for (const SimulatedPlant& plant : simulation.plants) {
    simulation.rejected_steps += plant.report.rejected;
    simulation.corrections += plant.report.corrections;
    simulation.braked_joints += plant.report.braked;
    simulation.finite = simulation.finite && plant.report.finite;
  }
  if (!simulation.finite) return;
  simulation.time += dt;
  ++simulation.steps;
}

PointMotion probe_motion(const Simulation& simulation, const Probe& probe) {
  const SimulatedPlant& plant = simulation.plants[probe.plant];
  return point_motion(plant.mechanism, plant.state, probe.body, probe.point_in_body);
}

Index segment_count(const Simulation& simulation) {
  Index count = 0;
  for (const SimulatedPlant& plant : simulation.plants) count += segment_count(plant.plant);
  return count;
}

std::uint64_t state_hash(const Simulation& simulation) {
  Hasher hasher;
  for (const SimulatedPlant& plant : simulation.plants) add_to_hash(plant.state, hasher);
  return hasher.value();
}

std::int64_t step_count(double duration, double step) {
  // A step written with few digits must not add a step: 10 s of 0.016666667 s are 600.
  const double exact = duration / step;
  const double nearest = std::round(exact);
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::abs(exact - nearest) < 1e-3 ? nearest : std::ceil(exact)));
}

}  // namespace thigmo
