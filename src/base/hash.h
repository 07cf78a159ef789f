#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/random.h"

namespace thigmo {

// A 64-bit fingerprint of a sequence of words: for comparing runs, not for security.
class Hasher {
 public:
  void add(std::uint64_t word) { state_ = mix_bits(state_, word); }
  void add(double value) {
    std::uint64_t word;
    std::memcpy(&word, &value, sizeof word);
    add(word);
  }
  void add(std::span<const double> values) {
    for (double value : values) add(value);
  }
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x7468'6967'6d6f'0001u;
};

}  // namespace thigmo
