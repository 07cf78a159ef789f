#pragma once

// Deriving grammars.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "thigmo/base.h"

namespace thigmo {

// Where a derivation is refused, before its memory is used.
struct DeriveLimits {
  std::int64_t symbols = 100'000'000;         // of the string
  std::int64_t steps = 1'000'000;             // of the derivation
  std::int64_t nesting = 1'000'000;           // brackets open at one place
  std::int64_t memory_bytes = 2'000'000'000;  // of the strings
  std::int64_t work = 2'000'000'000;          // instructions, comparisons and modules copied
  std::int64_t block = 1'000'000;             // instructions of one block of statements
  int recursion = 100;                        // levels of an expansion without a maximum depth
};

struct DeriveRequest {
  std::string file;
  std::optional<double> steps =
      {};  // else the file's derivation length; a model in time takes parts
  std::optional<std::uint64_t> seed = {};
  std::optional<double> angle_degrees = {};
  std::map<std::string, double> defines = {};  // other values for #define constants
  bool want_text = false;                      // fill Derived::text
  bool want_explanation = false;               // fill Derived::explanation
  bool draw = true;                            // false: leave out segments and box
  int threads = 1;
  DeriveLimits limits = {};
};

struct Derived {
  std::uint64_t length = 0;  // symbols of the plain string, brackets included
  // By character of the plain string, so that they add up to the length; a declared name is one.
  std::map<std::string, std::uint64_t> counts;
  std::uint64_t segments = 0;             // of the plant the turtle draws
  Numbers3 bbox_min = {}, bbox_max = {};  // around both ends of all segments [m]
  std::string text;                       // the string with its parameters
  std::string explanation;  // for every module: the rule, step and parent that made it
  Diagnostics warnings;
  std::size_t failed_expectations = 0;  // `expect` lines that do not hold; they are in the warnings
};

Outcome<Derived> derive(const DeriveRequest& request);

// The plant itself, from the file to its last leaf: what an editor does after every change.
struct Grown {
  std::uint64_t symbols = 0;  // of the plain string
  std::uint64_t segments = 0, organs = 0;
  Diagnostics warnings;
};
Outcome<Grown> grow(const DeriveRequest& request);

// What is wrong or suspicious about a grammar file, all at once.
struct Checked {
  int errors = 0, warnings = 0;
  Diagnostics found;  // empty when all is well
};
Outcome<Checked> check(const std::string& file);

}  // namespace thigmo
