#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace thigmo {
namespace {

// How many bytes of UTF-8 the character at the start of a text takes; 0: it is none.
std::size_t character_bytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t bytes = first < 0x80                    ? 1
                            : first >= 0xf0 && first < 0xf5 ? 4
                            : first >= 0xe0 && first < 0xf0 ? 3
                            : first >= 0xc2 && first < 0xe0 ? 2
                                                            : 0;
  if (bytes > text.size()) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  }
  return bytes;
}

// What is no text must not reach a terminal: a question mark for each such byte, so that columns stay.
std::string readable(std::string_view line) {
  std::string shown;
  while (!line.empty()) {
    const char first = line.front();
    const bool control = (first >= 0 && first < 0x20 && first != '\t') || first == 0x7f;
    const std::size_t bytes = control ? 0 : character_bytes(line);
    shown += bytes == 0 ? std::string(1, '?') : std::string(line.substr(0, bytes));
    line.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return shown;
}

}  // namespace

TextPosition text_position(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t last_newline = before.rfind('\n');
  const std::size_t line_start = last_newline == std::string_view::npos ? 0 : last_newline + 1;
  return {.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
          .column = 1 + static_cast<int>(before.size() - line_start)};
}

std::string_view text_line(std::string_view text, int line) {
  std::size_t start = 0;
  for (int i = 1; i < line; ++i) {
    const std::size_t newline = text.find('\n', start);
    if (newline == std::string_view::npos) return {};
    start = newline + 1;
  }
  std::string_view found = text.substr(start, text.find('\n', start) - start);
  if (!found.empty() && found.back() == '\r') found.remove_suffix(1);
  return found;
}

void show_line(std::string_view line, Diagnostic& diagnostic) {
  // A line longer than a terminal is shown as a window around the column.
  constexpr std::size_t window = 100;
  const auto caret = static_cast<std::size_t>(std::max(diagnostic.column - 1, 0));
  const std::size_t from = std::min(caret > window ? caret - window / 2 : 0, line.size());
  diagnostic.source_line = readable(line.substr(from, window + window / 2));
  diagnostic.source_start = static_cast<int>(from);
}

std::string shortened(std::string message) {
  constexpr std::size_t most = 1000, end = 300;
  if (message.size() <= most) return message;
  // No half of a character on either side.
  const auto is_inside = [&](std::size_t i) {
    return (static_cast<unsigned char>(message[i]) & 0xc0) == 0x80;
  };
  std::size_t head = end, tail = message.size() - end;
  while (head > 0 && is_inside(head)) --head;
  while (tail < message.size() && is_inside(tail)) ++tail;
  return message.substr(0, head) + " … " + message.substr(tail);
}

Diagnostic diagnostic_at(std::string_view file, std::string_view text, std::size_t offset,
                         std::string message, std::string hint) {
  const TextPosition position = text_position(text, offset);
  Diagnostic diagnostic{.message = shortened(std::move(message)),
                        .file = std::string(file),
                        .line = position.line,
                        .column = position.column,
                        .hint = std::move(hint)};
  show_line(text_line(text, position.line), diagnostic);
  return diagnostic;
}

const char* to_string(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      break;
  }
  return "note";
}

std::string to_string(const Diagnostic& diagnostic) {
  std::string out;
  if (!diagnostic.file.empty()) out += diagnostic.file + ":";
  if (diagnostic.line > 0) out += fmt::format("{}:", diagnostic.line);
  if (diagnostic.column > 0) out += fmt::format("{}:", diagnostic.column);
  if (!out.empty()) out += " ";
  out += to_string(diagnostic.severity);
  out += ": ";
  out += shortened(diagnostic.message);
  if (diagnostic.column > 0 && !diagnostic.source_line.empty()) {
    const int caret = std::max(diagnostic.column - 1 - diagnostic.source_start, 0);
    std::string shown = diagnostic.source_line;
    // Tabs would move the caret, control characters would garble the terminal.
    for (char& c : shown) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    }
    out += "\n  " + shown + "\n  " + std::string(static_cast<std::size_t>(caret), ' ') + "^";
  }
  if (!diagnostic.hint.empty()) out += "\n  hint: " + shortened(diagnostic.hint);
  return out;
}

std::string to_string(const Diagnostics& diagnostics) {
  // A file of another kind is wrong in every line; the first ones say so.
  constexpr std::size_t most_shown = 12;
  std::string out;
  for (std::size_t i = 0; i < std::min(diagnostics.size(), most_shown); ++i) {
    if (i > 0) out += '\n';
    out += to_string(diagnostics[i]);
  }
  if (diagnostics.size() > most_shown)
    out += fmt::format("\nand {} more", diagnostics.size() - most_shown);
  return out;
}

namespace {

// How many letters to insert, leave out, replace or swap with their neighbour.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

bool has_error(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::error;
  });
}

std::string closest_word(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 64;  // a comparison takes the product of the lengths
  std::string best;
  if (word.size() > longest) return best;
  // Fewer changes than letters, else any word would do.
  std::size_t best_distance = std::min(std::max<std::size_t>(2, word.size() / 3) + 1, word.size());
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace thigmo
