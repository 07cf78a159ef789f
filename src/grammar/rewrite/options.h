#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "material/material.h"

namespace thigmo {

class Environment;  // grammar/turtle/environment.h

// Where a derivation stops. Each is checked before the memory is touched.
struct Limits {
  std::int64_t symbols = 100'000'000;         // modules of the string
  std::int64_t steps = 1'000'000;             // derivation steps
  std::int64_t nesting = 1'000'000;           // open brackets at one place
  std::int64_t memory_bytes = 2'000'000'000;  // of all strings of the derivation
  std::int64_t work = 2'000'000'000;          // instructions, comparisons and modules copied
  std::int64_t block = 1'000'000;             // instructions of one block of statements
  int recursion = 100;                        // of decomposition and homomorphism without a depth
};

// What an event in the life of a timed module, or a successor that an expansion writes, takes of the
// limit of work: the time of some hundred instructions.
inline constexpr std::int64_t work_of_event = 100;
// And trying the rules on one module in a step of the whole string.
inline constexpr std::int64_t work_of_trial = 10;
// And drawing a string between two steps, for what ?P ?H ?L ?U and ?E ask, and each of its modules.
inline constexpr std::int64_t work_of_drawing = 20'000;
inline constexpr std::int64_t work_of_drawn_module = 100;

struct GrowOptions {
  std::optional<double> steps = {};  // may have a fraction when the model uses dt or lifetimes
  std::optional<std::uint64_t> seed = {};
  std::optional<double> angle_degrees = {};
  std::optional<Material> material = {};
  std::map<std::string, double> defines = {};     // other values for the model's #define constants
  std::shared_ptr<Environment> environment = {};  // answers ?E instead of the model's own
  double smallest_body_mass = 1e-8;  // [kg]; lighter ends of articulated bodies are left out
  Limits limits = {};
  int threads = 1;  // 0: as many as the machine has; the string is the same for any number
};

}  // namespace thigmo
