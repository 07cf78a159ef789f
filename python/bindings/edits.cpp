#include "common.h"
#include "plants.h"

// Edits of a world.

namespace thigmo::python {
namespace {

GraftOptions graft_options(double along, const std::string& rest, bool carry) {
  GraftOptions options{.along = along, .carry = carry};
  if (rest == "as_it_is") {
    options.rest = GraftRest::as_it_is;
  } else if (rest != "as_before") {
    refuse(Trouble::argument, "a graft cannot rest '" + rest + "'",
           "write 'as_before' or 'as_it_is'");
  }
  return options;
}

ChangeOf change_of(double stiffness, double mass, double damping, double creep,
                   const std::string& species) {
  return {.stiffness = stiffness,
          .mass = mass,
          .damping = damping,
          .creep = creep,
          .species = species};
}

// An edit, without the interpreter lock.
template <class Work>
EditReport edit(WorldObject& self, Work&& work) {
  return without_lock(self, [&] { return value_of(work(self.world)); });
}

void bind_cuts(WorldClass& world) {
  world
      .def(
          "cut",
          [](WorldObject& self, SegmentId segment, double along) {
            return edit(self, [&](World& w) { return w.cut(segment, along); });
          },
          "segment"_a, "along"_a = 0.0,
          "Cuts through a segment, 0 at its base, 1 at its tip. What was cut off is a plant of its "
          "own, the report's piece, and falls.")
      .def(
          "remove",
          [](WorldObject& self, SegmentId segment) {
            return edit(self, [&](World& w) { return w.remove(segment); });
          },
          "segment"_a, "Takes a segment and all that stands on it out of the world.")
      .def(
          "remove",
          [](WorldObject& self, PlantId plant) {
            return edit(self, [&](World& w) { return w.remove(plant); });
          },
          "plant"_a, "Takes a plant out of the world.");
}

void bind_grafts(WorldClass& world) {
  world
      .def(
          "graft",
          [](WorldObject& self, PlantId scion, SegmentId onto, double along,
             const std::string& rest, bool carry) {
            const GraftOptions options = graft_options(along, rest, carry);
            return edit(self, [&](World& w) { return w.graft(scion, onto, options); });
          },
          "scion"_a, "onto"_a, "along"_a = 1.0, "rest"_a = "as_before", "carry"_a = false,
          "Joins a plant of the world to a segment. carry brings it there; else it must be there, and "
          "no point of it moves. rest: 'as_before' (as before it was cut from that place) or 'as_it_is'.")
      .def(
          "graft",
          [](WorldObject& self, const GrownObject& scion, SegmentId onto, double along,
             const Numbers4& turn) {
            const GraftOptions options{.along = along, .turn = turn};
            return edit(self, [&](World& w) { return w.graft(scion.plant, onto, options); });
          },
          "scion"_a, "onto"_a, "along"_a = 1.0, "turn"_a = Numbers4{1, 0, 0, 0},
          "Joins a plant that is in no world yet, turned to the segment by a quaternion w, x, y, z.");
}

void bind_growth(WorldClass& world) {
  world
      .def(
          "extend",
          [](WorldObject& self, SegmentId tip, double by) {
            return edit(self, [&](World& w) { return w.extend(tip, by); });
          },
          "tip"_a, "by"_a, "Makes an end longer [m].")
      .def(
          "thicken",
          [](WorldObject& self, const std::vector<SegmentId>& segments, double factor) {
            return edit(self, [&](World& w) { return w.thicken(segments, factor); });
          },
          "segments"_a, "factor"_a)
      .def(
          "change",
          [](WorldObject& self, PlantId plant, double stiffness, double mass, double damping,
             double creep, const std::string& species) {
            const ChangeOf to = change_of(stiffness, mass, damping, creep, species);
            return edit(self, [&](World& w) { return w.change(plant, to); });
          },
          "plant"_a, py::kw_only(), "stiffness"_a = 1.0, "mass"_a = 1.0, "damping"_a = 1.0,
          "creep"_a = 0.0, "species"_a = "",
          R"(Changes all segments of a plant: factors of what they have now.

damping: of the damping time; creep: part of the joints' present angles that becomes their rest;
species: another wood, with the factors on top.)")
      .def(
          "change",
          [](WorldObject& self, const std::vector<SegmentId>& segments, double stiffness,
             double mass, double damping, double creep, const std::string& species) {
            const ChangeOf to = change_of(stiffness, mass, damping, creep, species);
            return edit(self, [&](World& w) { return w.change(segments, to); });
          },
          "segments"_a, py::kw_only(), "stiffness"_a = 1.0, "mass"_a = 1.0, "damping"_a = 1.0,
          "creep"_a = 0.0, "species"_a = "", "The same for a list of segments.");
}

}  // namespace

void bind_edits(py::module_&, WorldClass& world) {
  bind_cuts(world);
  bind_grafts(world);
  bind_growth(world);
}

}  // namespace thigmo::python
