#include "api/grown_plant.h"
#include "api/world_content.h"
#include "simulation/add_plant.h"
#include "simulation/edit_places.h"
#include "simulation/solver.h"

// Edits of a world: each is a value, applied in one place (simulation/edit.h).

namespace thigmo {
namespace {

Result<EditReport> report_of(const Result<EditResult>& result) {
  if (!result) return as_arguments(result.diagnostics());
  EditReport report{.pieces = result->pieces,
                    .energy_before = result->energy_before,
                    .energy_after = result->energy_after};
  for (const SegmentSplit& split : result->splits) {
    report.splits.push_back({split.lower, split.upper, split.along});
  }
  return report;
}

Result<EditReport> edit(const Edit& wanted, Simulation& simulation) {
  return report_of(apply_edit(wanted, simulation));
}

Result<Change> change_of(const ChangeOf& to) {
  const Result<std::optional<Material>> material = material_of(to.species);
  if (!material) return material.diagnostics();
  return Change{.stiffness = to.stiffness,
                .mass = to.mass,
                .damping = to.damping,
                .creep = to.creep,
                .material = *material};
}

// A plant that is not in the world yet, put where it is to be grafted: turned as asked to the segment, and moving
// along with it.
Result<std::size_t> put_scion(const GrownPlantContent& grown, SegmentId onto,
                              const GraftOptions& options, Simulation& simulation) {
  const Result<FoundSegment> found = find_segment(simulation, onto);
  if (!found) return found.diagnostics();
  if (const Result<Done> done = check_along(options.along); !done) return done.diagnostics();
  const Numbers4& r = options.turn;
  if (const Result<Done> done = check_finite("turn of a graft", {r[0], r[1], r[2], r[3]}); !done)
    return done.diagnostics();
  if (!(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3] > 1e-12)) {
    return bad_argument("the turn of the graft is no rotation",
                        "give a unit quaternion w, x, y, z");
  }
  const SimulatedPlant& host = simulation.plants[found->plant];
  const BodyMotion motion = body_motion(host, found->segment);
  const double height = options.along * segment_at(host.model->plant, found->segment).length;
  const Vec3 arm = rotate(motion.world_from_body, Vec3{0, height, 0});
  const Quat world_from_plant =
      normalized(motion.world_from_body * normalized(Quat{r[0], r[1], r[2], r[3]}));
  const std::optional<Ground> ground = host.ground;
  const std::size_t number = thigmo::add_plant(grown.plant, {}, StartPose::rest, simulation);
  SimulatedPlant& plant = simulation.plants[number];
  plant.ground = ground;
  plant.state.root = {.position_world = motion.joint_world + arm,
                      .world_from_plant = world_from_plant,
                      .velocity_world = motion.velocity + cross(motion.omega, arm),
                      .accel_world = {},
                      .omega_plant = rotate(conjugate(world_from_plant), motion.omega),
                      .alpha_plant = {},
                      .hold = RootHold::free};
  return number;
}

}  // namespace

Outcome<EditReport> World::cut(SegmentId segment, double along) {
  const auto noted = noting(*content_, [&] { return CutCall{segment, along}; });
  return call(noted, [&] { return edit(Cut{segment, along}, content_->simulation); });
}

Outcome<EditReport> World::remove(SegmentId segment) {
  const auto noted = noting(*content_, [&] { return RemoveSegmentCall{segment}; });
  return call(noted, [&] { return edit(RemoveSegment{segment}, content_->simulation); });
}

Outcome<EditReport> World::remove(PlantId plant) {
  const auto noted = noting(*content_, [&] { return RemovePlantCall{plant}; });
  return call(noted, [&] { return edit(RemovePlant{plant}, content_->simulation); });
}

Outcome<EditReport> World::graft(PlantId scion, SegmentId onto, const GraftOptions& options) {
  const auto noted = noting(*content_, [&] { return GraftCall{scion, onto, options}; });
  return call(noted, [&] {
    return edit(Graft{.scion = scion,
                      .onto = onto,
                      .along = options.along,
                      .as_before = options.rest == GraftRest::as_before,
                      .carry = options.carry},
                content_->simulation);
  });
}

Outcome<EditReport> World::graft(const GrownPlant& scion, SegmentId onto,
                                 const GraftOptions& options) {
  const auto noted = noting(*content_, [&] {
    return GraftNewCall{content_->log->number_of(scion), onto, options};
  });
  return call(noted, [&]() -> Result<EditReport> {
    Simulation& simulation = content_->simulation;
    const GrownPlantContent* grown = GrownPlantAccess::content(scion);
    if (grown == nullptr) return bad_argument("this is no plant", "grow or read one first");
    if (grown->method == Method::particles) {
      return bad_argument("a plant of particles cannot be grafted",
                          "grow it as an articulated one");
    }
    const Result<std::size_t> put = put_scion(*grown, onto, options, simulation);
    if (!put) return put.diagnostics();
    const PlantId id = plant_id(simulation, *put);
    Result<EditReport> report = edit(
        Graft{.scion = id, .onto = onto, .along = options.along, .as_before = false}, simulation);
    if (!report) drop_plant(*put, simulation);
    return report;
  });
}

Outcome<EditReport> World::extend(SegmentId tip, double by) {
  const auto noted = noting(*content_, [&] { return ExtendCall{tip, by}; });
  return call(noted, [&] { return edit(Extend{tip, by}, content_->simulation); });
}

Outcome<EditReport> World::thicken(std::span<const SegmentId> segments, double factor) {
  const auto noted = noting(*content_, [&] {
    return ThickenCall{{segments.begin(), segments.end()}, factor};
  });
  return call(noted, [&] {
    return edit(Thicken{{segments.begin(), segments.end()}, factor}, content_->simulation);
  });
}

Outcome<EditReport> World::change(std::span<const SegmentId> segments, const ChangeOf& to) {
  const auto noted = noting(*content_, [&] {
    return ChangeCall{{segments.begin(), segments.end()}, to};
  });
  return call(noted, [&]() -> Result<EditReport> {
    Result<Change> wanted = change_of(to);
    if (!wanted) return wanted.diagnostics();
    wanted->segments.assign(segments.begin(), segments.end());
    return edit(*wanted, content_->simulation);
  });
}

Outcome<EditReport> World::change(PlantId plant, const ChangeOf& to) {
  const auto noted = noting(*content_, [&] { return ChangePlantCall{plant, to}; });
  return call(noted, [&]() -> Result<EditReport> {
    Result<Change> wanted = change_of(to);
    if (!wanted) return wanted.diagnostics();
    wanted->plant = plant;
    return edit(*wanted, content_->simulation);
  });
}

}  // namespace thigmo
