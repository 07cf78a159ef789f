#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "api/world_content.h"
#include "mechanics/statics/section_forces.h"
#include "simulation/edit_places.h"
#include "simulation/set_wind.h"
#include "simulation/solver.h"

// What surrounds the plants of a world and what holds them: all of it may change between any two steps.

namespace thigmo {
namespace {

constexpr double for_good = std::numeric_limits<double>::infinity();

// A point of a segment, in its body's frame.
Vec3 point_along(const Simulation& simulation, const FoundSegment& found, double along) {
  const Plant& plant = simulation.plants[found.plant].model->plant;
  return {0, along * segment_at(plant, found.segment).length, 0};
}

template <class Thing>
Result<Thing*> find_numbered(std::vector<Thing>& things, std::uint32_t number, const char* what) {
  for (Thing& thing : things) {
    if (thing.number == number) return &thing;
  }
  Diagnostic said = error(fmt::format("there is no {} {}", what, number),
                          "it was taken away, or its segment was");
  said.trouble = Trouble::stale;
  return said;
}

Result<Done> check_force(const PointForce& force) {
  if (const Result<Done> done = check_along(force.along); !done) return done;
  if (const Result<Done> done = check_finite("force", force.force); !done) return done;
  return check_finite("moment", force.moment);
}

void set_force(const PointForce& from, const Simulation& simulation, const FoundSegment& at,
               AppliedForce& force) {
  const Plant& plant = simulation.plants[at.plant].model->plant;
  force.plant = at.plant;
  force.load = {.body = at.segment,
                .point_in_body = point_along(simulation, at, from.along),
                .force = vector(from.force),
                .moment = vector(from.moment),
                .follower = from.follower};
  const bool joints = method_of(simulation.plants[at.plant]) == Method::articulated;
  force.end_flexibility =
      from.follower && joints ? end_flexibility(plant, at.segment, from.along) : Vec3{};
}

// The mass beyond a joint's point, that a spring there has to move: of the segment and all that stands on it.
double mass_of_subtree(const Mechanism& mechanism, Index segment) {
  double mass = 0;
  const Index end = segment + at(mechanism.subtree_size, segment);
  for (Index i = segment; i < end; ++i) mass += at(mechanism.body, i).mass;
  return mass;
}

}  // namespace

Outcome<Done> World::set_wind(const GustyWind& wind) {
  const auto noted = noting(*content_, [&] { return WindCall{wind}; });
  return call(noted, [&]() -> Result<Done> {
    const WindModel model{.kind = wind.intensity > 0 ? WindKind::gusty : WindKind::uniform,
                          .mean_world = vector(wind.mean),
                          .intensity = wind.intensity,
                          .length_scale = wind.length_scale,
                          .decay = wind.decay,
                          .seed = wind.seed};
    if (const Result<Done> done = check_wind(model); !done) return as_arguments(done.diagnostics());
    if (!(wind.ease >= 0 && std::isfinite(wind.ease))) {
      return bad_argument(fmt::format("a wind cannot come up within {} s", wind.ease),
                          "0 lets it blow at once");
    }
    thigmo::set_wind(make_wind(model), wind.ease, content_->simulation);
    return Done{};
  });
}

Outcome<Done> World::set_gravity(const Numbers3& gravity) {
  const auto noted = noting(*content_, [&] { return GravityCall{gravity}; });
  return call(noted, [&]() -> Result<Done> {
    if (const Result<Done> done = check_finite("gravity", gravity); !done) return done;
    content_->simulation.gravity_world = vector(gravity);
    content_->simulation.keyed.gravity_world = {};
    for (SimulatedPlant& plant : content_->simulation.plants) wake(plant);
    return Done{};
  });
}

Outcome<Done> World::set_ground(const std::optional<LevelGround>& ground) {
  const auto noted =
      noting(*content_, [&] { return ground ? Call(GroundCall{*ground}) : Call(NoGroundCall{}); });
  return call(noted, [&]() -> Result<Done> {
    Simulation& simulation = content_->simulation;
    std::optional<GroundForm> form;
    if (ground) {
      const Result<Done> finite = check_finite(
          "ground", {ground->height, ground->stiffness, ground->damping, ground->friction});
      if (!finite) return finite;
      if (ground->stiffness < 0 || ground->damping < 0 || ground->friction < 0) {
        return bad_argument("a ground cannot have negative stiffness, damping or friction",
                            "0 lets each plant choose its stiffness and damping");
      }
      form = GroundForm{.height = ground->height, .friction = ground->friction};
      if (ground->stiffness > 0) form->stiffness = ground->stiffness;
      if (ground->damping > 0) form->damping = ground->damping;
    }
    simulation.ground = form;
    for (SimulatedPlant& plant : simulation.plants) {
      plant.ground.reset();
      if (form) plant.ground = ground_for(*form, plant.model->mechanism);
      wake(plant);
    }
    return Done{};
  });
}

Outcome<ForceId> World::push(SegmentId segment, const PointForce& force) {
  const auto noted = noting(*content_, [&] { return PushCall{segment, force}; });
  return call(noted, [&]() -> Result<ForceId> {
    Simulation& simulation = content_->simulation;
    const Result<FoundSegment> found = find_segment(simulation, segment);
    if (!found) return found.diagnostics();
    if (const Result<Done> done = check_force(force); !done) return done.diagnostics();
    if (const Result<Done> done =
            check_moment(simulation.plants[found->plant], vector(force.moment));
        !done)
      return done.diagnostics();
    AppliedForce applied{.start = -for_good, .end = for_good, .number = ++simulation.loads_named};
    set_force(force, simulation, *found, applied);
    simulation.forces.push_back(applied);
    SimulatedPlant& plant = simulation.plants[found->plant];
    plant.loads.reserve(simulation.forces.size());
    wake(plant);
    return ForceId{applied.number};
  });
}

Outcome<Done> World::change(ForceId id, const PointForce& to) {
  const auto noted = noting(*content_, [&] { return ChangeForceCall{id, to}; });
  return call(noted, [&]() -> Result<Done> {
    Simulation& simulation = content_->simulation;
    const Result<AppliedForce*> force = find_numbered(simulation.forces, id.number, "force");
    if (!force) return force.diagnostics();
    if (const Result<Done> done = check_force(to); !done) return done;
    AppliedForce& applied = **force;
    if (const Result<Done> done = check_moment(simulation.plants[applied.plant], vector(to.moment));
        !done)
      return done;
    set_force(to, simulation, {applied.plant, applied.load.body}, applied);
    simulation.plants[applied.plant].asleep = false;
    simulation.plants[applied.plant].quiet_time = 0;
    return Done{};
  });
}

Outcome<Done> World::remove(ForceId id) {
  const auto noted = noting(*content_, [&] { return RemoveForceCall{id}; });
  return call(noted, [&]() -> Result<Done> {
    Simulation& simulation = content_->simulation;
    const Result<AppliedForce*> force = find_numbered(simulation.forces, id.number, "force");
    if (!force) return force.diagnostics();
    wake(simulation.plants[(*force)->plant]);
    simulation.forces.erase(simulation.forces.begin() + (*force - simulation.forces.data()));
    return Done{};
  });
}

Outcome<GrabId> World::grab(SegmentId segment, const GrabSpring& spring) {
  const auto noted = noting(*content_, [&] { return GrabCall{segment, spring}; });
  return call(noted, [&]() -> Result<GrabId> {
    Simulation& simulation = content_->simulation;
    const Result<FoundSegment> found = find_segment(simulation, segment);
    if (!found) return found.diagnostics();
    if (const Result<Done> done = check_along(spring.along); !done) return done.diagnostics();
    if (const Result<Done> done =
            check_finite("stiffness or damping of a grab", {spring.stiffness, spring.damping});
        !done)
      return done.diagnostics();
    if (!(spring.stiffness > 0)) {
      return bad_argument(fmt::format("a grab cannot have a stiffness of {} N/m", spring.stiffness),
                          "give a stiffness above 0");
    }
    SimulatedPlant& plant = simulation.plants[found->plant];
    const Mechanism& mechanism = plant.model->mechanism;
    const Vec3 point = point_along(simulation, *found, spring.along);
    const Vec3 here = point_motion(plant, found->segment, point).position_world;
    const double critical =
        2 * std::sqrt(spring.stiffness * mass_of_subtree(mechanism, found->segment));
    simulation.grabs.push_back(
        {.plant = found->plant,
         .load = {.body = found->segment,
                  .point_in_body = point,
                  .target_world = here,
                  .stiffness = spring.stiffness,
                  .damping = spring.damping >= 0 ? spring.damping : critical},
         .release = for_good,
         .number = ++simulation.loads_named,
         .last_target_world = here});
    plant.grabs.reserve(simulation.grabs.size());
    wake(plant);
    return GrabId{simulation.grabs.back().number};
  });
}

Outcome<Done> World::drag(GrabId id, const Numbers3& to) {
  const auto noted = noting(*content_, [&] { return DragCall{id, to}; });
  return call(noted, [&]() -> Result<Done> {
    Simulation& simulation = content_->simulation;
    const Result<Grab*> grab = find_numbered(simulation.grabs, id.number, "grab");
    if (!grab) return grab.diagnostics();
    if (const Result<Done> done = check_finite("place that a grab goes to", to); !done) return done;
    (*grab)->load.target_world = vector(to);
    simulation.plants[(*grab)->plant].asleep = false;
    simulation.plants[(*grab)->plant].quiet_time = 0;
    return Done{};
  });
}

Outcome<Done> World::let_go(GrabId id) {
  const auto noted = noting(*content_, [&] { return LetGoCall{id}; });
  return call(noted, [&]() -> Result<Done> {
    Simulation& simulation = content_->simulation;
    const Result<Grab*> grab = find_numbered(simulation.grabs, id.number, "grab");
    if (!grab) return grab.diagnostics();
    wake(simulation.plants[(*grab)->plant]);
    simulation.grabs.erase(simulation.grabs.begin() + (*grab - simulation.grabs.data()));
    return Done{};
  });
}

Outcome<Done> World::add_probe(const std::string& name, SegmentId segment, double along) {
  const auto noted = noting(*content_, [&] { return AddProbeCall{name, segment, along}; });
  return call(noted, [&]() -> Result<Done> {
    Simulation& simulation = content_->simulation;
    const Result<FoundSegment> found = find_segment(simulation, segment);
    if (!found) return found.diagnostics();
    if (const Result<Done> done = check_along(along); !done) return done;
    const auto same = [&](const Probe& probe) { return probe.name == name; };
    if (name.empty() || std::any_of(simulation.probes.begin(), simulation.probes.end(), same)) {
      return bad_argument(name.empty() ? "a probe needs a name"
                                       : fmt::format("there is a probe '{}' already", name),
                          "give each probe a name of its own");
    }
    simulation.probes.push_back({.name = name,
                                 .plant = found->plant,
                                 .body = found->segment,
                                 .point_in_body = point_along(simulation, *found, along),
                                 .curvature = {}});
    return Done{};
  });
}

Outcome<Done> World::remove_probe(const std::string& name) {
  const auto noted = noting(*content_, [&] { return RemoveProbeCall{name}; });
  return call(noted, [&]() -> Result<Done> {
    const auto removed = std::erase_if(content_->simulation.probes,
                                       [&](const Probe& probe) { return probe.name == name; });
    if (removed > 0) return Done{};
    Diagnostic said = error(fmt::format("there is no probe '{}'", name));
    said.trouble = Trouble::stale;
    return said;
  });
}

Outcome<Done> World::move_root(PlantId id, const Transform& to, double seconds) {
  const auto noted = noting(*content_, [&] { return MoveRootCall{id, to, seconds}; });
  return call(noted, [&]() -> Result<Done> {
    Simulation& simulation = content_->simulation;
    const Result<std::size_t> number = find_plant(simulation, id);
    if (!number) return number.diagnostics();
    const Numbers4& r = to.rotation;
    if (const Result<Done> done = check_finite("place of a root", to.position); !done) return done;
    if (const Result<Done> done =
            check_finite("rotation of a root", {r[0], r[1], r[2], r[3], seconds});
        !done)
      return done;
    const double norm = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
    if (!(std::abs(norm - 1) < 1e-6)) {
      return bad_argument("the rotation is no unit quaternion", "give w, x, y, z of length 1");
    }
    if (!(seconds > 0)) {
      return bad_argument(fmt::format("a root cannot be carried within {} s", seconds),
                          "give a time above 0");
    }
    SimulatedPlant& plant = simulation.plants[*number];
    if (is_free(plant.state.root)) {
      return bad_argument(fmt::format("nothing holds the root of '{}'", plant.name),
                          "clamp it first");
    }
    const PlantFrame start = frame_of(plant.state.root);
    const Vec3 way = vector(to.position) - start.origin_world;
    const Vec3 turn =
        log_rotation(Quat{r[0], r[1], r[2], r[3]} * conjugate(start.world_from_plant));
    const auto key = [](double value) { return std::vector<double>{0, value}; };
    plant.path =
        make_root_path({simulation.time, simulation.time + seconds},
                       {key(way.x), key(way.y), key(way.z), key(turn.x), key(turn.y), key(turn.z)});
    plant.path->start = start;
    plant.state.root.hold = RootHold::on_path;
    wake(plant);
    return Done{};
  });
}

Outcome<Done> World::release_root(PlantId id) {
  const auto noted = noting(*content_, [&] { return ReleaseRootCall{id}; });
  return call(noted, [&]() -> Result<Done> {
    const Result<std::size_t> number = find_plant(content_->simulation, id);
    if (!number) return number.diagnostics();
    SimulatedPlant& plant = content_->simulation.plants[*number];
    if (const Result<Done> done = check_free(plant); !done) return done;
    plant.state.root.hold = RootHold::free;
    plant.path.reset();
    plant.release.reset();
    wake(plant);
    return Done{};
  });
}

Outcome<Done> World::clamp_root(PlantId id) {
  const auto noted = noting(*content_, [&] { return ClampRootCall{id}; });
  return call(noted, [&]() -> Result<Done> {
    const Result<std::size_t> number = find_plant(content_->simulation, id);
    if (!number) return number.diagnostics();
    SimulatedPlant& plant = content_->simulation.plants[*number];
    const PlantFrame frame = frame_of(plant.state.root);
    plant.state.root = {.position_world = frame.origin_world,
                        .world_from_plant = frame.world_from_plant};
    plant.path.reset();
    plant.release.reset();
    wake(plant);
    return Done{};
  });
}

}  // namespace thigmo
