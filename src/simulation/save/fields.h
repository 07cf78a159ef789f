#pragma once

// What is saved is walked field by field: the same walk writes, and reads and checks. A thing has one
//
//   template <class Archive, class AnyThing>
//   void visit_thing(Archive& archive, AnyThing& thing);
//
// in which AnyThing is const for a writer. Numbers are in the byte order of the machine.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/index.h"
#include "math/rotation.h"

namespace thigmo {

// What a number must be besides what its type can hold.
enum class Must { be_finite, not_be_negative, be_positive, be_a_number };

template <class T>
struct ScalarOf {
  using type = T;
};
template <class Real>
struct ScalarOf<Vec3T<Real>> {
  using type = Real;
};
template <class Real>
struct ScalarOf<QuatT<Real>> {
  using type = Real;
};
template <class Real>
struct ScalarOf<Sym3T<Real>> {
  using type = Real;
};

class FieldWriter {
 public:
  static constexpr bool reads = false;
  explicit FieldWriter(std::size_t expected_bytes) { bytes_.reserve(expected_bytes); }
  // What was written; the writer is empty then.
  std::string take() { return std::move(bytes_); }
  bool sound() const { return true; }

  template <class T>
  void number(const char*, const T& value, Must = Must::be_finite) {
    put(&value, sizeof value);
  }
  void rotation(const char*, const Quat& value) { put(&value, sizeof value); }
  void truth(const char*, const bool& value) { put_byte(value ? 1 : 0); }
  template <class Enum>
  void choice(const char*, const Enum& value, Enum) {
    put_byte(static_cast<std::uint8_t>(value));
  }
  // From `least` to before `end`.
  void index(const char*, const Index& value, Index, std::size_t) { put(&value, sizeof value); }
  void text(const char* name, const std::string& value) {
    count(name, value.size(), 1);
    put(value.data(), value.size());
  }
  std::size_t count(const char*, std::size_t value, std::size_t) {
    const auto wide = static_cast<std::uint64_t>(value);
    put(&wide, sizeof wide);
    return value;
  }

 private:
  void put(const void* from, std::size_t size) {
    bytes_.append(static_cast<const char*>(from), size);
  }
  void put_byte(std::uint8_t byte) { bytes_.push_back(static_cast<char>(byte)); }

  std::string bytes_;
};

// Takes fields one after the other. The first that cannot be is remembered, and all after it are as if they had
// never been written: zeros, and lists without entries.
class FieldReader {
 public:
  static constexpr bool reads = true;
  explicit FieldReader(std::string_view bytes) : bytes_(bytes) {}

  bool sound() const { return !problem_; }
  const std::string& problem() const { return *problem_; }
  std::size_t left() const { return sound() ? bytes_.size() - at_ : 0; }
  // What does not fit together.
  void refuse(std::string problem);

  template <class T>
  void number(const char* name, T& value, Must must = Must::be_finite) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!take(name, &value, sizeof value) || !check(name, value, must)) value = T{};
  }
  void rotation(const char* name, Quat& value);
  void truth(const char* name, bool& value);
  template <class Enum>
  void choice(const char* name, Enum& value, Enum last) {
    std::uint8_t byte = 0;
    take(name, &byte, 1);
    if (byte > static_cast<std::uint8_t>(last)) {
      refuse_value(name, byte);
      byte = 0;
    }
    value = static_cast<Enum>(byte);
  }
  void index(const char* name, Index& value, Index least, std::size_t end);
  void text(const char* name, std::string& value);
  // How many there are, of which each takes so many bytes or more: no more than the bytes that are left hold.
  std::size_t count(const char* name, std::size_t, std::size_t least_bytes_each);

 private:
  bool take(const char* name, void* to, std::size_t size) {
    if (left() < size) {
      if (sound()) refuse_end(name);
      std::memset(to, 0, size);
      return false;
    }
    std::memcpy(to, bytes_.data() + at_, size);
    at_ += size;
    return true;
  }
  template <class Scalar>
  static bool holds(Scalar value, Must must) {
    switch (must) {
      case Must::be_positive:
        return value > 0 && value <= std::numeric_limits<Scalar>::max();
      case Must::not_be_negative:
        return value >= 0 && value <= std::numeric_limits<Scalar>::max();
      case Must::be_finite:
        return value >= std::numeric_limits<Scalar>::lowest() &&
               value <= std::numeric_limits<Scalar>::max();
      case Must::be_a_number:
        return value == value;
    }
    return false;
  }
  template <class T>
  bool check(const char* name, const T& value, Must must) {
    using Scalar = typename ScalarOf<T>::type;
    static_assert(std::is_arithmetic_v<Scalar> && sizeof(T) % sizeof(Scalar) == 0);
    Scalar scalars[sizeof(T) / sizeof(Scalar)];
    std::memcpy(scalars, &value, sizeof value);
    for (const Scalar scalar : scalars) {
      if (holds(scalar, must)) continue;
      refuse_value(name, static_cast<double>(scalar));
      return false;
    }
    return true;
  }
  void refuse_value(const char* name, double value);
  void refuse_end(const char* name);

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::optional<std::string> problem_;
};

// A list, whose entries take `least_bytes_each` or more.
template <class Archive, class List, class Each>
void visit_list(Archive& archive, const char* name, List& list, std::size_t least_bytes_each,
                const Each& each) {
  const std::size_t count = archive.count(name, list.size(), least_bytes_each);
  if constexpr (Archive::reads) {
    list.clear();
    list.resize(count);
  }
  for (auto& entry : list) each(entry);
}

// What may be missing.
template <class Archive, class Optional, class Each>
void visit_optional(Archive& archive, const char* name, Optional& optional, const Each& each) {
  bool there = optional.has_value();
  archive.truth(name, there);
  if constexpr (Archive::reads) {
    optional.reset();
    if (there) optional.emplace();
  }
  if (there) each(*optional);
}
template <class Archive, class Optional>
void visit_optional_number(Archive& archive, const char* name, Optional& optional, Must must) {
  visit_optional(archive, name, optional, [&](auto& value) { archive.number(name, value, must); });
}

template <class Archive, class Numbers>
void visit_numbers(Archive& archive, const char* name, Numbers& numbers, Must must) {
  visit_list(archive, name, numbers, sizeof(typename std::decay_t<Numbers>::value_type),
             [&](auto& number) { archive.number(name, number, must); });
}

// The checksum of bytes: any change of a word changes it.
std::uint64_t checksum_of(std::string_view bytes);

}  // namespace thigmo
