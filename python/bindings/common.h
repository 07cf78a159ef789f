#pragma once

// What all bindings share: how failures become exceptions, how worlds are called, how numbers become arrays.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <thigmo/world.h>

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace thigmo::python {

namespace py = pybind11;
using namespace py::literals;

// A refusal on its way to Python, where it is a thigmo.Error.
struct Refused : std::exception {
  Diagnostics diagnostics;
  explicit Refused(Diagnostics said) : diagnostics(std::move(said)) {}
  const char* what() const noexcept override { return "refused"; }
};
[[noreturn]] void refuse(Trouble trouble, std::string message, std::string hint = {});

template <class T>
T value_of(Outcome<T>&& outcome) {
  if (!outcome) throw Refused(outcome.diagnostics());
  return std::move(*outcome);
}
inline void check(const Outcome<Done>& outcome) {
  if (!outcome) throw Refused(outcome.diagnostics());
}

// A world that Python holds. Calls that keep the interpreter lock cannot meet; one that lets go of it marks
// the world as away, so that calls of other threads are refused until it is back.
struct WorldObject {
  World world;
  bool away = false;
  std::vector<Event> passed = {};  // events of the last run, but for those of its last step
};
using WorldPointer = std::shared_ptr<WorldObject>;
using WorldClass = py::class_<WorldObject, WorldPointer>;

// The world for a call; refused while another thread is in one.
World& enter(WorldObject& object);

// A call that lets go of the interpreter lock for a while. An interpreter that ends would kill its thread where that
// takes the lock again; so it waits for such calls, and refuses new ones.
struct Underway {
  Underway();
  ~Underway();
  Underway(const Underway&) = delete;
  Underway& operator=(const Underway&) = delete;
};
// Calls that take long should stop: an exception of Ctrl-C, or that the interpreter ends. With its lock.
void check_signals();

// Does `work` without the interpreter lock.
template <class Work>
auto unlocked(Work&& work) {
  const Underway call;
  const py::gil_scoped_release free;
  return work();
}

// The same on a world, which is away meanwhile.
template <class Work>
auto without_lock(WorldObject& object, Work&& work) {
  enter(object);
  struct Away {
    bool& away;
    explicit Away(bool& flag) : away(flag) { away = true; }
    ~Away() { away = false; }
  } const away(object.away);
  return unlocked(std::forward<Work>(work));
}

// An array of that shape, uninitialized.
template <class Number>
py::array_t<Number> array(std::vector<py::ssize_t> shape) {
  return py::array_t<Number>(std::move(shape));
}
py::array_t<double> array_of(const Numbers3& v);
py::array_t<double> array_of(const Numbers4& q);

// A read-only array over memory that `owner` keeps.
template <class Number>
py::array view(const Number* data, py::ssize_t rows, py::ssize_t columns, py::handle owner) {
  static const Number nothing[1] = {};
  std::vector<py::ssize_t> shape{rows};
  if (columns > 1) shape.push_back(columns);
  py::array_t<Number> over(shape, data == nullptr ? nothing : data, owner);
  over.attr("setflags")("write"_a = false);
  return over;
}

py::list list_of(const Diagnostics& diagnostics);

void bind_values(py::module_& module);
void bind_plants(py::module_& module);
WorldClass bind_world(py::module_& module);
void bind_surroundings(py::module_& module, WorldClass& world);
void bind_edits(py::module_& module, WorldClass& world);
void bind_keeping(py::module_& module, WorldClass& world);
void bind_arrays(py::module_& module, WorldClass& world);
void bind_surface(py::module_& module, WorldClass& world);
void bind_probes(py::module_& module, WorldClass& world);
void bind_commands(py::module_& module);

}  // namespace thigmo::python
