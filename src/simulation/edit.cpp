#include "simulation/edit.h"

#include "simulation/change.h"
#include "simulation/cut.h"
#include "simulation/graft.h"
#include "simulation/simulation.h"

namespace thigmo {
namespace {

Result<EditResult> apply_one(const Cut& edit, Simulation& s) { return apply_cut(edit, s); }
Result<EditResult> apply_one(const RemoveSegment& edit, Simulation& s) {
  return apply_remove(edit, s);
}
Result<EditResult> apply_one(const RemovePlant& edit, Simulation& s) {
  return apply_remove(edit, s);
}
Result<EditResult> apply_one(const Graft& edit, Simulation& s) { return apply_graft(edit, s); }
Result<EditResult> apply_one(const Extend& edit, Simulation& s) { return apply_extend(edit, s); }
Result<EditResult> apply_one(const Thicken& edit, Simulation& s) { return apply_thicken(edit, s); }
Result<EditResult> apply_one(const Change& edit, Simulation& s) { return apply_change(edit, s); }

}  // namespace

Result<EditResult> apply_edit(const Edit& edit, Simulation& simulation) {
  Result<EditResult> result =
      std::visit([&](const auto& one) { return apply_one(one, simulation); }, edit);
  if (result && simulation.account_start) {
    simulation.account_by_edits += result->energy_after - result->energy_before;
  }
  if (result) {
    note_divisions(*result, simulation.timeline);
    refit_keyed_woods(*result, simulation);
  }
  // Steps tell of plants without asking for memory.
  simulation.events.reserve(simulation.events.size() + 4 * simulation.plants.size());
  return result;
}

}  // namespace thigmo
