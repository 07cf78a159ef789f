#include "common.h"
#include "plants.h"

// Worlds: what is in them, and time.

namespace thigmo::python {
namespace {

void step(WorldObject& self, double dt, int threads) {
  without_lock(self, [&] {
    self.passed.clear();
    check(self.world.step(dt, Jobs{.threads = threads}));
  });
}

py::list events_of(WorldObject& self) {
  const World& world = enter(self);
  py::list all;
  for (const Event& event : self.passed) all.append(event);
  for (const Event& event : world.events()) all.append(event);
  return all;
}

std::vector<PlantId> add_instances(WorldObject& self, PlantId like,
                                   const py::array_t<double, py::array::c_style | py::array::forcecast>&
                                       positions,
                                   const std::optional<std::vector<double>>& turns) {
  if (positions.ndim() != 2 || positions.shape(1) != 3) {
    refuse(Trouble::argument, "places of plants must be an array of n rows and 3 columns",
           "give x, y, z for each");
  }
  const auto n = static_cast<std::size_t>(positions.shape(0));
  if (turns && turns->size() != n) {
    refuse(Trouble::argument, std::to_string(turns->size()) + " turns were given for " +
                                  std::to_string(n) + " places",
           "give one angle for each place");
  }
  std::vector<Placing> placings(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double* p = positions.data(static_cast<py::ssize_t>(i), 0);
    placings[i] = {.position = {p[0], p[1], p[2]}, .turn = turns ? (*turns)[i] : 0.0};
  }
  return without_lock(self,
                      [&] { return value_of(self.world.add_instances(like, placings)); });
}

void bind_plants_of(WorldClass& world) {
  world
      .def(
          "add",
          [](WorldObject& self, const GrownObject& plant, const Numbers3& position, double turn) {
            return without_lock(self, [&] {
              return value_of(self.world.add(plant.plant, {.position = position, .turn = turn}));
            });
          },
          "plant"_a, "position"_a = Numbers3{0, 0, 0}, "turn"_a = 0.0,
          "Puts a plant into the world: its root there [m], turned about the vertical [rad].")
      .def("add_instances", add_instances, "like"_a, "positions"_a, "turns"_a = py::none(),
           "More plants like one that is there, each as that one started; they share its model. "
           "positions: n × 3 [m]; turns: about the vertical [rad].")
      .def_property_readonly(
          "plants", [](WorldObject& self) { return enter(self).plants(); })
      .def_property_readonly(
          "plant_count", [](WorldObject& self) { return enter(self).plant_count(); })
      .def_property_readonly(
          "segment_count", [](WorldObject& self) { return enter(self).segment_count(); })
      .def(
          "__contains__",
          [](WorldObject& self, PlantId plant) { return enter(self).holds(plant); }, "plant"_a)
      .def(
          "__contains__",
          [](WorldObject& self, SegmentId segment) { return enter(self).holds(segment); },
          "segment"_a)
      .def(
          "plant_of",
          [](WorldObject& self, SegmentId segment) {
            return value_of(enter(self).plant_of(segment));
          },
          "segment"_a, "The plant that a segment is part of now.")
      .def(
          "segment",
          [](WorldObject& self, PlantId plant, std::size_t number) {
            return value_of(enter(self).segment(plant, number));
          },
          "plant"_a, "number"_a, "The segment at a place in World.segments.")
      .def(
          "tip",
          [](WorldObject& self, PlantId plant) { return value_of(enter(self).tip(plant)); },
          "plant"_a, "The last segment of a plant's main axis.")
      .def(
          "particles",
          [](WorldObject& self, PlantId plant) {
            std::vector<std::pair<std::size_t, int>> components;
            for (const ParticleComponent& c : value_of(enter(self).particles(plant)).components) {
              components.emplace_back(c.constraints, c.iterations);
            }
            return components;
          },
          "plant"_a,
          "Constraints, and iterations in each step, of the components of a plant of particles; none where "
          "joints move it.");
}

void bind_time(WorldClass& world) {
  world
      .def("step", step, "dt"_a, "threads"_a = 1,
           "Moves everything by dt seconds. threads: 0 takes as many as the machine has; the result "
           "has the same bits for any number.")
      .def_property_readonly(
          "time", [](WorldObject& self) { return enter(self).time(); }, "[s]")
      .def_property_readonly("events", events_of,
                             "What happened in the last step or run, and in what was called since.")
      .def(
          "asleep",
          [](WorldObject& self, PlantId plant) { return enter(self).asleep(plant); }, "plant"_a,
          "Whether a plant has come to rest; it then costs nothing.")
      .def(
          "copy",
          [](WorldObject& self) {
            enter(self);
            return std::make_shared<WorldObject>(self);
          },
          "A world that goes its own way from here; what does not change is shared.")
      .def("__copy__",
           [](WorldObject& self) {
             enter(self);
             return std::make_shared<WorldObject>(self);
           })
      .def(
          "__deepcopy__",
          [](WorldObject& self, const py::dict&) {
            enter(self);
            return std::make_shared<WorldObject>(self);
          },
          "memo"_a);
}

void bind_accounts(WorldClass& world) {
  world
      .def("energies", [](WorldObject& self) { return enter(self).energies(); })
      .def(
          "keep_account", [](WorldObject& self) { check(enter(self).keep_account()); },
          "From now on account is kept of where energy goes; steps take longer.")
      .def(
          "account", [](WorldObject& self) { return enter(self).account(); },
          "Works and losses since keep_account; zero where none is kept.")
      .def(
          "first_frequency",
          [](WorldObject& self, PlantId plant) { return enter(self).first_frequency(plant); },
          "plant"_a, "Of small motions about rest, without gravity [Hz].")
      .def(
          "sway_frequency",
          [](WorldObject& self, PlantId plant) { return enter(self).sway_frequency(plant); },
          "plant"_a, "Of the main axis about its present pose, under gravity [Hz].")
      .def(
          "frequency_error",
          [](WorldObject& self, PlantId plant, double dt) {
            return enter(self).frequency_error(plant, dt);
          },
          "plant"_a, "dt"_a,
          "What steps of dt do to the first frequency: found over true, less 1.")
      .def_property_readonly("rejected_steps",
                             [](WorldObject& self) { return enter(self).rejected_steps(); })
      .def_property_readonly("braked_joints",
                             [](WorldObject& self) { return enter(self).braked_joints(); })
      .def_property_readonly("coarse_steps",
                             [](WorldObject& self) { return enter(self).coarse_steps(); })
      .def_property_readonly(
          "energy_gain", [](WorldObject& self) { return enter(self).energy_gain(); },
          "How far the energy of a plant that no load worked on rose, over its largest kinetic "
          "energy. Above 0.02 the motion is not to be trusted.")
      .def_property_readonly(
          "substeps", [](WorldObject& self) { return enter(self).substeps(); },
          "Of the last step, of the plant that needed most.")
      .def_property_readonly(
          "notes", [](WorldObject& self) { return list_of(enter(self).notes()); })
      .def_property_readonly(
          "state_hash", [](WorldObject& self) { return enter(self).state_hash(); },
          "A number that is equal where all bits of the state are.");
}

}  // namespace

WorldClass bind_world(py::module_& module) {
  WorldClass world(module, "World",
                   R"(Plants, the air around them, and time. SI units; y is up.

Anything may be changed between two steps. A world is called from one thread at a time; what was refused
raises thigmo.Error and has changed nothing.)");
  world.def(py::init<>()).def("__repr__", [](WorldObject& self) {
    const World& w = enter(self);
    return py::str("<thigmo.World of {} plants and {} segments at {:.6g} s>")
        .format(w.plant_count(), w.segment_count(), w.time());
  });
  bind_plants_of(world);
  bind_time(world);
  bind_accounts(world);
  return world;
}

}  // namespace thigmo::python
