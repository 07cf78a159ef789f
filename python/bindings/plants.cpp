#include <cmath>

#include "common.h"
#include "plants.h"

// Plants that are in no world yet: grown from grammars, and rods.

namespace thigmo::python {
namespace {

// Sets the method of a grammar's plant or a rod: settings of particles by their names; none: joints.
template <class Request>
void take_particles(const std::optional<std::map<std::string, double>>& settings, Request& request) {
  if (!settings) return;
  request.method = Method::particles;
  const auto whole = [](const std::string& name, double value) {
    if (!(value >= 0 && value <= 1e9 && value == std::floor(value))) {
      refuse(Trouble::argument, name + " is a whole number", "give 0 or more");
    }
    return static_cast<int>(value);
  };
  for (const auto& [name, value] : *settings) {
    if (name == "supports") {
      request.particles.supports = whole(name, value);
    } else if (name == "iterations") {
      request.particles.iterations = whole(name, value);
    } else if (name == "power") {
      request.particles.power = value;
    } else if (name == "velocity_kept") {
      request.particles.velocity_kept = value;
    } else if (name == "twist") {
      request.particles.twist = value != 0;
    } else {
      refuse(Trouble::argument, "particles have no setting '" + name + "'",
             "settings: supports, iterations, power, velocity_kept, twist");
    }
  }
}

GrownObject grow(const std::optional<std::string>& file, const std::string& text,
                 std::optional<int> steps, std::optional<std::uint64_t> seed,
                 std::map<std::string, double> parameters, const std::string& species,
                 std::optional<double> smallest_body,
                 const std::optional<std::map<std::string, double>>& particles) {
  if (!file && text.empty()) {
    refuse(Trouble::argument, "there is no grammar", "name a file, or give text=…");
  }
  GrammarPlant request{.file = file.value_or(""),
                             .steps = steps,
                             .seed = seed,
                             .parameters = std::move(parameters),
                             .species = species,
                             .text = text,
                             .smallest_body = smallest_body};
  take_particles(particles, request);
  return unlocked([&] {
    GrownObject grown;
    grown.plant = value_of(grow_plant(request, &grown.notes));
    return grown;
  });
}

GrownObject rod(int segments, double length, double radius, std::optional<double> radius_tip,
                const Numbers3& direction, const std::string& species, double density, double young,
                std::optional<double> damping_ratio, bool stands_as_modelled,
                const std::optional<std::map<std::string, double>>& particles) {
  RodPlant request{.segments = segments,
                         .length = length,
                         .radius_base = radius,
                         .radius_tip = radius_tip.value_or(radius),
                         .direction = direction,
                         .species = species,
                         .density = density,
                         .young = young,
                         .damping_ratio = damping_ratio.value_or(-1),
                         .stands_as_modelled = stands_as_modelled};
  take_particles(particles, request);
  return unlocked([&] { return GrownObject{.plant = value_of(grow_plant(request))}; });
}

}  // namespace

void bind_plants(py::module_& module) {
  py::class_<GrownObject>(module, "Grown",
                          "A plant at rest that is in no world yet. It never changes, and may stand in "
                          "many worlds, many times.")
      .def_property_readonly("segment_count",
                             [](const GrownObject& g) { return g.plant.segment_count(); })
      .def_property_readonly(
          "height", [](const GrownObject& g) { return g.plant.height(); }, "[m]")
      .def_property_readonly("name", [](const GrownObject& g) { return g.plant.name(); })
      .def_property_readonly(
          "notes", [](const GrownObject& g) { return list_of(g.notes); },
          "What was warned of when it was grown or read.")
      .def("__repr__", [](const GrownObject& g) {
        return py::str("<thigmo.Grown '{}', {} segments, {:.3g} m high>")
            .format(g.plant.name(), g.plant.segment_count(), g.plant.height());
      });

  module.def(
      "grow",
      [](const std::optional<PathText>& file, const std::string& text, std::optional<int> steps,
         std::optional<std::uint64_t> seed, std::map<std::string, double> parameters,
         const std::string& species, std::optional<double> smallest_body,
         const std::optional<std::map<std::string, double>>& particles) {
        return grow(file ? std::optional(file->text) : std::nullopt, text, steps, seed,
                    std::move(parameters), species, smallest_body, particles);
      },
      "file"_a = py::none(), py::kw_only(), "text"_a = "", "steps"_a = py::none(),
      "seed"_a = py::none(), "parameters"_a = std::map<std::string, double>{}, "species"_a = "",
      "smallest_body"_a = py::none(), "particles"_a = py::none(),
      R"(Grows a plant from a grammar: a file (.lsys, .abs or .sbt), or a text.

With both, `file` is only the name of the text in messages, and its ending says which language it is in.
steps: of the derivation; else as many as the grammar says.
parameters: replace #define constants of the grammar.
species: whose wood it is made of; empty: what the grammar says, else oak.
smallest_body: ends of stated bodies that are lighter are left out [kg].
particles: moves it as the particles of Li (2012) instead of joints; their settings supports, iterations, power,
velocity_kept and twist, or {} for all defaults.)");
  module.def("rod", rod, py::kw_only(), "segments"_a = 20, "length"_a = 1.0, "radius"_a = 0.01,
             "radius_tip"_a = py::none(), "direction"_a = Numbers3{0, 1, 0}, "species"_a = "oak",
             "density"_a = 0.0, "young"_a = 0.0, "damping_ratio"_a = py::none(),
             "stands_as_modelled"_a = false, "particles"_a = py::none(),
             R"(A round rod.

length, radius, radius_tip: [m]; without radius_tip the rod has one radius.
density [kg/m³], young [Pa], damping_ratio: instead of the species', where given.
stands_as_modelled: else it starts straight and sags under its weight.
particles: as for grow.)");
}

}  // namespace thigmo::python
