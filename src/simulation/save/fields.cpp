#include "simulation/save/fields.h"

#include <fmt/format.h>

#include "base/random.h"

namespace thigmo {
namespace {

constexpr double unit_tolerance =
    1e-5;  // of a rotation's squared length: files hold single precision

}  // namespace

void FieldReader::refuse(std::string problem) {
  if (!problem_) problem_ = std::move(problem);
}

void FieldReader::refuse_value(const char* name, double value) {
  refuse(fmt::format("the {} cannot be {} (before byte {})", name, value, at_));
}

void FieldReader::refuse_end(const char* name) {
  refuse(fmt::format("it ends where the {} should be", name));
}

void FieldReader::rotation(const char* name, Quat& value) {
  number(name, value);
  const double square =
      value.w * value.w + value.x * value.x + value.y * value.y + value.z * value.z;
  if (std::abs(square - 1) < unit_tolerance) return;
  if (sound()) refuse_value(name, square);
  value = {};
}

void FieldReader::truth(const char* name, bool& value) {
  std::uint8_t byte = 0;
  take(name, &byte, 1);
  if (byte > 1) refuse_value(name, byte);
  value = byte == 1 && sound();
}

void FieldReader::index(const char* name, Index& value, Index least, std::size_t end) {
  if (!take(name, &value, sizeof value)) {
    value = no_index;
    return;
  }
  if (value >= least && static_cast<std::int64_t>(value) < static_cast<std::int64_t>(end)) return;
  refuse_value(name, value);
  value = no_index;
}

void FieldReader::text(const char* name, std::string& value) {
  const std::size_t size = count(name, 0, 1);
  value.assign(bytes_.substr(at_, size));
  at_ += size;
}

std::size_t FieldReader::count(const char* name, std::size_t, std::size_t least_bytes_each) {
  std::uint64_t count = 0;
  if (!take(name, &count, sizeof count)) return 0;
  if (count <= left() / least_bytes_each) return count;
  refuse(fmt::format("there cannot be {} of the {} (before byte {})", count, name, at_));
  return 0;
}

// Four sums side by side, so that none waits for the other.
std::uint64_t checksum_of(std::string_view bytes) {
  std::uint64_t sums[4] = {1, 2, 3, bytes.size()};
  std::size_t at = 0;
  for (; at + sizeof sums <= bytes.size(); at += sizeof sums) {
    std::uint64_t words[4];
    std::memcpy(words, bytes.data() + at, sizeof words);
    for (std::size_t i = 0; i < 4; ++i) sums[i] = mix_bits(sums[i] ^ words[i]);
  }
  std::uint64_t last[4] = {};
  if (at < bytes.size()) std::memcpy(last, bytes.data() + at, bytes.size() - at);
  for (std::size_t i = 0; i < 4; ++i) sums[i] = mix_bits(sums[i] ^ last[i]);
  return mix_bits(mix_bits(sums[0], sums[1]), mix_bits(sums[2], sums[3]));
}

}  // namespace thigmo
