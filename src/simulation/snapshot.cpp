#include "simulation/snapshot.h"

#include <fmt/format.h>

#include <cstring>
#include <type_traits>

namespace thigmo {
namespace {

constexpr std::string_view magic = "THGSNAP4";
constexpr std::uint64_t byte_order_mark = 0x0102030405060708u;

std::uint64_t checksum(std::string_view bytes) {
  Hasher hasher;
  hasher.add(bytes);
  return hasher.value();
}

template <class Value, class Number, class Visit>
void visit_bodies(const PerBody<Value, Number>& values, Visit&& visit) {
  for (std::size_t i = 0; i < values.size(); ++i) visit(values[i]);
}
template <class Value, class Number, class Visit>
void visit_bodies(PerBody<Value, Number>& values, Visit&& visit) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    visit(value);
    values.set(i, value);
  }
}

// One walk over everything that is saved, for writing (of what is const) and for reading.
template <class AnyState, class Visit>
void visit_state(AnyState& state, Visit&& visit) {
  visit(state.time);
  visit(state.base);
  visit(state.started);
  visit(state.halvings);
  visit(state.watch);
  visit_bodies(state.rest_from_body, visit);
  visit_bodies(state.joint_velocity, visit);
  visit_bodies(state.joint_acceleration, visit);
  visit_bodies(state.tension_torque, visit);
}

template <class AnySimulation, class Visit>
void visit_all(AnySimulation& simulation, Visit&& visit) {
  visit(simulation.time);
  visit(simulation.steps);
  visit(simulation.rejected_steps);
  visit(simulation.corrections);
  visit(simulation.braked_joints);
  visit(simulation.coarse_steps);
  visit(simulation.energy_gain);
  for (auto& plant : simulation.plants) {
    visit(plant.mechanism.free_base);
    visit(plant.quiet_time);
    visit(plant.asleep);
    visit_state(plant.state, visit);
  }
}

Diagnostic refusal(std::string_view file, std::string message, std::string hint = {}) {
  return {.message = std::move(message), .file = std::string(file), .hint = std::move(hint)};
}

}  // namespace

std::uint64_t model_hash(const Simulation& simulation) {
  Hasher hasher;
  const auto add = [&hasher](const Vec3& v) {
    hasher.add(v.x);
    hasher.add(v.y);
    hasher.add(v.z);
  };
  add(simulation.gravity_world);
  hasher.add(simulation.options.numerical_damping);
  hasher.add(static_cast<std::uint64_t>(simulation.options.most_passes));
  hasher.add(simulation.drag.air_density);
  for (const AppliedForce& force : simulation.forces) {
    hasher.add(force.start);
    hasher.add(force.end);
    hasher.add(force.omega);
    hasher.add(force.phase);
    add(force.load.force);
    add(force.load.moment);
  }
  for (const Hand& hand : simulation.hands) {
    for (const double value : {hand.load.stiffness, hand.load.damping, hand.release}) {
      hasher.add(value);
    }
    add(hand.origin_world);
  }
  for (const SimulatedPlant& plant : simulation.plants) {
    const Mechanism& mechanism = plant.mechanism;
    hasher.add(static_cast<std::uint64_t>(mechanism.body.size()));
    hasher.add(mechanism.mass_damping);
    // A foot that was let go on the way is that of a plant with a release.
    hasher.add(static_cast<std::uint64_t>(mechanism.free_base && !plant.release));
    hasher.add(plant.release.value_or(-1.0));
    hasher.add(mechanism.base_mass);
    hasher.add(mechanism.base_radius);
    add(plant.placement.shift_world);
    hasher.add(plant.placement.turn);
    if (plant.ground) {
      const Ground& g = *plant.ground;
      for (const double value : {g.height, g.stiffness, g.damping, g.friction}) hasher.add(value);
    }
    for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
      const Body& body = mechanism.body[i];
      hasher.add(static_cast<std::uint64_t>(static_cast<std::int64_t>(mechanism.parent[i])));
      const Quat& q = body.parent_from_rest;
      for (const double value : {q.w, q.x, q.y, q.z, body.mass}) hasher.add(value);
      hasher.add(static_cast<double>(body.length));
      add(body.base_in_parent);
      add(body.stiffness);
      add(widened(body.section));
      hasher.add(static_cast<double>(body.damping_time));
    }
  }
  return hasher.value();
}

std::string write_snapshot(const Simulation& simulation) {
  std::string bytes(magic);
  const auto put = [&bytes](const auto& value) {
    static_assert(std::is_trivially_copyable_v<std::remove_reference_t<decltype(value)>>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  put(byte_order_mark);
  put(model_hash(simulation));
  visit_all(simulation, put);
  put(checksum(bytes));
  return bytes;
}

Result<Done> read_snapshot(std::string_view bytes, std::string_view file, Simulation& simulation) {
  if (!bytes.starts_with(magic.substr(0, magic.size() - 1))) {
    return refusal(file, "this is not a snapshot of a run");
  }
  if (!bytes.starts_with(magic)) {
    return refusal(file, "this snapshot is of another version of thigmo",
                   "run the scenario from its start");
  }
  const std::string expected = write_snapshot(simulation);
  std::uint64_t sum = 0, order = 0, model = 0;
  constexpr std::size_t head = magic.size() + 2 * sizeof(std::uint64_t);
  if (bytes.size() < head + sizeof sum) return refusal(file, "this snapshot is cut short");
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  if (sum != checksum(bytes.substr(0, bytes.size() - sizeof sum))) {
    return refusal(file, "this snapshot is damaged: its checksum does not fit");
  }
  std::memcpy(&order, bytes.data() + magic.size(), sizeof order);
  if (order != byte_order_mark) {
    return refusal(file, "this snapshot was written by a machine of another byte order");
  }
  std::memcpy(&model, bytes.data() + magic.size() + sizeof order, sizeof model);
  if (model != model_hash(simulation) || bytes.size() != expected.size()) {
    return refusal(file, "this snapshot is of another scenario",
                   "restore it with the scenario, parameters and gallery that it was saved with");
  }
  std::size_t at = head;
  visit_all(simulation, [&](auto& value) {
    std::memcpy(&value, bytes.data() + at, sizeof value);
    at += sizeof value;
  });
  for (SimulatedPlant& plant : simulation.plants) {
    if (plant.mechanism.free_base) plant.path.reset();  // its foot was let go
  }
  return Done{};
}

}  // namespace thigmo
