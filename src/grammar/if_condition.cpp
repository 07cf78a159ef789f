#include "grammar/if_condition.h"

#include <fmt/format.h>

#include <cmath>

#include "base/nesting.h"
#include "base/text.h"
#include "grammar/source.h"

namespace thigmo {

namespace {

constexpr int work_limit = 10'000;  // numbers and names; names that stand for names multiply

class Reader {
 public:
  Reader(std::string_view text, const LookUp& look_up, int& depth, int& work)
      : text_(text), look_up_(look_up), depth_(depth), work_(work) {}

  IfValue run() {
    IfValue out;
    out.value = binary(0);
    skip_space();
    if (error_.empty() && at_ < text_.size()) {
      fail(fmt::format("'{}' is not expected here", text_.substr(at_, 40)));
    }
    out.error = error_;
    out.at = error_at_;
    return out;
  }

 private:
  double fail(std::string message) {
    if (error_.empty()) {
      error_ = std::move(message);
      error_at_ = at_;
    }
    return 0;
  }

  void skip_space() {
    while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) <= ' ') ++at_;
  }

  bool take(std::string_view word) {
    skip_space();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  // Levels of precedence, the weakest first. Longer operators stand before their beginnings.
  double binary(int level) {
    struct Operator {
      const char* text;
      int level;
    };
    static constexpr Operator operators[] = {{"||", 0}, {"&&", 1}, {"==", 2}, {"!=", 2}, {"<=", 3},
                                             {">=", 3}, {"<", 3},  {">", 3},  {"+", 4},  {"-", 4},
                                             {"*", 5},  {"/", 5},  {"%", 5}};
    constexpr int levels = 6;
    if (level == levels) return unary();
    double left = binary(level + 1);
    while (error_.empty()) {
      const Operator* found = nullptr;
      for (const Operator& candidate : operators) {
        if (candidate.level == level && take(candidate.text)) {
          found = &candidate;
          break;
        }
      }
      if (found == nullptr) return left;
      const std::size_t at = at_;
      const double right = binary(level + 1);
      left = apply(found->text, left, right, at);
    }
    return 0;
  }

  double apply(std::string_view op, double a, double b, std::size_t at) {
    if (op == "||") return a != 0 || b != 0 ? 1 : 0;
    if (op == "&&") return a != 0 && b != 0 ? 1 : 0;
    if (op == "==") return a == b ? 1 : 0;
    if (op == "!=") return a != b ? 1 : 0;
    if (op == "<=") return a <= b ? 1 : 0;
    if (op == ">=") return a >= b ? 1 : 0;
    if (op == "<") return a < b ? 1 : 0;
    if (op == ">") return a > b ? 1 : 0;
    if (op == "+") return a + b;
    if (op == "-") return a - b;
    if (op == "*") return a * b;
    if (b == 0 && error_.empty()) {
      at_ = at;
      return fail("this divides by 0");
    }
    return op == "/" ? a / b : std::fmod(a, b);
  }

  double unary() {
    const Level level(depth_);
    if (level.too_deep()) return fail(too_deep());
    if (++work_ > work_limit) return fail("the condition has too many parts");
    return unary_inside();
  }

  double unary_inside() {
    if (take("!")) return unary() == 0 ? 1 : 0;
    if (take("-")) return -unary();
    if (take("+")) return unary();
    if (take("(")) {
      const double value = binary(0);
      return take(")") ? value : fail("expected ')'");
    }
    skip_space();
    const std::size_t begin = at_;
    if (at_ < text_.size() && is_name_start(text_[at_])) {
      const std::string_view word = name();
      if (word == "defined") return defined();
      const std::optional<std::string_view> body = look_up_(word);
      if (!body) {
        at_ = begin;
        return fail(fmt::format("'{}' is not defined", word));
      }
      const IfValue value = Reader(*body, look_up_, depth_, work_).run();
      if (value.error.empty()) return value.value;
      at_ = begin;
      // Through a chain of names only its end tells what is wrong.
      constexpr std::string_view link = "is not a number: ";
      const std::size_t inner = value.error.rfind(link);
      return fail(fmt::format(
          "'{}' {}{}", word, link,
          inner == std::string::npos ? value.error : value.error.substr(inner + link.size())));
    }
    const NumberPrefix number = number_prefix(text_.substr(at_));
    if (number.length == 0) return fail("expected a number, a constant or defined(NAME)");
    at_ += number.length;
    return number.value;
  }

  std::string_view name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  double defined() {
    const bool parentheses = take("(");
    skip_space();
    const std::string_view word = name();
    if (word.empty()) return fail("'defined' needs a name");
    if (parentheses && !take(")")) return fail("expected ')'");
    return look_up_(word) ? 1 : 0;
  }

  std::string_view text_;
  const LookUp& look_up_;
  int& depth_;  // of parentheses, and of names that stand for names
  int& work_;
  std::size_t at_ = 0, error_at_ = 0;
  std::string error_;
};

}  // namespace

IfValue evaluate_if(std::string_view text, const LookUp& look_up) {
  int depth = 0, work = 0;
  return Reader(text, look_up, depth, work).run();
}

}  // namespace thigmo
