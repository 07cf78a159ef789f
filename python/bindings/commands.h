#pragma once

#include <atomic>
#include <chrono>
#include <future>
#include <optional>

#include "common.h"

namespace thigmo::python {

// Does `work` without the interpreter lock.
template <class Work>
auto unlocked(Work&& work) {
  const py::gil_scoped_release free;
  return value_of(work());
}

// Does `work` on a thread of its own, so that Ctrl-C is seen meanwhile: it sets `cancel`, and becomes an
// exception when the work has ended.
template <class Work>
auto interruptible(std::atomic<bool>& cancel, Work&& work) {
  auto result = std::async(std::launch::async, std::forward<Work>(work));
  std::optional<py::error_already_set> signal;
  const auto is_done = [&] {
    const py::gil_scoped_release free;
    return result.wait_for(std::chrono::milliseconds(50)) == std::future_status::ready;
  };
  while (!is_done()) {
    if (signal || PyErr_CheckSignals() == 0) continue;
    signal.emplace();
    cancel = true;
  }
  if (signal) throw *signal;
  return value_of(result.get());
}

// What a command prints with --json.
py::object dict_of(const std::string& json);

// {"a.b": 1} as "a.b=1".
std::vector<std::string> overrides_of(const py::dict& set);

void bind_render(py::module_& module);
void bind_validate(py::module_& module);

}  // namespace thigmo::python
