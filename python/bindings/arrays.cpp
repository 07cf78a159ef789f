#include "common.h"

// Where everything in a world is, as arrays.

namespace thigmo::python {

// Rows of structured arrays.
struct SegmentRow {
  std::uint32_t number, birth;
  std::int32_t parent;
  double length, radius_base, radius_tip;
  std::int32_t axis, order, module, rule, step;
  char symbol[1];
  std::int32_t material;
};

namespace {

struct NamedLayout {
  const char* name;
  Layout layout;
  std::vector<py::ssize_t> each;  // shape for one segment
};

const NamedLayout& layout_of(const std::string& name) {
  static const NamedLayout layouts[] = {{"position_rotation", Layout::position_rotation, {7}},
                                        {"matrix_3x4", Layout::matrix_3x4, {3, 4}},
                                        {"matrix_4x4_columns", Layout::matrix_4x4_columns, {4, 4}}};
  for (const NamedLayout& layout : layouts) {
    if (name == layout.name) return layout;
  }
  refuse(Trouble::argument, "there is no layout '" + name + "'",
         "write 'position_rotation', 'matrix_3x4' or 'matrix_4x4_columns'");
}

py::ssize_t count_of(const World& world, PlantId plant) {
  return static_cast<py::ssize_t>(value_of(world.segment_count(plant)));
}

std::string text_of(const std::vector<py::ssize_t>& shape) {
  std::string text;
  for (const py::ssize_t n : shape) text += (text.empty() ? "" : " × ") + std::to_string(n);
  return text;
}

// The caller's memory as numbers, if it is fit to be written to.
template <class Number>
std::span<Number> memory_of(const py::array& out) {
  return {static_cast<Number*>(const_cast<void*>(out.data())),
          static_cast<std::size_t>(out.size())};
}

void check_out(const py::array& out, const std::vector<py::ssize_t>& shape) {
  const std::vector<py::ssize_t> given(out.shape(), out.shape() + out.ndim());
  if (given != shape) {
    refuse(Trouble::argument,
           "the array is " + text_of(given) + ", and " + text_of(shape) + " is needed",
           "edits change how many segments a plant has");
  }
  constexpr int wanted = static_cast<int>(py::array::c_style) | static_cast<int>(py::detail::npy_api::NPY_ARRAY_ALIGNED_);
  if ((out.flags() & wanted) != wanted) {
    refuse(Trouble::argument, "the array's numbers do not lie one after the other",
           "give one that is C-contiguous and aligned");
  }
  if (!out.writeable()) refuse(Trouble::argument, "the array is read-only");
}

py::array transforms(WorldObject& self, PlantId plant, const std::string& layout_name,
                     const std::optional<py::array>& out) {
  const World& world = enter(self);
  const NamedLayout& layout = layout_of(layout_name);
  std::vector<py::ssize_t> shape{count_of(world, plant)};
  shape.insert(shape.end(), layout.each.begin(), layout.each.end());
  const py::array to = out ? *out : py::array(array<double>(shape));
  check_out(to, shape);
  if (py::isinstance<py::array_t<double>>(to)) {
    check(world.transforms(plant, layout.layout, memory_of<double>(to)));
  } else if (py::isinstance<py::array_t<float>>(to)) {
    check(world.transforms(plant, layout.layout, memory_of<float>(to)));
  } else {
    refuse(Trouble::argument,
           "transforms are not written as " + py::str(to.dtype()).cast<std::string>(),
           "give an array of float64 or float32");
  }
  return to;
}

py::array_t<double> positions(WorldObject& self, PlantId plant, double along) {
  const World& world = enter(self);
  const std::vector<SegmentInfo> segments = value_of(world.segments(plant));
  std::vector<double> matrices(12 * segments.size());
  check(world.transforms(plant, Layout::matrix_3x4, std::span(matrices)));
  auto points = array<double>({static_cast<py::ssize_t>(segments.size()), 3});
  double* to = points.mutable_data();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    for (std::size_t row = 0; row < 3; ++row) {
      const double* m = matrices.data() + 12 * i + 4 * row;
      *to++ = m[3] + along * segments[i].length * m[1];  // y is along the segment
    }
  }
  return points;
}

py::array_t<double> velocities(WorldObject& self, PlantId plant, Numbers3 Motion3::*which) {
  const World& world = enter(self);
  std::vector<Motion3> motions(value_of(world.segment_count(plant)));
  check(world.velocities(plant, motions));
  auto numbers = array<double>({static_cast<py::ssize_t>(motions.size()), 3});
  double* to = numbers.mutable_data();
  for (const Motion3& motion : motions) {
    for (const double number : motion.*which) *to++ = number;
  }
  return numbers;
}

py::array_t<SegmentRow> segments(WorldObject& self, PlantId plant) {
  const std::vector<SegmentInfo> infos = value_of(enter(self).segments(plant));
  py::array_t<SegmentRow> rows(static_cast<py::ssize_t>(infos.size()));
  SegmentRow* to = rows.mutable_data();
  for (const SegmentInfo& s : infos) {
    *to++ = {s.id.number, s.id.birth, s.parent, s.length, s.radius_base, s.radius_tip,
             s.axis,      s.order,    s.module, s.rule,   s.step,        {s.symbol}, s.material};
  }
  return rows;
}

std::vector<SegmentId> segment_ids(WorldObject& self, PlantId plant) {
  std::vector<SegmentId> ids;
  for (const SegmentInfo& s : value_of(enter(self).segments(plant))) ids.push_back(s.id);
  return ids;
}

py::array_t<SegmentBody> bodies(WorldObject& self, PlantId plant) {
  const World& world = enter(self);
  py::array_t<SegmentBody> all(count_of(world, plant));
  check(world.bodies(plant, {all.mutable_data(), static_cast<std::size_t>(all.size())}));
  return all;
}

py::array_t<SectionLoad> section_loads(WorldObject& self, PlantId plant) {
  const World& world = enter(self);
  py::array_t<SectionLoad> loads(count_of(world, plant));
  check(world.section_loads(
      plant, {loads.mutable_data(), static_cast<std::size_t>(loads.size())}));
  return loads;
}

void bind_segments(WorldClass& world) {
  world
      .def("segments", segments, "plant"_a,
           R"(A plant's segments as they were modelled, parents first: a structured array with the fields

number, birth: of SegmentId; parent: its place in this array, -1 for a root; length, radius_base,
radius_tip [m]; axis: the branch it belongs to; order: 0 trunk, 1 its branches, …; module, rule, step of
the grammar that made it, -1 where none did; symbol: first character of the module's name; material: its
place in World.materials.)")
      .def("segment_ids", segment_ids, "plant"_a, "Their names, in the order of World.segments.")
      .def("bodies", bodies, "plant"_a,
           "A plant's segments as they move now, which edits change: a structured array with mass (with "
           "the organs, kg), stiffness of the joint at the base (bending about x, twisting about y, bending "
           "about z, N m/rad) and its damping_time (damper over spring, s).")
      .def(
          "materials",
          [](WorldObject& self, PlantId plant) { return value_of(enter(self).materials(plant)); },
          "plant"_a, "What its segments are made of.");
}

void bind_places(WorldClass& world) {
  world
      .def("transforms", transforms, "plant"_a, "layout"_a = "matrix_3x4", "out"_a = py::none(),
           R"(Where a plant's segments are: base and rotation (y along the segment).

layout: 'matrix_3x4': n × 3 × 4; 'position_rotation': n × 7, x, y, z and a quaternion w, x, y, z;
'matrix_4x4_columns': n × 4 × 4, column by column as OpenGL has it.
out: memory to write to, float64 or float32, of that shape; returned.)")
      .def("positions", positions, "plant"_a, "along"_a = 0.0,
           "Points of a plant's segments, n × 3 [m]: 0 their bases, 1 their tips.")
      .def(
          "velocities",
          [](WorldObject& self, PlantId plant) {
            return velocities(self, plant, &Motion3::velocity);
          },
          "plant"_a, "Of the segments' bases, n × 3 [m/s].")
      .def(
          "angular_velocities",
          [](WorldObject& self, PlantId plant) {
            return velocities(self, plant, &Motion3::angular_velocity);
          },
          "plant"_a, "n × 3, world axes [rad/s].")
      .def("section_loads", section_loads, "plant"_a,
           "What the section at each segment's base carries, of what is beyond on what is before: a "
           "structured array with force [N], moment [N m] (world axes) and stress (extreme fibre, Pa).")
      .def(
          "momentum",
          [](WorldObject& self, PlantId plant) { return value_of(enter(self).momentum(plant)); },
          "plant"_a);
}

void bind_picks(WorldClass& world) {
  world
      .def(
          "pick",
          [](WorldObject& self, const Numbers3& origin, const Numbers3& direction, double reach) {
            return value_of(
                enter(self).pick({.origin = origin, .direction = direction, .reach = reach}));
          },
          "origin"_a, "direction"_a, "reach"_a = 1e9,
          "What a ray meets first; None where it meets nothing.")
      .def(
          "nearest",
          [](WorldObject& self, const Numbers3& point, double within) {
            return value_of(enter(self).nearest(point, within));
          },
          "point"_a, "within"_a, "The plant that is nearest to a point, within that distance [m].")
      .def(
          "probes",
          [](WorldObject& self) {
            py::dict all;
            for (const ProbeReading& probe : enter(self).probes()) {
              all[py::str(probe.name)] =
                  py::make_tuple(array_of(probe.position), array_of(probe.velocity));
            }
            return all;
          },
          "The probes of the world's scenario and those of add_probe: name to position [m] and "
          "velocity [m/s], nan once the segment is gone.")
      .def(
          "add_probe",
          [](WorldObject& self, const std::string& name, SegmentId segment, double along) {
            check(enter(self).add_probe(name, segment, along));
          },
          "name"_a, "segment"_a, "along"_a = 1.0,
          "A point that `probes` tells of, wherever its segment goes.")
      .def(
          "remove_probe",
          [](WorldObject& self, const std::string& name) {
            check(enter(self).remove_probe(name));
          },
          "name"_a);
}

}  // namespace

void bind_arrays(py::module_&, WorldClass& world) {
  PYBIND11_NUMPY_DTYPE(SegmentRow, number, birth, parent, length, radius_base, radius_tip, axis,
                       order, module, rule, step, symbol, material);
  PYBIND11_NUMPY_DTYPE(SegmentBody, mass, stiffness, damping_time);
  PYBIND11_NUMPY_DTYPE(SectionLoad, force, moment, stress);
  bind_segments(world);
  bind_places(world);
  bind_picks(world);
}

}  // namespace thigmo::python
