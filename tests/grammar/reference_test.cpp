#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "grammar/grammar.h"
#include "grammar/helpers.h"

namespace thigmo::reference_test {
namespace {

// A second road to the same strings: plain text, one character a module, every search from scratch.
// Left and right context over branches, ignored symbols, branches in the right context, rings, rules
// for several modules, and cuts.
struct PlainRule {
  std::string left, strict, right, successor;
};

struct PlainSystem {
  std::string axiom, ignored;
  bool ring = false;
  int steps = 0;
  std::vector<PlainRule> rules;
};

class Naive {
 public:
  explicit Naive(const PlainSystem& system) : system_(system) {}

  std::string run(std::size_t longest) {
    text_ = system_.axiom;
    for (int i = 0; i < system_.steps && text_.size() <= longest; ++i) text_ = next();
    return text_;
  }

 private:
  std::size_t partner(std::size_t at) const {
    const int way = text_[at] == '[' ? 1 : -1;
    int depth = 0;
    for (auto j = static_cast<std::ptrdiff_t>(at);; j += way) {
      const char c = text_[static_cast<std::size_t>(j)];
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (depth == 0) return static_cast<std::size_t>(j);
    }
  }

  // The next place in this direction that is no ignored symbol, by `step` of +1 or -1. A context goes
  // at most once around a ring.
  bool walk(std::ptrdiff_t& at, int step, char wanted, std::ptrdiff_t& passed) const {
    const auto size = static_cast<std::ptrdiff_t>(text_.size());
    while (passed++ < size) {
      at += step;
      if (at < 0 || at >= size) {
        if (!system_.ring) return false;
        at = at < 0 ? size - 1 : 0;
      }
      const auto i = static_cast<std::size_t>(at);
      const char c = text_[i];
      if (c == wanted) return true;
      if (c == ']' && step < 0) at = static_cast<std::ptrdiff_t>(partner(i));
      if (c == '[' && step > 0) at = static_cast<std::ptrdiff_t>(partner(i));
      if (c == ']' && step > 0) return false;
      if (c != '[' && c != ']' && system_.ignored.find(c) == std::string::npos) return false;
    }
    return false;
  }

  bool fits(const PlainRule& rule, std::size_t i) const {
    if (text_.compare(i, rule.strict.size(), rule.strict) != 0) return false;
    std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i), passed = 0;
    for (auto c = rule.left.rbegin(); c != rule.left.rend(); ++c) {
      if (!walk(at, -1, *c, passed)) return false;
    }
    passed = 0;
    at = static_cast<std::ptrdiff_t>(i + rule.strict.size() - 1);
    for (const char c : rule.right) {
      if (!walk(at, 1, c, passed)) return false;
    }
    return true;
  }

  std::string next() const {
    std::string out;
    for (std::size_t i = 0; i < text_.size();) {
      if (text_[i] == '%') {
        for (int depth = 0; i < text_.size(); ++i) {
          depth += text_[i] == '[' ? 1 : text_[i] == ']' ? -1 : 0;
          if (depth < 0) break;
        }
        continue;
      }
      const PlainRule* found = nullptr;
      for (const PlainRule& rule : system_.rules) {
        if (found == nullptr && fits(rule, i)) found = &rule;
      }
      if (found != nullptr) {
        out += found->successor;
      } else {
        out += text_[i];
      }
      i += found != nullptr ? found->strict.size() : 1;
    }
    return out;
  }

  const PlainSystem& system_;
  std::string text_;
};

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  int below(int n) { return static_cast<int>(mix_bits(seed_, ++draw_) % static_cast<unsigned>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  std::string letters(int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += static_cast<char>('A' + below(3));
    return out;
  }
  std::string word(int most, bool branches, bool cuts) {
    std::string out;
    for (int i = below(most + 1); i > 0; --i) {
      const int what = below(20);
      if (what < 3 && branches) {
        out += fmt::format("[{}]", word(2, false, cuts));
      } else if (what < 5) {
        out += '+';
      } else if (what == 5 && cuts) {
        out += '%';
      } else {
        out += letters(1);
      }
    }
    return out;
  }

 private:
  std::uint64_t seed_, draw_ = 0;
};

PlainSystem random_system(std::uint64_t seed) {
  Dice dice(seed);
  PlainSystem system{.ignored = dice.one_in(2) ? "+" : "", .ring = dice.one_in(5)};
  const bool branches = !system.ring, cuts = branches && dice.one_in(3), several = dice.one_in(3);
  for (int i = 1 + dice.below(5); i > 0; --i) {
    PlainRule rule{.left = dice.letters(std::max(0, dice.below(4) - 1)),
                   .strict = dice.letters(several ? 1 + dice.below(3) : 1),
                   .right = dice.letters(std::max(0, dice.below(4) - 1)),
                   .successor = dice.word(4, branches, cuts)};
    if (branches && dice.one_in(5)) rule.right = fmt::format("[{}]{}", dice.letters(1), rule.right);
    system.rules.push_back(rule);
  }
  system.axiom = dice.letters(1);
  system.axiom += dice.word(8, branches, cuts);
  system.steps = 1 + dice.below(5);
  return system;
}

std::string text_of(const PlainSystem& system) {
  std::string text = fmt::format("derivation length: {}\n", system.steps);
  if (system.ring) text += "ring lsystem\n";
  if (!system.ignored.empty()) text += fmt::format("ignore: {}\n", system.ignored);
  text += fmt::format("Axiom: {}\n", system.axiom);
  for (const PlainRule& rule : system.rules) {
    if (!rule.left.empty()) text += fmt::format("{} < ", rule.left);
    text += rule.strict;
    if (!rule.right.empty()) text += fmt::format(" > {}", rule.right);
    text += fmt::format(" --> {}\n", rule.successor.empty() ? "*" : rule.successor);
  }
  return text;
}

TEST(Reference, RandomSystemsGiveTheStringsOfTheNaiveProgram) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const PlainSystem system = random_system(seed);
    constexpr std::size_t longest = 2000;
    const std::string expected = Naive(system).run(longest);
    if (expected.size() > longest) continue;
    const std::string text = text_of(system);
    const auto grammar = parse_grammar("m.lsys", text);
    ASSERT_TRUE(grammar) << text << to_string(grammar.diagnostics());
    const auto string = derive(*grammar);
    ASSERT_TRUE(string) << text << to_string(string.diagnostics());
    ASSERT_EQ(plain_text(*string), expected) << text;
    ++compared;
  }
  EXPECT_GT(compared, 2500);
}

}  // namespace
}  // namespace thigmo::reference_test
