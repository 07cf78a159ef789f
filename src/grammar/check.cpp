#include "grammar/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/diagnostic.h"
#include "grammar/dialects/read_program.h"
#include "grammar/rewrite/module_string.h"
#include "grammar/turtle/actions.h"

namespace thigmo {

namespace {

// What two rules must have in common so that the second is never tried behind the first, as a text:
// predecessor, contexts and condition, wherever their instructions stand. None where chance decides.
std::optional<std::string> identity_of(const Program& p, const Rule& rule) {
  if (rule.weight || !rule.before.empty()) return std::nullopt;
  std::string key;
  const auto add = [&key](const auto& value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  const auto add_pattern = [&](const std::vector<PatternItem>& items) {
    add(items.size());
    for (const PatternItem& item : items) {
      add(item.type);
      if (item.type == PatternItem::Type::module) add(item.kind);
    }
  };
  add_pattern(rule.left);
  add_pattern(rule.right);
  add(rule.left_new);
  add(rule.right_new);
  add(at(p.ignored, rule.ignore));
  for (std::int32_t i = rule.condition.begin; i < rule.condition.end; ++i) {
    const Op& op = at(p.ops, i);
    const bool jump = op.code == OpCode::jump || op.code == OpCode::jump_if_zero;
    if (op.code == OpCode::call && function_info(static_cast<Function>(op.index)).random) {
      return std::nullopt;
    }
    add(op.code);
    add(op.index - (jump ? rule.condition.begin : 0));
    add(op.value + 0.0);  // the zeros are equal
  }
  return key;
}

class Checker {
 public:
  Checker(const Program& program, Diagnostics& out) : program_(program), out_(out) {}

  // What every rule says about itself; true of a model with errors elsewhere, too.
  void check_rules() {
    for (const LSystem& system : program_.systems) {
      for (const RuleTable* table :
           {&system.productions, &system.decomposition, &system.homomorphism}) {
        first_always_.clear();
        first_alike_.clear();
        for (const Rule& rule : table->rules) check_rule(*table, rule);
      }
      check_ends(system.decomposition, "decomposition");
      check_ends(system.homomorphism, "homomorphism");
    }
    check_brackets(program_.axiom, "the axiom");
  }

  // What only the whole model can tell.
  void check_model() {
    find_reachable();
    for (const LSystem& system : program_.systems) {
      for (const RuleTable* table :
           {&system.productions, &system.decomposition, &system.homomorphism}) {
        for (const Rule& rule : table->rules) check_reached(rule);
      }
    }
    check_parameters();
    if (!program_.steps && !program_.systems[0].productions.rules.empty()) {
      warn(program_.axiom_place, "the model has no derivation length, so that no rule is applied",
           "add a line 'derivation length: 5'");
    }
    check_symbols();
  }

 private:
  void warn(SourcePosition place, std::string message, std::string hint = {}) {
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
            const auto& kinds = at(table->rules, r).successor.kinds;
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

  std::optional<double> constant(Code code) const {
    if (code.end - code.begin != 1) return std::nullopt;
    const Op& op = at(program_.ops, code.begin);
    if (op.code != OpCode::constant) return std::nullopt;
    return op.value;
  }

  // The rules of a table come in their order.
  void check_rule(const RuleTable& table, const Rule& rule) {
    const bool homomorphism =
        !program_.systems.empty() && &table == &program_.systems[0].homomorphism;
    check_brackets(rule.successor,
                   homomorphism ? "the successor in the homomorphism" : "the successor");
    const Rule* const other = tried_before(rule);
    if (!rule.condition.empty() && constant(rule.condition) == 0.0) {
      return warn(rule.place, "this rule never applies: its condition is always false");
    }
    if (rule.weight && constant(*rule.weight) == 0.0) {
      return warn(rule.place, "this rule is never chosen: its weight is 0");
    }
    if (other == nullptr) return;
    const int line = position_in(program_.source, other->place).line;
    warn(rule.place, "this rule is never tried",
         other->always_applies()
             ? fmt::format("line {} always applies to the same module before it", line)
             : fmt::format("line {} has the same predecessor and condition", line));
  }

  // The first rule that applies wherever `rule` would and is tried before it; null when there is none.
  // Remembers `rule` for those behind it.
  const Rule* tried_before(const Rule& rule) {
    const Rule* found = nullptr;
    const auto look = [&found](const std::map<std::string, const Rule*>& seen,
                               const std::string& key) {
      const auto first = seen.find(key);
      if (first == seen.end()) return;
      if (found == nullptr || first->second->number < found->number) found = first->second;
    };
    const std::optional<std::string> identity = identity_of(program_, rule);
    std::string own;  // strict predecessor and group; those of group 0 always count
    for (const std::int32_t group : {0, rule.group}) {
      own = fmt::format("{} {} ", rule.strict.size(), group);
      own.append(rule.strict.begin(), rule.strict.end());
      look(first_always_, own);
      if (identity) look(first_alike_, own + *identity);
    }
    if (rule.always_applies()) first_always_.try_emplace(own, &rule);
    if (identity) first_alike_.try_emplace(own + *identity, &rule);
    return found;
  }

  // A parameter that no rule at all reads, and no turtle: nobody would miss it.
  void check_parameters() {
    struct Use {
      bool used = false;
      SourcePosition place;
      std::string name;
    };
    std::map<std::pair<Kind, int>, Use> uses;
    const auto see = [&](const Rule& rule, Kind kind, std::size_t& next) {
      for (int p = 0; p < program_.kinds[kind].arity; ++p, ++next) {
        const auto [entry, is_new] = uses.try_emplace({kind, p});
        Use& use = entry->second;
        if (is_new) {
          use.place = rule.parameter_places[next];
          use.name = rule.parameter_names[next];
        }
        use.used = use.used || rule.parameter_used[next] || rule.parameter_names[next][0] == '_';
      }
    };
    for (const LSystem& system : program_.systems) {
      for (const RuleTable* table :
           {&system.productions, &system.decomposition, &system.homomorphism}) {
        for (const Rule& rule : table->rules) {
          std::size_t next = 0;  // names stand in the order of the text
          for (auto item = rule.left.rbegin(); item != rule.left.rend(); ++item) {
            if (item->type == PatternItem::Type::module) see(rule, item->kind, next);
          }
          for (const Kind kind : rule.strict) see(rule, kind, next);
          for (const PatternItem& item : rule.right) {
            if (item.type == PatternItem::Type::module) see(rule, item.kind, next);
          }
        }
      }
    }
    for (const auto& [key, use] : uses) {
      const KindInfo& kind = program_.kinds[key.first];
      const bool drawn = !kind.declared &&
                         !(kind.name.size() == 1 && is_name_start(kind.name[0]) &&
                           std::string_view("FfGg").find(kind.name[0]) == std::string_view::npos);
      if (use.used || drawn || kind.lifetime >= 0 || program_.articulated) continue;
      warn(use.place, fmt::format("no rule uses the parameter '{}' of '{}'", use.name, kind.name),
           "leave it out, or give it a name that begins with _");
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

  void check_brackets(const Successor& successor, const std::string& what) {
    const std::optional<std::size_t> lone = lone_bracket(program_, successor);
    if (!lone) return;
    const bool opens = successor.kinds[*lone] == program_.open_bracket;
    warn(successor.places[*lone],
         fmt::format("{} has a '{}' without its '{}'", what, opens ? '[' : ']', opens ? ']' : '['));
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
          const Rule& candidate = at(table.rules, r);
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
    for (std::size_t k = 0; k < program_.kinds.size(); ++k) {
      const std::string& symbol = program_.kinds[k].name;
      if (!reachable_[k] || (symbol[0] != '@' && symbol[0] != '~' && symbol[0] != '?') ||
          symbol.size() < 2) {
        continue;
      }
      if (!turtle_knows(symbol)) {
        warn(program_.axiom_place,
             fmt::format("the turtle does not know '{}'; it draws nothing", symbol));
      }
    }
  }

  const Program& program_;
  Diagnostics& out_;
  std::array<bool, 256> reachable_{};
  // Of the table being checked: the first rule for a predecessor and group that always applies, and
  // the first of each identity.
  std::map<std::string, const Rule*> first_always_, first_alike_;
};

}  // namespace

Diagnostics failed_expectations(const Grammar& grammar, const GrowOptions& options) {
  if (grammar.program->expectations.empty()) return {};
  const Result<ModuleString> string = derive(grammar, options);
  if (!string) return string.diagnostics();
  const Result<Growth> growth = measure(*string, options);
  if (!growth) return growth.diagnostics();
  return failed_expectations(*string, *growth);
}

Diagnostics failed_expectations(const ModuleString& string, const Growth& growth) {
  const Program& program = *string.program;
  Diagnostics failed;
  if (program.expectations.empty()) return failed;
  const SymbolCounts counts = count_symbols(string);
  for (const Expectation& expectation : program.expectations) {
    double found = 0;
    switch (expectation.what) {
      case Expectation::What::length:
        found = static_cast<double>(counts.plain_length);
        break;
      case Expectation::What::count: {
        const auto count = counts.by_symbol.find(expectation.symbol);
        found = count == counts.by_symbol.end() ? 0.0 : static_cast<double>(count->second);
        break;
      }
      case Expectation::What::segments:
        found = static_cast<double>(growth.segments);
        break;
      case Expectation::What::organs:
        found = static_cast<double>(growth.organs);
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

namespace {

// What deriving and drawing the model says; the plant itself is not kept.
Diagnostics said_while_growing(const Grammar& grammar, const GrowOptions& options) {
  const Result<ModuleString> string = derive_with_births(grammar, options);
  if (!string) return string.diagnostics();
  const Result<Growth> growth = measure(*string, options);
  if (!growth) return growth.diagnostics();
  Diagnostics said = growth->warnings;
  const Diagnostics failed = failed_expectations(*string, *growth);
  said.insert(said.end(), failed.begin(), failed.end());
  return said;
}

}  // namespace

Diagnostics check_grammar(std::string_view file, std::string_view text,
                          const ReadFile& read_include, const GrowOptions& options) {
  Diagnostics found;
  Grammar grammar{.program = nullptr, .file = std::string(file), .text = {}};
  const auto program = std::make_shared<Program>(read_program(file, text, read_include, {}, found));
  const bool readable = !has_error(found);
  if (!program->source.incomplete) {
    Checker checker(*program, found);
    checker.check_rules();
    if (readable) checker.check_model();
  }
  if (readable) {
    program->warnings.clear();  // they are in `found`
    grammar.program = program;
    const Diagnostics said = said_while_growing(grammar, options);
    // A lone bracket that breaks the string is one error, not an error and a warning.
    std::set<int> lines_with_error;
    for (const Diagnostic& diagnostic : said) {
      if (diagnostic.severity == Severity::error) lines_with_error.insert(diagnostic.line);
    }
    std::erase_if(found, [&](const Diagnostic& d) {
      return d.severity == Severity::warning && lines_with_error.contains(d.line) &&
             d.message.find("' without its '") != std::string::npos;
    });
    found.insert(found.end(), said.begin(), said.end());
  }
  std::stable_sort(found.begin(), found.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tuple(a.severity, a.line, a.column) < std::tuple(b.severity, b.line, b.column);
  });
  return found;
}

}  // namespace thigmo
