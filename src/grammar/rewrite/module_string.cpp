#include "grammar/rewrite/module_string.h"

#include <algorithm>

#include "base/parallel.h"
#include "base/text.h"

namespace thigmo {

void append(const ModuleString& from, const Stretch& stretch, ModuleString& out) {
  const std::size_t count = stretch.end - stretch.begin;
  out.kinds.append(from.kinds.data() + stretch.begin, count);
  out.parameters.append(from.parameters.data() + stretch.parameter,
                        stretch.parameter_end - stretch.parameter);
  if (!from.identities.empty()) {
    out.identities.append(from.identities.data() + stretch.begin, count);
  }
  if (!from.births.empty()) out.births.append(from.births.data() + stretch.begin, count);
}

void shorten(ModuleString& string, std::size_t modules, std::size_t parameters) {
  string.kinds.resize(modules);
  string.parameters.resize(parameters);
  if (!string.identities.empty()) string.identities.resize(modules);
  if (!string.births.empty()) string.births.resize(modules);
}

std::string module_text(const KindInfo& kind, const double* parameters) {
  std::string text = kind.name;
  for (int p = 0; p < kind.arity; ++p) {
    text += p == 0 ? '(' : ',';
    text += text_from_number(parameters[p]);
  }
  if (kind.arity > 0) text += ')';
  return text;
}

KindCounts count_kinds(const Kind* kinds, std::size_t size) {
  // Four counters, so that equal neighbours do not wait for each other.
  std::array<KindCounts, 4> counts{};
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    for (std::size_t j = 0; j < 4; ++j) ++counts[j][kinds[i + j]];
  }
  for (; i < size; ++i) ++counts[0][kinds[i]];
  for (std::size_t k = 0; k < 256; ++k) counts[0][k] += counts[1][k] + counts[2][k] + counts[3][k];
  return counts[0];
}

SourcePosition place_of_module(const ModuleString& string, std::size_t module) {
  const Program& program = *string.program;
  if (module < string.births.size()) {
    const Rule* rule = rule_with_number(program, string.births[module].rule);
    if (rule != nullptr) return rule->place;
  }
  // Without steps the string is the axiom.
  const std::vector<SourcePosition>& places = program.axiom.places;
  const bool is_axiom = string.kinds.size() == places.size() && string.steps == 0;
  return is_axiom && module < places.size() ? places[module] : program.axiom_place;
}

Origin origin_of_module(const ModuleString& string, std::size_t module) {
  const Birth birth = module < string.births.size() ? string.births[module] : Birth{};
  return {.module = static_cast<Index>(module),
          .rule = birth.rule,
          .step = birth.step,
          .symbol = string.program->kinds[string.kinds[module]].name[0]};
}

namespace {

KindCounts kind_counts(const ModuleString& string, int threads) {
  KindCounts sum{};
  if (!string.kind_counts.empty()) {
    std::copy(string.kind_counts.begin(), string.kind_counts.end(), sum.begin());
    return sum;
  }
  constexpr std::size_t part = 1 << 18;  // modules
  const std::size_t n = string.kinds.size(), parts = (n + part - 1) / part;
  std::vector<KindCounts> counts(parts);
  parallel_for(parts, threads, [&](std::size_t i) {
    counts[i] = count_kinds(string.kinds.data() + i * part, std::min(part, n - i * part));
  });
  for (const auto& one : counts) {
    for (std::size_t k = 0; k < 256; ++k) sum[k] += one[k];
  }
  return sum;
}

}  // namespace

SymbolCounts count_symbols(const ModuleString& string, int threads) {
  const auto counts = kind_counts(string, threads);
  SymbolCounts out;
  for (std::size_t k = 0; k < string.program->kinds.size(); ++k) {
    out.plain_length += counts[k] * string.program->kinds[k].plain_length;
    if (counts[k] > 0) out.by_symbol[string.program->kinds[k].name] += counts[k];
  }
  return out;
}

std::map<std::string, std::int64_t> character_counts(const ModuleString& string, int threads) {
  const auto counts = kind_counts(string, threads);
  std::map<std::string, std::int64_t> out;
  for (std::size_t k = 0; k < string.program->kinds.size(); ++k) {
    const KindInfo& kind = string.program->kinds[k];
    if (counts[k] == 0) continue;
    if (kind.declared) {
      out[kind.name] += counts[k];
    } else {
      for (const char c : kind.name) out[std::string(1, c)] += counts[k];
    }
  }
  return out;
}

std::int64_t plain_length(const ModuleString& string) { return count_symbols(string).plain_length; }

std::string full_text(const ModuleString& string) {
  std::string out;
  const double* parameters = string.parameters.data();
  for (const Kind kind : string.kinds) {
    const KindInfo& info = string.program->kinds[kind];
    out += module_text(info, parameters);
    parameters += info.arity;
  }
  return out;
}

}  // namespace thigmo
