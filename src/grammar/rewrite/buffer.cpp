#include "grammar/rewrite/buffer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace thigmo {

namespace {

void* small_block(void* block, std::size_t bytes) {
  void* const moved = std::realloc(block, bytes);
  if (moved == nullptr) throw std::bad_alloc();
  return moved;
}

}  // namespace

#ifdef __linux__

namespace {

constexpr std::size_t large_page = 2u << 20;   // bytes
constexpr std::size_t large_block = 4u << 20;  // smaller ones would waste too much of a page

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + large_page - 1) / large_page * large_page;
}

// Fresh memory that begins at a large page, so that the system can use such pages: touching 50 MB
// in pages of 4 KB takes six times as long as writing it.
char* map_pages(std::size_t size) {
  void* const mapped = mmap(nullptr, size + large_page, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  char* const begin = static_cast<char*>(mapped);
  const std::size_t over = reinterpret_cast<std::uintptr_t>(begin) % large_page;
  const std::size_t before = over == 0 ? 0 : large_page - over;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + size, large_page - before);
#ifdef MADV_HUGEPAGE
  madvise(begin + before, size, MADV_HUGEPAGE);  // only advice: small pages are right, too
#endif
  return begin + before;
}

}  // namespace

void* grow_block(void* block, std::size_t old_bytes, std::size_t bytes) {
  if (bytes < large_block) return small_block(block, bytes);
  char* const grown = map_pages(whole_pages(bytes));
  if (old_bytes < large_block) {
    if (old_bytes > 0) std::memcpy(grown, block, old_bytes);
    std::free(block);
    return grown;
  }
  // The pages themselves go to the new place: nothing is copied and nothing is there twice.
  const std::size_t size = whole_pages(old_bytes);
  if (mremap(block, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, grown) == MAP_FAILED) {
    std::memcpy(grown, block, old_bytes);
    munmap(block, size);
  }
  return grown;
}

void free_block(void* block, std::size_t bytes) {
  if (bytes < large_block) {
    std::free(block);
  } else {
    munmap(block, whole_pages(bytes));
  }
}

#else

void* grow_block(void* block, std::size_t, std::size_t bytes) { return small_block(block, bytes); }
void free_block(void* block, std::size_t) { std::free(block); }

#endif

}  // namespace thigmo
