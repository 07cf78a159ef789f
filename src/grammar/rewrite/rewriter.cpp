#include "grammar/rewrite/rewriter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/random.h"

namespace thigmo {

Rewriter::Rewriter(const Program& program, const Limits& limits)
    : program_(program), globals_(program.global_values) {
  frame_.resize(static_cast<std::size_t>(program.frame_size) + 1);
  machine_.source = &program.source;
  machine_.ops = &program.ops;
  machine_.arrays = &program.arrays;
  machine_.curves = &program.curves;
  machine_.globals = globals_.data();
  machine_.work_left = limits.work;
  machine_.block_limit = limits.block;
  machine_.stack.resize(static_cast<std::size_t>(program.stack_size) + 4);
}

void Rewriter::set_globals(const std::vector<double>& values) {
  globals_ = values;
  machine_.globals = globals_.data();
}

void Rewriter::set_random_key(std::uint64_t key) {
  machine_.random_key = key;
  machine_.random_draw = 0;
}

Result<double> Rewriter::run(Code block) {
  double none = 0;
  return execute(machine_, block, &none);
}

// Adds for which module, with its parameters in `frame`, and in which step an error happened.
Diagnostics Rewriter::named(Diagnostics errors, const Rule& rule, const double* frame) const {
  std::string text;
  const double* values = frame + rule.strict_slot;
  for (const Kind kind : rule.strict) {
    text += module_text(program_.kinds[kind], values);
    values += program_.kinds[kind].arity;
  }
  errors[0].message = shortened(fmt::format("{} (rewriting {} in step {})", errors[0].message, text,
                                            at(globals_, program_.step_global)));
  return errors;
}

Result<bool> Rewriter::matches(const Rule& rule, const Subject& subject,
                               const Surroundings& around) {
  const std::size_t strict_size = rule.strict.size();
  if (strict_size > 1) {
    const StringView& string = around.string;
    if (subject.index + strict_size > string.size ||
        std::memcmp(rule.strict.data(), string.kinds + subject.index, strict_size) != 0) {
      return false;
    }
  }
  if (rule.has_context() &&
      !contexts_match(program_, rule, subject.index, around, frame_.data(), machine_.work_left)) {
    return false;
  }
  double* const slots = frame_.data() + rule.strict_slot;
  for (int p = 0; p < rule.strict_parameters; ++p) slots[p] = subject.parameters[p];
  if (!rule.before.empty()) {
    const Result<double> done = execute(machine_, rule.before, frame_.data());
    if (!done) return done.diagnostics();
  }
  if (rule.condition.empty()) return true;
  const Result<double> value = execute(machine_, rule.condition, frame_.data());
  if (!value) return value.diagnostics();
  return *value != 0 && !std::isnan(*value);
}

Result<double> Rewriter::weight_of(const Rule& rule) {
  Result<double> weight = execute(machine_, *rule.weight, frame_.data());
  if (!weight || (*weight >= 0 && std::isfinite(*weight))) return weight;
  return diagnostic_in(program_.source, rule.place,
                       fmt::format("the weight of this rule is {}", *weight));
}

Result<const Rule*> Rewriter::choose(const RuleTable& table, const Subject& subject,
                                     const Surroundings& around) {
  set_random_key(subject.random_key);
  candidates_.clear();
  double sum = 0;
  const std::vector<std::int32_t>& rules = table.by_kind[subject.kind];
  // A rule that does not even come to be matched is looked at, too.
  if (!take_work(static_cast<std::int64_t>(rules.size()))) {
    return out_of_work(program_, program_.axiom_place);
  }
  for (const std::int32_t number : rules) {
    const Rule& rule = at(table.rules, number);
    if (rule.group != around.group && rule.group != 0) continue;
    if (sum > 0 && !rule.weight) continue;
    if (refused_at_sight(rule, subject.index, around.string)) continue;
    const std::uint32_t first_draw = machine_.random_draw;
    const Result<bool> good = matches(rule, subject, around);
    if (!good) return named(good.diagnostics(), rule, frame_.data());
    if (machine_.work_left < 0) {
      return named({out_of_work(program_, rule.place)}, rule, frame_.data());
    }
    if (!*good) continue;
    if (!rule.weight) return &rule;
    const Result<double> weight = weight_of(rule);
    if (!weight) return named(weight.diagnostics(), rule, frame_.data());
    candidates_.push_back({&rule, *weight, first_draw});
    sum += *weight;
  }
  if (!(sum > 0)) return nullptr;
  return draw_lot(subject, around, sum);
}

// One of the candidates, by their weights.
Result<const Rule*> Rewriter::draw_lot(const Subject& subject, const Surroundings& around,
                                       double sum) {
  double left = sum * unit_from_bits(mix_bits(subject.random_key, machine_.random_draw++));
  const std::uint32_t next_draw = machine_.random_draw;
  const Candidate* chosen = nullptr;
  for (const Candidate& candidate : candidates_) {
    if (candidate.weight <= 0) continue;
    chosen = &candidate;
    if ((left -= candidate.weight) < 0) break;
  }
  // The frame now holds the last candidate's values: bind those of the chosen one again.
  machine_.random_draw = chosen->first_draw;
  const Result<bool> bound = matches(*chosen->rule, subject, around);
  if (!bound) return bound.diagnostics();
  machine_.random_draw = next_draw;
  return chosen->rule;
}

Result<Done> Rewriter::evaluate(const Successor& successor, double* frame, double* out) {
  if (!successor.simple.empty()) {
    for (const Op& op : successor.simple) *out++ = simple_value(op, frame);
    return Done{};
  }
  for (const Code code : successor.parameters) {
    const Op& first = at(program_.ops, code.begin);
    if (is_simple(code, first)) {
      *out++ = simple_value(first, frame);
      continue;
    }
    const Result<double> value = execute(machine_, code, frame);
    if (!value) return value.diagnostics();
    *out++ = *value;
  }
  return Done{};
}

Result<Done> Rewriter::evaluate(const Rule& rule, double* frame, double* out) {
  if (rule.has_statements()) {
    for (const Code statements : {rule.before, rule.after}) {
      const Result<double> done = execute(machine_, statements, frame);
      if (!done) return named(done.diagnostics(), rule, frame);
    }
  }
  const Result<Done> done = evaluate(rule.successor, frame, out);
  if (!done) return named(done.diagnostics(), rule, frame);
  return Done{};
}

Result<Done> Rewriter::write_successor(const Successor& successor, ModuleString& out) {
  out.kinds.append(successor.kinds.data(), successor.kinds.size());
  if (successor.constant) {
    out.parameters.append(successor.constants.data(), successor.constants.size());
    return Done{};
  }
  return evaluate(successor, frame_.data(), out.parameters.extend(successor.parameters.size()));
}

namespace {

void write_identities(std::uint64_t parent, std::size_t count, ModuleString& out) {
  std::uint64_t* const room = out.identities.extend(count);
  for (std::size_t c = 0; c < count; ++c) room[c] = mix_bits(parent, c + 1);
}

}  // namespace

Result<Done> Rewriter::write(const Rule& rule, std::uint64_t parent_identity, Index step,
                             ModuleString& out) {
  if (!rule.after.empty()) {
    const Result<double> done = execute(machine_, rule.after, frame_.data());
    if (!done) return named(done.diagnostics(), rule, frame_.data());
  }
  const Result<Done> written = write_successor(rule.successor, out);
  if (!written) return named(written.diagnostics(), rule, frame_.data());
  const std::size_t count = rule.successor.kinds.size();
  if (program_.uses_random) write_identities(parent_identity, count, out);
  if (step >= 0) std::fill_n(out.births.extend(count), count, Birth{rule.number, step});
  return Done{};
}

Result<Done> Rewriter::write_axiom(ModuleString& out) {
  set_random_key(mix_bits(machine_.random_key, 0));
  const Result<Done> written = write_successor(program_.axiom, out);
  if (!written) return written.diagnostics();
  const std::size_t count = program_.axiom.kinds.size();
  if (program_.uses_random) write_identities(0, count, out);
  std::fill_n(out.births.extend(count), count, Birth{no_index, 0});
  return Done{};
}

}  // namespace thigmo
