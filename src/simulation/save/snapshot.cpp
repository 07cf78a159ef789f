#include "simulation/save/snapshot.h"

#include <fmt/format.h>

#include <algorithm>

#include "plant/reach.h"
#include "simulation/edit_places.h"
#include "simulation/save/simulation_fields.h"

namespace thigmo {
namespace {

constexpr std::string_view magic = "THGSNAP8";
constexpr std::uint64_t byte_order_mark = 0x0102030405060708u;
constexpr std::size_t word = sizeof(std::uint64_t);
constexpr std::size_t head_bytes = magic.size() + 2 * word;  // and the fingerprint of the scenario

std::uint64_t word_at(std::string_view bytes, std::size_t at) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

Diagnostic refusal(std::string_view file, std::string message, std::string hint = {}) {
  return {.message = std::move(message), .file = std::string(file), .hint = std::move(hint)};
}

Diagnostic forged(std::string_view file, std::string_view problem) {
  return refusal(file, fmt::format("this snapshot is forged: {}", problem),
                 "take a snapshot that thigmo has saved");
}

// The fields between the head and the checksum.
Result<std::string_view> open_envelope(std::string_view bytes, std::string_view file) {
  if (!bytes.starts_with(magic.substr(0, magic.size() - 1))) {
    return refusal(file, "this is not a snapshot that thigmo has saved");
  }
  if (!bytes.starts_with(magic)) {
    return refusal(file, "this snapshot is of another version of thigmo",
                   "save it again with this version, from the start");
  }
  if (bytes.size() < head_bytes + word) return refusal(file, "this snapshot is cut short");
  if (word_at(bytes, bytes.size() - word) != checksum_of(bytes.substr(0, bytes.size() - word))) {
    return refusal(file, "this snapshot is damaged: its checksum does not fit");
  }
  if (word_at(bytes, magic.size()) != byte_order_mark) {
    return refusal(file, "this snapshot was written by a machine of another byte order");
  }
  return bytes.substr(head_bytes, bytes.size() - head_bytes - word);
}

std::size_t expected_bytes(const Simulation& simulation, const SavedModels& models) {
  constexpr std::size_t of_body = 210, of_account = 216;
  std::size_t bytes = 4096;
  for (const SavedModel& saved : models.list) {
    bytes += saved_bytes(saved.model->plant) + of_body * saved.model->mechanism.body.size();
  }
  for (const SimulatedPlant& plant : simulation.plants) {
    const std::size_t bodies = plant.model->mechanism.body.size();
    bytes += 1000 + (joint_bytes + sizeof(SegmentPlace)) * bodies;
    if (plant.workspace.works) bytes += of_account * (bodies + 1);
    if (plant.wind_ease) bytes += sizeof(AirNode) * plant.wind_ease->before.velocity_world.size();
  }
  return bytes;
}

// Whether plants have all models, the first of them first.
bool are_used_in_order(const SavedModels& models, const Simulation& simulation) {
  const SavedModels used = models_of(simulation);
  return std::equal(used.list.begin(), used.list.end(), models.list.begin(), models.list.end(),
                    [](const SavedModel& a, const SavedModel& b) { return a.model == b.model; });
}

// All that follows from what was read: what a step needs of models, room to work in, and the air.
void make_ready(const SavedModels& models, Simulation& simulation) {
  for (const SavedModel& saved : models.list) {
    saved.model->reach = reaches_of(saved.model->plant);
    saved.model->step_model = make_step_model(saved.model->mechanism, saved.form);
  }
  for (SimulatedPlant& plant : simulation.plants) {
    std::optional<Works> works = std::move(plant.workspace.works);
    plant.workspace = make_workspace(plant.model->step_model);
    plant.workspace.works = std::move(works);
    make_air(plant);
    plant.loads.reserve(simulation.forces.size());
    plant.grabs.reserve(simulation.grabs.size());
  }
  find_keyed_segments(simulation);
  reserve_events(simulation);
}

// Where a probe of the scenario is by now: where the same one was saved, or on the segment that it is of.
void find_probe(const Simulation& fresh, const Simulation& saved, Probe& probe) {
  for (const Probe& known : saved.probes) {
    if (known.name != probe.name || known.source != probe.source) continue;
    probe = known;
    return;
  }
  const SegmentId id = segment_id(fresh.plants[probe.plant], probe.body);
  const Result<FoundSegment> found = find_segment(saved, id);
  probe.gone = !found;
  if (!found) return;
  probe.plant = found->plant;
  probe.body = found->segment;
  const Plant& plant = saved.plants[found->plant].model->plant;
  probe.gone = probe.point_in_body.y > segment_at(plant, found->segment).length;
}

// What a scenario says now, where it may say something else than when the snapshot was saved.
void take_over(Simulation&& fresh, Simulation& saved) {
  for (Probe& probe : fresh.probes) find_probe(fresh, saved, probe);
  for (std::size_t i = 0; i < fresh.plants.size(); ++i) {
    const std::optional<std::size_t> plant = find_plant(saved.registry, plant_id(fresh, i));
    if (!plant || !saved.plants[*plant].path || !fresh.plants[i].path) continue;
    saved.plants[*plant].path = std::move(fresh.plants[i].path);
  }
  for (Grab& grab : fresh.grabs) {
    const auto known = std::find_if(saved.grabs.begin(), saved.grabs.end(),
                                    [&](const Grab& g) { return g.number == grab.number; });
    if (known != saved.grabs.end()) known->path = std::move(grab.path);
  }
  fresh.timeline.divisions = std::move(saved.timeline.divisions);
  saved.timeline = std::move(fresh.timeline);
  saved.options = fresh.options;
  saved.probes = std::move(fresh.probes);
  saved.notes = std::move(fresh.notes);
}

// Whether a run of this scenario could have come there: its steps add up, each with a rounding, and roots are let go
// when they are to be.
Result<Done> check_run(const Simulation& run) {
  const double expected = run.step * static_cast<double>(run.steps), near = 0.25 * run.step;
  if (!(std::abs(run.time - expected) <= near)) {
    return error(fmt::format("{} steps of {} s do not make {} s", run.steps, run.step, run.time));
  }
  for (const SimulatedPlant& plant : run.plants) {
    if (!(std::abs(plant.state.time - run.time) <= near)) {
      return error(fmt::format("the time of '{}' is not {} s", plant.name, run.time));
    }
    if (plant.release && is_free(plant.state.root) != (*plant.release < run.time)) {
      return error(
          fmt::format("the root of '{}' cannot be as it is at {} s", plant.name, run.time));
    }
  }
  return Done{};
}

// A field that is new in one of these must be saved too, or follow from others: then its list here grows.
[[maybe_unused]] void count_fields(const Simulation& simulation, const SimulatedPlant& plant,
                                   const State& state, const Mechanism& mechanism) {
  [[maybe_unused]] const auto& [s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15,
                                s16, s17, s18, s19, s20, s21, s22, s23, s24, s25, s26, s27, s28,
                                s29] = simulation;
  [[maybe_unused]] const auto& [p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15,
                                p16, p17, p18, p19, p20, p21, p22, p23, p24, p25, p26] = plant;
  [[maybe_unused]] const auto& [t1, t2, t3, t4, t5, t6, t7, t8, t9, t10] = state;
  [[maybe_unused]] const auto& [m1, m2, m3, m4, m5, m6, m7] = mechanism;
}

}  // namespace

SavedModels models_of(const Simulation& simulation) {
  SavedModels models;
  for (const SimulatedPlant& plant : simulation.plants) {
    if (!models.number.try_emplace(plant.model.get(), models.list.size()).second) continue;
    // It is read only.
    const StepModel* step_model = plant.model->step_model.get();  // none while it is read
    models.list.push_back({.model = std::const_pointer_cast<PlantModel>(plant.model),
                           .form = step_model ? form_of(*step_model) : StepForm{}});
  }
  return models;
}

void check_root(const SimulatedPlant& plant, FieldReader& reader) {
  const RootHold hold = plant.state.root.hold;
  if (!reader.sound()) return;
  if (hold == RootHold::free && plant.path) reader.refuse("a free root has a path");
  if (hold == RootHold::on_path && !plant.path) reader.refuse("a root is on a path that is none");
  if (plant.path && plant.path->time.empty()) reader.refuse("a path of a root has no times");
}

std::string write_snapshot(const Simulation& simulation) {
  const SavedModels models = models_of(simulation);
  FieldWriter writer(expected_bytes(simulation, models));
  for (const char& letter : magic) writer.number("magic", letter);
  writer.number("byte order", byte_order_mark);
  writer.number("fingerprint", simulation.scenario_hash);
  visit_simulation(writer, simulation, models);
  std::string bytes = writer.take();
  const std::uint64_t sum = checksum_of(bytes);
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes;
}

Result<Simulation> read_snapshot(std::string_view bytes, std::string_view file) {
  const Result<std::string_view> fields = open_envelope(bytes, file);
  if (!fields) return fields.diagnostics();
  FieldReader reader(*fields);
  Simulation simulation;
  SavedModels models;
  visit_simulation(reader, simulation, models);
  if (reader.left() > 0) reader.refuse("there is more in it than a world");
  if (!reader.sound()) return forged(file, reader.problem());
  if (!are_used_in_order(models, simulation)) {
    return forged(file, "it has a model that no plant has");
  }
  simulation.scenario_hash = word_at(bytes, magic.size() + word);
  make_ready(models, simulation);
  return simulation;
}

Result<Done> restore_run(std::string_view bytes, std::string_view file, Simulation& simulation) {
  if (const auto fields = open_envelope(bytes, file); !fields) return fields.diagnostics();
  if (word_at(bytes, magic.size() + word) != simulation.scenario_hash) {
    return refusal(file, "this snapshot is of another scenario",
                   "restore it with the scenario, parameters and gallery that it was saved with; "
                   "duration, outputs, probes, title and energy may differ");
  }
  Result<Simulation> saved = read_snapshot(bytes, file);
  if (!saved) return saved.diagnostics();
  if (const Result<Done> sound = check_run(*saved); !sound) {
    return forged(file, sound.diagnostics().front().message);
  }
  take_over(std::move(simulation), *saved);
  simulation = std::move(*saved);
  return Done{};
}

}  // namespace thigmo
