#include "grammar/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "grammar/derive/derivation.h"
#include "grammar/rewrite/module_string.h"

namespace thigmo {

namespace {

constexpr std::size_t longest_parent = 60;  // bytes
constexpr std::size_t longest_rule = 200;

std::string cut(std::string text, std::size_t longest) {
  if (text.size() <= longest) return text;
  text.resize(longest);
  return text + "...";
}

// Where the rules stand, by their numbers; behind them the axiom.
std::vector<SourcePosition> rule_places(const Program& program) {
  std::vector<SourcePosition> places;
  for (const LSystem& system : program.systems) {
    for (const RuleTable* table :
         {&system.productions, &system.decomposition, &system.homomorphism}) {
      for (const Rule& rule : table->rules) {
        const auto number = static_cast<std::size_t>(rule.number);
        if (number >= places.size()) places.resize(number + 1);
        places[number] = rule.place;
      }
    }
  }
  places.push_back(program.axiom_place);
  return places;
}

SourcePosition place_of_rule(const std::vector<SourcePosition>& places, Index rule) {
  return rule == no_index ? places.back() : places[static_cast<std::size_t>(rule)];
}

// Follows the modules from step to step: what was not rewritten keeps its origin.
class Historian {
 public:
  explicit Historian(const Program& program) : program_(program), places_(rule_places(program)) {}

  void see(const ModuleString& string, std::span<const std::int64_t> parents) {
    const std::size_t n = string.kinds.size();
    std::vector<Origin> origins(n);
    std::shared_ptr<const std::string> text;  // of the last parent: its children share it
    std::int64_t text_of = -1;
    for (std::size_t i = 0; i < n; ++i) {
      const Birth birth = string.births[i];
      if (!parents.empty() && birth.step != step_) {
        origins[i] = origins_[static_cast<std::size_t>(parents[i])];
        continue;
      }
      origins[i].birth = birth;
      if (parents.empty()) continue;
      origins[i].parent = parents[i];
      if (parents[i] != text_of) {
        text_of = parents[i];
        text = std::make_shared<const std::string>(
            cut(text_before(static_cast<std::size_t>(text_of)), longest_parent));
      }
      origins[i].parent_text = text;
    }
    origins_ = std::move(origins);
    kinds_ = string.kinds;
    parameters_ = string.parameters;
    parameter_at_.resize(n);
    std::size_t parameter = 0;
    for (std::size_t i = 0; i < n; ++i) {
      parameter_at_[i] = parameter;
      parameter += static_cast<std::size_t>(program_.kinds[kinds_[i]].arity);
    }
    ++step_;
  }

  std::size_t size() const { return origins_.size(); }
  Index step() const { return step_ - 1; }  // of the string seen last

  ModuleStory story(std::size_t i) const {
    const Origin& origin = origins_[i];
    const SourcePosition place = place_of_rule(places_, origin.birth.rule);
    return {.text = text_before(i),
            .step = origin.birth.step,
            .rule = origin.birth.rule,
            .line = position_in(program_.source, place).line,
            .parent = origin.parent,
            .parent_text = origin.parent_text ? *origin.parent_text : ""};
  }

 private:
  struct Origin {
    Birth birth;
    std::int64_t parent = -1;
    std::shared_ptr<const std::string> parent_text;
  };

  // A module of the string seen last.
  std::string text_before(std::size_t i) const {
    return module_text(program_.kinds[kinds_[i]], parameters_.data() + parameter_at_[i]);
  }

  const Program& program_;
  std::vector<SourcePosition> places_;
  Index step_ = 0;
  std::vector<Origin> origins_;
  Buffer<std::uint8_t> kinds_;
  Buffer<double> parameters_;
  std::vector<std::size_t> parameter_at_;
};

// A story takes a hundred times the memory of its module, and ten times that of its parameters.
GrowOptions limited(GrowOptions options) {
  options.limits.symbols = std::min<std::int64_t>(options.limits.symbols, 1'000'000);
  options.limits.memory_bytes = std::min<std::int64_t>(options.limits.memory_bytes, 200'000'000);
  return options;
}

Result<Done> tell(const Grammar& grammar, const GrowOptions& options, const Watch& watch) {
  const Result<ModuleString> string = derive_string(
      grammar.program, limited(options), {.births = true, .parents = true, .watch = watch});
  if (!string) return string.diagnostics();
  return Done{};
}

}  // namespace

Result<std::vector<ModuleStory>> explain(const Grammar& grammar, const GrowOptions& options) {
  const Result<Grammar> own = with_constants(grammar, options.defines);
  if (!own) return own.diagnostics();
  Historian historian(*own->program);
  const Result<Done> told =
      tell(*own, options, [&](const ModuleString& now, std::span<const std::int64_t> parents) {
        historian.see(now, parents);
      });
  if (!told) return told.diagnostics();
  std::vector<ModuleStory> stories(historian.size());
  for (std::size_t i = 0; i < stories.size(); ++i) stories[i] = historian.story(i);
  return stories;
}

// Two derivations: the first finds the way back from the module, the second tells what stands on it.
Result<std::vector<ModuleStory>> explain_lineage(const Grammar& grammar, std::int64_t module,
                                                 const GrowOptions& options) {
  constexpr std::size_t most_parents = 50'000'000;  // of all strings
  const Result<Grammar> own = with_constants(grammar, options.defines);
  if (!own) return own.diagnostics();
  std::vector<std::vector<std::int64_t>> parents_of_step;
  std::int64_t count = 0;
  std::size_t noted = 0;
  Result<Done> told =
      tell(*own, options, [&](const ModuleString& now, std::span<const std::int64_t> parents) {
        count = static_cast<std::int64_t>(now.kinds.size());
        if ((noted += parents.size()) > most_parents) parents = {};
        parents_of_step.emplace_back(parents.begin(), parents.end());
      });
  if (!told) return told.diagnostics();
  if (noted > most_parents) {
    return error(fmt::format("the derivation writes more than {} modules, too many to follow one",
                             most_parents),
                 "derive fewer steps");
  }
  if (module < 0 || module >= count) {
    return error(fmt::format("there is no module {}; the string has {}", module, count));
  }
  std::vector<std::size_t> way(parents_of_step.size());
  for (std::size_t s = way.size(); s-- > 0;) {
    way[s] = static_cast<std::size_t>(module);
    if (s > 0) module = parents_of_step[s][way[s]];
  }
  std::vector<ModuleStory> line;
  Historian historian(*own->program);
  told = tell(*own, options, [&](const ModuleString& now, std::span<const std::int64_t> parents) {
    historian.see(now, parents);
    ModuleStory story = historian.story(way[static_cast<std::size_t>(historian.step())]);
    if (story.step == historian.step()) line.push_back(std::move(story));
  });
  if (!told) return told.diagnostics();
  return line;
}

std::string to_string(const Grammar& grammar, const std::vector<ModuleStory>& stories) {
  const Program& program = *grammar.program;
  const std::vector<SourcePosition> places = rule_places(program);
  std::set<Index> shown;
  std::string out;
  for (std::size_t i = 0; i < stories.size(); ++i) {
    const ModuleStory& s = stories[i];
    const SourcePosition place = place_of_rule(places, s.rule);
    const SourceFile& file = program.source.files[static_cast<std::size_t>(place.file)];
    const std::string where =
        place.file == 0 ? fmt::format("line {}", s.line) : fmt::format("{}:{}", file.name, s.line);
    if (s.rule == no_index) {
      out += fmt::format("{:>6}  {:<24} axiom ({})\n", i, s.text, where);
      continue;
    }
    out += fmt::format("{:>6}  {:<24} step {}, from {} (module {}), {}", i, s.text, s.step,
                       s.parent_text, s.parent, where);
    if (shown.insert(s.rule).second) {
      const auto begin = file.line_starts[static_cast<std::size_t>(s.line) - 1];
      out += ": " + cut(std::string(text_line(std::string_view(file.text).substr(begin), 1)),
                        longest_rule);
    }
    out += '\n';
  }
  return out;
}

}  // namespace thigmo
