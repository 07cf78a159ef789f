#include "simulation/graft.h"

#include <fmt/format.h>

#include <algorithm>

#include "mechanics/step/nearest_motion.h"
#include "simulation/cut_segment.h"
#include "simulation/edit_places.h"
#include "simulation/solver.h"

namespace thigmo {
namespace {

// What is joined again must be where it was cut from to this part of its distance from the origin, and of a
// metre; places along a segment are the same to this part of its length.
constexpr double same_point = 1e-9, same_place = 1e-6;
// What else is grafted must lie within so many radii of the segment's middle.
constexpr double reach_in_radii = 3;

// A plant's root on a segment of another.
struct Joint {
  std::size_t host = 0, scion = 0;
  Index onto = 0;
  Vec3 base_in_parent;    // [m]
  Quat parent_from_rest;  // of its joint
  Quat world_from_scion;  // of its first body
  Vec3 acceleration;      // that the joint goes on with [rad/s²]
  float tension_torque = 0;
  bool again = false;  // where it was cut from
  bool exact = false;  // and nothing has moved since
};

double radius_at_place(const Segment& s, double along) {
  return std::max(rectangle_at(s, along).width, rectangle_at(s, along).height) / 2;
}

// Whether a piece comes back to the place that it was cut from.
bool comes_back(const Graft& graft, const SimulatedPlant& scion, const Segment& onto) {
  if (!graft.as_before || !scion.stub || scion.stub->parent != graft.onto) return false;
  const double height = scion.stub->through ? onto.length : scion.stub->base_in_parent.y;
  return std::abs(height - graft.along * onto.length) <= same_place * onto.length;
}

Result<Done> check_graft(const Graft& graft, const FoundSegment& onto, std::size_t scion,
                         const Simulation& simulation) {
  if (const Result<Done> done = check_along(graft.along); !done) return done;
  const Mechanism& mechanism = simulation.plants[scion].model->mechanism;
  const std::string& name = simulation.plants[scion].name;
  if (onto.plant == scion) {
    return error(fmt::format("'{}' cannot be grafted onto itself", name), "cut a piece off first");
  }
  for (const std::size_t plant : {onto.plant, scion}) {
    const Result<Done> done = needs_joints(simulation.plants[plant], "nothing can be grafted");
    if (!done) return done;
  }
  if (mechanism.subtree_size[0] != body_count(mechanism)) {
    return error(fmt::format("'{}' has several roots", name), "graft each as a plant of its own");
  }
  if (mechanism.pot_mass > 0) {
    return error(fmt::format("'{}' is in a pot", name), "graft a piece of it");
  }
  return Done{};
}

// Where the root is to be, in the frame of its host's segment, and how it is turned there at rest.
Result<Joint> place_joint(const Graft& graft, const FoundSegment& onto, std::size_t scion,
                          const BodyMotion& host_motion, const BodyMotion& scion_motion,
                          const Simulation& simulation) {
  const SimulatedPlant& host = simulation.plants[onto.plant];
  const SimulatedPlant& piece = simulation.plants[scion];
  const Segment& segment = segment_at(host.model->plant, onto.segment);
  Joint joint{.host = onto.plant, .scion = scion, .onto = onto.segment};
  joint.again = comes_back(graft, piece, segment);
  const Vec3 on_axis{0, graft.along * segment.length, 0};
  const Quat segment_from_world = conjugate(host_motion.world_from_body);
  const Vec3 present =
      rotate(segment_from_world, scion_motion.joint_world - host_motion.joint_world);
  const bool whole_joint = joint.again && !piece.stub->through;
  const Vec3 wanted = whole_joint ? piece.stub->base_in_parent : on_axis;
  const double off = length(present - wanted);
  const double rounding = same_point * (1 + length(scion_motion.joint_world));
  const double reach =
      joint.again ? rounding : reach_in_radii * radius_at_place(segment, graft.along) + rounding;
  if (off > reach && !graft.carry) {
    return error(
        fmt::format("'{}' is {:.3g} m away from where it is to be grafted", piece.name, off),
        "bring it there first, or let it be carried there");
  }
  const bool there = off <= reach;
  joint.base_in_parent = there && !joint.again ? present : wanted;
  joint.world_from_scion = scion_motion.world_from_body;
  joint.parent_from_rest = normalized(segment_from_world * scion_motion.world_from_body);
  if (joint.again) {
    joint.parent_from_rest = piece.stub->parent_from_rest;
    joint.acceleration = widened(piece.stub->acceleration);
    joint.tension_torque = piece.stub->tension_torque;
    joint.exact = there && piece.stub->time == simulation.time;
    if (!there) {
      joint.world_from_scion =
          normalized(host_motion.world_from_body * piece.stub->parent_from_rest);
    }
  }
  return joint;
}

// The motions of all bodies as they are before they are joined: the host's, with the scion's behind a segment.
std::vector<BodyMotion> motions_apart(const SimulatedPlant& host, const SimulatedPlant& scion,
                                      Index where) {
  const auto motions = [](const SimulatedPlant& plant) {
    std::vector<BodyMotion> all(plant.model->mechanism.body.size());
    find_motions(plant.model->mechanism, plant.state, all);
    return all;
  };
  std::vector<BodyMotion> together = motions(host);
  const std::vector<BodyMotion> more = motions(scion);
  together.insert(together.begin() + where, more.begin(), more.end());
  return together;
}

// The scion's parts, its first joint on the host's segment; q away from rest, w relative to the segment.
PlantParts jointed(const Joint& joint, const BodyMotion& host, const BodyMotion& scion,
                   SimulatedPlant& plant) {
  PlantParts parts = parts_of(plant);
  Segment& first = parts.plant.segments[0];
  Body& body = parts.mechanism.body[0];
  first.base_in_parent = body.base_in_parent = joint.base_in_parent;
  first.parent_from_segment = body.parent_from_rest = joint.parent_from_rest;
  const Quat parent_from_body = conjugate(host.world_from_body) * joint.world_from_scion;
  parts.joints[0] = {
      .rest_from_body = normalized(conjugate(joint.parent_from_rest) * parent_from_body),
      .velocity = rotate(conjugate(joint.world_from_scion), scion.omega - host.omega),
      .acceleration = narrowed(joint.acceleration),
      .tension_torque = joint.tension_torque};
  return parts;
}

// Above these velocities between root and segment the two are brought together by a blow.
constexpr double same_velocity = 1e-9;  // [m/s]

}  // namespace

Result<EditResult> apply_graft(const Graft& graft, Simulation& simulation) {
  const Result<std::size_t> scion_number = find_plant(simulation, graft.scion);
  if (!scion_number) return scion_number.diagnostics();
  const Result<FoundSegment> onto = find_segment(simulation, graft.onto);
  if (!onto) return onto.diagnostics();
  if (const Result<Done> done = check_graft(graft, *onto, *scion_number, simulation); !done)
    return done.diagnostics();
  SimulatedPlant& host = simulation.plants[onto->plant];
  SimulatedPlant& scion = simulation.plants[*scion_number];
  const BodyMotion host_motion = body_motion(host.model->mechanism, host.state, onto->segment);
  const BodyMotion scion_motion = body_motion(scion.model->mechanism, scion.state, 0);
  const Result<Joint> joint =
      place_joint(graft, *onto, *scion_number, host_motion, scion_motion, simulation);
  if (!joint) return joint.diagnostics();

  EditResult result{.energy_before = counted_energy(simulation, joint->host) +
                                     counted_energy(simulation, joint->scion)};
  const Holdings holdings = holdings_of(simulation);
  const Vec3 at_root =
      host_motion.velocity +
      cross(host_motion.omega, rotate(host_motion.world_from_body, joint->base_in_parent));
  const bool strikes = length(scion_motion.velocity - at_root) > same_velocity;
  const Index where = onto->segment + at(host.model->mechanism.subtree_size, onto->segment);
  std::vector<BodyMotion> apart;
  if (strikes) apart = motions_apart(host, scion, where);

  const std::optional<Stub> stub = scion.stub;
  PlantParts upper = jointed(*joint, host_motion, scion_motion, scion);
  PlantParts lower = parts_of(host);
  const bool whole = joint->again && stub->through && !strikes &&
                     fits_together(lower, onto->segment, upper, *stub->through);
  if (whole) {
    result.joins.push_back(
        {.lower = graft.onto, .upper = upper.ids[0], .along = stub->through->along});
    set_place(upper.ids[0], {}, simulation.registry);
    join_segment(*stub->through, onto->segment, std::move(upper), lower);
  } else {
    if (joint->again) {
      Segment& below = at(lower.plant.segments, onto->segment);
      upper.plant.segments[0].cut_base = false;
      if (stands_on_tip(below, joint->base_in_parent)) below.cut_tip = false;
    }
    put_in(std::move(upper), onto->segment, joint->again, lower);
  }
  assemble(std::move(lower), host);
  wake(host);
  if (strikes) take_nearest_motion(host.model->mechanism, apart, host.state);
  if (joint->exact && !strikes) host.state.started = stub->started;
  note_places(host, simulation.registry);
  const PlantId host_id = plant_id(simulation, joint->host);
  drop_empty_plant(joint->scion, simulation);
  const std::size_t host_now = joint->host - (joint->scion < joint->host ? 1 : 0);
  result.energy_after = counted_energy(simulation, host_now);
  put_back(holdings, result, simulation);
  tell(EventKind::grafted, host_id, graft.onto, graft.scion, simulation);
  return result;
}

}  // namespace thigmo
