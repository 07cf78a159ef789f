#pragma once

#include <atomic>
#include <cstddef>

namespace thigmo {

// How many heap allocations the test program has made, how many of them large, and which large one fails;
// -1: none. The sanitizers have an allocator of their own, under which none of these is there.
extern std::atomic<long> allocations, large_allocations, large_allocation_that_fails;
// Above what the destructor of a summary's JSON takes for its list of some forty values: nlohmann-json ends the
// program where that fails, and which allocation of a run it is changes with every line of code.
inline constexpr std::size_t large_allocation = 768;  // [bytes]

}  // namespace thigmo
