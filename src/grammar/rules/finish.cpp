#include "grammar/rules/finish.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace thigmo {

namespace {

void resolve_ignored(Compiler& c) {
  for (const IgnoreList& list : c.ignore_lists) {
    KindSet set;
    for (std::size_t k = 0; k < c.program.kinds.size(); ++k) {
      set[k] = list.names.contains(c.program.kinds[k].name) != list.consider;
    }
    // Brackets are passed over together or not at all.
    const bool named = list.names.contains("[") || list.names.contains("]");
    set[c.program.open_bracket] = set[c.program.close_bracket] = named != list.consider;
    c.program.ignored.push_back(set);
  }
}

// Tables for the first look at a neighbour; most rules are refused by it.
void prepare_context(Compiler& c) {
  const auto fill = [&](const std::vector<PatternItem>& items, const KindSet& ignored,
                        std::array<std::uint8_t, 256>& says) {
    for (std::size_t k = 0; k < 256; ++k) {
      const bool search = items.empty() || items[0].type != PatternItem::Type::module ||
                          is_bracket(c.program, static_cast<Kind>(k)) || ignored[k];
      says[k] = search ? 2 : k == items[0].kind ? 1 : 0;
    }
    for (const PatternItem& item : items) {
      const bool module = item.type == PatternItem::Type::module;
      c.program.context_has_parameters =
          c.program.context_has_parameters || (module && c.program.kinds[item.kind].arity > 0);
    }
  };
  for (LSystem& system : c.program.systems) {
    for (RuleTable* table : {&system.productions, &system.homomorphism}) {
      for (Rule& rule : table->rules) {
        const KindSet& ignored = at(c.program.ignored, rule.ignore);
        fill(rule.left, ignored, rule.left_says);
        fill(rule.right, ignored, rule.right_says);
      }
    }
  }
}

// << needs the string rewritten from the left, >> from the right; one step cannot do both, whatever
// L-systems it calls.
void check_directions(const Compiler& c, Diagnostics& diagnostics) {
  std::set<std::int32_t> from_left;  // groups with <<
  for (const LSystem& system : c.program.systems) {
    for (const Rule& rule : system.productions.rules) {
      if (rule.left_new) from_left.insert(rule.group);
    }
  }
  for (const LSystem& system : c.program.systems) {
    for (const Rule& rule : system.productions.rules) {
      if (!rule.right_new || from_left.empty()) continue;
      if (rule.group != 0 && !from_left.contains(0) && !from_left.contains(rule.group)) continue;
      diagnostics.push_back(
          diagnostic_in(c.program.source, rule.place, "'>>' stands in a group that also has '<<'",
                        "give the rules different groups, and choose the group in StartEach"));
      return;
    }
  }
}

// ?(n,s) must name an L-system of the file; where n is computed, only the derivation can tell.
void check_calls(const Compiler& c, Diagnostics& diagnostics) {
  if (c.program.sub_open == 256) return;
  const auto check = [&](const Successor& successor) {
    std::size_t parameter = 0;
    for (std::size_t m = 0; m < successor.kinds.size(); ++m) {
      const Kind kind = successor.kinds[m];
      const Code label =
          successor.parameters.empty()
              ? Code{}
              : successor.parameters[std::min(parameter, successor.parameters.size() - 1)];
      parameter += static_cast<std::size_t>(c.program.kinds[kind].arity);
      if (kind != c.program.sub_open || label.end - label.begin != 1) continue;
      const Op& op = at(c.program.ops, label.begin);
      const bool known = std::any_of(
          c.program.systems.begin(), c.program.systems.end(),
          [&](const LSystem& system) { return static_cast<double>(system.label) == op.value; });
      if (op.code != OpCode::constant || known) continue;
      diagnostics.push_back(
          diagnostic_in(c.program.source, successor.places[m],
                        fmt::format("there is no L-system with label {}", op.value),
                        "it begins with a line 'Lsystem: label'"));
    }
  };
  check(c.program.axiom);
  for (const LSystem& system : c.program.systems) {
    for (const RuleTable* table :
         {&system.productions, &system.decomposition, &system.homomorphism}) {
      for (const Rule& rule : table->rules) check(rule.successor);
    }
  }
}

}  // namespace

void finish(Compiler& c, Diagnostics& diagnostics) {
  resolve_ignored(c);
  check_calls(c, diagnostics);
  prepare_context(c);
  check_directions(c, diagnostics);
  if (!c.has_axiom) {
    diagnostics.push_back(fault(c, 0, "the model has no axiom", "add a line 'Axiom: ...'"));
  }
}

}  // namespace thigmo
