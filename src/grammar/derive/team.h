#pragma once

#include <memory>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "grammar/derive/task.h"
#include "grammar/rewrite/rewriter.h"

namespace thigmo {

// The rewriters of a derivation. The first runs the blocks of the model and whatever goes one after
// the other; the others take the ranges of a string that is shared out, each with its own account of
// the limit of work.
struct Team {
  Team(const Program& program, const Limits& limits);
  Rewriter& first() { return *rewriters[0]; }

  std::vector<std::unique_ptr<Rewriter>> rewriters;
};

// So many, all with the variables of the first.
void make_ready(Team& team, std::size_t count, const Task& task);

// Calls rewrite(range, rewriter), which gives a Result<Done>, for every range below `count`. Of
// several errors the one of the first range counts, whatever thread was faster.
template <class Rewrite>
Result<Done> for_ranges(Team& team, std::size_t count, const Task& task, const Rewrite& rewrite) {
  if (count == 1) return rewrite(std::size_t{0}, team.first());
  make_ready(team, count, task);
  std::vector<Result<Done>> results(count, Done{});
  parallel_for(count, task.options.threads,
               [&](std::size_t r) { results[r] = rewrite(r, *team.rewriters[r]); });
  for (Result<Done>& result : results) {
    if (!result) return std::move(result);
  }
  return Done{};
}

// The parts that threads have written, one behind the other.
void join(const std::vector<ModuleString>& parts, const Task& task, ModuleString& out);

}  // namespace thigmo
