#include "grammar/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "grammar/organs.h"
#include "grammar/program.h"

namespace thigmo {

namespace {

class Checker {
 public:
  Checker(const Program& program, Diagnostics& out) : program_(program), out_(out) {}

  void run() {
    find_reachable();
    for (const LSystem& system : program_.systems) {
      check_table(system.productions, "");
      check_table(system.decomposition, "decomposition");
      check_table(system.homomorphism, "homomorphism");
      check_ends(system.decomposition, "decomposition");
      check_ends(system.homomorphism, "homomorphism");
    }
    check_brackets(program_.axiom, program_.axiom_place, "the axiom");
    if (!program_.steps && !program_.systems[0].productions.rules.empty()) {
      warn(program_.axiom_place, "the model has no derivation length, so that no rule is applied",
           "add a line 'derivation length: 5'");
    }
    check_symbols();
  }

 private:
  void warn(Place place, std::string message, std::string hint = {}) {
    Diagnostic warning = diagnostic_in(program_.source, place, std::move(message), std::move(hint));
    warning.severity = Severity::warning;
    out_.push_back(std::move(warning));
  }

  // Kinds that can ever stand in a string or in what a homomorphism draws.
  void find_reachable() {
    std::vector<Kind> waiting(program_.axiom.kinds.begin(), program_.axiom.kinds.end());
    while (!waiting.empty()) {
      const Kind kind = waiting.back();
      waiting.pop_back();
      if (reachable_[kind]) continue;
      reachable_[kind] = true;
      for (const LSystem& system : program_.systems) {
        for (const RuleTable* table :
             {&system.productions, &system.decomposition, &system.homomorphism}) {
          for (const std::int32_t r : table->by_kind[kind]) {
            const auto& kinds = table->rules[static_cast<std::size_t>(r)].successor.kinds;
            waiting.insert(waiting.end(), kinds.begin(), kinds.end());
          }
        }
      }
    }
  }

  std::string name(Kind kind) const {
    const KindInfo& info = program_.kinds[kind];
    return info.arity == 0 ? fmt::format("'{}'", info.name)
                           : fmt::format("'{}' with {} parameter{}", info.name, info.arity,
                                         info.arity == 1 ? "" : "s");
  }

  void check_table(const RuleTable& table, const std::string& where) {
    for (std::size_t r = 0; r < table.rules.size(); ++r) {
      const Rule& rule = table.rules[r];
      check_reached(rule);
      for (std::size_t earlier = 0; earlier < r; ++earlier) {
        const Rule& other = table.rules[earlier];
        if (other.strict == rule.strict && other.always_applies() &&
            (other.group == 0 || other.group == rule.group)) {
          warn(rule.place, "this rule is never tried",
               fmt::format("line {} always applies to the same module before it",
                           line_of(other.place)));
          break;
        }
      }
      for (std::size_t p = 0; p < rule.parameter_names.size(); ++p) {
        if (!rule.parameter_used[p] && rule.parameter_names[p][0] != '_') {
          warn(rule.parameter_places[p],
               fmt::format("the parameter '{}' is not used", rule.parameter_names[p]),
               "a name that begins with _ says that this is meant");
        }
      }
      check_brackets(rule.successor, rule.place,
                     where.empty() ? "the successor" : "the successor in the " + where);
    }
  }

  void check_reached(const Rule& rule) {
    std::vector<Kind> needed(rule.strict);
    for (const auto* items : {&rule.left, &rule.right}) {
      for (const PatternItem& item : *items) {
        if (item.type == PatternItem::Type::module) needed.push_back(item.kind);
      }
    }
    for (const Kind kind : needed) {
      if (reachable_[kind]) continue;
      std::string hint;
      for (std::size_t k = 0; k < program_.kinds.size(); ++k) {
        if (reachable_[k] && program_.kinds[k].name == program_.kinds[kind].name) {
          hint = fmt::format("there is {}", name(static_cast<Kind>(k)));
        }
      }
      warn(rule.place, fmt::format("this rule can never apply: nothing makes {}", name(kind)),
           hint);
      return;
    }
  }

  int line_of(Place place) const {
    const SourceFile& file = program_.source.files[static_cast<std::size_t>(place.file)];
    return text_position(file.text, place.offset).line;
  }

  void check_brackets(const Successor& successor, Place place, const std::string& what) {
    int depth = 0;
    bool closes_first = false;
    for (const Kind kind : successor.kinds) {
      if (kind == program_.open_bracket) ++depth;
      if (kind == program_.close_bracket && --depth < 0) closes_first = true;
    }
    if (depth != 0 || closes_first) {
      warn(place, fmt::format("{} has brackets that are not balanced", what));
    }
  }

  // A kind that rules without condition turn into itself again is expanded without end.
  void check_ends(const RuleTable& table, const std::string& what) {
    if (table.maximum_depth) return;
    std::array<std::uint8_t, 256> state{};  // 1: on the way, 2: done
    for (std::size_t start = 0; start < program_.kinds.size(); ++start) {
      struct Step {
        Kind kind;
        std::size_t next = 0;
      };
      std::vector<Step> way;
      if (state[start] == 0) way.push_back({static_cast<Kind>(start)});
      while (!way.empty()) {
        Step& step = way.back();
        state[step.kind] = 1;
        const Rule* rule = nullptr;
        for (const std::int32_t r : table.by_kind[step.kind]) {
          const Rule& candidate = table.rules[static_cast<std::size_t>(r)];
          if (candidate.always_applies()) rule = &candidate;
          break;  // a first rule with a condition may end the expansion
        }
        if (rule == nullptr || step.next >= rule->successor.kinds.size()) {
          state[step.kind] = 2;
          way.pop_back();
          continue;
        }
        const Kind child = rule->successor.kinds[step.next++];
        if (state[child] == 1) {
          warn(rule->place,
               fmt::format("the {} of '{}' does not end", what, program_.kinds[child].name),
               "set 'maximum depth:', or give the rule a condition");
          state[child] = 2;
        } else if (state[child] == 0) {
          way.push_back({child});
        }
      }
    }
  }

  void check_symbols() {
    constexpr std::string_view known[] = {"@v",  "@D",  "@M",  "@O",  "@o",  "@Ts", "@Gs",
                                          "@Gc", "@Ge", "@Em", "@Ey", "@Ed", "@Ez", "@Es",
                                          "@Ek", "@Ej", "?P",  "?H",  "?L",  "?U",  "?E"};
    for (std::size_t k = 0; k < program_.kinds.size(); ++k) {
      const std::string& symbol = program_.kinds[k].name;
      if (!reachable_[k] || (symbol[0] != '@' && symbol[0] != '~' && symbol[0] != '?') ||
          symbol.size() < 2) {
        continue;
      }
      bool found = std::find(std::begin(known), std::end(known), symbol) != std::end(known);
      for (const OrganShape& shape : organ_shapes()) {
        found = found || (symbol[0] == '~' && symbol[1] == shape.letter);
      }
      if (!found) {
        warn(program_.axiom_place,
             fmt::format("the turtle does not know '{}'; it draws nothing", symbol));
      }
    }
  }

  const Program& program_;
  Diagnostics& out_;
  std::array<bool, 256> reachable_{};
};

}  // namespace

Diagnostics failed_expectations(const Grammar& grammar, const GrowOptions& options) {
  const Program& program = *grammar.program;
  Diagnostics failed;
  if (program.expectations.empty()) return failed;
  const Result<ModuleString> string = derive(grammar, options);
  if (!string) return string.diagnostics();
  const Result<Growth> growth = grow(grammar, options);
  if (!growth) return growth.diagnostics();
  for (const Expectation& expectation : program.expectations) {
    double found = 0;
    switch (expectation.what) {
      case Expectation::What::length:
        found = static_cast<double>(plain_length(*string));
        break;
      case Expectation::What::count: {
        const auto counts = symbol_counts(*string);
        const auto count = counts.find(expectation.symbol);
        found = count == counts.end() ? 0.0 : static_cast<double>(count->second);
        break;
      }
      case Expectation::What::segments:
        found = static_cast<double>(growth->plant.segments.size());
        break;
      case Expectation::What::organs:
        found = static_cast<double>(growth->plant.organs.size());
        break;
    }
    if (found != expectation.value) {
      failed.push_back(
          diagnostic_in(program.source, expectation.place,
                        fmt::format("expected {}, found {}", expectation.value, found)));
    }
  }
  return failed;
}

Diagnostics check_grammar(std::string_view file, std::string_view text,
                          const ReadFile& read_include, const GrowOptions& options) {
  const Result<Grammar> grammar = parse_grammar(file, text, read_include);
  if (!grammar) return grammar.diagnostics();
  Diagnostics found;
  Checker(*grammar->program, found).run();
  const Result<Growth> growth = grow(*grammar, options);
  if (!growth) {
    found.insert(found.end(), growth.diagnostics().begin(), growth.diagnostics().end());
  } else {
    found.insert(found.end(), growth->warnings.begin(), growth->warnings.end());
    const Diagnostics failed = failed_expectations(*grammar, options);
    found.insert(found.end(), failed.begin(), failed.end());
  }
  std::stable_sort(found.begin(), found.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::pair(a.severity, a.line) < std::pair(b.severity, b.line);
  });
  return found;
}

}  // namespace thigmo
