#include <algorithm>

#include "base/assert.h"
#include "mechanics/step.h"
#include "mechanics/step_kernel.h"

// What a step needs of a mechanism, made once: which processor, packed constants, room to work in.

namespace thigmo {
namespace {

// Where the weight beyond a joint, or a few times it in wind, is less than this part of the joint's
// stiffness, the pull along the bodies is not worth finding.
constexpr double felt_pull = 0.002;

bool pull_is_felt(const Mechanism& mechanism) {
  std::vector<double> mass(mechanism.body.size(), 0.0);
  for (std::size_t i = mass.size(); i-- > 0;) {
    const Body& body = mechanism.body[i];
    mass[i] += body.mass;
    const Index parent = mechanism.parent[i];
    if (parent != no_index) mass[static_cast<std::size_t>(parent)] += mass[i];
    const double pull = mass[i] * 9.81 * body.length;
    if (pull > felt_pull * std::min(body.stiffness.x, body.stiffness.z)) return true;
  }
  return false;
}

}  // namespace

#if defined(__x86_64__)

Processor best_processor() {
  const bool fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (fma && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq")) {
    return Processor::avx512;
  }
  return fma ? Processor::avx2 : Processor::generic;
}

StepKernel kernel_for(Processor processor, int width) {
  if (processor == Processor::avx512) return avx512_kernel(width);
  return processor == Processor::avx2 ? avx2_kernel() : generic_kernel();
}

#else

Processor best_processor() { return Processor::generic; }

StepKernel kernel_for(Processor, int) { return generic_kernel(); }

#endif

int widest_lanes(Processor processor) { return processor == Processor::avx512 ? 8 : 4; }

std::shared_ptr<const StepModel> make_step_model(const Mechanism& mechanism, Processor processor,
                                                 std::shared_ptr<const Schedule> schedule) {
  THIGMO_ASSERT(schedule->width <= widest_lanes(processor));
  const StepKernel kernel = kernel_for(processor, schedule->width);
  auto model = std::make_shared<StepModel>();
  model->processor = processor;
  model->bodies.resize(kernel.body_bytes * schedule->packs.size());
  kernel.pack_bodies(mechanism, *schedule, model->bodies.data());
  if (!std::all_of(mechanism.body.begin(), mechanism.body.end(), is_round)) {
    model->flat_springs.resize(kernel.flat_spring_bytes * schedule->packs.size());
    kernel.pack_flat_springs(mechanism, *schedule, model->flat_springs.data());
  }
  model->with_tension = pull_is_felt(mechanism);
  model->schedule = std::move(schedule);
  return model;
}

std::shared_ptr<const StepModel> make_step_model(const Mechanism& mechanism, Processor processor) {
  return make_step_model(
      mechanism, processor,
      std::make_shared<Schedule>(make_schedule(mechanism, widest_lanes(processor))));
}

Workspace make_workspace(const Mechanism& mechanism, std::shared_ptr<const StepModel> model) {
  const Schedule& schedule = *model->schedule;
  const StepKernel kernel = kernel_for(model->processor, schedule.width);
  const auto packs_of = [](const Block& block) {
    return static_cast<std::size_t>(block.end - block.begin);
  };
  std::size_t largest = 0;
  for (std::size_t i = 1; i < schedule.blocks.size(); ++i) {
    largest = std::max(largest, packs_of(schedule.blocks[i]));
  }
  Workspace workspace;
  workspace.local_bytes = largest * std::max(kernel.scratch_bytes, kernel.swing_bytes);
  workspace.kept.resize(kernel.kept_bytes * schedule.packs.size());
  if (model->with_tension) {
    workspace.kept_pulls.resize(kernel.kept_pull_bytes * schedule.packs.size());
  }
  workspace.trunk.resize(kernel.scratch_bytes * packs_of(schedule.blocks[0]));
  workspace.trunk_swing.resize(kernel.swing_bytes * packs_of(schedule.blocks[0]));
  workspace.outbox.resize(kernel.outbox_bytes * schedule.feet.size());
  workspace.block_speed.assign(schedule.blocks.size(), 0.0);
  workspace.block_coriolis.assign(schedule.blocks.size(), 0.0);
  workspace.block_place.assign(schedule.blocks.size(), 0.0);
  workspace.block_contact.assign(schedule.blocks.size(), 0.0);
  workspace.next = rest_state(mechanism);
  arrange(workspace.next, model->schedule);
  workspace.model = std::move(model);
  return workspace;
}

Workspace make_workspace(const Mechanism& mechanism, Processor processor) {
  return make_workspace(mechanism, make_step_model(mechanism, processor));
}

}  // namespace thigmo
