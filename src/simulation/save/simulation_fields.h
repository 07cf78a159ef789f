#pragma once

// A simulation, field by field.

#include <map>

#include "simulation/save/air_fields.h"
#include "simulation/save/keyed_fields.h"
#include "simulation/save/load_fields.h"
#include "simulation/save/particle_fields.h"
#include "simulation/save/registry_fields.h"
#include "simulation/save/timeline_fields.h"

namespace thigmo {

// The models of a simulation, each once, in the order in which plants have them.
struct SavedModels {
  std::vector<SavedModel> list;
  std::map<const PlantModel*, std::size_t> number;  // for writing
};
SavedModels models_of(const Simulation& simulation);

inline constexpr std::size_t plant_bytes = 500;
inline constexpr std::size_t model_bytes = 200;

template <class Archive, class AnyPlant>
void visit_surroundings_of(Archive& archive, AnyPlant& plant, std::size_t bodies) {
  visit_air(archive, plant);
  visit_list(archive, "forces on a plant", plant.loads, point_load_bytes,
             [&](auto& load) { visit_point_load(archive, load, bodies); });
  visit_list(archive, "grabs on a plant", plant.grabs, grab_load_bytes,
             [&](auto& load) { visit_grab_load(archive, load, bodies); });
  visit_optional(archive, "truth of a path", plant.path,
                 [&](auto& path) { visit_path(archive, path); });
  visit_optional_number(archive, "release of a root", plant.release, Must::be_finite);
  visit_optional(archive, "truth of a ground", plant.ground,
                 [&](auto& ground) { visit_ground(archive, ground); });
}

// What holds a root must be there.
void check_root(const SimulatedPlant& plant, FieldReader& reader);

template <class Archive, class AnyPlant>
void visit_simulated_plant(Archive& archive, AnyPlant& plant, const SavedModels& models) {
  Index model = no_index;
  if constexpr (!Archive::reads) model = static_cast<Index>(models.number.at(plant.model.get()));
  archive.index("model of a plant", model, 0, models.list.size());
  if constexpr (Archive::reads) {
    if (!archive.sound()) return;
    plant.model = at(models.list, model).model;
  }
  const Mechanism& mechanism = plant.model->mechanism;
  const std::size_t bodies = mechanism.body.size();
  archive.text("name of a plant", plant.name);
  archive.index("slot of a plant", plant.slot, 0, most_numbers);
  archive.number("birth of a plant", plant.birth);
  bool renamed = !plant.ids.empty();
  archive.truth("truth of names of its own", renamed);
  if constexpr (Archive::reads) {
    if (renamed) plant.ids.resize(bodies);
  }
  visit_optional(archive, "truth of a stub", plant.stub,
                 [&](auto& stub) { visit_stub(archive, stub); });
  visit_frame(archive, plant.stands);
  if constexpr (Archive::reads) {
    if (archive.left() / joint_bytes < bodies) return archive.refuse("it ends within a plant");
  }
  visit_state(archive, plant.state, mechanism);
  visit_particles(archive, plant);
  visit_surroundings_of(archive, plant, bodies);
  visit_optional(archive, "truth of an account", plant.workspace.works,
                 [&](auto& works) { visit_works(archive, works, mechanism); });
  archive.number("time of rest", plant.quiet_time, Must::not_be_negative);
  for (auto* truth : {&plant.asleep, &plant.touches, &plant.told_asleep, &plant.told_touching}) {
    archive.truth("truth of sleep and touch", *truth);
  }
  visit_report(archive, plant.report);
  if constexpr (Archive::reads) check_root(plant, archive);
}

template <class Archive, class AnySimulation>
void visit_progress(Archive& archive, AnySimulation& s) {
  archive.number("time", s.time, Must::not_be_negative);
  archive.number("step of the scenario", s.step, Must::not_be_negative);
  for (auto* count : {&s.steps, &s.rejected_steps, &s.corrections, &s.braked_joints,
                      &s.coarse_steps, &s.pieces_named}) {
    archive.number("number of steps", *count, Must::not_be_negative);
  }
  archive.number("number of named loads", s.loads_named);
  archive.number("gain of energy", s.energy_gain, Must::not_be_negative);
  archive.truth("truth of being finite", s.finite);
  visit_optional_number(archive, "energy of the start", s.account_start, Must::be_finite);
  archive.number("energy of edits", s.account_by_edits);
  visit_work_sums(archive, s.account_closed);
}

template <class Archive, class AnySimulation>
void visit_world_around(Archive& archive, AnySimulation& s) {
  archive.number("gravity", s.gravity_world);
  archive.number("numerical damping", s.options.numerical_damping, Must::not_be_negative);
  archive.number("most passes", s.options.most_passes, Must::not_be_negative);
  archive.truth("truth of stopping", s.options.stop_when_violent);
  for (auto* value : {&s.drag.air_density, &s.drag.stem_coefficient, &s.drag.organ_coefficient,
                      &s.drag.streamlining_speed}) {
    archive.number("drag of the air", *value, Must::not_be_negative);
  }
  visit_wind(archive, s.wind);
  visit_optional(archive, "truth of a ground", s.ground,
                 [&](auto& form) { visit_ground_form(archive, form); });
}

template <class Archive, class AnySimulation>
void visit_loads(Archive& archive, AnySimulation& s) {
  visit_list(archive, "forces", s.forces, force_bytes,
             [&](auto& force) { visit_force(archive, force, s); });
  visit_list(archive, "grabs", s.grabs, grab_bytes,
             [&](auto& grab) { visit_grab(archive, grab, s); });
  visit_list(archive, "probes", s.probes, probe_bytes,
             [&](auto& probe) { visit_probe(archive, probe, s); });
  if constexpr (Archive::reads) {
    if (!are_named_in_order(s.forces, s.loads_named) ||
        !are_named_in_order(s.grabs, s.loads_named)) {
      archive.refuse("the names of forces and grabs are in disorder");
    }
  }
}

template <class Archive, class AnySimulation, class AnyModels>
void visit_simulation(Archive& archive, AnySimulation& simulation, AnyModels& models) {
  visit_progress(archive, simulation);
  visit_world_around(archive, simulation);
  visit_list(archive, "models", models.list, model_bytes,
             [&](auto& saved) { visit_model(archive, *saved.model, saved.form); });
  visit_list(archive, "plants", simulation.plants, plant_bytes,
             [&](auto& plant) { visit_simulated_plant(archive, plant, models); });
  visit_loads(archive, simulation);
  visit_registry(archive, simulation);
  visit_list(archive, "events", simulation.events, event_bytes,
             [&](auto& event) { visit_event(archive, event); });
  visit_timeline(archive, simulation.timeline);
  visit_keyed(archive, simulation.keyed);
  visit_list(archive, "notes", simulation.notes, diagnostic_bytes,
             [&](auto& said) { visit_diagnostic(archive, said); });
}

}  // namespace thigmo
