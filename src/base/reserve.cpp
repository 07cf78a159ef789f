#include "base/reserve.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>

namespace thigmo {

// In a list of all, which needs no memory of its own.
struct ReserveBlock {
  void* memory = nullptr;
  ReserveBlock *before = nullptr, *behind = nullptr;
};

namespace {

std::mutex mutex;
ReserveBlock* first = nullptr;
std::new_handler handler_before = nullptr;  // that of the program we are a part of

void give_all_back() {
  {
    const std::lock_guard lock(mutex);
    for (ReserveBlock* block = first; block != nullptr; block = block->behind) {
      std::free(block->memory);
      block->memory = nullptr;
    }
  }
  if (handler_before == nullptr) throw std::bad_alloc();
  handler_before();
}

}  // namespace

Reserve::Reserve(double bytes) {
  static const bool once = (handler_before = std::set_new_handler(give_all_back), true);
  static_cast<void>(once);
  block_.reset(new ReserveBlock);
  block_->memory = std::malloc(static_cast<std::size_t>(std::clamp(bytes, 1e5, 1e15)));
  if (block_->memory == nullptr) throw std::bad_alloc();
  const std::lock_guard lock(mutex);
  block_->behind = first;
  if (block_->behind != nullptr) block_->behind->before = block_.get();
  first = block_.get();
}

void Reserve::give_back() { block_.reset(); }

void Reserve::Remove::operator()(ReserveBlock* block) const {
  {
    const std::lock_guard lock(mutex);
    if (block->before != nullptr) block->before->behind = block->behind;
    if (block->behind != nullptr) block->behind->before = block->before;
    if (first == block) first = block->behind;
  }
  std::free(block->memory);
  delete block;
}

}  // namespace thigmo
