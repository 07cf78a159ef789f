#include "grammar/text/macros.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nesting.h"

namespace thigmo {

namespace {

constexpr std::size_t work_of_macro = 16;           // what replacing a name takes, in bytes copied
constexpr std::size_t macro_work_limit = 1u << 19;  // bytes that macros add or are read for

// The arguments in parentheses at `i`, which moves behind them; none when there are none.
std::optional<std::vector<std::string>> arguments(std::string_view text, std::size_t& i) {
  if (i >= text.size() || text[i] != '(') return std::nullopt;
  std::vector<std::string> values(1);
  int depth = 0;
  for (std::size_t j = i; j < text.size(); ++j) {
    const char c = text[j];
    if (c == '(' && ++depth == 1) continue;
    if (c == ')' && --depth == 0) {
      i = j + 1;
      if (values.size() == 1 && trimmed(values[0]).empty()) values.clear();
      return values;
    }
    if (c == ',' && depth == 1) {
      values.emplace_back();
    } else {
      values.back() += c;
    }
  }
  return std::nullopt;
}

std::string substituted(const Macro& macro, const std::vector<std::string>& values) {
  std::string out;
  // What is longer than the limit is refused, whatever its end.
  for (std::size_t i = 0; i < macro.body.size() && out.size() <= macro_work_limit;) {
    if (!is_name_part(macro.body[i])) {
      out += macro.body[i++];
      continue;
    }
    std::size_t end = i;
    while (end < macro.body.size() && is_name_part(macro.body[end])) ++end;
    const std::string name = macro.body.substr(i, end - i);
    const auto found = std::find(macro.arguments.begin(), macro.arguments.end(), name);
    const auto which = static_cast<std::size_t>(found - macro.arguments.begin());
    out += found != macro.arguments.end() && which < values.size() ? values[which] : name;
    i = end;
  }
  return out;
}

// The work of replacing macros in one text.
struct Replacement {
  const Source& source;
  Macros& macros;
  ErrorList& errors;
};

// Macros of macros multiply: what they write is counted, and so are those that write nothing.
Result<Done> take_work(Replacement& expansion, std::size_t bytes, SourcePosition place) {
  expansion.macros.work += bytes;
  if (expansion.macros.work <= macro_work_limit) return Done{};
  return diagnostic_in(
      expansion.source, place,
      fmt::format("macro replacement writes more than {} bytes", macro_work_limit));
}

Result<Done> expand_in(Replacement& expansion, const Stretch& in, Span& out);

// The body of a macro with the arguments in their places. Macros in the arguments are replaced before.
Result<std::string> body_with(std::vector<std::string>& values, std::string_view name,
                              const Macro& macro, SourcePosition place, Replacement& expansion) {
  if (values.size() != macro.arguments.size()) {
    expansion.errors.add(diagnostic_in(expansion.source, place,
                                       fmt::format("'{}' takes {} arguments, not {}", name,
                                                   macro.arguments.size(), values.size())));
  }
  for (std::string& value : values) {
    Span after;
    const Result<Done> done = expand_in(expansion, {value, &place, true}, after);
    if (!done) return done.diagnostics();
    value = std::move(after.text);
  }
  return substituted(macro, values);
}

// Appends what a macro stands for, with the macros in that replaced.
Result<Done> replace(std::string_view name, Macro& macro,
                     std::optional<std::vector<std::string>>& values, SourcePosition place,
                     Replacement& expansion, Span& out) {
  std::string with_values;
  if (values) {
    Result<std::string> body = body_with(*values, name, macro, place, expansion);
    if (!body) return body.diagnostics();
    with_values = std::move(*body);
  }
  const std::string& body = values ? with_values : macro.body;
  if (auto done = take_work(expansion, body.size() + work_of_macro, place); !done) return done;
  macro.open = true;
  Result<Done> done = expand_in(expansion, {body, &place, true}, out);
  macro.open = false;
  return done;
}

Result<Done> expand_in(Replacement& expansion, const Stretch& in, Span& out) {
  if (in.text.empty()) return Done{};
  auto& macros = expansion.macros.by_name;
  const Level level(expansion.macros.depth);
  if (level.too_deep()) {
    return diagnostic_in(expansion.source, in.place(0), too_deep(),
                         "macros stand for macros, or for themselves");
  }
  for (std::size_t i = 0; i < in.text.size() && !expansion.errors.full();) {
    std::size_t end = i;
    while (end < in.text.size() && !is_name_part(in.text[end])) ++end;
    out.add(in, i, end);
    i = end;
    while (end < in.text.size() && is_name_part(in.text[end])) ++end;
    if (end == i) return Done{};
    const std::string_view name = in.text.substr(i, end - i);
    const auto found = is_name_start(name[0]) ? macros.find(name) : macros.end();
    const bool blocked = found != macros.end() && found->second.open;
    const std::size_t behind = end;
    std::optional<std::vector<std::string>> values;
    if (found != macros.end() && !blocked && found->second.takes_arguments) {
      values = arguments(in.text, end);
      // Looking in vain for the end of the arguments is work, too.
      if (!values && in.text[std::min(end, in.text.size() - 1)] == '(') {
        if (auto done = take_work(expansion, in.text.size() - end, in.place(i)); !done) return done;
      }
    }
    // A name without its parentheses is left alone, as in C.
    if (found == macros.end() || blocked || (found->second.takes_arguments && !values)) {
      out.add(in, i, behind);
      i = behind;
      continue;
    }
    const SourcePosition place = in.place(i);
    i = end;
    if (auto done = replace(name, found->second, values, place, expansion, out); !done) return done;
  }
  return Done{};
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1);
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  return text;
}

Result<Done> expand(const Source& source, const Span& in, Macros& macros, ErrorList& errors,
                    Span& out) {
  Replacement expansion{.source = source, .macros = macros, .errors = errors};
  return expand_in(expansion, stretch_of(in), out);
}

}  // namespace thigmo
