#include "grammar/dialects/soft_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "base/text.h"

namespace thigmo {

namespace {

struct Token {
  std::string text;
  std::uint32_t offset = 0;
};

// Words and brackets of a line; brackets and arrows need no blanks around them.
std::vector<Token> tokens_of(std::string_view text, std::size_t begin, std::size_t end) {
  std::vector<Token> tokens;
  for (std::size_t i = begin; i < end;) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) <= ' ') {
      ++i;
    } else if (c == '[' || c == ']' || c == '=') {
      tokens.push_back({std::string(1, c), static_cast<std::uint32_t>(i++)});
    } else {
      std::size_t stop = i;
      while (stop<end&& static_cast<unsigned char>(text[stop])> ' ' && text[stop] != '[' &&
             text[stop] != ']' && text[stop] != '=') {
        ++stop;
      }
      tokens.push_back({std::string(text.substr(i, stop - i)), static_cast<std::uint32_t>(i)});
      i = stop;
    }
  }
  return tokens;
}

bool is_arrow(const std::string& text) {
  return text == "->" || text == "-->" || text == "\xe2\x86\x92";
}

bool is_name(const std::string& text) {
  return !text.empty() && is_name_start(text[0]) &&
         std::all_of(text.begin(), text.end(), is_name_part);
}

class Translator {
 public:
  Translator(Source& source, Diagnostics& diagnostics)
      : source_(source), text_(source.files[0].text), diagnostics_(diagnostics) {}

  void run() {
    std::size_t start = 0;
    while (start < text_.size()) {
      std::size_t end = text_.find('\n', start);
      if (end == std::string::npos) end = text_.size();
      const std::size_t comment = std::string_view(text_).substr(start, end - start).find("//");
      read_line(tokens_of(text_, start, comment == std::string::npos ? end : start + comment));
      start = end + 1;
    }
    for (const auto& [name, offset] : used_) {
      if (!rules_.contains(name))
        fail(offset, fmt::format("there is no rule for the node '{}'", name));
    }
    if (!rules_.contains("start")) {
      fail(0, "there is no rule 'start'", "the first node is called start");
    }
    write();
  }

 private:
  void fail(std::uint32_t offset, std::string message, std::string hint = {}) {
    diagnostics_.push_back(
        diagnostic_in(source_, SourcePosition{0, offset}, std::move(message), std::move(hint)));
  }

  void read_line(const std::vector<Token>& tokens) {
    if (tokens.empty()) return;
    const Token& first = tokens[0];
    if (tokens.size() >= 2 && tokens[1].text == "=") return read_setting(tokens);
    if (tokens.size() < 2 || !is_arrow(tokens[1].text)) {
      return fail(first.offset, "this line is neither a rule nor a setting",
                  "a rule is: name -> F length mass [T angle N name] ...");
    }
    if (!is_name(first.text)) return fail(first.offset, "a node's name has letters, digits and _");
    if (rules_.contains(first.text)) {
      return fail(first.offset, fmt::format("there are two rules for '{}'", first.text));
    }
    std::string out;
    read_successor(tokens, out);
    rules_[first.text] = {out, first.offset};
    order_.push_back(first.text);
  }

  void read_setting(const std::vector<Token>& tokens) {
    const auto value = tokens.size() == 3 ? number_from_text(tokens[2].text) : std::nullopt;
    if (!value) return fail(tokens[0].offset, "a setting is: name = number");
    const auto found = settings_.find(tokens[0].text);
    if (found == settings_.end()) {
      return fail(tokens[0].offset, fmt::format("there is no setting '{}'", tokens[0].text),
                  "n, mass, length, density");
    }
    const bool whole = tokens[0].text != "n" || (*value >= 0 && *value == std::floor(*value));
    if (!(*value > 0 || tokens[0].text == "n") || !whole) {
      return fail(tokens[2].offset, "this value is not possible");
    }
    found->second = *value;
  }

  // Writes the successor with m and l, the mass and length of the branch that the node grows on.
  void read_successor(const std::vector<Token>& tokens, std::string& out) {
    struct Factors {
      double mass = 1, length = 1;
    };
    Factors now;
    std::vector<std::pair<Factors, std::uint32_t>> stack;
    std::size_t i = 2;
    const auto number = [&](const char* what, double& value) {
      if (i >= tokens.size()) {
        fail(tokens.back().offset, fmt::format("{} is missing behind this", what));
        return false;
      }
      const auto read = number_from_text(tokens[i].text);
      if (!read) {
        fail(tokens[i].offset, fmt::format("{} must be a number", what));
        return false;
      }
      value = *read;
      ++i;
      return true;
    };
    while (i < tokens.size()) {
      const Token& token = tokens[i++];
      if (token.text == "F") {
        Factors factors;
        const std::uint32_t at = i < tokens.size() ? tokens[i].offset : token.offset;
        if (!number("the factor of the length", factors.length) ||
            !number("the factor of the mass", factors.mass)) {
          return;
        }
        if (!(factors.mass > 0 && factors.length > 0)) return fail(at, "a factor must be positive");
        now = {now.mass * factors.mass, now.length * factors.length};
        // m = ρ π d² / 4 · l
        out += fmt::format("!(sqrt({} * (m*{}) / (l*{}))) F(l*{}) ",
                           4.0 / std::numbers::pi / settings_["density"], now.mass, now.length,
                           now.length);
      } else if (token.text == "T") {
        double angle = 0;
        if (!number("the angle", angle)) return;
        out += fmt::format("+({}) ", angle);
      } else if (token.text == "N") {
        if (i >= tokens.size() || !is_name(tokens[i].text)) {
          return fail(token.offset, "the node's name is missing behind this");
        }
        used_.insert({tokens[i].text, tokens[i].offset});
        out += fmt::format("N_{}(m*{},l*{}) ", tokens[i].text, now.mass, now.length);
        ++i;
      } else if (token.text == "[") {
        stack.push_back({now, token.offset});
        out += "[ ";
      } else if (token.text == "]") {
        if (stack.empty()) return fail(token.offset, "there is no '[' for this ']'");
        now = stack.back().first;
        stack.pop_back();
        out += "] ";
      } else {
        return fail(token.offset, fmt::format("'{}' is none of F, T, N, [ and ]", token.text));
      }
    }
    if (!stack.empty()) fail(stack.back().second, "there is no ']' for this '['");
  }

  void add(const std::string& line, std::uint32_t offset) {
    source_.text += line + "\n";
    source_.places.resize(source_.text.size(), SourcePosition{0, offset});
  }

  void write() {
    for (const std::string& name : order_)
      add(fmt::format("module N_{}(m, l)", name), rules_[name].second);
    add(fmt::format("derivation length: {}", settings_["n"]), 0);
    add(fmt::format("Axiom: N_start({},{})", settings_["mass"], settings_["length"]), 0);
    for (const std::string& name : order_) {
      const auto& [successor, offset] = rules_[name];
      add(fmt::format("N_{}(m,l) --> {}", name, successor.empty() ? "*" : successor), offset);
    }
  }

  Source& source_;
  std::string text_;
  Diagnostics& diagnostics_;
  std::map<std::string, double> settings_{{"n", 7}, {"mass", 10}, {"length", 2}, {"density", 900}};
  std::map<std::string, std::pair<std::string, std::uint32_t>> rules_;
  std::vector<std::string> order_;
  std::set<std::pair<std::string, std::uint32_t>> used_;
};

}  // namespace

Source soft_body_source(std::string_view file, std::string_view text, Diagnostics& diagnostics) {
  Source source;
  source.files.push_back({std::string(file), std::string(text)});
  const std::size_t before = diagnostics.size();
  Translator(source, diagnostics).run();
  // Its errors are complete; those of the translation would only repeat them.
  source.incomplete = diagnostics.size() > before;
  return source;
}

}  // namespace thigmo
