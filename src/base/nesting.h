#pragma once

#include <fmt/format.h>

#include <string>

namespace thigmo {

// How deep what a text says may nest where a reader follows it by recursion: parentheses, signs,
// blocks, conditions, macros. Every recursion counts, so that no text can use up the stack.
inline constexpr int nesting_limit = 200;

inline std::string too_deep() {
  return fmt::format("this nests deeper than {} levels", nesting_limit);
}

// One level of such a recursion, for as long as it lives.
class Level {
 public:
  explicit Level(int& depth) : depth_(depth) { ++depth_; }
  ~Level() { --depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  bool too_deep() const { return depth_ > nesting_limit; }

 private:
  int& depth_;
};

}  // namespace thigmo
