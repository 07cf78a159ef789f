#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/parallel.h"
#include "base/random.h"
#include "grammar/derivation.h"
#include "grammar/rules.h"

namespace thigmo {

namespace {

// A plain successor is copied as one block of this size, the next one over its unused end.
constexpr std::size_t block = 32;

// Below this many modules the threads cost more than they bring.
constexpr std::size_t parallel_threshold = 30000;

}  // namespace

std::uint64_t Derivation::key(const ModuleString& string, std::size_t index) const {
  return string.identities.empty() ? 0 : mix_bits(step_seed_, string.identities[index]);
}

Rewriter& Derivation::rewriter_of(std::size_t thread) {
  if (thread == 0) return rewriter_;
  while (others_.size() < thread) {
    others_.push_back(std::make_unique<Rewriter>(*program_, options_.limits));
  }
  return *others_[thread - 1];
}

// The group whose rules apply from here on.
void Derivation::read_group() {
  if (!program_->uses_groups) return;
  const double group = rewriter_.globals[static_cast<std::size_t>(program_->group_global)];
  group_ = static_cast<std::int32_t>(std::clamp(group, -1.0, 1e6));
}

void Derivation::step(const ModuleString& now, ModuleString& next, Index number,
                      const Prediction& prediction) {
  const Program& p = *program_;
  number_ = number;
  step_seed_ = mix_bits(seed_, static_cast<std::uint64_t>(number));
  read_group();
  lifetimes_.clear();
  for (const Code code : p.lifetimes) {
    lifetimes_.push_back(execute(rewriter_.machine, code, frame_));
    if (!(lifetimes_.back() > 0)) {
      rewriter_.fail(fmt::format("a module cannot live for {}", lifetimes_.back()),
                     p.ops[static_cast<std::size_t>(code.begin)].place);
    }
  }
  if (rewriter_.failed()) return;
  clear(next);
  parents_.clear();
  const bool plain = deterministic_ && prediction.parameters == 0 && now.parameters.empty() &&
                     !p.uses_random && !with_births_ && !p.writes_globals;
  if (plain && !recording_) return step_plain(now, next, prediction);
  if (deterministic_ && !recording_) return step_fixed(now, next, prediction);
  step_general(now, next, prediction);
  if (has_decomposition_ && !rewriter_.failed()) {
    ModuleString undecomposed;
    std::swap(undecomposed.kinds, next.kinds);
    std::swap(undecomposed.parameters, next.parameters);
    std::swap(undecomposed.identities, next.identities);
    std::swap(undecomposed.births, next.births);
    decompose(undecomposed, next);
  }
}

bool Derivation::in_parallel(const ModuleString& string) const {
  const Program& p = *program_;
  const int threads = options_.threads > 0 ? options_.threads : hardware_threads();
  return !recording_ && threads > 1 && string.kinds.size() >= parallel_threshold &&
         !p.writes_globals && !p.multi_module && p.cut == 256 && p.systems.size() == 1 &&
         !p.uses_new_context;
}

// Counts the kinds of the string, in as many shares as the threads need, unless they are known.
void Derivation::count_shares(const ModuleString& string) {
  const int threads = options_.threads > 0 ? options_.threads : hardware_threads();
  const std::size_t wanted = in_parallel(string) ? static_cast<std::size_t>(threads) * 8 : 1;
  if (shares_.size() == wanted) {
    // Shares that grew apart would let threads wait for each other.
    std::int64_t longest = 0;
    for (const Counts& share : shares_) {
      longest = std::max(longest, std::accumulate(share.begin(), share.end(), std::int64_t{0}));
    }
    if (static_cast<std::size_t>(longest) <= 2 * string.kinds.size() / wanted + 1) return;
  }
  const std::size_t n = string.kinds.size();
  shares_.assign(wanted, {});
  parallel_for(wanted, threads, [&](std::size_t r) {
    const std::size_t begin = n * r / wanted, end = n * (r + 1) / wanted;
    shares_[r] = count_kinds(string.kinds.data() + begin, end - begin);
  });
}

// What the shares hold after a step, or nothing where that is not certain.
void Derivation::multiply_shares() {
  if (!deterministic_) return shares_.clear();
  for (Counts& share : shares_) {
    Counts after{};
    for (std::size_t k = 0; k < program_->kinds.size(); ++k) {
      if (share[k] == 0) continue;
      for (const auto& [kind, times] : fewest_[k]) {
        after[kind] += share[k] * static_cast<std::int64_t>(times);
      }
    }
    share = after;
  }
}

// The shares as ranges of the string, each with its first parameter and, when every kind has one
// successor, the exact place of its output.
std::vector<Derivation::Range> Derivation::split(bool fixed) const {
  std::vector<Range> ranges(shares_.size());
  Range at;
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    Range& range = ranges[r] = at;
    for (std::size_t k = 0; k < program_->kinds.size(); ++k) {
      const auto times = static_cast<std::size_t>(shares_[r][k]);
      at.begin += times;
      at.parameter += times * arity_[k];
      if (!fixed) continue;
      at.out += times * static_cast<std::size_t>(outcomes_[k].longest);
      at.out_parameter += times * static_cast<std::size_t>(outcomes_[k].most_parameters);
    }
    range.end = at.begin;
    range.out_end = at.out;
  }
  return ranges;
}

// Every module has one fixed successor without parameters: copy bytes.
void Derivation::step_plain(const ModuleString& now, ModuleString& next,
                            const Prediction& prediction) {
  if (plain_store_.empty()) {
    plain_store_.reserve(256 * block);
    for (std::size_t k = 0; k < program_->kinds.size(); ++k) {
      const Rule* rule = outcomes_[k].only;
      const std::vector<Kind> self{static_cast<Kind>(k)};
      const std::vector<Kind>& successor = rule != nullptr ? rule->successor.kinds : self;
      if (successor.size() > block) {
        plain_[k] = {successor.data(), successor.size()};
        continue;
      }
      plain_[k] = {plain_store_.data() + plain_store_.size(), successor.size()};
      plain_store_.insert(plain_store_.end(), successor.begin(), successor.end());
      plain_store_.resize((plain_store_.size() + block - 1) / block * block);
      if (successor.empty()) plain_store_.resize(plain_store_.size() + block);
    }
  }
  next.kinds.resize_for_writing(static_cast<std::size_t>(prediction.length));
  const std::vector<Range> ranges = split(true);
  parallel_for(ranges.size(), ranges.size() > 1 ? options_.threads : 1,
               [&](std::size_t r) { plain_range(now, ranges[r], next.kinds.data()); });
}

void Derivation::plain_range(const ModuleString& now, const Range& range, Kind* out_begin) const {
  Kind* out = out_begin + range.out;
  Kind* const end = out_begin + range.out_end;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const auto [bytes, length] = plain_[now.kinds[i]];
    // Whole blocks only where they stay inside the own range.
    if (length <= block && static_cast<std::size_t>(end - out) >= block) {
      std::memcpy(out, bytes, block);
    } else {
      std::copy(bytes, bytes + length, out);
    }
    out += length;
  }
}

// Every kind has one successor, so that all sizes are known before.
void Derivation::step_fixed(const ModuleString& now, ModuleString& next,
                            const Prediction& prediction) {
  const auto length = static_cast<std::size_t>(prediction.length);
  next.kinds.resize_for_writing(length);
  next.parameters.resize_for_writing(static_cast<std::size_t>(prediction.parameters));
  if (program_->uses_random) next.identities.resize_for_writing(length);
  if (with_births_) next.births.resize_for_writing(length);
  const std::vector<Range> ranges = split(true);
  for (std::size_t r = 1; r < ranges.size(); ++r) rewriter_of(r).set_globals(rewriter_.globals);
  parallel_for(ranges.size(), ranges.size() > 1 ? options_.threads : 1, [&](std::size_t r) {
    fixed_range(now, ranges[r], r == 0 ? rewriter_ : *others_[r - 1], next);
  });
  for (std::size_t r = 1; r < ranges.size(); ++r) {
    if (others_[r - 1]->failed()) {
      rewriter_.fail(others_[r - 1]->machine.error, others_[r - 1]->machine.error_place);
    }
  }
}

void Derivation::fixed_range(const ModuleString& now, const Range& range, Rewriter& rewriter,
                             ModuleString& next) const {
  const bool random = program_->uses_random;
  Kind* kinds = next.kinds.data() + range.out;
  double* parameters = next.parameters.data() + range.out_parameter;
  std::size_t out = range.out;
  std::array<const Rule*, 256> only{};
  for (std::size_t k = 0; k < 256; ++k) only[k] = outcomes_[k].only;
  const double* in = now.parameters.data() + range.parameter;
  std::vector<double> frame(static_cast<std::size_t>(program_->frame_size) + 1);
  for (std::size_t i = range.begin; i < range.end;) {
    std::size_t end = i, taken = 0;
    while (end < range.end && only[now.kinds[end]] == nullptr) taken += arity_[now.kinds[end++]];
    if (end > i) {
      std::memcpy(kinds, now.kinds.data() + i, end - i);
      if (taken > 0) std::memcpy(parameters, in, taken * sizeof(double));
      if (random) {
        std::copy(now.identities.data() + i, now.identities.data() + end,
                  next.identities.data() + out);
      }
      if (with_births_) {
        std::copy(now.births.data() + i, now.births.data() + end, next.births.data() + out);
      }
      kinds += end - i;
      out += end - i;
      parameters += taken;
      in += taken;
      i = end;
      continue;
    }
    const Rule& rule = *only[now.kinds[i]];
    const std::size_t count = rule.successor.kinds.size();
    const std::size_t arity = arity_[now.kinds[i]];
    std::copy(in, in + arity, frame.data());
    if (random) {
      rewriter.machine.random_key = key(now, i);
      rewriter.machine.random_draw = 0;
      for (std::size_t c = 0; c < count; ++c) {
        next.identities[out + c] = mix_bits(now.identities[i], c + 1);
      }
    }
    if (rule.has_statements()) {
      if (!rule.before.empty()) execute(rewriter.machine, rule.before, frame.data());
      if (!rule.after.empty()) execute(rewriter.machine, rule.after, frame.data());
    }
    std::copy(rule.successor.kinds.begin(), rule.successor.kinds.end(), kinds);
    rewriter.evaluate(rule.successor, frame.data(), parameters);
    if (with_births_) {
      std::fill(next.births.data() + out, next.births.data() + out + count,
                Birth{rule.number, number_});
    }
    kinds += count;
    out += count;
    parameters += rule.successor.parameters.size();
    in += arity;
    ++i;
    if (rewriter.failed()) return rewriter.name_module(rule, frame.data());
  }
}

// The modules written since the last note come from `parent`.
void Derivation::note_parents(std::size_t parent, std::size_t size) const {
  if (recording_) parents_.resize(size, static_cast<std::int64_t>(parent));
}

bool Derivation::from_right() const {
  for (const LSystem& system : program_->systems) {
    for (const Rule& rule : system.productions.rules) {
      if (rule.right_new && (rule.group == 0 || rule.group == group_)) return true;
    }
  }
  return false;
}

void Derivation::step_general(const ModuleString& now, ModuleString& next,
                              const Prediction& prediction) {
  const bool brackets = prediction.counts[program_->open_bracket] > 0 ||
                        prediction.counts[program_->close_bracket] > 0;
  const StringView view = tables_.view(*program_, now, brackets);
  if (program_->uses_new_context && from_right()) return step_from_right(now, next, view);
  const std::vector<Range> ranges = split(false);
  if (ranges.size() == 1) return general_range(now, ranges[0], view, rewriter_, next);

  std::vector<ModuleString> parts(ranges.size());
  for (std::size_t r = 1; r < ranges.size(); ++r) rewriter_of(r).set_globals(rewriter_.globals);
  parallel_for(ranges.size(), options_.threads, [&](std::size_t r) {
    general_range(now, ranges[r], view, r == 0 ? rewriter_ : *others_[r - 1], parts[r]);
  });
  join(parts, next);
}

// The parts that threads have written, one behind the other.
void Derivation::join(const std::vector<ModuleString>& parts, ModuleString& out) {
  std::vector<std::size_t> module(parts.size() + 1, 0), parameter(parts.size() + 1, 0);
  for (std::size_t r = 0; r < parts.size(); ++r) {
    if (r > 0 && others_[r - 1]->failed()) {
      rewriter_.fail(others_[r - 1]->machine.error, others_[r - 1]->machine.error_place);
    }
    module[r + 1] = module[r] + parts[r].kinds.size();
    parameter[r + 1] = parameter[r] + parts[r].parameters.size();
  }
  if (rewriter_.failed()) return;
  out.kinds.resize_for_writing(module.back());
  out.parameters.resize_for_writing(parameter.back());
  if (program_->uses_random) out.identities.resize_for_writing(module.back());
  if (with_births_) out.births.resize_for_writing(module.back());
  parallel_for(parts.size(), options_.threads, [&](std::size_t r) {
    const ModuleString& part = parts[r];
    std::copy(part.kinds.begin(), part.kinds.end(), out.kinds.data() + module[r]);
    std::copy(part.parameters.begin(), part.parameters.end(), out.parameters.data() + parameter[r]);
    std::copy(part.identities.begin(), part.identities.end(), out.identities.data() + module[r]);
    std::copy(part.births.begin(), part.births.end(), out.births.data() + module[r]);
  });
}

void Derivation::general_range(const ModuleString& now, const Range& range, const StringView& view,
                               Rewriter& rewriter, ModuleString& out) const {
  const Program& p = *program_;
  const Index birth_step = with_births_ ? number_ : no_index;
  std::array<std::uint8_t, 256> passive{};  // nothing can happen to these kinds
  std::vector<std::size_t> systems{0};
  const RuleTable* table = nullptr;
  const auto enter_system = [&] {
    table = &p.systems[systems.back()].productions;
    for (std::size_t k = 0; k < p.kinds.size(); ++k) {
      passive[k] = table->by_kind[k].empty() && static_cast<int>(k) != p.cut &&
                   static_cast<int>(k) != p.sub_open && static_cast<int>(k) != p.sub_close &&
                   p.kinds[k].lifetime < 0;
    }
  };
  enter_system();

  // Modules that stay as they are wait in [kept, i) and are copied together.
  std::size_t kept = range.begin, kept_parameter = range.parameter;
  std::size_t i = range.begin, parameter = range.parameter;
  const auto flush = [&] {
    if (kept == i) return;
    rewriter.copy(now, kept, i - kept, kept_parameter, parameter - kept_parameter, out);
    for (std::size_t j = kept; recording_ && j < i; ++j) {
      parents_.push_back(static_cast<std::int64_t>(j));
    }
  };
  const auto limit = static_cast<std::size_t>(options_.limits.symbols);
  while (i < range.end) {
    const Kind kind = now.kinds[i];
    if (passive[kind]) {
      parameter += arity_[kind];
      ++i;
      continue;
    }
    if (kind == p.sub_open || kind == p.sub_close) {
      enter_or_leave(kind, now.parameters.data() + parameter, systems, rewriter);
      if (rewriter.failed()) return;
      enter_system();
      parameter += arity_[kind];
      ++i;
      continue;
    }
    if (p.kinds[kind].lifetime >= 0) {
      flush();
      develop(now, i, parameter, *table, view, rewriter, out, nullptr);
      note_parents(i, out.kinds.size());
      if (rewriter.failed()) return;
      parameter += arity_[kind];
      kept = ++i;
      kept_parameter = parameter;
      continue;
    }
    const Subject subject{.kind = kind,
                          .parameters = now.parameters.data() + parameter,
                          .index = i,
                          .random_key = key(now, i)};
    if (p.uses_new_context) {  // the rules look at the output: it must be complete
      flush();
      kept = i;
      kept_parameter = parameter;
    }
    const Rule* rule = rewriter.choose(*table, subject, view, &out, nullptr, group_);
    if (rule == nullptr && rewriter.failed()) return;
    if (rule == nullptr && kind == p.cut) {
      flush();
      const std::size_t end = end_of_cut(now, i, systems.size() > 1);
      for (; i < end; ++i) parameter += arity_[now.kinds[i]];
      kept = i;
      kept_parameter = parameter;
      continue;
    }
    if (rule == nullptr) {
      parameter += arity_[kind];
      ++i;
      continue;
    }
    flush();
    rewriter.write(*rule, now.identities.empty() ? 0 : now.identities[i], birth_step, out);
    note_parents(i, out.kinds.size());
    if (out.kinds.size() > limit) {
      rewriter.fail(fmt::format("the string grows beyond the limit of {} modules", limit),
                    rule->place);
    }
    if (rewriter.failed()) return;
    parameter += static_cast<std::size_t>(rule->strict_parameters);
    i += rule->strict.size();
    kept = i;
    kept_parameter = parameter;
  }
  flush();
}

// Where a cut at `i` ends: at the end of its branch, or of the sub-L-system it stands in.
std::size_t Derivation::end_of_cut(const ModuleString& string, std::size_t i,
                                   bool in_sub_system) const {
  const Program& p = *program_;
  std::int64_t branches = 0, calls = 0;
  for (; i < string.kinds.size(); ++i) {
    const Kind kind = string.kinds[i];
    if (kind == p.open_bracket) ++branches;
    if (kind == p.close_bracket && --branches < 0) break;
    if (kind == p.sub_open) ++calls;
    if (kind == p.sub_close && in_sub_system && --calls < 0) break;
  }
  return i;
}

void Derivation::enter_or_leave(Kind kind, const double* parameters,
                                std::vector<std::size_t>& systems, Rewriter& rewriter) const {
  const Program& p = *program_;
  if (kind == p.sub_close) {
    if (systems.size() > 1) systems.pop_back();
    return;
  }
  for (std::size_t s = 0; s < p.systems.size(); ++s) {
    if (static_cast<double>(p.systems[s].label) == parameters[0]) {
      systems.push_back(s);
      return;
    }
  }
  rewriter.fail(fmt::format("there is no L-system with label {}", parameters[0]), p.axiom_place);
}

// Calls are followed from the left, as in a step that goes that way. A cut that no rule can win over
// takes the calls behind it along; others are decided from the right.
std::vector<Derivation::Standing> Derivation::find_standings(const ModuleString& now) {
  const Program& p = *program_;
  std::vector<Standing> standings(now.kinds.size());
  std::vector<std::size_t> systems{0};
  std::size_t parameter = 0;
  for (std::size_t i = 0; i < now.kinds.size();) {
    const Kind kind = now.kinds[i];
    if (kind == p.cut && p.systems[systems.back()].productions.by_kind[kind].empty()) {
      const std::size_t end = end_of_cut(now, i, systems.size() > 1);
      for (; i < end; ++i) {
        standings[i].cut_away = true;
        parameter += arity_[now.kinds[i]];
      }
      continue;
    }
    if (kind == p.sub_open || kind == p.sub_close) {
      enter_or_leave(kind, now.parameters.data() + parameter, systems, rewriter_);
      if (rewriter_.failed()) return {};
    }
    standings[i] = {.system = static_cast<Index>(systems.back()), .called = systems.size() > 1};
    parameter += arity_[kind];
    ++i;
  }
  return standings;
}

// Rules with >> see what stands to the right already rewritten: go from the last module to the
// first, then put the pieces in order.
void Derivation::step_from_right(const ModuleString& now, ModuleString& next,
                                 const StringView& view) {
  const Program& p = *program_;
  const Index birth_step = with_births_ ? number_ : no_index;
  const std::vector<Standing> standings = find_standings(now);
  if (rewriter_.failed()) return;
  WrittenFromRight written;
  // The ] and $ behind a module whose [ and ?(n,s) stand before it, the nearest last.
  std::vector<std::size_t> branch_ends, call_ends;
  const auto pass = [](std::vector<std::size_t>& ends, std::size_t i, bool closes) {
    if (closes) {
      ends.push_back(i);
    } else if (!ends.empty()) {
      ends.pop_back();
    }
  };
  std::size_t parameter = now.parameters.size();
  for (std::size_t i = now.kinds.size(); i-- > 0;) {
    const Kind kind = now.kinds[i];
    parameter -= arity_[kind];
    const bool calls = kind == p.sub_open || kind == p.sub_close;
    if (is_bracket(p, kind)) pass(branch_ends, i, kind == p.close_bracket);
    if (calls) pass(call_ends, i, kind == p.sub_close);
    const Standing& here = standings[i];
    if (here.cut_away) continue;
    const Subject subject{.kind = kind,
                          .parameters = now.parameters.data() + parameter,
                          .index = i,
                          .random_key = key(now, i)};
    const RuleTable& table = p.systems[static_cast<std::size_t>(here.system)].productions;
    const WrittenFromRight::Piece piece{written.modules.kinds.size(),
                                        written.modules.parameters.size(), i};
    if (p.kinds[kind].lifetime >= 0) {
      ModuleString developed;
      develop(now, i, parameter, table, view, rewriter_, developed, &written);
      if (rewriter_.failed()) return;
      if (developed.kinds.empty()) continue;
      rewriter_.copy(developed, 0, developed.kinds.size(), 0, developed.parameters.size(),
                     written.modules);
      written.pieces.push_back(piece);
      continue;
    }
    const Rule* rule =
        calls ? nullptr : rewriter_.choose(table, subject, view, nullptr, &written, group_);
    if (rule != nullptr && rule->strict.size() > 1) {
      rewriter_.fail("a rule for several modules cannot stand beside '>>'", rule->place);
    }
    if (rewriter_.failed()) return;
    if (rule == nullptr && kind == p.cut) {
      std::size_t end = branch_ends.empty() ? now.kinds.size() : branch_ends.back();
      if (here.called && !call_ends.empty()) end = std::min(end, call_ends.back());
      written.drop_until(end);
      continue;
    }
    if (rule == nullptr) {
      rewriter_.copy(now, i, 1, parameter, arity_[kind], written.modules);
    } else {
      rewriter_.write(*rule, now.identities.empty() ? 0 : now.identities[i], birth_step,
                      written.modules);
    }
    if (rewriter_.failed()) return;
    if (written.modules.kinds.size() > piece.module) written.pieces.push_back(piece);
  }
  std::size_t end = written.modules.kinds.size(), end_parameter = written.modules.parameters.size();
  for (std::size_t piece = written.pieces.size(); piece-- > 0;) {
    const auto [module, first, parent] = written.pieces[piece];
    rewriter_.copy(written.modules, module, end - module, first, end_parameter - first, next);
    note_parents(parent, next.kinds.size());
    end = module;
    end_parameter = first;
  }
}

}  // namespace thigmo
