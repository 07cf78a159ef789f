#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/text.h"

namespace thigmo {

// A word of a foreign file as a message can show it: its beginning, without control characters.
inline std::string shown(std::string_view word) {
  constexpr std::size_t most = 40;
  std::string text(word.substr(0, most));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  if (word.size() <= most) return text;
  // No half of a character.
  while (!text.empty() && static_cast<unsigned char>(text.back()) >= 0x80) text.pop_back();
  return text + "…";
}

// Walks through a text word by word and knows where it is.
class Scanner {
 public:
  Scanner(std::string_view file, std::string_view text)
      : file_(file), text_(without_byte_order_mark(text)) {}

  bool at_end() const { return position_ >= text_.size(); }
  std::size_t position() const { return position_; }
  std::size_t left() const { return text_.size() - position_; }
  char peek() const { return at_end() ? '\0' : text_[position_]; }

  void skip_blanks() {
    while (!at_end() && is_blank(text_[position_])) ++position_;
  }
  void advance() {
    if (!at_end()) ++position_;
  }
  void skip_line() {
    while (!at_end() && text_[position_] != '\n') ++position_;
    if (!at_end()) ++position_;
  }
  bool skip(char c) {
    skip_blanks();
    if (peek() != c) return false;
    ++position_;
    return true;
  }

  // Up to the next blank or one of `ends`; empty at the end of the text.
  std::string_view word(std::string_view ends = {}) {
    skip_blanks();
    start_ = position_;
    while (!at_end() && !is_blank(text_[position_]) &&
           ends.find(text_[position_]) == std::string_view::npos) {
      ++position_;
    }
    return text_.substr(start_, position_ - start_);
  }

  std::optional<double> number(std::string_view ends = {}) { return number_from_text(word(ends)); }

  // A whole number in 0..most.
  std::optional<std::uint64_t> count(std::uint64_t most, std::string_view ends = {}) {
    const std::optional<double> value = number(ends);
    if (!value || *value < 0 || *value > static_cast<double>(most)) return std::nullopt;
    const auto whole = static_cast<std::uint64_t>(*value);
    if (static_cast<double>(whole) != *value) return std::nullopt;
    return whole;
  }

  // To before the next such word, or to the end.
  void skip_to(std::string_view wanted) {
    for (std::size_t at = text_.find(wanted, position_); at != std::string_view::npos;
         at = text_.find(wanted, at + 1)) {
      const std::size_t end = at + wanted.size();
      if ((at > 0 && !is_blank(text_[at - 1])) || (end < text_.size() && !is_blank(text_[end])))
        continue;
      position_ = at;
      return;
    }
    position_ = text_.size();
  }

  // Lines end in a line feed, a carriage return, or both.
  std::string_view rest_of_line() {
    const std::size_t start = position_;
    while (!at_end() && text_[position_] != '\n' && text_[position_] != '\r') ++position_;
    const std::string_view line = text_.substr(start, position_ - start);
    if (peek() == '\r') ++position_;
    if (peek() == '\n') ++position_;
    return line;
  }

  // Points at the last word read.
  Diagnostic failure(std::string message, std::string hint = {}) const {
    return diagnostic_at(file_, text_, start_, std::move(message), std::move(hint));
  }
  Diagnostic failure_at(std::size_t offset, std::string message) const {
    return diagnostic_at(file_, text_, offset, std::move(message));
  }

  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

 private:
  std::string_view file_, text_;
  std::size_t position_ = 0, start_ = 0;
};

}  // namespace thigmo
