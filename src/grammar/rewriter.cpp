#include "grammar/rewriter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/random.h"
#include "base/text.h"

namespace thigmo {

StringView ContextTables::view(const Program& program, const ModuleString& string,
                               bool has_brackets) {
  const std::size_t n = string.kinds.size();
  StringView view{.kinds = string.kinds.data(), .parameters = string.parameters.data(), .size = n};
  if (!program.uses_context) return view;
  ++generation_;
  if (paths_.size() != program.ignored.size()) {
    paths_ = std::vector<ContextPaths>(program.ignored.size());
  }
  if (!program.ring) view.tables = this;
  if (program.context_has_parameters) {
    parameter_at_.resize(n);
    std::array<std::int32_t, 256> arity{};
    for (std::size_t k = 0; k < program.kinds.size(); ++k) arity[k] = program.kinds[k].arity;
    std::int32_t parameter = 0;
    for (std::size_t i = 0; i < n; ++i) {
      parameter_at_[i] = parameter;
      parameter += arity[string.kinds[i]];
    }
    view.parameter_at = parameter_at_.data();
  }
  if (has_brackets) {
    partner_.resize(n);
    open_.clear();
    for (std::size_t i = 0; i < n; ++i) {
      const Kind kind = string.kinds[i];
      if (kind == program.open_bracket) {
        open_.push_back(static_cast<std::int32_t>(i));
        partner_[i] = static_cast<std::int32_t>(n);
      } else if (kind == program.close_bracket) {
        partner_[i] = -1;
        if (open_.empty()) continue;
        const std::int32_t begin = open_[open_.size() - 1];
        partner_[i] = begin;
        partner_[static_cast<std::size_t>(begin)] = static_cast<std::int32_t>(i);
        open_.resize(open_.size() - 1);
      }
    }
    view.partner = partner_.data();
  }
  return view;
}

namespace {

// A search that has passed so many modules asks the tables; a table costs about as much as it saves.
constexpr int hops_before_tables = 32;

// One sweep each: what stands nearest is remembered, and for open branches what stood before them.
void make_paths(const Program& program, const StringView& string, const KindSet& ignored,
                Buffer<std::int32_t>& open, ContextPaths& paths) {
  paths.left.resize_for_writing(string.size);
  paths.right.resize_for_writing(string.size);
  open.clear();
  const auto close_branch = [&open] {
    if (open.empty()) return no_index;
    const std::int32_t nearest = open[open.size() - 1];
    open.resize(open.size() - 1);
    return nearest;
  };
  std::int32_t nearest = no_index;
  for (std::size_t i = 0; i < string.size; ++i) {
    paths.left[i] = nearest;
    const Kind kind = string.kinds[i];
    if (ignored[kind]) continue;
    if (kind == program.open_bracket) {
      open.push_back(nearest);
    } else {
      nearest = kind == program.close_bracket ? close_branch() : static_cast<std::int32_t>(i);
    }
  }
  open.clear();
  nearest = no_index;
  for (std::size_t i = string.size; i-- > 0;) {
    paths.right[i] = nearest;
    const Kind kind = string.kinds[i];
    if (ignored[kind]) continue;
    if (kind == program.close_bracket) {
      open.push_back(nearest);
      nearest = no_index;
    } else {
      nearest = kind == program.open_bracket ? close_branch() : static_cast<std::int32_t>(i);
    }
  }
}

}  // namespace

// For so many modules more; sets that this string has not asked for make way.
bool ContextTables::make_room(std::size_t modules) {
  constexpr std::size_t most_modules = 200'000'000;  // of all sets together: 1.6 GB
  if (held_ + modules <= most_modules) return true;
  if (full_ == generation_) return false;
  for (ContextPaths& made : paths_) {
    if (made.generation.load(std::memory_order_relaxed) == generation_) continue;
    held_ -= made.left.size();
    made.left = {};
    made.right = {};
  }
  if (held_ + modules <= most_modules) return true;
  full_ = generation_;
  return false;
}

const ContextPaths* ContextTables::paths(const Program& program, const StringView& string,
                                         std::int32_t ignore) {
  const auto set = static_cast<std::size_t>(ignore);
  ContextPaths& paths = paths_[set];
  if (paths.generation.load(std::memory_order_acquire) != generation_) {
    const std::lock_guard lock(making_);
    if (paths.generation.load(std::memory_order_relaxed) != generation_) {
      held_ -= paths.left.size();
      paths.left.clear();
      paths.right.clear();
      if (make_room(string.size)) make_paths(program, string, program.ignored[set], open_, paths);
      held_ += paths.left.size();
      paths.generation.store(generation_, std::memory_order_release);
    }
  }
  return paths.left.empty() ? nullptr : &paths;
}

void WrittenFromRight::drop_until(std::size_t parent) {
  while (!pieces.empty() && pieces.back().parent < parent) {
    const Piece& piece = pieces.back();
    modules.kinds.resize(piece.module);
    modules.parameters.resize(piece.parameter);
    if (!modules.identities.empty()) modules.identities.resize(piece.module);
    if (!modules.births.empty()) modules.births.resize(piece.module);
    pieces.pop_back();
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
  machine.block_limit = limits.block;
  machine.stack.resize(static_cast<std::size_t>(program.stack_size) + 4);
}

void Rewriter::set_globals(const std::vector<double>& values) {
  globals = values;
  machine.globals = globals.data();
}

void Rewriter::fail(std::string message, Place place) {
  if (failed()) return;
  machine.error = std::move(message);
  machine.error_place = place;
}

void Rewriter::name_module(const Rule& rule, const double* frame) {
  if (!failed() || module_named_) return;
  module_named_ = true;
  std::string text;
  const double* value = frame + rule.strict_slot;
  for (const Kind kind : rule.strict) {
    const KindInfo& info = program_.kinds[kind];
    text += info.name;
    for (int p = 0; p < info.arity; ++p) {
      text += fmt::format("{}{}", p == 0 ? "(" : ",", text_from_number(*value++));
    }
    if (info.arity > 0) text += ")";
  }
  machine.error += fmt::format(" (rewriting {} in step {})", text,
                               globals[static_cast<std::size_t>(program_.step_global)]);
}

void Rewriter::bind(const PatternItem& item, const double* values) {
  const int arity = program_.kinds[item.kind].arity;
  for (int p = 0; p < arity; ++p) frame_[static_cast<std::size_t>(item.slot + p)] = values[p];
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
        if (string.kinds[j] == program_.close_bracket) j = std::max(0, string.partner[j]);
      }
      continue;
    }
    for (int hops = 0;; ++hops) {
      --machine.work_left;
      const ContextPaths* paths = nullptr;
      if (hops == hops_before_tables && item.type == PatternItem::Type::module &&
          string.tables != nullptr) {
        paths = string.tables->paths(program_, string, rule.ignore);
      }
      j = paths != nullptr ? paths->left[static_cast<std::size_t>(j)] : j - 1;
      if (j < 0) {
        if (!program_.ring) return false;
        j = size - 1;
      }
      if (++passed > size) return false;
      const Kind kind = string.kinds[j];
      if (kind == program_.close_bracket) {
        if (item.type == PatternItem::Type::close) break;
        if (ignored[kind]) continue;
        j = string.partner[j];
        if (j < 0) return false;
      } else if (kind == program_.open_bracket) {
        if (item.type == PatternItem::Type::open) break;
        if (item.type == PatternItem::Type::close && !ignored[kind]) return false;
      } else if (!ignored[kind]) {
        if (item.type != PatternItem::Type::module || kind != item.kind) return false;
        if (string.parameter_at != nullptr) bind(item, string.parameters + string.parameter_at[j]);
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
        if (ignored[kind]) continue;
        for (int depth = 1; depth > 0;) {
          if (j == 0) return false;
          const Kind passed = back();
          depth += passed == program_.close_bracket ? 1 : passed == program_.open_bracket ? -1 : 0;
        }
      } else if (kind == program_.open_bracket) {
        if (item.type == PatternItem::Type::open) break;
        if (item.type == PatternItem::Type::close && !ignored[kind]) return false;
      } else if (!ignored[kind]) {
        if (item.type != PatternItem::Type::module || kind != item.kind) return false;
        bind(item, string.parameters.data() + parameter);
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
        if (string.kinds[j] == program_.open_bracket)
          j = std::min<std::int64_t>(size - 1, string.partner[j]);
      }
      continue;
    }
    for (int hops = 0;; ++hops) {
      --machine.work_left;
      const ContextPaths* paths = nullptr;
      if (hops == hops_before_tables && item.type == PatternItem::Type::module &&
          string.tables != nullptr) {
        paths = string.tables->paths(program_, string, rule.ignore);
      }
      j = paths != nullptr ? paths->right[static_cast<std::size_t>(j)] : j + 1;
      if (paths != nullptr && j < 0) return false;
      if (j >= size) {
        if (!program_.ring) return false;
        j = 0;
      }
      if (++passed > size) return false;
      const Kind kind = string.kinds[j];
      if (kind == program_.open_bracket) {
        if (item.type == PatternItem::Type::open) break;
        if (ignored[kind]) continue;
        j = string.partner[j];
        if (j >= size) return false;
      } else if (kind == program_.close_bracket) {
        if (item.type == PatternItem::Type::close) break;
        if (!ignored[kind]) return false;
      } else if (!ignored[kind]) {
        if (item.type != PatternItem::Type::module || kind != item.kind) return false;
        if (string.parameter_at != nullptr) bind(item, string.parameters + string.parameter_at[j]);
        break;
      }
    }
  }
  return true;
}

// The same in what this step has written from the right.
bool Rewriter::matches_new_right(const Rule& rule, const WrittenFromRight& written) {
  const KindSet& ignored = program_.ignored[static_cast<std::size_t>(rule.ignore)];
  const ModuleString& string = written.modules;
  std::size_t piece = written.pieces.size(), j = 0, piece_end = 0, parameter = 0;
  const auto next = [&](Kind& kind, std::size_t& at) {
    if (j == piece_end) {
      if (piece == 0) return false;
      --piece;
      j = written.pieces[piece].module;
      parameter = written.pieces[piece].parameter;
      piece_end = piece + 1 < written.pieces.size() ? written.pieces[piece + 1].module
                                                    : string.kinds.size();
    }
    --machine.work_left;
    kind = string.kinds[j++];
    at = parameter;
    parameter += static_cast<std::size_t>(program_.kinds[kind].arity);
    return true;
  };
  for (const PatternItem& item : rule.right) {
    while (true) {
      Kind kind = 0;
      std::size_t at = 0;
      if (!next(kind, at)) return false;
      if (kind == program_.open_bracket) {
        if (item.type == PatternItem::Type::open) break;
        if (ignored[kind]) continue;
        for (int depth = 1; depth > 0;) {
          if (!next(kind, at)) return false;
          depth += kind == program_.open_bracket ? 1 : kind == program_.close_bracket ? -1 : 0;
        }
      } else if (kind == program_.close_bracket) {
        if (item.type == PatternItem::Type::close) break;
        if (!ignored[kind]) return false;
      } else if (!ignored[kind]) {
        if (item.type != PatternItem::Type::module || kind != item.kind) return false;
        bind(item, string.parameters.data() + at);
        break;
      }
    }
  }
  return true;
}

bool Rewriter::matches(const Rule& rule, const Subject& subject, const StringView& old_string,
                       const ModuleString* new_left, const WrittenFromRight* new_right) {
  const std::size_t strict_size = rule.strict.size();
  if (strict_size > 1) {
    if (subject.index + strict_size > old_string.size ||
        std::memcmp(rule.strict.data(), old_string.kinds + subject.index, strict_size) != 0) {
      return false;
    }
  }
  if (!rule.left.empty()) {
    const bool found = rule.left_new ? new_left != nullptr && matches_new_left(rule, *new_left)
                                     : matches_left(rule, subject.index, old_string);
    if (!found) return false;
  }
  if (!rule.right.empty()) {
    const bool found = rule.right_new
                           ? new_right != nullptr && matches_new_right(rule, *new_right)
                           : matches_right(rule, subject.index + strict_size - 1, old_string);
    if (!found) return false;
  }
  for (int p = 0; p < rule.strict_parameters; ++p) {
    frame_[static_cast<std::size_t>(rule.strict_slot + p)] = subject.parameters[p];
  }
  if (!rule.before.empty()) execute(machine, rule.before, frame_.data());
  if (rule.condition.empty()) return !failed();
  const double value = execute(machine, rule.condition, frame_.data());
  return !failed() && value != 0 && !std::isnan(value);
}

const Rule* Rewriter::choose(const RuleTable& table, const Subject& subject,
                             const StringView& old_string, const ModuleString* new_left,
                             const WrittenFromRight* new_right, std::int32_t group) {
  machine.random_key = subject.random_key;
  machine.random_draw = 0;
  candidates_.clear();
  double sum = 0;
  const std::vector<std::int32_t>& rules = table.by_kind[subject.kind];
  // A rule that does not even come to be matched is looked at, too.
  machine.work_left -= static_cast<std::int64_t>(rules.size());
  if (machine.work_left < 0) {
    fail("the model needs more work than its limit allows", program_.axiom_place);
    return nullptr;
  }
  for (const std::int32_t number : rules) {
    const Rule& rule = table.rules[static_cast<std::size_t>(number)];
    if (rule.group != group && rule.group != 0) continue;
    if (sum > 0 && !rule.weight) continue;
    if (!rule.left.empty() && !rule.left_new && subject.index > 0 &&
        rule.left_says[old_string.kinds[subject.index - 1]] == 0) {
      continue;
    }
    if (!rule.right.empty() && !rule.right_new && rule.strict.size() == 1 &&
        subject.index + 1 < old_string.size &&
        rule.right_says[old_string.kinds[subject.index + 1]] == 0) {
      continue;
    }
    const std::uint32_t first_draw = machine.random_draw;
    const bool good = matches(rule, subject, old_string, new_left, new_right);
    if (machine.work_left < 0) fail("the model needs more work than its limit allows", rule.place);
    if (failed()) {
      name_module(rule, frame_.data());
      return nullptr;
    }
    if (!good) continue;
    if (!rule.weight) return &rule;
    const double weight = execute(machine, *rule.weight, frame_.data());
    if (!(weight >= 0) || !std::isfinite(weight)) {
      fail(fmt::format("the weight of this rule is {}", weight), rule.place);
    }
    if (failed()) {
      name_module(rule, frame_.data());
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
  matches(*chosen->rule, subject, old_string, new_left, new_right);
  machine.random_draw = next_draw;
  return failed() ? nullptr : chosen->rule;
}

void Rewriter::evaluate(const Successor& successor, double* frame, double* out) {
  const Op* const ops = program_.ops.data();
  for (const Code code : successor.parameters) {
    if (code.end - code.begin == 1) {
      const Op& op = ops[code.begin];
      switch (op.code) {
        case OpCode::constant:
          *out++ = op.value;
          continue;
        case OpCode::local:
          *out++ = frame[op.index];
          continue;
        case OpCode::local_times_constant:
          *out++ = frame[op.index] * op.value;
          continue;
        case OpCode::local_plus_constant:
          *out++ = frame[op.index] + op.value;
          continue;
        default:
          break;
      }
    }
    *out++ = execute(machine, code, frame);
  }
}

void Rewriter::write_successor(const Successor& successor, ModuleString& out) {
  out.kinds.append(successor.kinds.data(), successor.kinds.size());
  if (successor.constant) {
    out.parameters.append(successor.constants.data(), successor.constants.size());
    return;
  }
  double* room = out.parameters.extend(successor.parameters.size());
  evaluate(successor, frame_.data(), room);
}

void Rewriter::write(const Rule& rule, std::uint64_t parent_identity, Index step,
                     ModuleString& out) {
  if (!rule.after.empty()) execute(machine, rule.after, frame_.data());
  write_successor(rule.successor, out);
  if (failed()) name_module(rule, frame_.data());
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
