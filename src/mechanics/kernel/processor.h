#pragma once

#include <string_view>

namespace thigmo {

// What the sweeps are compiled for. The same bits come out for any number of threads, but not on
// different processors: they round and add in different orders.
enum class Processor { generic, avx2, avx512 };
Processor best_processor();
std::string_view name_of(Processor processor);

// The most bodies that it moves side by side.
int widest_lanes(Processor processor);

}  // namespace thigmo
