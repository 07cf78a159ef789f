#include "simulation/cut.h"

#include <fmt/format.h>

#include "plant/slice.h"
#include "simulation/cut_particles.h"
#include "simulation/cut_segment.h"
#include "simulation/edit_places.h"
#include "simulation/solver.h"

namespace thigmo {
namespace {

// What hangs on nothing goes on as it moved: the frame of its first body becomes the plant's.
RootState root_of_piece(const BodyMotion& motion, double height) {
  const Vec3 arm = rotate(motion.world_from_body, Vec3{0, height, 0});
  return {.position_world = motion.joint_world + arm,
          .world_from_plant = motion.world_from_body,
          .velocity_world = motion.velocity + cross(motion.omega, arm),
          .accel_world = {},
          .omega_plant = rotate(conjugate(motion.world_from_body), motion.omega),
          .alpha_plant = {},
          .hold = RootHold::free};
}

// A run of subtrees that stood side by side, each a plant of its own.
std::vector<PlantParts> one_by_one(PlantParts&& together) {
  std::vector<PlantParts> single;
  while (together.mechanism.subtree_size[0] < static_cast<Index>(together.joints.size())) {
    single.push_back(take_out({.first = 0, .count = together.mechanism.subtree_size[0]}, together));
  }
  single.push_back(std::move(together));
  return single;
}

// A piece and how its first body moves, as it was on the plant.
struct Piece {
  PlantParts parts;
  RootState root;
  Stub stub;
};

// The first body's joint holds nothing any more.
void set_free(Piece& piece) {
  Segment& first = piece.parts.plant.segments[0];
  Body& body = piece.parts.mechanism.body[0];
  JointState& joint = piece.parts.joints[0];
  piece.stub.base_in_parent = body.base_in_parent;
  piece.stub.parent_from_rest = body.parent_from_rest;
  piece.stub.acceleration = joint.acceleration;
  piece.stub.tension_torque = joint.tension_torque;
  first.base_in_parent = body.base_in_parent = {};
  first.parent_from_segment = body.parent_from_rest = {};
  joint = {};
}

// A plant of a piece, where it is.
SimulatedPlant plant_of(Piece&& piece, const SimulatedPlant& cut, std::int64_t number) {
  SimulatedPlant plant{.name = fmt::format("{}/{}", cut.name, number)};
  plant.state.time = cut.state.time;
  plant.state.root = piece.root;
  plant.state.halvings = cut.state.halvings;
  plant.stands = frame_of(piece.root);
  plant.wind_model = cut.wind_model;
  plant.wind = cut.wind;
  plant.wind_ease = cut.wind_ease;
  plant.keyed_air = cut.keyed_air;
  plant.ground = cut.ground;
  plant.stub = std::move(piece.stub);
  if (cut.workspace.works) plant.workspace.works.emplace();
  plant.birth = cut.birth;
  auto gravity = std::make_shared<PlantModel>();
  gravity->gravity_plant =
      rotate(conjugate(piece.root.world_from_plant),
             rotate(cut.state.root.world_from_plant, cut.model->gravity_plant));
  plant.model = std::move(gravity);
  assemble(std::move(piece.parts), plant);
  return plant;
}

// How a body of a plant moves, before it is taken apart.
BodyMotion motion_of_body(const SimulatedPlant& plant, Index body) {
  return body_motion(plant, body);
}

// All that a cut separates, and how it moves.
struct Separated {
  std::vector<Piece> pieces;
  std::vector<SegmentSplit> splits;
};

Separated separate(const FoundSegment& found, double along, Simulation& simulation,
                   PlantParts& parts, const std::vector<BodyMotion>& motions) {
  Separated separated;
  const SegmentId id = at(parts.ids, found.segment);
  const bool started = simulation.plants[found.plant].state.started;
  const auto add = [&](PlantParts&& piece, const BodyMotion& motion, double height,
                       SegmentId parent) {
    separated.pieces.push_back({.parts = std::move(piece),
                                .root = root_of_piece(motion, height),
                                .stub = {.parent = parent,
                                         .time = simulation.time,
                                         .base_in_parent = {},
                                         .parent_from_rest = {},
                                         .acceleration = {},
                                         .started = started}});
    set_free(separated.pieces.back());
  };
  if (along < nearest_cut) {
    const Index parent = at(parts.mechanism.parent, found.segment);
    const SegmentId parent_id = parent == no_index ? SegmentId{} : at(parts.ids, parent);
    bare_joint(found.segment, parts.plant);
    const Index size = at(parts.mechanism.subtree_size, found.segment);
    add(take_out({.first = found.segment, .count = size}, parts), motions.front(), 0, parent_id);
  } else if (along > 1 - nearest_cut) {
    const Index beyond = at(parts.mechanism.subtree_size, found.segment) - 1;
    const Index end = found.segment + 1 + beyond;
    for (Index child = found.segment + 1; child < end;
         child += at(parts.mechanism.subtree_size, child)) {
      bare_joint(child, parts.plant);
    }
    auto single = one_by_one(take_out({.first = found.segment + 1, .count = beyond}, parts));
    for (std::size_t k = 0; k < single.size(); ++k) {
      add(std::move(single[k]), motions[k], 0, id);
    }
  } else {
    std::shared_ptr<const CutSegment> record;
    PlantParts beyond = take_beyond(found.segment, along, simulation.drag, parts, record);
    const std::uint32_t birth = add_birth(1, no_index, simulation.registry);
    simulation.registry.births[birth].places.resize(1);
    simulation.registry.births[birth].cut_from = id;
    simulation.registry.births[birth].height = record->lower.length;
    beyond.ids[0] = {.number = 0, .birth = birth};
    separated.splits.push_back({.lower = id, .upper = beyond.ids[0], .along = along});
    add(std::move(beyond), motions.front(), record->lower.length, id);
    separated.pieces.back().stub.through = std::move(record);
  }
  return separated;
}

// The bodies whose motion pieces take over: the one that is cut, or those that stand on its tip.
std::vector<BodyMotion> motions_of_pieces(const FoundSegment& found, double along,
                                          const SimulatedPlant& plant) {
  if (!(along > 1 - nearest_cut)) return {motion_of_body(plant, found.segment)};
  std::vector<BodyMotion> motions;
  const std::vector<Index>& sizes = plant.model->mechanism.subtree_size;
  const Index end = found.segment + at(sizes, found.segment);
  for (Index child = found.segment + 1; child < end; child += at(sizes, child)) {
    motions.push_back(motion_of_body(plant, child));
  }
  return motions;
}

Result<Done> check_cut(const FoundSegment& found, double along, const Simulation& simulation) {
  const SimulatedPlant& plant = simulation.plants[found.plant];
  const Mechanism& mechanism = plant.model->mechanism;
  const Segment& segment = segment_at(plant.model->plant, found.segment);
  const bool through = along >= nearest_cut && along <= 1 - nearest_cut;
  if (through && segment.given != no_index) {
    return error("a stated body cannot be cut through", "cut it at its base: along = 0");
  }
  if (along > 1 - nearest_cut && at(mechanism.subtree_size, found.segment) == 1) {
    return error("nothing stands on the tip of this segment", "cut it farther down");
  }
  const bool whole =
      along < nearest_cut && at(mechanism.subtree_size, found.segment) == body_count(mechanism);
  if (whole && mechanism.pot_mass > 0) {
    return error(fmt::format("all of '{}' would come out of its pot", plant.name),
                 "let its root go, or cut farther up");
  }
  return Done{};
}

// A cut at the only root lets it go.
EditResult let_root_go(std::size_t number, Simulation& simulation) {
  SimulatedPlant& plant = simulation.plants[number];
  plant.state.root.hold = RootHold::free;
  plant.path.reset();
  plant.release.reset();
  wake(plant);
  const PlantId id = plant_id(simulation, number);
  tell(EventKind::cut, id, segment_id(plant, 0), id, simulation);
  const double energy = counted_energy(simulation, number);
  return {.pieces = {id}, .energy_before = energy, .energy_after = energy};
}

}  // namespace

Result<EditResult> apply_cut(const Cut& cut, Simulation& simulation) {
  const Result<FoundSegment> found = find_segment(simulation, cut.segment);
  if (!found) return found.diagnostics();
  if (const Result<Done> done = check_along(cut.along); !done) return done.diagnostics();
  if (const Result<Done> done = check_cut(*found, cut.along, simulation); !done)
    return done.diagnostics();
  const std::size_t number = found->plant;
  const Mechanism& mechanism = simulation.plants[number].model->mechanism;
  if (cut.along < nearest_cut &&
      at(mechanism.subtree_size, found->segment) == body_count(mechanism)) {
    return let_root_go(number, simulation);
  }
  EditResult result{.energy_before = counted_energy(simulation, number)};
  const Holdings holdings = holdings_of(simulation);
  const auto motions = motions_of_pieces(*found, cut.along, simulation.plants[number]);

  std::optional<CutParticles> particles =
      cut_particles(*found, cut.along, simulation.plants[number]);
  PlantParts parts = parts_of(simulation.plants[number]);
  Separated separated = separate(*found, cut.along, simulation, parts, motions);
  result.splits = separated.splits;
  assemble(std::move(parts), simulation.plants[number]);
  carry_particles(particles, 0, result.splits, simulation.plants[number]);
  wake(simulation.plants[number]);
  note_places(simulation.plants[number], simulation.registry);
  result.energy_after = counted_energy(simulation, number);
  const PlantId id = plant_id(simulation, number);
  for (Piece& piece : separated.pieces) {
    const std::size_t made = add_made_plant(
        plant_of(std::move(piece), simulation.plants[number], ++simulation.pieces_named),
        simulation);
    result.pieces.push_back(plant_id(simulation, made));
    carry_particles(particles, static_cast<int>(result.pieces.size()), result.splits,
                    simulation.plants[made]);
    result.energy_after += counted_energy(simulation, made);
    tell(EventKind::cut, id, cut.segment, result.pieces.back(), simulation);
  }
  put_back(holdings, result, simulation);
  return result;
}

Result<EditResult> apply_remove(const RemoveSegment& remove, Simulation& simulation) {
  const Result<FoundSegment> found = find_segment(simulation, remove.segment);
  if (!found) return found.diagnostics();
  const std::size_t number = found->plant;
  const PlantId id = plant_id(simulation, number);
  const Mechanism& mechanism = simulation.plants[number].model->mechanism;
  const Index size = at(mechanism.subtree_size, found->segment);
  if (size == body_count(mechanism)) return apply_remove(RemovePlant{id}, simulation);
  EditResult result{.energy_before = counted_energy(simulation, number)};
  const Holdings holdings = holdings_of(simulation);
  std::optional<CutParticles> particles = cut_particles(*found, 0, simulation.plants[number]);
  PlantParts parts = parts_of(simulation.plants[number]);
  bare_joint(found->segment, parts.plant);
  const PlantParts gone = take_out({.first = found->segment, .count = size}, parts);
  for (const SegmentId lost : gone.ids) set_place(lost, {}, simulation.registry);
  assemble(std::move(parts), simulation.plants[number]);
  carry_particles(particles, 0, {}, simulation.plants[number]);
  wake(simulation.plants[number]);
  note_places(simulation.plants[number], simulation.registry);
  result.energy_after = counted_energy(simulation, number);
  put_back(holdings, result, simulation);
  tell(EventKind::removed, id, remove.segment, {}, simulation);
  return result;
}

Result<EditResult> apply_remove(const RemovePlant& remove, Simulation& simulation) {
  const Result<std::size_t> number = find_plant(simulation, remove.plant);
  if (!number) return number.diagnostics();
  EditResult result{.energy_before = counted_energy(simulation, *number)};
  if (simulation.account_start) result.energy_after = 0;
  const Holdings holdings = holdings_of(simulation);
  drop_plant(*number, simulation);
  put_back(holdings, result, simulation);
  tell(EventKind::removed, remove.plant, {}, {}, simulation);
  return result;
}

}  // namespace thigmo
