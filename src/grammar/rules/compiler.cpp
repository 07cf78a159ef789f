#include "grammar/rules/compiler.h"

#include <fmt/format.h>

#include <algorithm>

namespace thigmo {

namespace {

// Names of three characters; every other @ ~ ? name has two.
constexpr std::string_view three_character_names[] = {"@Gs", "@Gc", "@Ge", "@Gt", "@Ts",
                                                      "@Ey", "@Ed", "@Ez", "@Es", "@Ek",
                                                      "@Ej", "@Em", "@Eg", "@Ef", "@Eh"};

}  // namespace

RuleTable& table_of_section(Compiler& c) {
  LSystem& system = system_of(c);
  return c.section == RuleSet::production      ? system.productions
         : c.section == RuleSet::decomposition ? system.decomposition
                                               : system.homomorphism;
}

SourcePosition place_at(const Compiler& c, std::size_t position) {
  const std::vector<SourcePosition>& places = c.program.source.places;
  return places.empty() ? SourcePosition{} : places[std::min(position, places.size() - 1)];
}

Result<Done> expect_end(const Compiler& c, Cursor& cursor, const char* otherwise) {
  if (cursor.at_end()) return Done{};
  return fault(c, cursor.position, otherwise);
}

std::size_t find_top_level(const Cursor& from, std::string_view what) {
  int parentheses = 0, braces = 0;
  for (std::size_t i = from.position; i < from.end; ++i) {
    const char c = (*from.text)[i];
    if (parentheses == 0 && braces <= 0 && i + what.size() <= from.end &&
        from.text->compare(i, what.size(), what) == 0) {
      return i;
    }
    if (c == '(') ++parentheses;
    if (c == ')') --parentheses;
    if (what == "-->" && c == '{') ++braces;
    if (what == "-->" && c == '}') --braces;
  }
  return std::string::npos;
}

Result<std::string> read_symbol(const Compiler& c, Cursor& at, bool in_pattern) {
  at.skip_space();
  const std::size_t begin = at.position;
  const char first = at.peek();
  std::size_t length = 1;
  if (is_name_start(first)) {
    for (const auto& [declared, parameters] : c.program.declared) {
      if (declared.size() > length && begin + declared.size() <= at.end &&
          text_of(c).compare(begin, declared.size(), declared) == 0) {
        length = declared.size();
      }
    }
  } else if (first == '@' || first == '~' || (first == '?' && is_name_part(at.peek(1)))) {
    length = 2;
    for (std::string_view three : three_character_names) {
      if (begin + 3 <= at.end && text_of(c).compare(begin, 3, three) == 0) length = 3;
    }
    const char second = at.peek(1);
    if (static_cast<unsigned char>(second) <= ' ' || second == '(') {
      return fault(c, begin, fmt::format("'{}' needs a letter behind it", first));
    }
  } else if (static_cast<unsigned char>(first) <= ' ' ||
             static_cast<unsigned char>(first) >= 0x7f) {
    return fault(c, begin, "only printable ASCII characters can be modules");
  } else if (first == '(' || first == ')' || first == '<' || first == '>' || first == ':' ||
             first == '*' || (first == '=' && !in_pattern)) {
    return fault(c, begin, fmt::format("'{}' cannot be a module", first),
                 first == '<' || first == '>' ? "only one context on each side is possible" : "");
  }
  at.position += length;
  return text_of(c).substr(begin, length);
}

std::string too_many_kinds() {
  return fmt::format("the model has more than {} different modules", kind_limit);
}

Result<Kind> make_kind(Compiler& c, std::size_t at, const std::string& name, int arity) {
  const auto key = std::pair(name, arity);
  if (const auto known = c.program.kind_of.find(key); known != c.program.kind_of.end()) {
    return known->second;
  }
  if (c.program.kinds.size() >= kind_limit) {
    return fault(c, at, too_many_kinds(),
                 "modules with the same name but another number of parameters count apart");
  }
  const auto found = static_cast<Kind>(c.program.kinds.size());
  const bool declared = c.program.declared.contains(name);
  c.program.kinds.push_back({.name = name,
                             .arity = arity,
                             .declared = declared,
                             .plain_length = declared ? 1 : static_cast<int>(name.size())});
  c.program.kind_of[key] = found;
  if (name == "%" && arity == 0) c.program.cut = found;
  if (name == "?" && arity == 2) c.program.sub_open = found;
  if (name == "$" && arity == 0) c.program.sub_close = found;
  if (name.size() == 2 && name[0] == '?' &&
      std::string_view("PHLUE").find(name[1]) != std::string::npos) {
    c.program.asks_turtle = c.program.asks_turtle || arity > 0;
  }
  return found;
}

}  // namespace thigmo
