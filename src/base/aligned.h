#pragma once

#include <cstddef>
#include <vector>

namespace thigmo {

// Memory that begins with a cache line, so that no pack of lanes lies across two. Large pieces lie in large
// pages where the system has them: a plant of a million segments is half a gigabyte, of which small pages
// would have to be looked up one by one.
void* aligned_memory(std::size_t bytes);
void free_aligned(void* memory, std::size_t bytes);

template <class T>
struct AlignedAllocator {
  using value_type = T;

  AlignedAllocator() = default;
  template <class Other>
  AlignedAllocator(const AlignedAllocator<Other>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(aligned_memory(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) { free_aligned(memory, count * sizeof(T)); }

  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace thigmo
