#include "grammar/derive/general_step.h"

#include <fmt/format.h>

#include "grammar/derive/calls.h"
#include "grammar/derive/lives.h"

namespace thigmo {

namespace {

// The rewriting of one range on one thread. Modules that stay as they are wait in [kept, i) and are
// copied together.
struct Walk {
  const Task& task;
  const Step& step;
  const ModuleString& now;
  std::size_t end;  // of the range
  Rewriter& rewriter;
  Surroundings around;
  ModuleString& out;
  Parents& parents;
  std::size_t i = 0, parameter = 0;
  std::size_t kept = 0, kept_parameter = 0;
  Calls calls = {};
  const RuleTable* table = nullptr;    // of the L-system that the walk is in
  std::array<bool, 256> passive = {};  // nothing can happen to these kinds there
};

void enter_system(Walk& walk) {
  const Program& p = *walk.task.program;
  walk.table = &p.systems[walk.calls.innermost()].productions;
  for (std::size_t k = 0; k < p.kinds.size(); ++k) {
    const auto kind = static_cast<Kind>(k);
    walk.passive[k] = walk.table->by_kind[k].empty() && kind != p.cut && !is_call(p, kind) &&
                      p.kinds[k].lifetime < 0;
  }
}

// To the next module that something can happen to.
void pass_passive(Walk& walk) {
  std::size_t i = walk.i, parameter = walk.parameter;
  const Kind* const kinds = walk.now.kinds.data();
  while (i < walk.end && walk.passive[kinds[i]]) parameter += walk.task.traits.arity[kinds[i++]];
  walk.i = i;
  walk.parameter = parameter;
}

// Over one module that stays as it is.
void keep(Walk& walk) { walk.parameter += walk.task.traits.arity[walk.now.kinds[walk.i++]]; }

// Copies what was kept.
void flush(Walk& walk) {
  if (walk.kept == walk.i) return;
  append(walk.now,
         {.begin = walk.kept,
          .end = walk.i,
          .parameter = walk.kept_parameter,
          .parameter_end = walk.parameter},
         walk.out);
  for (std::size_t j = walk.kept; walk.parents.wanted && j < walk.i; ++j) {
    walk.parents.of.push_back(static_cast<std::int64_t>(j));
  }
}

// What comes now was not kept.
void begin_to_keep(Walk& walk) {
  walk.kept = walk.i;
  walk.kept_parameter = walk.parameter;
}

Result<Done> pass_call(Walk& walk) {
  const Kind kind = walk.now.kinds[walk.i];
  const Result<Done> followed = follow_call(
      *walk.task.program, kind, walk.now.parameters.data() + walk.parameter, walk.calls);
  if (!followed) return followed.diagnostics();
  enter_system(walk);
  keep(walk);
  return Done{};
}

Result<Done> develop_timed(Walk& walk) {
  flush(walk);
  const Module module = module_at(walk.now, walk.i, walk.parameter);
  const Result<Done> developed = develop(walk.task, walk.step, module, *walk.table, walk.i,
                                         walk.around, walk.rewriter, walk.out);
  if (!developed) return developed.diagnostics();
  note_parent(walk.parents, walk.i, walk.out.kinds.size());
  keep(walk);
  begin_to_keep(walk);
  return Done{};
}

void cut(Walk& walk) {
  flush(walk);
  const std::size_t end = end_of_cut(*walk.task.program, walk.now, walk.i, walk.calls.inside_one());
  while (walk.i < end) keep(walk);
  begin_to_keep(walk);
}

Result<Done> replace(Walk& walk, const Rule& rule) {
  flush(walk);
  const std::uint64_t identity = walk.now.identities.empty() ? 0 : walk.now.identities[walk.i];
  const Result<Done> written = walk.rewriter.write(rule, identity, walk.step.birth_step, walk.out);
  if (!written) return written.diagnostics();
  note_parent(walk.parents, walk.i, walk.out.kinds.size());
  const auto limit = static_cast<std::size_t>(walk.task.options.limits.symbols);
  if (walk.out.kinds.size() > limit) {
    return diagnostic_in(walk.task.program->source, rule.place,
                         fmt::format("the string grows beyond the limit of {} modules", limit));
  }
  walk.parameter += static_cast<std::size_t>(rule.strict_parameters);
  walk.i += rule.strict.size();
  begin_to_keep(walk);
  return Done{};
}

// The module that the walk has come to, and where rules replace several, those behind it.
Result<Done> rewrite_next(Walk& walk) {
  const Program& p = *walk.task.program;
  const Kind kind = walk.now.kinds[walk.i];
  if (is_call(p, kind)) return pass_call(walk);
  if (p.kinds[kind].lifetime >= 0) return develop_timed(walk);
  if (p.uses_new_context) {  // the rules look at the output: it must be complete
    flush(walk);
    begin_to_keep(walk);
  }
  const Subject subject{.kind = kind,
                        .parameters = walk.now.parameters.data() + walk.parameter,
                        .index = walk.i,
                        .random_key = random_key(walk.step, walk.now, walk.i)};
  const Result<const Rule*> rule = walk.rewriter.choose(*walk.table, subject, walk.around);
  if (!rule) return rule.diagnostics();
  if (*rule != nullptr) return replace(walk, **rule);
  if (kind == p.cut) {
    cut(walk);
  } else {
    keep(walk);
  }
  return Done{};
}

Result<Done> rewrite_range(Walk walk) {
  enter_system(walk);
  while (true) {
    pass_passive(walk);
    if (walk.i >= walk.end) break;
    const Result<Done> done = rewrite_next(walk);
    if (!done) return done.diagnostics();
  }
  flush(walk);
  return Done{};
}

}  // namespace

Result<Done> step_from_left(const Task& task, const Step& step, const ModuleString& now,
                            const std::vector<ShareRange>& ranges, const StringView& view,
                            Team& team, Parents& parents, ModuleString& next) {
  const auto walk_of = [&](const ShareRange& range, Rewriter& rewriter, ModuleString& out) {
    return Walk{.task = task,
                .step = step,
                .now = now,
                .end = range.end,
                .rewriter = rewriter,
                .around = {.string = view, .new_left = &out, .group = step.group},
                .out = out,
                .parents = parents,
                .i = range.begin,
                .parameter = range.parameter,
                .kept = range.begin,
                .kept_parameter = range.parameter};
  };
  if (ranges.size() == 1) return rewrite_range(walk_of(ranges[0], team.first(), next));
  std::vector<ModuleString> parts(ranges.size());
  const Result<Done> done =
      for_ranges(team, ranges.size(), task, [&](std::size_t r, Rewriter& rewriter) {
        return rewrite_range(walk_of(ranges[r], rewriter, parts[r]));
      });
  if (!done) return done.diagnostics();
  join(parts, task, next);
  return Done{};
}

}  // namespace thigmo
