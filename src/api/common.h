#pragma once

#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "material/material.h"
#include "math/vector.h"
#include "simulation/simulation.h"
#include "thigmo/world.h"

namespace thigmo {

inline Failure failure_from(const Diagnostics& diagnostics) { return {.diagnostics = diagnostics}; }

// The border of the API: does the work, and turns its diagnostics and a lack of memory into a Failure. What
// was being written is discarded on the way out.
template <class Work>
auto attempt(Work&& work) -> Outcome<std::decay_t<decltype(*work())>> {
  try {
    auto result = work();
    if (!result) return failure_from(result.diagnostics());
    return std::move(*result);
  } catch (const std::bad_alloc&) {
    return failure_from({out_of_memory()});
  } catch (const std::length_error&) {  // more than any memory holds
    return failure_from({out_of_memory()});
  }
}

inline Numbers3 numbers(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Vec3 vector(const Numbers3& v) { return {v[0], v[1], v[2]}; }

std::vector<ProbeReading> read_probes(const Simulation& simulation);

// Any file, for what names files by path; with a folder only what lies in it, links followed.
Result<std::string> read_any(std::string_view path, std::string_view folder = {});

// The material of a species; none for an empty name.
Result<std::optional<Material>> material_of(const std::string& species);

}  // namespace thigmo
