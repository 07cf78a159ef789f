#pragma once

#include "watch.h"

namespace thigmo::python {

// The value of what may fail, without the interpreter lock.
template <class Work>
auto asked(Work&& work) {
  return value_of(unlocked(std::forward<Work>(work)));
}

// What a command prints with --json.
py::object dict_of(const std::string& json);

// {"a.b": 1} as "a.b=1".
std::vector<std::string> overrides_of(const py::dict& set);

void bind_render(py::module_& module);
void bind_validate(py::module_& module);

}  // namespace thigmo::python
