#pragma once

#include <string>
#include <utility>
#include <variant>

#include "base/assert.h"
#include "base/diagnostic.h"

namespace thigmo {

// A value, or the reasons why the user's text or file gave none.
//
//   Result<Plant> plant = grow(...);
//   if (!plant) return plant.diagnostics();
//   use(*plant);
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Diagnostic diagnostic) : content_(Diagnostics{std::move(diagnostic)}) {}
  Result(Diagnostics diagnostics) : content_(std::move(diagnostics)) {
    THIGMO_ASSERT(!std::get<Diagnostics>(content_).empty());
  }

  explicit operator bool() const { return std::holds_alternative<T>(content_); }

  T& operator*() {
    THIGMO_ASSERT(*this);
    return std::get<T>(content_);
  }
  const T& operator*() const {
    THIGMO_ASSERT(*this);
    return std::get<T>(content_);
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }

  const Diagnostics& diagnostics() const {
    THIGMO_ASSERT(!*this);
    return std::get<Diagnostics>(content_);
  }

 private:
  std::variant<T, Diagnostics> content_;
};

// A diagnostic without a place in a file.
inline Diagnostic error(std::string message, std::string hint = {}) {
  return {.message = std::move(message), .hint = std::move(hint)};
}

// What is said beside a result.
inline Diagnostic warning(std::string message, std::string hint = {}) {
  return {.severity = Severity::warning, .message = std::move(message), .hint = std::move(hint)};
}
inline Diagnostic note(std::string message, std::string file = {}) {
  return {.severity = Severity::note, .message = std::move(message), .file = std::move(file)};
}

}  // namespace thigmo
