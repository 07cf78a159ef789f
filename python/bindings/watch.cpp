#include "watch.h"

namespace thigmo::python {

std::function<void(const Progress&)> Watch::listener() {
  if (callback.is_none()) return {};
  return [this](const Progress& progress) {
    const std::lock_guard lock(guard);
    last = progress;
  };
}

void Watch::look() {
  check_signals();
  std::optional<Progress> now;
  {
    const std::lock_guard lock(guard);
    now.swap(last);
  }
  if (now) callback(now->stage, now->fraction);
}

}  // namespace thigmo::python
