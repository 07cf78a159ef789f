#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/result.h"
#include "mesh/mesh.h"

namespace thigmo {

// Takes a file's bytes in order, piece by piece; an error stops the writer.
using ByteSink = std::function<Result<Done>(std::string_view)>;

// Numbers in growing bytes. We run on little-endian machines only, so memory order is file order.
class Bytes {
 public:
  template <class T>
  requires std::is_arithmetic_v<T>
  void put(T value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(&bytes_[at], &value, sizeof value);
  }
  void put(const Vec3f& v) {
    put(v.x);
    put(v.y);
    put(v.z);
  }
  void put(const Vec2f& v) {
    put(v.x);
    put(v.y);
  }
  void put(const Vec4f& v) {
    for (const float part : {v.x, v.y, v.z, v.w}) put(part);
  }
  // A run of plain numbers, as they lie in memory.
  template <class T>
  void put_all(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(float) == 0);
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  void put(std::string_view text) { bytes_.append(text); }
  void put(const char* text) { bytes_.append(text); }

  // Most significant byte first.
  void put_big(std::uint32_t word) {
    for (const int shift : {24, 16, 8, 0}) bytes_.push_back(static_cast<char>(word >> shift));
  }
  void put_big(float value) {
    std::uint32_t word;
    std::memcpy(&word, &value, sizeof word);
    put_big(word);
  }

  const std::string& text() const { return bytes_; }
  std::string take() { return std::move(bytes_); }
  void clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

// Runs a streaming writer into one string.
template <class Writer>
Result<std::string> bytes_from(const Writer& write) {
  std::string bytes;
  const Result<Done> done = write([&bytes](std::string_view piece) -> Result<Done> {
    bytes.append(piece);
    return Done{};
  });
  if (!done) return done.diagnostics();
  return bytes;
}

}  // namespace thigmo
