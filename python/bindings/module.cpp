#include <atomic>
#include <chrono>
#include <thread>

#include "common.h"

// The module thigmo._thigmo, and thigmo.Error.

namespace thigmo::python {
namespace {

PyObject* error_type = nullptr;  // thigmo.Error; lives as long as the interpreter
std::atomic<int> calls_underway = 0;
std::atomic<bool> interpreter_ends = false;

// Runs at the interpreter's end, while threads may still take its lock.
void wait_for_calls() {
  interpreter_ends = true;
  while (calls_underway > 0) {
    const py::gil_scoped_release free;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

const char* name_of(Trouble trouble) {
  constexpr const char* names[] = {"input", "argument", "stale", "memory", "busy", "motion"};
  return names[static_cast<std::size_t>(trouble)];
}

void raise(const Diagnostics& diagnostics) {
  const py::object type = py::reinterpret_borrow<py::object>(error_type);
  const py::object error = type(to_string(diagnostics));
  error.attr("diagnostics") = list_of(diagnostics);
  PyErr_SetObject(error_type, error.ptr());
}

void bind_diagnostics(py::module_& module) {
  py::class_<Diagnostic>(module, "Diagnostic",
                         "One thing that is said about a text, a file or a request.")
      .def_property_readonly(
          "severity", [](const Diagnostic& d) { return to_string(d.severity); },
          "'error', 'warning' or 'note'.")
      .def_property_readonly(
          "trouble", [](const Diagnostic& d) { return name_of(d.trouble); },
          "What kind of error: 'input', 'argument', 'stale', 'memory', 'busy' or 'motion'.")
      .def_readonly("message", &Diagnostic::message)
      .def_readonly("hint", &Diagnostic::hint, "What to do; may be empty.")
      .def_readonly("file", &Diagnostic::file, "As it was named; empty where no file is meant.")
      .def_readonly("line", &Diagnostic::line, "From 1; 0 where the whole file is meant.")
      .def_readonly("column", &Diagnostic::column, "From 1; 0 where the whole line is meant.")
      .def_readonly("source_line", &Diagnostic::source_line, "Text of the line, around the column.")
      .def("__str__", [](const Diagnostic& d) { return to_string(d); })
      .def("__repr__",
           [](const Diagnostic& d) { return "<thigmo.Diagnostic " + to_string(d) + ">"; });
}

void bind_error(py::module_& module) {
  error_type = PyErr_NewExceptionWithDoc(
      "thigmo.Error",
      "What was refused, and has changed nothing. `diagnostics` lists what is wrong, and where.",
      nullptr, nullptr);
  if (error_type == nullptr) throw py::error_already_set();
  const py::object type = py::reinterpret_borrow<py::object>(error_type);
  type.attr("diagnostics") = py::tuple();
  module.attr("Error") = type;
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Refused& refused) {
      raise(refused.diagnostics);
    }
  });
}

}  // namespace

void refuse(Trouble trouble, std::string message, std::string hint) {
  throw Refused(
      {{.message = std::move(message), .hint = std::move(hint), .trouble = trouble}});
}

Underway::Underway() {
  if (interpreter_ends) refuse(Trouble::busy, "the interpreter ends");
  ++calls_underway;
}
Underway::~Underway() { --calls_underway; }

void check_signals() {
  if (interpreter_ends) refuse(Trouble::busy, "the interpreter ends");
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

World& enter(WorldObject& object) {
  if (object.away) {
    refuse(Trouble::busy, "another thread is in a call on this world",
           "call a world from one thread at a time, or copy it");
  }
  return object.world;
}

py::array_t<double> array_of(const Numbers3& v) { return py::array_t<double>(3, v.data()); }
py::array_t<double> array_of(const Numbers4& q) { return py::array_t<double>(4, q.data()); }

py::list list_of(const Diagnostics& diagnostics) {
  py::list all;
  for (const Diagnostic& diagnostic : diagnostics) all.append(diagnostic);
  return all;
}

PYBIND11_MODULE(_thigmo, module) {
  module.attr("__version__") = version();
  bind_diagnostics(module);
  bind_error(module);
  py::module_::import("atexit").attr("register")(py::cpp_function(wait_for_calls));
  bind_values(module);
  bind_plants(module);
  WorldClass world = bind_world(module);
  bind_surroundings(module, world);
  bind_edits(module, world);
  bind_keeping(module, world);
  bind_arrays(module, world);
  bind_probes(module, world);
  bind_surface(module, world);
#ifdef THIGMO_PYTHON_WHOLE
  bind_commands(module);
  module.attr("whole") = true;
#else
  module.attr("whole") = false;
#endif
}

}  // namespace thigmo::python
