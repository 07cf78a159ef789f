#pragma once

// What all of the public interface rests on: values or failures, vectors and transforms. SI units, world
// frame with y up, unless said otherwise. What returns an Outcome does not throw: bad input is a Failure,
// and so is a lack of memory.

#include <array>
#include <string>
#include <utility>
#include <variant>

#include "thigmo/diagnostic.h"

namespace thigmo {

// "0.1.0"
const char* version();

// What went wrong: one entry at least.
struct Failure {
  Diagnostics diagnostics;
  std::string message = to_string(diagnostics);  // ready to print
};

// A value, or why there is none.
template <class T>
class Outcome {
 public:
  Outcome(T value) : content_(std::move(value)) {}
  Outcome(Failure failure) : content_(std::move(failure)) {}
  explicit operator bool() const { return content_.index() == 0; }
  T& operator*() { return std::get<0>(content_); }
  const T& operator*() const { return std::get<0>(content_); }
  T* operator->() { return &std::get<0>(content_); }
  const T* operator->() const { return &std::get<0>(content_); }
  // Ready to print: "file:line:column: error: message", the line, a caret, a hint.
  const std::string& error() const { return std::get<1>(content_).message; }
  const Diagnostics& diagnostics() const { return std::get<1>(content_).diagnostics; }

 private:
  std::variant<T, Failure> content_;
};

using Numbers3 = std::array<double, 3>;  // x, y, z
using Numbers4 = std::array<double, 4>;  // unit quaternion w, x, y, z

// Where a segment is: its base, and the rotation of its frame (y along the segment).
struct Transform {
  Numbers3 position;
  Numbers4 rotation;
};

// What a Failure says when there was not enough memory.
Diagnostic out_of_memory();

}  // namespace thigmo
