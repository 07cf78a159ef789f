#include <thigmo/replay.h>

#include "watch.h"

// Worlds as bytes, and logs of the calls made on them.

namespace thigmo::python {
namespace {

py::bytes save(WorldObject& self) {
  return py::bytes(without_lock(self, [&] { return value_of(self.world.save()); }));
}

WorldPointer restore(const py::bytes& saved) {
  const std::string_view bytes = saved;
  return unlocked([&] {
    return std::make_shared<WorldObject>(WorldObject{.world = value_of(World::restore(bytes))});
  });
}

// What came of a log.
struct ReplayObject {
  WorldPointer world;
  std::int64_t steps = 0;
  std::optional<Diagnostic> differs = {};
};

ReplayObject replay(const std::string& log, const std::string& file, int threads) {
  Watch watch{py::none()};
  const ReplayOptions options{.file = file, .threads = threads, .cancel = &watch.cancel};
  Replay made = watched(watch, [&] { return thigmo::replay(log, options); });
  return {.world = std::make_shared<WorldObject>(WorldObject{.world = std::move(made.world)}),
          .steps = made.steps,
          .differs = std::move(made.differs)};
}

}  // namespace

void bind_keeping(py::module_& module, WorldClass& world) {
  world
      .def("save", save,
           "All of it as bytes. The world that they are restored to goes on with the same bits, and names "
           "mean in it what they meant.")
      .def_static("restore", restore, "saved"_a,
                  "A world from what `save` gave. Bytes that are damaged are refused.")
      .def(py::pickle([](WorldObject& self) { return save(self); },
                      [](const py::bytes& saved) { return restore(saved); }))
      .def(
          "keep_log",
          [](WorldObject& self, int check_every) {
            without_lock(self, [&] { check(self.world.keep_log(check_every)); });
          },
          "check_every"_a = 60,
          "From now on all calls that change the world are kept, with the world as it is now and, after "
          "every so many steps, its state.")
      .def(
          "log",
          [](WorldObject& self) {
            return without_lock(self, [&] { return value_of(self.world.log()); });
          },
          "The calls since `keep_log` as text, a call a line, for thigmo.replay.");
  py::class_<ReplayObject>(module, "Replay", "What came of a log.")
      .def_readonly("world", &ReplayObject::world)
      .def_readonly("steps", &ReplayObject::steps, "That were made again.")
      .def_readonly("differs", &ReplayObject::differs,
                    "What was first not as it is in the log, with its line; None where all came again.");
  module.def("replay", replay, "log"_a, "file"_a = "", "threads"_a = 1,
             "Makes all calls of a log again, with the same bits. file: where it is from, for messages.");
}

}  // namespace thigmo::python
