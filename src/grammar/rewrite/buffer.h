#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace thigmo {

// Memory for a Buffer. A block that grows keeps its bytes; throws std::bad_alloc where there is no
// memory left. `old_bytes` and `bytes` are what was asked for, 0 for no block.
void* grow_block(void* block, std::size_t old_bytes, std::size_t bytes);
void free_block(void* block, std::size_t bytes);

// A growing array of plain values that are not initialised. Large blocks are moved page by page
// instead of being copied, so that a string of 50 MB costs 50 MB; std::vector would need twice that
// for a moment.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  Buffer(const Buffer& other) { append(other.data_, other.size_); }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() { free_block(data_, capacity_ * sizeof(T)); }

  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  void clear() { size_ = 0; }
  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    data_ = static_cast<T*>(grow_block(data_, capacity_ * sizeof(T), capacity * sizeof(T)));
    capacity_ = capacity;
  }
  void resize(std::size_t size) {  // new elements are not initialised
    grow_to(size);
    size_ = size;
  }
  // The same for who writes every element anew: the old ones are not kept, no room is left over.
  void resize_for_writing(std::size_t size) {
    if (size > capacity_) {
      Buffer fresh;
      swap(fresh);
    }
    reserve(size);
    size_ = size;
  }
  void push_back(T value) {
    grow_to(size_ + 1);
    data_[size_++] = value;
  }
  // Room for `count` more elements at the end, which the caller fills.
  T* extend(std::size_t count) {
    grow_to(size_ + count);
    T* room = data_ + size_;
    size_ += count;
    return room;
  }
  void append(const T* values, std::size_t count) {
    if (count == 0) return;
    std::memcpy(extend(count), values, count * sizeof(T));
  }

 private:
  void grow_to(std::size_t size) {
    if (size > capacity_) reserve(size + size / 2 + 64);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace thigmo
