#include "grammar/explain.h"

#include <fmt/format.h>

#include "base/text.h"
#include "grammar/derivation.h"
#include "grammar/rules.h"

namespace thigmo {

namespace {

// The modules of a string as text, one by one.
std::vector<std::string> module_texts(const ModuleString& string) {
  std::vector<std::string> texts;
  texts.reserve(string.kinds.size());
  std::size_t parameter = 0;
  for (const Kind kind : string.kinds) {
    const KindInfo& info = string.program->kinds[kind];
    std::string text = info.name;
    for (int p = 0; p < info.arity; ++p) {
      text += p == 0 ? '(' : ',';
      text += text_from_number(string.parameters[parameter++]);
    }
    texts.push_back(info.arity > 0 ? text + ")" : text);
  }
  return texts;
}

void name_rule(const Program& program, Birth birth, ModuleStory& story) {
  story.step = birth.step;
  story.rule = birth.rule;
  const Rule* rule = rule_with_number(program, birth.rule);
  const Place place = rule != nullptr ? rule->place : program.axiom_place;
  const SourceFile& file = program.source.files[static_cast<std::size_t>(place.file)];
  story.line = text_position(file.text, place.offset).line;
  story.rule_text = std::string(text_line(file.text, story.line));
}

// Stories of one step after the other: what was not rewritten keeps its story.
class Historian {
 public:
  explicit Historian(bool keep_all) : keep_all_(keep_all) {}

  void see(const ModuleString& string, std::span<const std::int64_t> parents) {
    std::vector<std::string> texts = module_texts(string);
    std::vector<ModuleStory> stories(texts.size());
    std::vector<std::int64_t> before(texts.size(), -1);  // the story this one continues
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const Birth birth = string.births[i];
      const bool is_new = parents.empty() || birth.step == step_;
      if (!parents.empty()) before[i] = parents[i];
      if (!is_new) {
        stories[i] = stories_[static_cast<std::size_t>(parents[i])];
        stories[i].text = texts[i];
        continue;
      }
      name_rule(*string.program, birth, stories[i]);
      stories[i].text = texts[i];
      if (!parents.empty()) {
        stories[i].parent = parents[i];
        stories[i].parent_text = texts_[static_cast<std::size_t>(parents[i])];
      }
    }
    stories_ = std::move(stories);
    texts_ = std::move(texts);
    if (keep_all_) {
      all_stories.push_back(stories_);
      all_parents.push_back(std::move(before));
    }
    ++step_;
  }

  std::vector<ModuleStory> stories_;
  std::vector<std::vector<ModuleStory>> all_stories;
  std::vector<std::vector<std::int64_t>> all_parents;

 private:
  bool keep_all_;
  Index step_ = 0;
  std::vector<std::string> texts_;
};

// A story takes a hundred times the memory of its module.
GrowOptions limited(GrowOptions options) {
  options.limits.symbols = std::min<std::int64_t>(options.limits.symbols, 1'000'000);
  return options;
}

Result<Done> tell(const Grammar& grammar, const GrowOptions& options, Historian& historian) {
  const Result<Grammar> own = with_constants(grammar, options.defines);
  if (!own) return own.diagnostics();
  Derivation derivation(own->program, limited(options), true);
  derivation.record_parents();
  const Result<ModuleString> string =
      derivation.run([&](const ModuleString& now, std::span<const std::int64_t> parents) {
        historian.see(now, parents);
      });
  if (!string) return string.diagnostics();
  return Done{};
}

}  // namespace

Result<std::vector<ModuleStory>> explain(const Grammar& grammar, const GrowOptions& options) {
  Historian historian(false);
  const Result<Done> told = tell(grammar, options, historian);
  if (!told) return told.diagnostics();
  return std::move(historian.stories_);
}

Result<std::vector<ModuleStory>> explain_lineage(const Grammar& grammar, std::int64_t module,
                                                 const GrowOptions& options) {
  Historian historian(true);
  const Result<Done> told = tell(grammar, options, historian);
  if (!told) return told.diagnostics();
  const auto count = static_cast<std::int64_t>(historian.stories_.size());
  if (module < 0 || module >= count) {
    return error(fmt::format("there is no module {}; the string has {}", module, count));
  }
  std::vector<ModuleStory> line;
  for (std::size_t s = historian.all_stories.size(); s-- > 0;) {
    const auto m = static_cast<std::size_t>(module);
    const ModuleStory& story = historian.all_stories[s][m];
    if (story.step == static_cast<Index>(s)) line.push_back(story);
    module = historian.all_parents[s][m];
  }
  return std::vector<ModuleStory>(line.rbegin(), line.rend());
}

std::string to_string(const std::vector<ModuleStory>& stories) {
  std::string out;
  for (std::size_t i = 0; i < stories.size(); ++i) {
    const ModuleStory& s = stories[i];
    if (s.rule == no_index) {
      out += fmt::format("{:>6}  {:<24} axiom (line {})\n", i, s.text, s.line);
    } else {
      out += fmt::format("{:>6}  {:<24} step {}, from {} (module {}), line {}: {}\n", i, s.text,
                         s.step, s.parent_text, s.parent, s.line, s.rule_text);
    }
  }
  return out;
}

}  // namespace thigmo
