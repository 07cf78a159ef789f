#include "common.h"
#include "holds.h"

// What surrounds the plants of a world and what holds them: wind, gravity, ground, forces, grabs, roots.

namespace thigmo::python {
namespace {

void set_wind(WorldObject& self, const Numbers3& mean, double intensity, std::uint64_t seed,
              double length_scale, double decay, double ease) {
  const GustyWind wind{.mean = mean,
                       .intensity = intensity,
                       .seed = seed,
                       .length_scale = length_scale,
                       .decay = decay,
                       .ease = ease};
  without_lock(self, [&] { check(self.world.set_wind(wind)); });
}

PointForce point_force(const Numbers3& force, const Numbers3& moment, double along,
                       bool follower) {
  return {.along = along, .force = force, .moment = moment, .follower = follower};
}

GrabObject grab(const WorldPointer& self, SegmentId segment, double along, double stiffness,
                std::optional<double> damping) {
  const GrabSpring spring{
      .along = along, .stiffness = stiffness, .damping = damping.value_or(-1)};
  return {.world = self, .id = value_of(enter(*self).grab(segment, spring))};
}

void bind_air_and_ground(WorldClass& world) {
  world
      .def("set_wind", set_wind, "mean"_a = Numbers3{6, 0, 0}, "intensity"_a = 0.25, "seed"_a = 1,
           "length_scale"_a = 20.0, "decay"_a = 10.0, "ease"_a = 1.0,
           R"(Lets a wind blow from now on.

mean: [m/s]; intensity: standard deviation over mean speed, 0 for uniform wind; length_scale: of the gusts
along the wind [m]; decay: C of Davenport's coherence; ease: in which it comes up, and what blew dies away [s].)")
      .def(
          "set_gravity",
          [](WorldObject& self, const Numbers3& gravity) {
            check(enter(self).set_gravity(gravity));
          },
          "gravity"_a, "[m/s²]")
      .def(
          "set_ground",
          [](WorldObject& self, double height, double stiffness, double damping, double friction) {
            check(enter(self).set_ground(LevelGround{.height = height,
                                                     .stiffness = stiffness,
                                                     .damping = damping,
                                                     .friction = friction}));
          },
          "height"_a = 0.0, "stiffness"_a = 0.0, "damping"_a = 0.0, "friction"_a = 0.6,
          "A level ground that tips of segments do not sink into. height [m]; stiffness [N/m] and "
          "damping [N s/m] at each tip, 0 where they are found from the plants; friction: Coulomb's.")
      .def("remove_ground", [](WorldObject& self) { check(enter(self).set_ground({})); })
      .def(
          "air_velocity",
          [](WorldObject& self, PlantId plant, const Numbers3& point) {
            return array_of(enter(self).air_velocity(plant, point));
          },
          "plant"_a, "point"_a, "At a point around a plant, as the last step took it [m/s].");
}

void bind_roots(WorldClass& world) {
  world
      .def(
          "move_root",
          [](WorldObject& self, PlantId plant, const Numbers3& position, const Numbers4& rotation,
             double seconds) {
            check(enter(self).move_root(plant, {position, rotation}, seconds));
          },
          "plant"_a, "position"_a, "rotation"_a = Numbers4{1, 0, 0, 0}, "seconds"_a = 1.0,
          "Carries a clamped root to a place within that time, smoothly. rotation: unit quaternion "
          "w, x, y, z.")
      .def(
          "release_root",
          [](WorldObject& self, PlantId plant) { check(enter(self).release_root(plant)); },
          "plant"_a)
      .def(
          "clamp_root",
          [](WorldObject& self, PlantId plant) { check(enter(self).clamp_root(plant)); },
          "plant"_a, "Where it is, stopping it.");
}

void bind_forces(py::module_& module, WorldClass& world) {
  py::class_<ForceObject>(module, "Force",
                          "A force or moment at a point of a segment, until it is removed. In a `with` "
                          "statement it is removed at the end.")
      .def(
          "change",
          [](ForceObject& self, const Numbers3& force, const Numbers3& moment, double along,
             bool follower) {
            check(enter(*self.world)
                      .change(self.id, point_force(force, moment, along, follower)));
          },
          "force"_a = Numbers3{0, 0, 0}, "moment"_a = Numbers3{0, 0, 0}, "along"_a = 1.0,
          "follower"_a = false, "Makes another force of it, at the same segment.")
      .def("remove", [](ForceObject& self) { check(enter(*self.world).remove(self.id)); })
      .def("__enter__", [](py::object self) { return self; })
      .def("__exit__",
           [](ForceObject& self, const py::args&) {
             // It may have left with its segment.
             static_cast<void>(enter(*self.world).remove(self.id));
           })
      .def(
          "within",
          [](ForceObject& self, const WorldPointer& copy) { return ForceObject{copy, self.id}; },
          "world"_a.none(false), "The same force in a copy of its world.");
  world.def(
      "push",
      [](const WorldPointer& self, SegmentId segment, const Numbers3& force,
         const Numbers3& moment, double along, bool follower) {
        return ForceObject{self, value_of(enter(*self).push(
                                     segment, point_force(force, moment, along, follower)))};
      },
      "segment"_a, "force"_a = Numbers3{0, 0, 0}, "moment"_a = Numbers3{0, 0, 0}, "along"_a = 1.0,
      "follower"_a = false,
      "Pushes at a point of a segment: force [N], moment [N m]; along: 0 at its base, 1 at its tip. "
      "A follower turns with the segment.");
}

void bind_grabs(py::module_& module, WorldClass& world) {
  py::class_<GrabObject>(module, "Grab",
                         "A spring from a point of a segment to a point that is dragged about. In a "
                         "`with` statement it lets go at the end.")
      .def(
          "drag",
          [](GrabObject& self, const Numbers3& to) { check(enter(*self.world).drag(self.id, to)); },
          "to"_a, "There from the next step on [m].")
      .def("let_go", [](GrabObject& self) { check(enter(*self.world).let_go(self.id)); })
      .def("__enter__", [](py::object self) { return self; })
      .def("__exit__",
           [](GrabObject& self, const py::args&) {
             // It may have gone with its segment.
             static_cast<void>(enter(*self.world).let_go(self.id));
           })
      .def(
          "within",
          [](GrabObject& self, const WorldPointer& copy) { return GrabObject{copy, self.id}; },
          "world"_a.none(false), "The same grab in a copy of its world.");
  world.def("grab", grab, "segment"_a, "along"_a = 1.0, "stiffness"_a = 200.0,
            "damping"_a = py::none(),
            "Takes hold of a point of a segment. stiffness [N/m]; damping [N s/m], else critical for "
            "the mass that hangs on the grab.");
}

}  // namespace

void bind_surroundings(py::module_& module, WorldClass& world) {
  bind_air_and_ground(world);
  bind_roots(world);
  bind_forces(module, world);
  bind_grabs(module, world);
}

}  // namespace thigmo::python
