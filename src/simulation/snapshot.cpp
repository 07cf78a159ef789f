#include "simulation/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/assert.h"
#include "base/hash.h"

namespace thigmo {
namespace {

constexpr std::string_view magic = "THGSNAP6";
constexpr std::uint64_t byte_order_mark = 0x0102030405060708u;

std::uint64_t checksum(std::string_view bytes) {
  Hasher hasher;
  hasher.add(bytes);
  return hasher.value();
}

// What a number of a snapshot must fulfil, besides being one.
enum class Must { be_finite, not_be_negative, be_single };

constexpr double unit_tolerance = 1e-6;  // of a rotation's squared length

bool holds(double value, Must must) {
  // What is kept in single precision came from there.
  if (must == Must::be_single) {
    return std::abs(value) <= std::numeric_limits<float>::max() &&
           static_cast<double>(static_cast<float>(value)) == value;
  }
  return std::isfinite(value) && (must == Must::be_finite || value >= 0);
}
bool holds(const Vec3& v, Must must) {
  return holds(v.x, must) && holds(v.y, must) && holds(v.z, must);
}
bool holds(const Quat& q, Must) {
  return std::abs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < unit_tolerance;
}
bool holds(int value, Must) { return value >= 0; }
bool holds(std::int64_t value, Must) { return value >= 0; }

template <class Value, class Number, class Visit>
void visit_bodies(const char* name, const PerBody<Value, Number>& values, Visit&& visit) {
  constexpr Must must = std::is_same_v<Number, float> ? Must::be_single : Must::be_finite;
  for (std::size_t i = 0; i < values.size(); ++i) visit(name, values[i], must);
}
template <class Value, class Number, class Visit>
void visit_bodies(const char* name, PerBody<Value, Number>& values, Visit&& visit) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    visit(name, value, Must::be_finite);
    values.set(i, value);
  }
}

// One walk over everything that is saved, field by field, for writing and checking (of what is const) and
// for reading.
template <class AnyState, class Visit>
void visit_state(AnyState& state, Visit&& visit) {
  visit("time of a plant", state.time, Must::not_be_negative);
  auto& root = state.root;
  visit("position of a root", root.position_world, Must::be_finite);
  visit("rotation of a root", root.world_from_plant, Must::be_finite);
  for (auto* vector :
       {&root.velocity_world, &root.accel_world, &root.omega_plant, &root.alpha_plant}) {
    visit("velocity of a root", *vector, Must::be_finite);
  }
  // What a root that is not free is held by, the scenario says.
  bool free = is_free(root);
  visit("truth of a free root", free, Must::be_finite);
  if constexpr (!std::is_const_v<AnyState>) {
    if (free != is_free(root)) root.hold = free ? RootHold::free : RootHold::clamped;
  }
  visit("truth of having started", state.started, Must::be_finite);
  visit("number of halvings", state.halvings, Must::not_be_negative);
  auto& watch = state.watch;
  visit("truth of being watched", watch.on, Must::be_finite);
  visit("number of unseen steps", watch.unseen, Must::not_be_negative);
  visit("gravity", watch.gravity_world, Must::be_finite);
  visit("watched energy", watch.start, Must::be_finite);
  visit("watched energy", watch.lowest, Must::be_finite);
  visit("watched energy", watch.swing, Must::not_be_negative);
  visit("gain of energy", watch.gain, Must::not_be_negative);
  visit_bodies("rotation of a joint", state.rest_from_body, visit);
  visit_bodies("velocity of a joint", state.joint_velocity, visit);
  visit_bodies("acceleration of a joint", state.joint_acceleration, visit);
  visit_bodies("tension along a segment", state.tension_torque, visit);
}

template <class AnyWorks, class Visit>
void visit_works(AnyWorks& works, Visit&& visit) {
  for (auto* work : {&works.by_air, &works.by_loads, &works.by_ground, &works.by_base,
                     &works.lost_in_joints, &works.lost_by_mass}) {
    visit("account of energy", *work, Must::be_finite);
  }
  visit("truth of an account", works.begun, Must::be_finite);
  for (auto& forces : works.last) {
    for (auto* wrench : {&forces.air, &forces.loads, &forces.ground, &forces.mass}) {
      visit("force in an account", wrench->torque, Must::be_finite);
      visit("force in an account", wrench->force, Must::be_finite);
    }
    visit("force in an account", forces.damper, Must::be_finite);
  }
}

// Of each plant what is saved besides its state.
struct PlantExtras {
  std::int64_t grabs = 0;      // that hold it
  std::optional<Works> works;  // where account is kept
};

template <class AnySimulation, class AnyExtras, class Visit>
void visit_all(AnySimulation& simulation, AnyExtras& extras, Visit&& visit) {
  visit("time", simulation.time, Must::not_be_negative);
  visit("number of steps", simulation.steps, Must::not_be_negative);
  visit("number of rejected steps", simulation.rejected_steps, Must::not_be_negative);
  visit("number of corrections", simulation.corrections, Must::not_be_negative);
  visit("number of braked joints", simulation.braked_joints, Must::not_be_negative);
  visit("number of coarse steps", simulation.coarse_steps, Must::not_be_negative);
  visit("gain of energy", simulation.energy_gain, Must::not_be_negative);
  if (simulation.account_start) {
    visit("energy of the start", *simulation.account_start, Must::be_finite);
  }
  for (std::size_t i = 0; i < simulation.plants.size(); ++i) {
    auto& plant = simulation.plants[i];
    visit("time of rest", plant.quiet_time, Must::not_be_negative);
    visit("truth of sleep", plant.asleep, Must::be_finite);
    visit("number of grabs", extras[i].grabs, Must::not_be_negative);
    visit_state(plant.state, visit);
    if (extras[i].works) visit_works(*extras[i].works, visit);
  }
}

std::vector<PlantExtras> extras_of(const Simulation& simulation) {
  std::vector<PlantExtras> extras;
  for (const SimulatedPlant& plant : simulation.plants) {
    extras.push_back({.grabs = static_cast<std::int64_t>(plant.grabs.size())});
    if (simulation.account_start) extras.back().works = plant.workspace.works;
  }
  return extras;
}

Diagnostic refusal(std::string_view file, std::string message, std::string hint = {}) {
  return {.message = std::move(message), .file = std::string(file), .hint = std::move(hint)};
}

// Whether it is of a plant's own history that its root is free: it was so from the start, or has been let go.
bool is_free_at(const SimulatedPlant& plant, double time) {
  if (!plant.release) return is_free(plant.state.root);
  return *plant.release < time;
}

// What no single number shows: whether the values agree. `time` and `steps` are those of the whole simulation.
Result<Done> check_agreement(const Simulation& simulation, const std::vector<PlantExtras>& extras,
                             double time, std::int64_t steps,
                             const std::vector<std::uint8_t>& free_root) {
  // Times add up step by step, each with a rounding.
  const double expected = simulation.step * static_cast<double>(steps);
  if (simulation.step > 0 && !(std::abs(time - expected) < 0.25 * simulation.step)) {
    return error(fmt::format("{} steps of {} s do not make {} s", steps, simulation.step, time));
  }
  for (std::size_t i = 0; i < simulation.plants.size(); ++i) {
    const SimulatedPlant& plant = simulation.plants[i];
    if ((free_root[i] != 0) != is_free_at(plant, time)) {
      return error(fmt::format("the root of '{}' cannot be {} at {} s", plant.name,
                               free_root[i] != 0 ? "free" : "held", time));
    }
    const auto grabs = std::count_if(simulation.grabs.begin(), simulation.grabs.end(),
                                     [&](const Grab& grab) { return grab.plant == i; });
    if (extras[i].grabs > grabs) {
      return error(fmt::format("{} grabs cannot hold '{}'", extras[i].grabs, plant.name));
    }
  }
  return Done{};
}

// Takes values of a snapshot one after the other. Truths are bytes of 0 or 1.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}
  std::size_t left() const { return bytes_.size(); }

  template <class Value>
  Value take() {
    Value value;
    THIGMO_ASSERT(bytes_.size() >= sizeof value);
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  bool take_truth() { return take<std::uint8_t>() != 0; }

 private:
  std::string_view bytes_;
};

// Counts the bytes that a walk writes.
std::size_t saved_size(const Simulation& simulation, const std::vector<PlantExtras>& extras) {
  std::size_t size = 0;
  visit_all(simulation, extras,
            [&size](const char*, const auto& value, Must) { size += sizeof value; });
  return size;
}

// What a snapshot holds besides its head and its checksum.
struct Envelope {
  bool has_account = false;
  std::string_view fields;
};

Result<Envelope> open_envelope(std::string_view bytes, std::string_view file,
                               const Simulation& simulation) {
  if (!bytes.starts_with(magic.substr(0, magic.size() - 1))) {
    return refusal(file, "this is not a snapshot of a run");
  }
  if (!bytes.starts_with(magic)) {
    return refusal(file, "this snapshot is of another version of thigmo",
                   "run the scenario from its start");
  }
  constexpr std::size_t head = magic.size() + 3 * sizeof(std::uint64_t);
  constexpr std::size_t tail = sizeof(std::uint64_t);
  if (bytes.size() < head + tail) return refusal(file, "this snapshot is cut short");
  const auto sum = Fields(bytes.substr(bytes.size() - tail)).take<std::uint64_t>();
  if (sum != checksum(bytes.substr(0, bytes.size() - tail))) {
    return refusal(file, "this snapshot is damaged: its checksum does not fit");
  }
  Fields beginning(bytes.substr(magic.size(), head - magic.size()));
  if (beginning.take<std::uint64_t>() != byte_order_mark) {
    return refusal(file, "this snapshot was written by a machine of another byte order");
  }
  if (beginning.take<std::uint64_t>() != model_hash(simulation)) {
    return refusal(file, "this snapshot is of another scenario",
                   "restore it with the scenario, parameters and gallery that it was saved with; "
                   "duration, outputs, probes, title and energy may differ");
  }
  const auto account = beginning.take<std::uint64_t>();
  if (account > 1) return refusal(file, "this snapshot is forged: the truth of an account is none");
  return Envelope{.has_account = account == 1,
                  .fields = bytes.substr(head, bytes.size() - head - tail)};
}

// Whether a run of this simulation could have left these values. The first that it could not is said.
Result<Done> check_fields(const Simulation& simulation, const std::vector<PlantExtras>& extras,
                          std::string_view fields) {
  if (fields.size() != saved_size(simulation, extras)) {
    return error("it has not the size of its scenario's state");
  }
  Fields looked(fields);
  Result<Done> sound = Done{};
  const auto refuse = [&sound](std::string message) {
    if (sound) sound = error(std::move(message));
  };
  double time = 0;
  std::int64_t steps = 0;
  std::vector<std::uint8_t> free_root;
  std::vector<PlantExtras> seen(extras.size());
  std::size_t grabs_seen = 0;
  visit_all(simulation, extras, [&](const char* name, const auto& like, Must must) {
    using Value = std::decay_t<decltype(like)>;
    if constexpr (std::is_same_v<Value, bool>) {
      const auto truth = looked.take<std::uint8_t>();
      if (truth > 1) refuse(fmt::format("the {} is none", name));
      if (std::string_view(name) == "truth of a free root") free_root.push_back(truth);
    } else {
      const auto value = looked.take<Value>();
      if (!holds(value, must)) refuse(fmt::format("the {} cannot be", name));
      if constexpr (std::is_same_v<Value, double>) {
        if (std::string_view(name) == "time") time = value;
        // They add up alike, in substeps and in whole steps.
        const bool late = std::string_view(name) == "time of a plant" &&
                          !(std::abs(value - time) <= 0.25 * simulation.step);
        if (late) refuse(fmt::format("the time of a plant is not {} s", time));
      } else if constexpr (std::is_same_v<Value, std::int64_t>) {
        if (std::string_view(name) == "number of steps") steps = value;
        if (std::string_view(name) == "number of grabs") seen[grabs_seen++].grabs = value;
      }
    }
  });
  return sound ? check_agreement(simulation, seen, time, steps, free_root) : sound;
}

}  // namespace

std::string write_snapshot(const Simulation& simulation) {
  std::string bytes(magic);
  const auto put = [&bytes](const auto& value) {
    static_assert(std::is_trivially_copyable_v<std::remove_reference_t<decltype(value)>>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  put(byte_order_mark);
  put(model_hash(simulation));
  put(static_cast<std::uint64_t>(simulation.account_start ? 1 : 0));
  const std::vector<PlantExtras> extras = extras_of(simulation);
  visit_all(simulation, extras, [&put](const char*, const auto& value, Must) { put(value); });
  put(checksum(bytes));
  return bytes;
}

Result<Done> read_snapshot(std::string_view bytes, std::string_view file, Simulation& simulation) {
  const Result<Envelope> envelope = open_envelope(bytes, file, simulation);
  if (!envelope) return envelope.diagnostics();
  // Sizes are those of this simulation, never of the file.
  std::vector<PlantExtras> extras(simulation.plants.size());
  const std::optional<double> account_before = simulation.account_start;
  simulation.account_start.reset();
  if (envelope->has_account) {
    simulation.account_start = 0;
    for (std::size_t i = 0; i < extras.size(); ++i) {
      extras[i].works = make_works(simulation.plants[i].model->mechanism);
    }
  }
  // First all is looked at, then all is taken: what is refused has changed nothing.
  if (const Result<Done> sound = check_fields(simulation, extras, envelope->fields); !sound) {
    simulation.account_start = account_before;
    return refusal(file,
                   fmt::format("this snapshot is forged: {}", sound.diagnostics().front().message),
                   "take a snapshot that thigmo has saved");
  }
  Fields taken(envelope->fields);
  visit_all(simulation, extras, [&taken](const char*, auto& value, Must) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, bool>) {
      value = taken.take_truth();
    } else {
      value = taken.take<Value>();
    }
  });
  for (std::size_t i = 0; i < extras.size(); ++i) {
    SimulatedPlant& plant = simulation.plants[i];
    plant.workspace.works = std::move(extras[i].works);
    plant.grabs.resize(static_cast<std::size_t>(extras[i].grabs));
    if (is_free(plant.state.root)) plant.path.reset();  // it was let go
  }
  return Done{};
}

}  // namespace thigmo
