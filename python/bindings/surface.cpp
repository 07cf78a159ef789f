#include "common.h"

#ifdef THIGMO_PYTHON_WHOLE
#include <thigmo/load_world.h>
#endif

// Surfaces that follow plants, as arrays over the engine's memory.

namespace thigmo::python {
namespace {

struct SurfaceObject {
  PlantSurface surface;
  WorldPointer world;
  PlantId plant;
  std::vector<SegmentId> segments;  // that it was made of
};

std::vector<SegmentId> ids_of(const World& world, PlantId plant) {
  std::vector<SegmentId> ids;
  for (const SegmentInfo& s : value_of(world.segments(plant))) ids.push_back(s.id);
  return ids;
}

PlantSurface make(const World& world, PlantId plant, const SurfaceDetail& detail) {
#ifdef THIGMO_PYTHON_WHOLE
  return value_of(surface_with_organs(world, plant, detail));
#else
  if (!detail.organs.empty()) {
    refuse(Trouble::argument, "meshes of organs are read from files, and this thigmo has only its core",
           "build it with all parts: docs/python.md");
  }
  return value_of(world.surface(plant, detail));
#endif
}

SurfaceObject surface_of(const WorldPointer& self, PlantId plant, int sides, double min_radius,
                         double leaf_share, double root_flare, bool weld,
                         const std::map<std::string, std::string>& organs) {
  SurfaceDetail detail{.sides = sides,
                       .min_radius = min_radius,
                       .leaf_share = leaf_share,
                       .root_flare = root_flare,
                       .weld = weld};
  for (const auto& [kind, file] : organs) detail.organs.push_back({kind, file});
  std::vector<SegmentId> segments = ids_of(enter(*self), plant);
  return without_lock(*self, [&] {
    return SurfaceObject{make(self->world, plant, detail), self, plant, std::move(segments)};
  });
}

// Where the segments of a surface are now.
std::vector<Transform> transforms_of(const SurfaceObject& object) {
  const World& world = enter(*object.world);
  if (ids_of(world, object.plant) != object.segments) {
    refuse(Trouble::stale, "the plant has other segments than when its surface was made",
           "make its surface anew after an edit");
  }
  return world.transforms(object.plant);
}

py::tuple follow(const py::object& self) {
  auto& object = self.cast<SurfaceObject&>();
  const PlantSurface::Shape shape = object.surface.follow(transforms_of(object));
  const auto n = static_cast<py::ssize_t>(shape.vertices);
  return py::make_tuple(view(shape.positions, n, 3, self), view(shape.normals, n, 3, self));
}

py::array_t<float> joint_matrices(SurfaceObject& self) {
  const std::vector<Transform> transforms = transforms_of(self);
  auto matrices = array<float>({static_cast<py::ssize_t>(transforms.size()), 4, 4});
  check(self.surface.joint_matrices(
      transforms, {matrices.mutable_data(), static_cast<std::size_t>(matrices.size())}));
  return matrices;
}

// A getter of an array of the surface at rest.
template <class Number>
auto at_rest(std::vector<Number> SurfaceMesh::*which, py::ssize_t columns) {
  return [which, columns](const py::object& self) {
    const std::vector<Number>& numbers = self.cast<SurfaceObject&>().surface.at_rest().*which;
    return view(numbers.data(), static_cast<py::ssize_t>(numbers.size()) / columns, columns, self);
  };
}

}  // namespace

void bind_surface(py::module_& module, WorldClass& world) {
  py::class_<SurfaceObject>(module, "Surface",
                            "The surface of a plant as triangles, for programs that draw it. Its arrays "
                            "are read-only views of the engine's memory.")
      .def_property_readonly("positions", at_rest(&SurfaceMesh::positions, 3),
                             "At rest, a row a vertex [m].")
      .def_property_readonly("normals", at_rest(&SurfaceMesh::normals, 3), "At rest.")
      .def_property_readonly("colours", at_rest(&SurfaceMesh::colours, 3))
      .def_property_readonly("uvs", at_rest(&SurfaceMesh::uvs, 2), "For textures.")
      .def_property_readonly("triangles", at_rest(&SurfaceMesh::indices, 3),
                             "Their vertices, counter-clockwise seen from outside.")
      .def_property_readonly("joints", at_rest(&SurfaceMesh::joints, 4),
                             "The segments that a vertex follows, for graphics cards.")
      .def_property_readonly("weights", at_rest(&SurfaceMesh::weights, 4),
                             "How much it follows each; the weights of a vertex sum to one.")
      .def("joint_matrices", joint_matrices,
           "For each segment the matrix that takes points of the surface at rest to where it has them now, "
           "n × 4 × 4, column by column. A vertex is at the sum of weight times matrix times position.")
      .def("follow", follow,
           "Moves positions and normals to where the plant is now and returns them. Both are memory "
           "of the surface that the next call writes to again: copy what is to be kept.");
  world.def("surface", surface_of, "plant"_a, py::kw_only(), "sides"_a = 12, "min_radius"_a = 0.0,
            "leaf_share"_a = 1.0, "root_flare"_a = 0.0, "weld"_a = false,
            "organs"_a = std::map<std::string, std::string>{},
            R"(The surface of a plant.

sides: around the thickest stem; min_radius: stems that are thinner everywhere are left out [m];
leaf_share: part of the leaves kept, each larger; root_flare: how much wider the foot of a stem is;
weld: branches and their parents are one surface; organs: kind ('leaf', …) to a mesh file.)");
}

}  // namespace thigmo::python
