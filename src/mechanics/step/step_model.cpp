#include "mechanics/step/step_model.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"
#include "mechanics/kernel/step_kernel.h"

namespace thigmo {
namespace {

// Where the weight beyond a joint, or a few times it in wind, is less than this part of the joint's
// stiffness, the tension along the bodies is not worth finding.
constexpr double felt_tension = 0.002;

std::size_t pack_count(const Block& block) {
  return static_cast<std::size_t>(block.end - block.begin);
}

std::shared_ptr<StepModel> packed(const Mechanism& mechanism, const StepKernel& kernel,
                                  std::shared_ptr<const Schedule> schedule, const StepForm& form) {
  THIGMO_ASSERT(schedule->width == kernel.width);
  auto model = std::make_shared<StepModel>();
  model->kernel = kernel;
  model->bodies.resize(kernel.body_bytes * schedule->packs.size());
  const ScheduleView view = view_of(*schedule);
  kernel.pack_bodies(mechanism, view, 0, view.pack_count, model->bodies.data());
  if (form.with_flat_springs) {
    model->flat_springs.resize(kernel.flat_spring_bytes * schedule->packs.size());
    kernel.pack_flat_springs(mechanism, view, 0, view.pack_count, model->flat_springs.data());
  }
  model->with_tension = form.with_tension;
  model->tension_margin = form.tension_margin;
  model->schedule = std::move(schedule);
  return model;
}

}  // namespace

StepForm form_of(const StepModel& model) {
  return {.with_tension = model.with_tension,
          .tension_margin = model.tension_margin,
          .with_flat_springs = !model.flat_springs.empty()};
}

std::shared_ptr<const StepModel> make_step_model(const Mechanism& mechanism, const StepForm& form) {
  const Processor processor = best_processor();
  auto schedule = std::make_shared<Schedule>(make_schedule(mechanism, widest_lanes(processor)));
  const StepKernel kernel = kernel_for(processor, schedule->width);
  return packed(mechanism, kernel, std::move(schedule), form);
}

std::shared_ptr<const StepModel> make_step_model(const Mechanism& mechanism,
                                                 const StepKernel& kernel,
                                                 std::shared_ptr<const Schedule> schedule) {
  const bool round = std::all_of(mechanism.body.begin(), mechanism.body.end(), is_round);
  const double margin = tension_margin(mechanism);
  return packed(
      mechanism, kernel, std::move(schedule),
      {.with_tension = margin < 1, .tension_margin = margin, .with_flat_springs = !round});
}

std::shared_ptr<const StepModel> make_step_model(const Mechanism& mechanism, Processor processor,
                                                 std::shared_ptr<const Schedule> schedule) {
  const StepKernel kernel = kernel_for(processor, schedule->width);
  return make_step_model(mechanism, kernel, std::move(schedule));
}

std::shared_ptr<const StepModel> make_step_model(const Mechanism& mechanism, Processor processor) {
  return make_step_model(
      mechanism, processor,
      std::make_shared<Schedule>(make_schedule(mechanism, widest_lanes(processor))));
}

void repack(const Mechanism& mechanism, std::span<const Index> bodies, Repack what,
            StepModel& model) {
  const ScheduleView view = view_of(*model.schedule);
  const Index width = model.schedule->width;
  const auto pack = what == Repack::joints ? model.kernel.pack_springs : model.kernel.pack_bodies;
  const auto pack_again = [&](Index begin, Index end) {
    pack(mechanism, view, begin, end, model.bodies.data());
    if (model.flat_springs.empty()) return;
    model.kernel.pack_flat_springs(mechanism, view, begin, end, model.flat_springs.data());
  };
  if (bodies.size() >= mechanism.body.size()) {
    pack_again(0, view.pack_count);
    return;
  }
  Index last = no_index;
  for (const Index body : bodies) {
    const Index number = view.slot[body] / width;
    if (number != last) pack_again(number, number + 1);
    last = number;
  }
}

double tension_margin(const Mechanism& mechanism) {
  std::vector<double> mass(mechanism.body.size(), 0.0);
  double margin = std::numeric_limits<double>::infinity();
  for (std::size_t i = mass.size(); i-- > 0;) {
    const Body& body = mechanism.body[i];
    mass[i] += body.mass;
    const Index parent = mechanism.parent[i];
    if (parent != no_index) at(mass, parent) += mass[i];
    const double tension = mass[i] * 9.81 * body.length;
    const double felt = felt_tension * std::min(body.stiffness.x, body.stiffness.z);
    if (tension > 0) margin = std::min(margin, felt / tension);
  }
  return margin;
}

ScratchSizes scratch_sizes(const StepModel& model) {
  const Schedule& schedule = *model.schedule;
  const StepKernel& kernel = model.kernel;
  const std::size_t packs = schedule.packs.size(), trunk = pack_count(schedule.blocks[0]);
  return {.kept = kernel.kept_bytes * packs,
          .kept_tensions = model.with_tension ? kernel.kept_tension_bytes * packs : 0,
          .trunk = kernel.scratch_bytes * trunk,
          .trunk_swing = kernel.swing_bytes * trunk,
          .outbox = kernel.outbox_bytes * schedule.boundaries.size(),
          .contacts = kernel.contact_bytes * packs};
}

Workspace make_workspace(std::shared_ptr<const StepModel> model, Workspace memory) {
  const Schedule& schedule = *model->schedule;
  const StepKernel& kernel = model->kernel;
  std::size_t largest = 0;
  for (std::size_t i = 1; i < schedule.blocks.size(); ++i) {
    largest = std::max(largest, pack_count(schedule.blocks[i]));
  }
  Workspace workspace = std::move(memory);
  workspace.works.reset();
  workspace.local_bytes = largest * std::max(kernel.scratch_bytes, kernel.swing_bytes);
  if (!shares_scratch(schedule)) {
    const ScratchSizes sizes = scratch_sizes(*model);
    workspace.kept.resize(sizes.kept);
    workspace.kept_tensions.resize(sizes.kept_tensions);
    workspace.trunk.resize(sizes.trunk);
    workspace.trunk_swing.resize(sizes.trunk_swing);
    workspace.outbox.resize(sizes.outbox);
  }
  for (std::vector<double>* of_block :
       {&workspace.block_speed, &workspace.block_coriolis, &workspace.block_place,
        &workspace.block_contact, &workspace.block_touched}) {
    of_block->assign(schedule.blocks.size(), 0.0);
  }
  workspace.next = rest_state(model->schedule);
  workspace.model = std::move(model);
  return workspace;
}

Workspace make_workspace(const Mechanism& mechanism, Processor processor) {
  return make_workspace(make_step_model(mechanism, processor));
}

}  // namespace thigmo
