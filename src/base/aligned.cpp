#include "base/aligned.h"

#include <new>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace thigmo {
namespace {

[[maybe_unused]] constexpr std::size_t large_page = std::size_t{2} << 20;

std::align_val_t alignment([[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  if (bytes >= large_page) return std::align_val_t{large_page};
#endif
  return std::align_val_t{128};  // of sixteen doubles side by side
}

}  // namespace

void* aligned_memory(std::size_t bytes) {
  void* memory = ::operator new(bytes, alignment(bytes));
#ifdef __linux__
  // Whole large pages only, so that nothing is taken that is not used. A system without them says no.
  if (bytes >= large_page) madvise(memory, bytes / large_page * large_page, MADV_HUGEPAGE);
#endif
  return memory;
}

void free_aligned(void* memory, std::size_t bytes) { ::operator delete(memory, alignment(bytes)); }

}  // namespace thigmo
