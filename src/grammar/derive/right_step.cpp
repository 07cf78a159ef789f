#include "grammar/derive/right_step.h"

#include <algorithm>

#include "grammar/derive/calls.h"
#include "grammar/derive/lives.h"

namespace thigmo {

namespace {

// Where a module stands.
struct Standing {
  Index system = 0;       // whose rules rewrite it
  bool called = false;    // by ?(n,s)
  bool cut_away = false;  // by a % before it
};

// Calls are followed from the left, as in a step that goes that way. A cut that no rule can win over
// takes the calls behind it along; others are decided from the right.
Result<std::vector<Standing>> find_standings(const Task& task, const ModuleString& now) {
  const Program& p = *task.program;
  std::vector<Standing> standings(now.kinds.size());
  Calls calls;
  std::size_t parameter = 0;
  for (std::size_t i = 0; i < now.kinds.size();) {
    const Kind kind = now.kinds[i];
    if (kind == p.cut && p.systems[calls.innermost()].productions.by_kind[kind].empty()) {
      const std::size_t end = end_of_cut(p, now, i, calls.inside_one());
      for (; i < end; ++i) {
        standings[i].cut_away = true;
        parameter += task.traits.arity[now.kinds[i]];
      }
      continue;
    }
    if (is_call(p, kind)) {
      const Result<Done> followed = follow_call(p, kind, now.parameters.data() + parameter, calls);
      if (!followed) return followed.diagnostics();
    }
    standings[i] = {.system = static_cast<Index>(calls.innermost()), .called = calls.inside_one()};
    parameter += task.traits.arity[kind];
    ++i;
  }
  return standings;
}

// The ] and $ behind a module whose [ and ?(n,s) stand before it, the nearest last.
struct Ends {
  std::vector<std::size_t> branches, calls;
};

void pass(std::vector<std::size_t>& ends, std::size_t i, bool closes) {
  if (closes) {
    ends.push_back(i);
  } else if (!ends.empty()) {
    ends.pop_back();
  }
}

void pass_bracket_or_call(const Program& p, Kind kind, std::size_t i, Ends& ends) {
  if (is_bracket(p, kind)) pass(ends.branches, i, kind == p.close_bracket);
  if (is_call(p, kind)) pass(ends.calls, i, kind == p.sub_close);
}

std::size_t end_of_cut_behind(const Ends& ends, const Standing& here, std::size_t size) {
  std::size_t end = ends.branches.empty() ? size : ends.branches.back();
  if (here.called && !ends.calls.empty()) end = std::min(end, ends.calls.back());
  return end;
}

// What all modules of the walk share.
struct WalkFromRight {
  const Task& task;
  const Step& step;
  const ModuleString& now;
  Rewriter& rewriter;
  WrittenFromRight& written;
  Surroundings around;
};

// Rewrites module i, or cuts what was written behind it up to `cut_end`.
Result<Done> rewrite_module(const WalkFromRight& walk, std::size_t i, std::size_t parameter,
                            const RuleTable& table, std::size_t cut_end) {
  const Program& p = *walk.task.program;
  const Module module = module_at(walk.now, i, parameter);
  ModuleString& out = walk.written.modules;
  const Stretch self{i, i + 1, parameter, parameter + walk.task.traits.arity[module.kind]};
  if (p.kinds[module.kind].lifetime >= 0) {
    ModuleString developed;
    const Result<Done> done =
        develop(walk.task, walk.step, module, table, i, walk.around, walk.rewriter, developed);
    if (done) append(developed, {0, developed.kinds.size(), 0, developed.parameters.size()}, out);
    return done;
  }
  if (is_call(p, module.kind)) {
    append(walk.now, self, out);
    return Done{};
  }
  const Subject subject{.kind = module.kind,
                        .parameters = module.parameters,
                        .index = i,
                        .random_key = random_key(walk.step, walk.now, i)};
  const Result<const Rule*> rule = walk.rewriter.choose(table, subject, walk.around);
  if (!rule) return rule.diagnostics();
  if (*rule != nullptr && (*rule)->strict.size() > 1) {
    return diagnostic_in(p.source, (*rule)->place,
                         "a rule for several modules cannot stand beside '>>'");
  }
  if (*rule != nullptr) {
    return walk.rewriter.write(**rule, module.identity, walk.step.birth_step, out);
  }
  if (module.kind == p.cut) {
    drop_until(walk.written, cut_end);
  } else {
    append(walk.now, self, out);
  }
  return Done{};
}

// The pieces, which were written from the last to the first, in the order of the string.
void put_in_order(const WrittenFromRight& written, Parents& parents, ModuleString& next) {
  std::size_t end = written.modules.kinds.size(), end_parameter = written.modules.parameters.size();
  for (std::size_t piece = written.pieces.size(); piece-- > 0;) {
    const auto [module, parameter, parent] = written.pieces[piece];
    append(written.modules, {module, end, parameter, end_parameter}, next);
    note_parent(parents, parent, next.kinds.size());
    end = module;
    end_parameter = parameter;
  }
}

}  // namespace

bool looks_at_new_right(const Program& program, const Step& step) {
  if (!program.uses_new_context) return false;
  for (const LSystem& system : program.systems) {
    for (const Rule& rule : system.productions.rules) {
      if (rule.right_new && (rule.group == 0 || rule.group == step.group)) return true;
    }
  }
  return false;
}

Result<Done> step_from_right(const Task& task, const Step& step, const ModuleString& now,
                             const StringView& view, Rewriter& rewriter, Parents& parents,
                             ModuleString& next) {
  const Program& p = *task.program;
  const Result<std::vector<Standing>> standings = find_standings(task, now);
  if (!standings) return standings.diagnostics();
  WrittenFromRight written;
  const WalkFromRight walk{.task = task,
                           .step = step,
                           .now = now,
                           .rewriter = rewriter,
                           .written = written,
                           .around = {.string = view, .new_right = &written, .group = step.group}};
  Ends ends;
  std::size_t parameter = now.parameters.size();
  for (std::size_t i = now.kinds.size(); i-- > 0;) {
    const Kind kind = now.kinds[i];
    parameter -= task.traits.arity[kind];
    pass_bracket_or_call(p, kind, i, ends);
    const Standing& here = (*standings)[i];
    if (here.cut_away) continue;
    const WrittenFromRight::Piece piece{written.modules.kinds.size(),
                                        written.modules.parameters.size(), i};
    const Result<Done> done =
        rewrite_module(walk, i, parameter, at(p.systems, here.system).productions,
                       end_of_cut_behind(ends, here, now.kinds.size()));
    if (!done) return done.diagnostics();
    if (written.modules.kinds.size() > piece.module) written.pieces.push_back(piece);
  }
  put_in_order(written, parents, next);
  return Done{};
}

}  // namespace thigmo
