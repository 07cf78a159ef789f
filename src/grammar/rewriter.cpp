#include "grammar/rewriter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/random.h"

namespace thigmo {

void ContextTables::fill(const Program& program, const ModuleString& string) {
  const std::size_t n = string.kinds.size();
  const auto size = static_cast<std::int64_t>(n);
  open.clear();
  partner.resize(n);
  parameter_at.resize(n);
  int arity[256];
  for (std::size_t k = 0; k < program.kinds.size(); ++k) arity[k] = program.kinds[k].arity;
  std::int64_t parameter = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Kind kind = string.kinds[i];
    parameter_at[i] = parameter;
    parameter += arity[kind];
    if (kind == program.open_bracket) {
      open.push_back(static_cast<std::int64_t>(i));
      partner[i] = size;
    } else if (kind == program.close_bracket) {
      partner[i] = -1;
      if (!open.empty()) {
        partner[i] = open.back();
        partner[static_cast<std::size_t>(open.back())] = static_cast<std::int64_t>(i);
        open.pop_back();
      }
    }
  }
}

Rewriter::Rewriter(const Program& program, const Limits& limits)
    : globals(program.global_values), program_(program) {
  frame_.resize(static_cast<std::size_t>(program.frame_size) + 1);
  machine.ops = &program.ops;
  machine.arrays = &program.arrays;
  machine.curves = &program.curves;
  machine.globals = globals.data();
  machine.work_left = limits.work;
  machine.stack.resize(static_cast<std::size_t>(program.stack_size) + 4);
}

Diagnostic Rewriter::diagnostic() const {
  return diagnostic_in(program_.source, machine.error_place, machine.error);
}

// Leftwards from `index`: [ is passed, a whole [..] is passed backwards, ignored modules are passed.
bool Rewriter::matches_left(const Rule& rule, std::size_t index, const StringView& string) {
  const KindSet& ignored = program_.ignored[static_cast<std::size_t>(rule.ignore)];
  auto j = static_cast<std::int64_t>(index);
  const auto size = static_cast<std::int64_t>(string.size);
  std::int64_t passed = 0;
  for (const PatternItem& item : rule.left) {
    if (item.type == PatternItem::Type::rest_of_branch) {
      while (j > 0 && string.kinds[j - 1] != program_.open_bracket) {
        --j;
        --machine.work_left;
        if (string.kinds[j] == program_.close_bracket)
          j = std::max<std::int64_t>(0, string.partner[j]);
      }
      continue;
    }
    while (true) {
      --j;
      --machine.work_left;
      if (j < 0) {
        if (!program_.ring) return false;
        j = size - 1;
      }
      if (++passed > size) return false;
      const Kind kind = string.kinds[j];
      if (kind == program_.close_bracket) {
        if (item.type == PatternItem::Type::close) break;
        j = string.partner[j];
        if (j < 0) return false;
      } else if (kind == program_.open_bracket) {
        if (item.type == PatternItem::Type::open) break;
        if (item.type == PatternItem::Type::close) return false;
      } else if (!ignored[kind]) {
        if (item.type != PatternItem::Type::module || kind != item.kind) return false;
        const int arity = program_.kinds[kind].arity;
        const double* values = string.parameters + string.parameter_at[j];
        std::copy(values, values + arity, frame_.begin() + item.slot);
        break;
      }
    }
  }
  return true;
}

// The same in the output of this step, which ends at the place of the module.
bool Rewriter::matches_new_left(const Rule& rule, const ModuleString& string) {
  const KindSet& ignored = program_.ignored[static_cast<std::size_t>(rule.ignore)];
  std::size_t j = string.kinds.size();
  std::size_t parameter = string.parameters.size();
  const auto back = [&] {
    --j;
    --machine.work_left;
    parameter -= static_cast<std::size_t>(program_.kinds[string.kinds[j]].arity);
    return string.kinds[j];
  };
  for (const PatternItem& item : rule.left) {
    while (true) {
      if (j == 0) return false;
      const Kind kind = back();
      if (kind == program_.close_bracket) {
        if (item.type == PatternItem::Type::close) break;
        for (int depth = 1; depth > 0;) {
          if (j == 0) return false;
          const Kind passed = back();
          depth += passed == program_.close_bracket ? 1 : passed == program_.open_bracket ? -1 : 0;
        }
      } else if (kind == program_.open_bracket) {
        if (item.type == PatternItem::Type::open) break;
        if (item.type == PatternItem::Type::close) return false;
      } else if (!ignored[kind]) {
        if (item.type != PatternItem::Type::module || kind != item.kind) return false;
        const double* values = string.parameters.data() + parameter;
        std::copy(values, values + program_.kinds[kind].arity, frame_.begin() + item.slot);
        break;
      }
    }
  }
  return true;
}

// Rightwards behind `index`: a branch is passed unless the pattern has [ there; ] ends the search.
bool Rewriter::matches_right(const Rule& rule, std::size_t index, const StringView& string) {
  const KindSet& ignored = program_.ignored[static_cast<std::size_t>(rule.ignore)];
  auto j = static_cast<std::int64_t>(index);
  const auto size = static_cast<std::int64_t>(string.size);
  std::int64_t passed = 0;
  for (const PatternItem& item : rule.right) {
    if (item.type == PatternItem::Type::rest_of_branch) {
      while (j + 1 < size && string.kinds[j + 1] != program_.close_bracket) {
        ++j;
        --machine.work_left;
        if (string.kinds[j] == program_.open_bracket) j = std::min(size - 1, string.partner[j]);
      }
      continue;
    }
    while (true) {
      ++j;
      --machine.work_left;
      if (j >= size) {
        if (!program_.ring) return false;
        j = 0;
      }
      if (++passed > size) return false;
      const Kind kind = string.kinds[j];
      if (kind == program_.open_bracket) {
        if (item.type == PatternItem::Type::open) break;
        j = string.partner[j];
        if (j >= size) return false;
      } else if (kind == program_.close_bracket) {
        if (item.type == PatternItem::Type::close) break;
        return false;
      } else if (!ignored[kind]) {
        if (item.type != PatternItem::Type::module || kind != item.kind) return false;
        const int arity = program_.kinds[kind].arity;
        const double* values = string.parameters + string.parameter_at[j];
        std::copy(values, values + arity, frame_.begin() + item.slot);
        break;
      }
    }
  }
  return true;
}

bool Rewriter::matches(const Rule& rule, const Subject& subject, const StringView& old_string,
                       const ModuleString* new_string) {
  const std::size_t strict_size = rule.strict.size();
  if (strict_size > 1) {
    if (subject.index + strict_size > old_string.size ||
        std::memcmp(rule.strict.data(), old_string.kinds + subject.index, strict_size) != 0) {
      return false;
    }
  }
  if (!rule.left.empty()) {
    const bool found = rule.left_new ? new_string != nullptr && matches_new_left(rule, *new_string)
                                     : matches_left(rule, subject.index, old_string);
    if (!found) return false;
  }
  if (!rule.right.empty() && !matches_right(rule, subject.index + strict_size - 1, old_string)) {
    return false;
  }
  for (int p = 0; p < rule.strict_parameters; ++p) {
    frame_[static_cast<std::size_t>(rule.strict_slot + p)] = subject.parameters[p];
  }
  if (!rule.before.empty()) run(machine, rule.before, frame_.data());
  if (rule.condition.empty()) return !failed();
  const double value = run(machine, rule.condition, frame_.data());
  return !failed() && value != 0 && !std::isnan(value);
}

const Rule* Rewriter::choose(const RuleTable& table, const Subject& subject,
                             const StringView& old_string, const ModuleString* new_string,
                             std::int32_t group) {
  machine.random_key = subject.random_key;
  machine.random_draw = 0;
  candidates_.clear();
  double sum = 0;
  for (const std::int32_t number : table.by_kind[subject.kind]) {
    const Rule& rule = table.rules[static_cast<std::size_t>(number)];
    if (rule.group != group && rule.group != 0) continue;
    if (!candidates_.empty() && !rule.weight && sum > 0) continue;
    const std::uint32_t first_draw = machine.random_draw;
    const bool good = matches(rule, subject, old_string, new_string);
    if (failed()) return nullptr;
    if (machine.work_left < 0) {
      machine.error = "the model needs more work than its limit allows";
      machine.error_place = rule.place;
      return nullptr;
    }
    if (!good) continue;
    if (!rule.weight) return &rule;
    const double weight = run(machine, *rule.weight, frame_.data());
    if (failed()) return nullptr;
    if (!(weight >= 0) || !std::isfinite(weight)) {
      machine.error = fmt::format("the weight of this rule is {}", weight);
      machine.error_place = rule.place;
      return nullptr;
    }
    candidates_.push_back({&rule, weight, first_draw});
    sum += weight;
  }
  if (!(sum > 0)) return nullptr;
  double left = sum * unit_from_bits(mix_bits(subject.random_key, machine.random_draw++));
  const std::uint32_t next_draw = machine.random_draw;
  const Candidate* chosen = nullptr;
  for (const Candidate& candidate : candidates_) {
    if (candidate.weight <= 0) continue;
    chosen = &candidate;
    if ((left -= candidate.weight) < 0) break;
  }
  // The frame now holds the last candidate's values: bind those of the chosen one again.
  machine.random_draw = chosen->first_draw;
  matches(*chosen->rule, subject, old_string, new_string);
  machine.random_draw = next_draw;
  return failed() ? nullptr : chosen->rule;
}

void Rewriter::write_successor(const Successor& successor, ModuleString& out) {
  out.kinds.append(successor.kinds.data(), successor.kinds.size());
  if (successor.constant) {
    out.parameters.append(successor.constants.data(), successor.constants.size());
    return;
  }
  double* room = out.parameters.extend(successor.parameters.size());
  const Op* const ops = program_.ops.data();
  for (const Code code : successor.parameters) {
    if (code.end - code.begin == 1) {
      const Op& op = ops[code.begin];
      switch (op.code) {
        case OpCode::constant:
          *room++ = op.value;
          continue;
        case OpCode::local:
          *room++ = frame_[static_cast<std::size_t>(op.index)];
          continue;
        case OpCode::local_times_constant:
          *room++ = frame_[static_cast<std::size_t>(op.index)] * op.value;
          continue;
        case OpCode::local_plus_constant:
          *room++ = frame_[static_cast<std::size_t>(op.index)] + op.value;
          continue;
        default:
          break;
      }
    }
    *room++ = run(machine, code, frame_.data());
  }
}

void Rewriter::write(const Rule& rule, std::uint64_t parent_identity, Index step,
                     ModuleString& out) {
  if (!rule.after.empty()) run(machine, rule.after, frame_.data());
  write_successor(rule.successor, out);
  const std::size_t count = rule.successor.kinds.size();
  if (program_.uses_random) {
    std::uint64_t* room = out.identities.extend(count);
    for (std::size_t c = 0; c < count; ++c) room[c] = mix_bits(parent_identity, c + 1);
  }
  if (step >= 0) {
    Birth* room = out.births.extend(count);
    std::fill(room, room + count, Birth{rule.number, step});
  }
}

void Rewriter::write_axiom(ModuleString& out) {
  machine.random_key = mix_bits(machine.random_key, 0);
  machine.random_draw = 0;
  write_successor(program_.axiom, out);
  const std::size_t count = program_.axiom.kinds.size();
  if (program_.uses_random) {
    std::uint64_t* room = out.identities.extend(count);
    for (std::size_t c = 0; c < count; ++c) room[c] = mix_bits(0, c + 1);
  }
  Birth* room = out.births.extend(count);
  std::fill(room, room + count, Birth{no_index, 0});
}

void Rewriter::copy(const ModuleString& from, std::size_t module, std::size_t count,
                    std::size_t parameter, std::size_t parameter_count, ModuleString& out) {
  out.kinds.append(from.kinds.data() + module, count);
  out.parameters.append(from.parameters.data() + parameter, parameter_count);
  if (!from.identities.empty()) out.identities.append(from.identities.data() + module, count);
  if (!from.births.empty()) out.births.append(from.births.data() + module, count);
}

}  // namespace thigmo
