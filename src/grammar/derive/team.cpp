#include "grammar/derive/team.h"

#include <algorithm>

namespace thigmo {

Team::Team(const Program& program, const Limits& limits) {
  rewriters.push_back(std::make_unique<Rewriter>(program, limits));
}

void make_ready(Team& team, std::size_t count, const Task& task) {
  while (team.rewriters.size() < count) {
    team.rewriters.push_back(std::make_unique<Rewriter>(*task.program, task.options.limits));
  }
  for (std::size_t r = 1; r < count; ++r) {
    team.rewriters[r]->set_globals(team.first().globals());
  }
}

void join(const std::vector<ModuleString>& parts, const Task& task, ModuleString& out) {
  std::vector<std::size_t> module(parts.size() + 1, 0), parameter(parts.size() + 1, 0);
  for (std::size_t r = 0; r < parts.size(); ++r) {
    module[r + 1] = module[r] + parts[r].kinds.size();
    parameter[r + 1] = parameter[r] + parts[r].parameters.size();
  }
  out.kinds.resize_for_writing(module.back());
  out.parameters.resize_for_writing(parameter.back());
  if (task.keeps().identities) out.identities.resize_for_writing(module.back());
  if (task.keeps().births) out.births.resize_for_writing(module.back());
  parallel_for(parts.size(), task.options.threads, [&](std::size_t r) {
    const ModuleString& part = parts[r];
    std::copy(part.kinds.begin(), part.kinds.end(), out.kinds.data() + module[r]);
    std::copy(part.parameters.begin(), part.parameters.end(), out.parameters.data() + parameter[r]);
    std::copy(part.identities.begin(), part.identities.end(), out.identities.data() + module[r]);
    std::copy(part.births.begin(), part.births.end(), out.births.data() + module[r]);
  });
}

}  // namespace thigmo
