#include "grammar/text/if_condition.h"

#include <fmt/format.h>

#include <cmath>

#include "base/nesting.h"
#include "base/text.h"
#include "grammar/text/source.h"

namespace thigmo {

namespace {

constexpr int work_limit = 10'000;  // numbers and names; names that stand for names multiply

class Reader {
 public:
  Reader(std::string_view text, const LookUp& look_up, int& depth, int& work)
      : text_(text), look_up_(look_up), depth_(depth), work_(work) {}

  Result<double> run() {
    Result<double> value = binary(0);
    skip_space();
    if (value && at_ < text_.size()) {
      return fault(at_, fmt::format("'{}' is not expected here", text_.substr(at_, 40)));
    }
    return value;
  }

 private:
  static Diagnostic fault(std::size_t at, std::string message) {
    return {.message = std::move(message), .column = static_cast<int>(at) + 1};
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
  Result<double> binary(int level) {
    struct Operator {
      const char* text;
      int level;
    };
    static constexpr Operator operators[] = {{"||", 0}, {"&&", 1}, {"==", 2}, {"!=", 2}, {"<=", 3},
                                             {">=", 3}, {"<", 3},  {">", 3},  {"+", 4},  {"-", 4},
                                             {"*", 5},  {"/", 5},  {"%", 5}};
    constexpr int levels = 6;
    if (level == levels) return unary();
    Result<double> left = binary(level + 1);
    while (left) {
      const Operator* found = nullptr;
      for (const Operator& candidate : operators) {
        if (candidate.level == level && take(candidate.text)) {
          found = &candidate;
          break;
        }
      }
      if (found == nullptr) break;
      const std::size_t at = at_;
      const Result<double> right = binary(level + 1);
      left = right ? apply(found->text, *left, *right, at) : right;
    }
    return left;
  }

  static Result<double> apply(std::string_view op, double a, double b, std::size_t at) {
    if (op == "||") return a != 0 || b != 0 ? 1.0 : 0.0;
    if (op == "&&") return a != 0 && b != 0 ? 1.0 : 0.0;
    if (op == "==") return a == b ? 1.0 : 0.0;
    if (op == "!=") return a != b ? 1.0 : 0.0;
    if (op == "<=") return a <= b ? 1.0 : 0.0;
    if (op == ">=") return a >= b ? 1.0 : 0.0;
    if (op == "<") return a < b ? 1.0 : 0.0;
    if (op == ">") return a > b ? 1.0 : 0.0;
    if (op == "+") return a + b;
    if (op == "-") return a - b;
    if (op == "*") return a * b;
    if (b == 0) return fault(at, "this divides by 0");
    return op == "/" ? a / b : std::fmod(a, b);
  }

  Result<double> unary() {
    const Level level(depth_);
    if (level.too_deep()) return fault(at_, too_deep());
    if (++work_ > work_limit) return fault(at_, "the condition has too many parts");
    if (take("!")) return negated();
    if (take("-")) {
      const Result<double> value = unary();
      if (!value) return value;
      return -*value;
    }
    if (take("+")) return unary();
    if (take("(")) {
      Result<double> value = binary(0);
      if (!value || take(")")) return value;
      return fault(at_, "expected ')'");
    }
    skip_space();
    if (at_ < text_.size() && is_name_start(text_[at_])) return constant();
    const NumberPrefix number = number_prefix(text_.substr(at_));
    if (number.length == 0) return fault(at_, "expected a number, a constant or defined(NAME)");
    at_ += number.length;
    return number.value;
  }

  Result<double> negated() {
    const Result<double> value = unary();
    if (!value) return value;
    return *value == 0 ? 1.0 : 0.0;
  }

  // A name, or defined(NAME).
  Result<double> constant() {
    const std::size_t begin = at_;
    const std::string_view word = name();
    if (word == "defined") return defined();
    const std::optional<std::string_view> body = look_up_(word);
    if (!body) return fault(begin, fmt::format("'{}' is not defined", word));
    Result<double> value = Reader(*body, look_up_, depth_, work_).run();
    if (value) return value;
    // Through a chain of names only its end tells what is wrong.
    constexpr std::string_view link = "is not a number: ";
    const std::string& why = value.diagnostics()[0].message;
    const std::size_t inner = why.rfind(link);
    return fault(begin,
                 fmt::format("'{}' {}{}", word, link,
                             inner == std::string::npos ? why : why.substr(inner + link.size())));
  }

  std::string_view name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  Result<double> defined() {
    const bool parentheses = take("(");
    skip_space();
    const std::string_view word = name();
    if (word.empty()) return fault(at_, "'defined' needs a name");
    if (parentheses && !take(")")) return fault(at_, "expected ')'");
    return look_up_(word) ? 1.0 : 0.0;
  }

  std::string_view text_;
  const LookUp& look_up_;
  int& depth_;  // of parentheses, and of names that stand for names
  int& work_;
  std::size_t at_ = 0;
};

}  // namespace

Result<double> evaluate_if(std::string_view text, const LookUp& look_up) {
  int depth = 0, work = 0;
  return Reader(text, look_up, depth, work).run();
}

}  // namespace thigmo
