#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "common.h"

// Probes, and runs that read them.

namespace thigmo::python {
namespace {

// A point of a segment.
struct Probe {
  SegmentId segment;
  double along = 1;
};

// What probes have read so far. They follow their segments into whichever plant those become part of.
struct ProbesObject {
  std::vector<Probe> probes;
  std::vector<double> times;                  // [s]
  std::vector<double> positions, velocities;  // three a probe, probe by probe, time by time
  bool away = false;                          // a run in another thread writes to them
};
using ProbesPointer = std::shared_ptr<ProbesObject>;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// Where the probes are in a world, and room to read them; good until the next edit.
struct ProbesIn {
  struct Place {
    bool gone = false;                   // its segment left the world
    std::size_t plant = 0, segment = 0;  // in `plants`, in the plant
    double height = 0;                   // from the segment's base [m]
  };
  struct PlantRoom {
    PlantId id;
    std::vector<double> matrices;
    std::vector<Motion3> motions;
  };
  std::vector<Place> places;
  std::vector<PlantRoom> plants;
};

// What may be gone is so for good; else it is refused.
ProbesIn find_probes(const World& world, const std::vector<Probe>& probes, bool may_be_gone) {
  ProbesIn in;
  std::map<PlantId, std::size_t> number_of;
  std::vector<std::map<SegmentId, std::pair<std::size_t, double>>> segments;
  for (const Probe& probe : probes) {
    if (may_be_gone && !world.holds(probe.segment)) {
      in.places.push_back({.gone = true});
      continue;
    }
    const PlantId plant = value_of(world.plant_of(probe.segment));
    const auto [known, is_new] = number_of.try_emplace(plant, in.plants.size());
    if (is_new) {
      const std::vector<SegmentInfo> infos = value_of(world.segments(plant));
      auto& places = segments.emplace_back();
      for (std::size_t i = 0; i < infos.size(); ++i) places[infos[i].id] = {i, infos[i].length};
      in.plants.push_back({.id = plant,
                           .matrices = std::vector<double>(12 * infos.size()),
                           .motions = std::vector<Motion3>(infos.size())});
    }
    const auto& [segment, length] = segments[known->second].at(probe.segment);
    in.places.push_back(
        {.plant = known->second, .segment = segment, .height = probe.along * length});
  }
  return in;
}

void read(const World& world, ProbesIn& in, ProbesObject& probes) {
  for (ProbesIn::PlantRoom& plant : in.plants) {
    check(world.transforms(plant.id, Layout::matrix_3x4, std::span(plant.matrices)));
    check(world.velocities(plant.id, plant.motions));
  }
  for (const ProbesIn::Place& place : in.places) {
    if (place.gone) {
      probes.positions.insert(probes.positions.end(), 3, no_number);
      probes.velocities.insert(probes.velocities.end(), 3, no_number);
      continue;
    }
    const ProbesIn::PlantRoom& plant = in.plants[place.plant];
    const double* m = plant.matrices.data() + 12 * place.segment;
    const auto& [v, w] = plant.motions[place.segment];
    // A point at height h of a rigid segment: x = x0 + h y and v = v0 + ω × h y.
    const Numbers3 arm{place.height * m[1], place.height * m[5], place.height * m[9]};
    for (const double x : {m[3] + arm[0], m[7] + arm[1], m[11] + arm[2]})
      probes.positions.push_back(x);
    for (const double x :
         {v[0] + w[1] * arm[2] - w[2] * arm[1], v[1] + w[2] * arm[0] - w[0] * arm[2],
          v[2] + w[0] * arm[1] - w[1] * arm[0]})
      probes.velocities.push_back(x);
  }
  probes.times.push_back(world.time());
}

// Probes for a call; refused while a run of another thread writes to them.
ProbesObject& enter(ProbesObject& probes) {
  if (probes.away) {
    refuse(Trouble::busy, "another thread is in a run that reads these probes",
           "give each run its own");
  }
  return probes;
}

// Marks probes that a run writes to.
class Away {
 public:
  explicit Away(ProbesObject* probes) : probes_(probes) {
    if (probes_ != nullptr) enter(*probes_).away = true;
  }
  ~Away() {
    if (probes_ != nullptr) probes_->away = false;
  }
  Away(const Away&) = delete;
  Away& operator=(const Away&) = delete;

 private:
  ProbesObject* probes_;
};

ProbesPointer probes_at(const py::iterable& points) {
  auto probes = std::make_shared<ProbesObject>();
  for (const py::handle point : points) {
    Probe probe;
    if (py::isinstance<SegmentId>(point)) {
      probe.segment = point.cast<SegmentId>();
    } else {
      const auto [segment, along] = point.cast<std::pair<SegmentId, double>>();
      probe = {segment, along};
    }
    if (!(probe.along >= 0 && probe.along <= 1)) {
      refuse(Trouble::argument, "a probe cannot be at " + std::to_string(probe.along) +
                                    " of its segment",
             "0 is the segment's base, 1 its tip");
    }
    probes->probes.push_back(probe);
  }
  return probes;
}

// Whether a step did more than move: a scenario's world makes edits of its own.
bool edited(std::span<const Event> events) {
  return std::any_of(events.begin(), events.end(), [](const Event& event) {
    return event.kind == EventKind::removed || event.kind == EventKind::cut ||
           event.kind == EventKind::grafted || event.kind == EventKind::changed;
  });
}

// What `run` was asked for: a list of points, probes that go on, or nothing.
ProbesPointer probes_for(const py::object& asked) {
  if (asked.is_none()) return nullptr;
  if (py::isinstance<ProbesObject>(asked)) return asked.cast<ProbesPointer>();
  return probes_at(asked);
}

std::int64_t steps_in(double seconds, double dt) {
  if (!(std::isfinite(dt) && dt > 0)) {
    refuse(Trouble::argument, "a step of " + std::to_string(dt) + " s cannot be taken",
           "give a time above 0");
  }
  const double steps = std::ceil(seconds / dt * (1 - 1e-12));
  if (!(std::isfinite(steps) && seconds >= 0 && steps < 1e15)) {
    refuse(Trouble::argument,
           "a run of " + std::to_string(seconds) + " s cannot be made in steps of " +
               std::to_string(dt) + " s",
           "give a time that is not negative");
  }
  return static_cast<std::int64_t>(steps);
}

// Steps without the interpreter lock, and asks every few milliseconds whether somebody pressed Ctrl-C.
py::object run(WorldObject& self, double seconds, double dt, const py::object& asked,
               std::int64_t every, int threads) {
  using clock = std::chrono::steady_clock;
  std::int64_t left = steps_in(seconds, dt);
  if (every < 1) refuse(Trouble::argument, "probes cannot be read every " + std::to_string(every) + " steps", "give 1 or more");
  const ProbesPointer probes = probes_for(asked);
  const py::object result = probes ? py::cast(probes) : py::none();
  const Away away(probes.get());
  without_lock(self, [&] {
    World& world = self.world;
    self.passed.clear();
    ProbesIn in;
    if (probes) {
      in = find_probes(world, probes->probes, !probes->times.empty());
      if (probes->times.empty() || probes->times.back() != world.time()) read(world, in, *probes);
    }
    auto asked_at = clock::now();
    std::int64_t steps_to_next = every;
    for (; left > 0; --left) {
      check(world.step(dt, Jobs{.threads = threads}));
      if (left > 1) {
        self.passed.insert(self.passed.end(), world.events().begin(), world.events().end());
      }
      if (probes && edited(world.events())) in = find_probes(world, probes->probes, true);
      if (probes && --steps_to_next == 0) {
        read(world, in, *probes);
        steps_to_next = every;
      }
      if (clock::now() - asked_at > std::chrono::milliseconds(20)) {
        const py::gil_scoped_acquire lock;
        check_signals();
        asked_at = clock::now();
      }
    }
  });
  return result;
}

py::array_t<double> copy_of(const std::vector<double>& numbers, std::size_t times,
                            std::size_t probes) {
  auto copy = array<double>(
      {static_cast<py::ssize_t>(times), static_cast<py::ssize_t>(probes), 3});
  std::copy(numbers.begin(), numbers.end(), copy.mutable_data());
  return copy;
}

}  // namespace

void bind_probes(py::module_& module, WorldClass& world) {
  py::class_<ProbesObject, ProbesPointer>(
      module, "Probes",
      R"(Points of segments whose way is recorded.

They follow their segments, into whichever plant those become part of, and read nan once those are gone.
World.run reads them; `read` does so once, for loops of your own.)")
      .def(py::init(&probes_at), "points"_a,
           "points: of each the segment, or a pair of segment and along (0 base, 1 tip).")
      .def(
          "read",
          [](ProbesObject& self, WorldObject& object) {
            ProbesObject& probes = enter(self);
            const World& from = enter(object);
            ProbesIn in = find_probes(from, probes.probes, !probes.times.empty());
            read(from, in, probes);
          },
          "world"_a, "Adds where the probes are now.")
      .def("__len__", [](ProbesObject& self) { return enter(self).times.size(); })
      .def_property_readonly(
          "times",
          [](ProbesObject& self) {
            enter(self);
            return py::array_t<double>(static_cast<py::ssize_t>(self.times.size()),
                                       self.times.data());
          },
          "k times [s].")
      .def_property_readonly(
          "positions",
          [](ProbesObject& self) {
            enter(self);
            return copy_of(self.positions, self.times.size(), self.probes.size());
          },
          "k × probes × 3 [m].")
      .def_property_readonly(
          "velocities",
          [](ProbesObject& self) {
            enter(self);
            return copy_of(self.velocities, self.times.size(), self.probes.size());
          },
          "k × probes × 3 [m/s].");
  world.def("run", run, "seconds"_a, "dt"_a = 1.0 / 60, py::kw_only(), "probes"_a = py::none(),
            "every"_a = 1, "threads"_a = 1,
            R"(Steps for that long, in whole steps of dt, rounded up. Ctrl-C ends it between two steps.

probes: Probes that go on being read, or a list of points to make some of; returned. They are read at the
start and after every `every` steps.)");
}

}  // namespace thigmo::python
