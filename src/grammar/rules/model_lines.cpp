#include "grammar/rules/model_lines.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/diagnostic.h"

namespace thigmo {

namespace {

constexpr std::string_view header_words[] = {"lsystem",       "derivation length",
                                             "seed",          "angle",
                                             "step",          "width",
                                             "width factor",  "axiom",
                                             "ignore",        "consider",
                                             "define",        "start",
                                             "starteach",     "endeach",
                                             "end",           "tropism",
                                             "maximum depth", "group",
                                             "time step",     "interpretation",
                                             "material",      "environment"};

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

std::string leading_words(const std::string& text, std::size_t begin, std::size_t line_end,
                          std::size_t& end) {
  std::string words;
  std::size_t i = begin;
  end = begin;
  while (i < line_end) {
    while (i < line_end && (text[i] == ' ' || text[i] == '\t')) ++i;
    std::size_t stop = i;
    while (stop < line_end && is_name_part(text[stop])) ++stop;
    if (stop == i) break;
    if (!words.empty()) words += ' ';
    words += lower(std::string_view(text).substr(i, stop - i));
    i = end = stop;
  }
  return words;
}

bool is_header_word(const std::string& words) {
  return std::find(std::begin(header_words), std::end(header_words), words) !=
         std::end(header_words);
}

bool is_section_word(const std::string& words) {
  return words == "endlsystem" || words == "homomorphism" || words == "decomposition" ||
         words == "production" || words == "ring lsystem";
}

std::string closest_header_word(const std::string& words) {
  return closest_word(words, {std::begin(header_words), std::end(header_words)});
}

namespace {

// Does this line begin a new item, or may it continue a rule?
bool starts_item(const std::string& text, std::size_t begin, std::size_t end) {
  std::size_t after = 0;
  const std::string words = leading_words(text, begin, end, after);
  while (after < end && (text[after] == ' ' || text[after] == '\t')) ++after;
  if (is_section_word(words) && (after == end || text[after] == ':')) return true;
  if (after < end && text[after] == ':' && is_header_word(words)) return true;
  return words.substr(0, 7) == "module " || words.substr(0, 7) == "expect ";
}

}  // namespace

std::vector<Line> logical_lines(const std::string& t) {
  std::vector<Line> lines;
  bool has_arrow = false;
  bool lists_symbols = false;  // those of an axiom or an ignore list may be braces
  int depth = 0;               // of { } in front of the arrow
  const auto blank = [&](std::size_t b, std::size_t e) {
    return std::all_of(t.begin() + static_cast<std::ptrdiff_t>(b),
                       t.begin() + static_cast<std::ptrdiff_t>(e),
                       [](char c) { return static_cast<unsigned char>(c) <= ' '; });
  };
  for (std::size_t start = 0; start < t.size();) {
    std::size_t end = t.find('\n', start);
    if (end == std::string::npos) end = t.size();
    if (!blank(start, end)) {
      std::size_t arrow = std::string_view(t).substr(start, end - start).find("-->");
      if (arrow != std::string::npos) arrow += start;
      const bool indented = t[start] == ' ' || t[start] == '\t';
      const bool continues =
          !lines.empty() &&
          (depth > 0 || (indented && !starts_item(t, start, end) &&
                         (arrow == std::string::npos ||
                          (!has_arrow && !starts_item(t, lines.back().begin, lines.back().end)))));
      if (continues) {
        lines.back().end = end;
      } else {
        lines.push_back({start, end});
        has_arrow = false;
        depth = 0;
        std::size_t after = 0;
        const std::string words = leading_words(t, start, end, after);
        lists_symbols = words == "axiom" || words == "ignore" || words == "consider";
      }
      for (std::size_t i = start; i < end && !has_arrow; ++i) {
        if (t[i] == '{') ++depth;
        if (t[i] == '}') --depth;
        if (i == arrow && depth <= 0) has_arrow = true;
      }
      if (has_arrow) depth = 0;
      if (lists_symbols && !has_arrow) depth = std::min(depth, 0);
    }
    start = end + 1;
  }
  return lines;
}

}  // namespace thigmo
