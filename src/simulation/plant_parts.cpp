#include "simulation/plant_parts.h"

#include <iterator>
#include <utility>

#include "plant/reach.h"
#include "plant/slice.h"

namespace thigmo {
namespace {

template <class T>
std::vector<T> cut_range(std::vector<T>& from, SegmentRange range) {
  const auto begin = from.begin() + range.first, end = begin + range.count;
  std::vector<T> out(std::make_move_iterator(begin), std::make_move_iterator(end));
  from.erase(begin, end);
  return out;
}

template <class T>
void put_range(const std::vector<T>& scion, Index where, std::vector<T>& to) {
  to.insert(to.begin() + where, scion.begin(), scion.end());
}

// Adds to the sizes of a segment's subtree and of all that it stands in.
void grow_subtrees(Index segment, Index by, Mechanism& mechanism) {
  for (Index i = segment; i != no_index; i = at(mechanism.parent, i)) {
    at(mechanism.subtree_size, i) += by;
  }
}

std::vector<JointState> joints_of(const State& state) {
  std::vector<JointState> joints(state.rest_from_body.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    joints[i] = {.rest_from_body = state.rest_from_body[i],
                 .velocity = state.joint_velocity[i],
                 .acceleration = narrowed(state.joint_acceleration[i]),
                 .tension_torque = static_cast<float>(state.tension_torque[i])};
  }
  return joints;
}

void set_joints(const std::vector<JointState>& joints,
                const std::shared_ptr<const Schedule>& schedule, State& state) {
  const std::size_t n = joints.size();
  State rest = rest_state(schedule);
  state.rest_from_body = std::move(rest.rest_from_body);
  state.joint_velocity = std::move(rest.joint_velocity);
  state.joint_acceleration = std::move(rest.joint_acceleration);
  state.tension_torque = std::move(rest.tension_torque);
  for (std::size_t i = 0; i < n; ++i) {
    state.rest_from_body.set(i, joints[i].rest_from_body);
    state.joint_velocity.set(i, joints[i].velocity);
    state.joint_acceleration.set(i, widened(joints[i].acceleration));
    state.tension_torque.set(i, joints[i].tension_torque);
  }
}

// Account goes on with what it had; what acted last is of other bodies.
void refit_works(const Mechanism& mechanism, std::optional<Works>& works) {
  if (!works) return;
  Works fresh = make_works(mechanism);
  fresh.by_air = works->by_air;
  fresh.by_loads = works->by_loads;
  fresh.by_ground = works->by_ground;
  fresh.by_base = works->by_base;
  fresh.lost_in_joints = works->lost_in_joints;
  fresh.lost_by_mass = works->lost_by_mass;
  works = std::move(fresh);
}

}  // namespace

PlantParts parts_of(SimulatedPlant& plant) {
  PlantParts parts{.joints = joints_of(plant.state), .ids = segment_ids(plant)};
  if (plant.model.use_count() > 1) {
    parts.plant = plant.model->plant;
    parts.mechanism = plant.model->mechanism;
  } else {
    PlantModel& model = own_model(plant);
    parts.plant = std::move(model.plant);
    parts.mechanism = std::move(model.mechanism);
  }
  return parts;
}

void assemble(PlantParts&& parts, SimulatedPlant& plant) {
  auto model = std::make_shared<PlantModel>();
  if (plant.model) model->gravity_plant = plant.model->gravity_plant;
  model->plant = std::move(parts.plant);
  model->mechanism = std::move(parts.mechanism);
  model->reach = reaches_of(model->plant);
  model->step_model = make_step_model(model->mechanism);
  set_joints(parts.joints, model->step_model->schedule, plant.state);
  std::optional<Works> works = std::move(plant.workspace.works);
  plant.workspace = make_workspace(model->step_model, std::move(plant.workspace));
  refit_works(model->mechanism, works);
  plant.workspace.works = std::move(works);
  plant.model = std::move(model);
  plant.ids = std::move(parts.ids);
}

PlantParts take_out(SegmentRange subtrees, PlantParts& parts) {
  const auto [first, count] = subtrees;
  Mechanism& mechanism = parts.mechanism;
  grow_subtrees(at(mechanism.parent, first), -count, mechanism);
  PlantParts out{.plant = take_out(parts.plant, subtrees),
                 .joints = cut_range(parts.joints, subtrees),
                 .ids = cut_range(parts.ids, subtrees)};
  out.mechanism.parent = cut_range(mechanism.parent, subtrees);
  out.mechanism.subtree_size = cut_range(mechanism.subtree_size, subtrees);
  out.mechanism.body = cut_range(mechanism.body, subtrees);
  out.mechanism.mass_damping = mechanism.mass_damping;
  out.mechanism.streamlining_speed = mechanism.streamlining_speed;
  for (Index& parent : out.mechanism.parent) parent = parent < first ? no_index : parent - first;
  for (auto it = mechanism.parent.begin() + first; it != mechanism.parent.end(); ++it) {
    if (*it >= first) *it -= count;
  }
  return out;
}

Index put_in(PlantParts&& scion, Index parent, bool same_axes, PlantParts& parts) {
  Mechanism& mechanism = parts.mechanism;
  const auto count = static_cast<Index>(scion.joints.size());
  const Index where =
      parent == no_index ? body_count(mechanism) : parent + at(mechanism.subtree_size, parent);
  for (Index& p : scion.mechanism.parent) p = p == no_index ? parent : p + where;
  for (auto it = mechanism.parent.begin() + where; it != mechanism.parent.end(); ++it) {
    if (*it >= where) *it += count;
  }
  put_range(scion.mechanism.parent, where, mechanism.parent);
  put_range(scion.mechanism.subtree_size, where, mechanism.subtree_size);
  put_range(scion.mechanism.body, where, mechanism.body);
  grow_subtrees(parent, count, mechanism);
  put_range(scion.joints, where, parts.joints);
  put_range(scion.ids, where, parts.ids);
  return put_in(std::move(scion.plant), parent, where, same_axes, parts.plant);
}

}  // namespace thigmo
