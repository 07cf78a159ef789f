#include <functional>

#include "common.h"

// Ids, events and reports.

namespace thigmo::python {
namespace {

// An id of two numbers: it can be compared, hashed, sorted and pickled.
template <class Id>
void bind_id(py::module_& module, const char* name, std::uint32_t Id::*first,
             std::uint32_t Id::*second, const char* first_name, const char* second_name,
             const char* doc) {
  const std::string shown = name;
  const auto numbers = [first, second](const Id& id) {
    return py::make_tuple(id.*first, id.*second);
  };
  py::class_<Id>(module, name, doc)
      .def(py::init([first, second](std::uint32_t a, std::uint32_t b) {
             Id id;
             id.*first = a;
             id.*second = b;
             return id;
           }),
           py::arg(first_name), py::arg(second_name))
      .def_property_readonly(first_name, [first](const Id& id) { return id.*first; })
      .def_property_readonly(second_name, [second](const Id& id) { return id.*second; })
      .def(
          "__eq__", [](const Id& a, const Id& b) { return a == b; }, py::is_operator())
      .def(
          "__lt__", [](const Id& a, const Id& b) { return a < b; }, py::is_operator())
      .def("__hash__", [numbers](const Id& id) { return py::hash(numbers(id)); })
      .def("__repr__",
           [=](const Id& id) {
             return shown + "(" + std::to_string(id.*first) + ", " + std::to_string(id.*second) +
                    ")";
           })
      .def("__reduce__", [numbers](py::object self) {
        return py::make_tuple(py::type::of(self), numbers(self.cast<Id>()));
      });
}

// None for an id that names nothing.
template <class Id>
py::object some(const Id& id) {
  return id == Id{} ? py::object(py::none()) : py::cast(id);
}

void bind_events(py::module_& module) {
  py::class_<Event>(module, "Event", "What happened in a world.")
      .def_property_readonly(
          "kind", [](const Event& e) { return to_string(e.kind); },
          "'added', 'removed', 'cut', 'grafted', 'changed', 'touched', 'slept', 'woke' or 'stopped'.")
      .def_readonly("time", &Event::time, "[s]")
      .def_property_readonly("plant", [](const Event& e) { return some(e.plant); })
      .def_property_readonly(
          "segment", [](const Event& e) { return some(e.segment); },
          "None where the whole plant is meant.")
      .def_property_readonly(
          "other", [](const Event& e) { return some(e.other); },
          "Of a cut the piece, of a graft the plant that this was before; else None.")
      .def("__repr__", [](const Event& e) {
        return py::str("<thigmo.Event {} {} at {} s>")
            .format(to_string(e.kind), py::repr(some(e.plant)), e.time);
      });
}

void bind_reports(py::module_& module) {
  py::class_<Split>(module, "Split", "A segment that was cut through.")
      .def_readonly("lower", &Split::lower, "The lower part, which kept its name.")
      .def_readonly("upper", &Split::upper, "The upper part, with a new name.")
      .def_readonly("along", &Split::along, "Where, of its length.");
  py::class_<EditReport>(module, "EditReport", "What an edit did.")
      .def_readonly("pieces", &EditReport::pieces, "Plants that it made.")
      .def_readonly("splits", &EditReport::splits)
      .def_readonly("energy_before", &EditReport::energy_before,
                    "Of all that it concerned, before [J].")
      .def_readonly("energy_after", &EditReport::energy_after, "The same, after [J].")
      .def("__repr__", [](const EditReport& r) {
        return py::str("<thigmo.EditReport pieces={} splits={}>")
            .format(py::repr(py::cast(r.pieces)), r.splits.size());
      });
}

void bind_accounts(py::module_& module) {
  py::class_<Energies>(module, "Energies", "What a world's plants hold [J].")
      .def_readonly("kinetic", &Energies::kinetic)
      .def_readonly("elastic", &Energies::elastic)
      .def_readonly("gravitational", &Energies::gravitational)
      .def_property_readonly("total", [](const Energies& e) {
        return e.kinetic + e.elastic + e.gravitational;
      });
  py::class_<EnergyWorks>(module, "EnergyWorks",
                          "The work that forces did since World.keep_account, and what was lost [J].")
      .def_readonly("by_air", &EnergyWorks::by_air)
      .def_readonly("by_loads", &EnergyWorks::by_loads, "Of forces, moments and grabs.")
      .def_readonly("by_ground", &EnergyWorks::by_ground)
      .def_readonly("by_base", &EnergyWorks::by_base, "Of what moves the roots.")
      .def_readonly("by_edits", &EnergyWorks::by_edits)
      .def_readonly("lost_in_joints", &EnergyWorks::lost_in_joints)
      .def_readonly("lost_by_mass", &EnergyWorks::lost_by_mass)
      .def_readonly("numerical", &EnergyWorks::numerical,
                    "What the scheme took out, and the error of the account.");
  py::class_<Momentum>(module, "Momentum", "Of a plant, about the origin of the world.")
      .def_readonly("mass", &Momentum::mass, "[kg]")
      .def_property_readonly(
          "center", [](const Momentum& m) { return array_of(m.center); }, "Of mass [m].")
      .def_property_readonly(
          "linear", [](const Momentum& m) { return array_of(m.linear); }, "[kg m/s]")
      .def_property_readonly(
          "angular", [](const Momentum& m) { return array_of(m.angular); }, "[kg m²/s]");
  py::class_<MaterialInfo>(module, "Material", "What segments are made of.")
      .def_readonly("name", &MaterialInfo::name)
      .def_readonly("density", &MaterialInfo::density, "Green [kg/m³].")
      .def_readonly("young", &MaterialInfo::young, "Along the grain [Pa].")
      .def_readonly("shear", &MaterialInfo::shear, "Of twisting [Pa].")
      .def_readonly("damping_ratio", &MaterialInfo::damping_ratio,
                    "Of the first bending mode of the plant it is in.")
      .def_readonly("strength", &MaterialInfo::strength, "Modulus of rupture in bending [Pa].")
      .def("__repr__",
           [](const MaterialInfo& m) { return "<thigmo.Material '" + m.name + "'>"; });
  py::class_<Picked>(module, "Picked", "Where a ray, or the nearest point, meets a plant.")
      .def_readonly("plant", &Picked::plant)
      .def_readonly("segment", &Picked::segment)
      .def_readonly("along", &Picked::along, "0: base of the segment, 1: its tip.")
      .def_property_readonly(
          "position", [](const Picked& p) { return array_of(p.position); }, "On its surface [m].")
      .def_readonly("distance", &Picked::distance,
                    "From where the ray begins, or from the point asked for [m].");
}

}  // namespace

void bind_values(py::module_& module) {
  bind_id(module, "PlantId", &PlantId::slot, &PlantId::generation, "slot", "generation",
          "Name of a plant in a world; it keeps it whatever happens around it.");
  bind_id(module, "SegmentId", &SegmentId::number, &SegmentId::birth, "number", "birth",
          "Name of a segment in a world; a segment that was cut off keeps it.");
  bind_events(module);
  bind_reports(module);
  bind_accounts(module);
}

}  // namespace thigmo::python
