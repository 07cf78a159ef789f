#include "grammar/text/macros.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nesting.h"

namespace thigmo {

namespace {

constexpr std::size_t work_of_macro = 16;           // what replacing a name takes, in bytes copied
constexpr std::size_t macro_work_limit = 1u << 19;  // bytes that macros add or are read for

// The arguments in parentheses at `i`, which moves behind them; none when there are none.
std::optional<std::vector<std::string>> arguments(const Span& in, std::size_t& i) {
  if (i >= in.text.size() || in.text[i] != '(') return std::nullopt;
  std::vector<std::string> values(1);
  int depth = 0;
  for (std::size_t j = i; j < in.text.size(); ++j) {
    const char c = in.text[j];
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
  std::vector<std::string> open =
      {};  // macros that are being replaced: they do not replace themselves
};

// Macros of macros multiply: what they write is counted, and so are those that write nothing.
Result<Done> take_work(Replacement& expansion, std::size_t bytes, SourcePosition place) {
  expansion.macros.work += bytes;
  if (expansion.macros.work <= macro_work_limit) return Done{};
  return diagnostic_in(
      expansion.source, place,
      fmt::format("macro replacement writes more than {} bytes", macro_work_limit));
}

Result<Done> expand_in(Replacement& expansion, const Span& in, Span& out);

// What stands for the macro: its body, with the arguments, if it has any, in their places. Macros in
// the arguments are replaced before.
Result<Span> body_of(Replacement& expansion, const std::string& name, const Macro& macro,
                     std::optional<std::vector<std::string>>& values, SourcePosition place) {
  Span body;
  if (!values) {
    body.add(macro.body, place);
    return body;
  }
  if (values->size() != macro.arguments.size()) {
    expansion.errors.add(diagnostic_in(expansion.source, place,
                                       fmt::format("'{}' takes {} arguments, not {}", name,
                                                   macro.arguments.size(), values->size())));
  }
  for (std::string& value : *values) {
    Span before, after;
    before.add(value, place);
    const Result<Done> done = expand_in(expansion, before, after);
    if (!done) return done.diagnostics();
    value = after.text;
  }
  body.add(substituted(macro, *values), place);
  return body;
}

Result<Done> expand_in(Replacement& expansion, const Span& in, Span& out) {
  if (in.text.empty()) return Done{};
  const auto& macros = expansion.macros.by_name;
  std::vector<std::string>& open = expansion.open;
  const Level level(expansion.macros.depth);
  if (level.too_deep()) {
    return diagnostic_in(expansion.source, in.places[0], too_deep(),
                         "macros stand for macros, or for themselves");
  }
  for (std::size_t i = 0; i < in.text.size() && !expansion.errors.full();) {
    std::size_t end = i;
    while (end < in.text.size() && !is_name_part(in.text[end])) ++end;
    out.add(in, i, end);
    i = end;
    while (end < in.text.size() && is_name_part(in.text[end])) ++end;
    if (end == i) return Done{};
    const std::string name = in.text.substr(i, end - i);
    const auto found = is_name_start(name[0]) ? macros.find(name) : macros.end();
    const bool blocked =
        found != macros.end() && std::find(open.begin(), open.end(), name) != open.end();
    const std::size_t behind = end;
    std::optional<std::vector<std::string>> values;
    if (found != macros.end() && !blocked && found->second.takes_arguments) {
      values = arguments(in, end);
      // Looking in vain for the end of the arguments is work, too.
      if (!values && in.text[std::min(end, in.text.size() - 1)] == '(') {
        if (auto done = take_work(expansion, in.text.size() - end, in.places[i]); !done)
          return done;
      }
    }
    // A name without its parentheses is left alone, as in C.
    if (found == macros.end() || blocked || (found->second.takes_arguments && !values)) {
      out.add(in, i, behind);
      i = behind;
      continue;
    }
    const SourcePosition place = in.places[i];
    i = end;
    const Result<Span> body = body_of(expansion, name, found->second, values, place);
    if (!body) return body.diagnostics();
    const std::size_t work = body->text.size() + work_of_macro;
    if (auto done = take_work(expansion, work, place); !done) return done;
    open.push_back(name);
    if (auto done = expand_in(expansion, *body, out); !done) return done;
    open.pop_back();
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
  return expand_in(expansion, in, out);
}

}  // namespace thigmo
