#include <thigmo/json.h>
#include <thigmo/render.h>

#include "commands.h"
#include "plants.h"
#include "validation/validation.h"

// Pictures and validation.

namespace thigmo::python {
namespace {

py::object render(const PathText& file, const PathText& out_file, std::optional<double> time,
                  const std::vector<double>& times, std::optional<int> steps,
                  std::optional<std::uint64_t> seed, const std::string& species,
                  const py::dict& set, int width, int height, int samples, int threads,
                  double azimuth, double elevation, double zoom, const std::optional<Numbers3>& eye,
                  const std::optional<Numbers3>& target, bool ground, bool wireframe,
                  const std::string& colour) {
  Watch watch{py::none()};
  const RenderRequest request{.file = file.text,
                              .out_file = out_file.text,
                              .time = time,
                              .times = times,
                              .steps = steps,
                              .seed = seed,
                              .species = species,
                              .overrides = overrides_of(set),
                              .view = {.azimuth = azimuth,
                                       .elevation = elevation,
                                       .zoom = zoom,
                                       .eye = eye,
                                       .target = target,
                                       .ground = ground,
                                       .wireframe = wireframe,
                                       .colour = colour},
                              .width = width,
                              .height = height,
                              .samples = samples,
                              .threads = threads,
                              .cancel = &watch.cancel};
  return dict_of(to_json(watched(watch, [&] { return thigmo::render(request); })));
}

py::dict dict_of_case(const validation::CaseResult& result) {
  bool passed = result.failure.empty() && result.skipped.empty() && !result.checks.empty();
  py::list checks;
  for (const validation::Check& check : result.checks) {
    passed = passed && check.passed();
    checks.append(py::dict("what"_a = check.what, "expected"_a = check.expected,
                           "measured"_a = check.measured, "tolerance"_a = check.tolerance,
                           "passed"_a = check.passed()));
  }
  return py::dict("name"_a = result.name, "source"_a = result.source, "passed"_a = passed,
                  "checks"_a = checks, "notes"_a = result.notes, "failure"_a = result.failure,
                  "skipped"_a = result.skipped);
}

py::list validate(const std::string& name, bool all) {
  py::list results;
  for (const validation::Case& one : validation::all_cases()) {
    if (!name.empty() && name != one.name) continue;
    check_signals();
    results.append(
        dict_of_case(unlocked([&] { return validation::run_case(one, {.all = all}); })));
  }
  if (results.empty()) {
    refuse(Trouble::argument, "there is no validation case '" + name + "'",
           "validation_cases() has their names");
  }
  return results;
}

py::dict validation_cases() {
  py::dict cases;
  for (const validation::Case& one : validation::all_cases()) cases[one.name] = one.source;
  return cases;
}

}  // namespace

py::object dict_of(const std::string& json) {
  return py::module_::import("json").attr("loads")(json);
}

std::vector<std::string> overrides_of(const py::dict& set) {
  std::vector<std::string> overrides;
  for (const auto& [key, value] : set) {
    // TOML writes true and false small.
    const py::str text = py::isinstance<py::bool_>(value) ? py::str(value).attr("lower")()
                                                          : py::object(py::str(value));
    overrides.push_back(py::str(key).cast<std::string>() + "=" + text.cast<std::string>());
  }
  return overrides;
}

void bind_render(py::module_& module) {
  module.def("render", render, "file"_a, "out_file"_a, py::kw_only(), "time"_a = py::none(),
             "times"_a = std::vector<double>{}, "steps"_a = py::none(), "seed"_a = py::none(),
             "species"_a = "", "overrides"_a = py::dict(), "width"_a = 960, "height"_a = 720,
             "samples"_a = 32, "threads"_a = 0, "azimuth"_a = 29.0, "elevation"_a = 5.5,
             "zoom"_a = 1.0, "eye"_a = py::none(), "target"_a = py::none(), "ground"_a = true,
             "wireframe"_a = false, "colour"_a = "",
             "Draws a grammar, a scenario or a tree from elsewhere into a .png. time, times: of a "
             "scenario [s], several side by side; samples: light paths a pixel; colour: a value to "
             "colour segments by, such as 'stress'.");
}

void bind_validate(py::module_& module) {
  module.def("validate", validate, "case"_a = "", "all"_a = false,
             "Compares the physics with closed forms and published numbers: a dict for each case, or "
             "for one. Ctrl-C ends it between two cases.");
  module.def("validation_cases", validation_cases, "Their names and where their numbers come from.");
}

}  // namespace thigmo::python
