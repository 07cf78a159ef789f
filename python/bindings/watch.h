#pragma once

#include <thigmo/progress.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <mutex>
#include <optional>

#include "common.h"

namespace thigmo::python {

// What a command that takes long is told and tells: whether to stop, and how far it is.
struct Watch {
  std::atomic<bool> cancel = false;
  py::object callback;  // called with stage and fraction; None: nobody wants to know
  std::mutex guard = {};
  std::optional<Progress> last = {};

  explicit Watch(py::object wanted) : callback(std::move(wanted)) {}
  // For the command, from any thread.
  std::function<void(const Progress&)> listener();
  // For the thread that has the interpreter lock. An exception of Ctrl-C or of the callback.
  void look();
};

// Does `work` on a thread of its own while this one looks for Ctrl-C and tells of progress. What either raises
// stops the work, and is raised when that has ended.
template <class Work>
auto watched(Watch& watch, Work&& work) {
  using namespace std::chrono_literals;
  const Underway call;
  auto result = std::async(std::launch::async, std::forward<Work>(work));
  const auto is_done_within = [&](std::chrono::milliseconds time) {
    const py::gil_scoped_release free;
    return result.wait_for(time) == std::future_status::ready;
  };
  try {
    while (!is_done_within(50ms)) watch.look();
  } catch (...) {
    watch.cancel = true;
    while (!is_done_within(1h)) continue;
    throw;
  }
  return value_of(result.get());
}

}  // namespace thigmo::python
