#include "mechanics/step/stopping.h"

#include <algorithm>
#include <cmath>

#include "mechanics/kinematics/energy.h"
#include "mechanics/step/substep.h"

namespace thigmo {
namespace {

// Takes the motion from the joints that have more than a part of the largest spin and from all that
// stand on them, which would be thrown otherwise; how many. Called again and again it ends with all of
// them still, 0. A free root counts as a joint.
int stop_fastest_joints(const Mechanism& mechanism, const Schedule& schedule, double part,
                        State& state, PerBody<double, float>& stopped) {
  double most = is_free(state.root) ? dot(state.root.omega_plant, state.root.omega_plant) : 0;
  const bool root_spins = most > 0;
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const Vec3 w = state.joint_velocity[i];
    most = std::max(most, dot(w, w));
  }
  if (!(most > 0)) return 0;
  forget_accelerations(schedule, state);
  const double enough = part * part * most;
  const bool stop_root =
      root_spins && dot(state.root.omega_plant, state.root.omega_plant) >= enough;
  if (stop_root) state.root.omega_plant = {};
  int count = stop_root ? 1 : 0;
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const Index parent = mechanism.parent[i];
    const Vec3 w = state.joint_velocity[i];
    const bool carried = parent == no_index ? stop_root : at(stopped, parent) > 0;
    const bool stop = carried || dot(w, w) >= enough;
    stopped.set(i, stop ? 1.0 : 0.0);
    if (!stop) continue;
    state.joint_velocity.set(i, {});
    ++count;
  }
  return count;
}

}  // namespace

int count_spinning(const Schedule& schedule, const State& state, double spin) {
  const int width = schedule.width;
  int count = 0;
  for (Index k = 0; k < static_cast<Index>(schedule.packs.size()); ++k) {
    const double* w = state.joint_velocity.pack(k);
    for (int l = 0; l < at(schedule.packs, k).filled; ++l) {
      const double x = w[l], y = w[width + l], z = w[2 * width + l];
      if (x * x + y * y + z * z > spin * spin) ++count;
    }
  }
  return count;
}

void forget_accelerations(const Schedule& schedule, State& state) {
  for (Index k = 0; k < static_cast<Index>(schedule.packs.size()); ++k) {
    std::fill_n(state.joint_acceleration.pack(k), 3 * schedule.width, 0.0F);
    std::fill_n(state.tension_torque.pack(k), schedule.width, 0.0F);
  }
  state.root.accel_world = state.root.alpha_plant = {};
  state.started = false;
}

int stop_without_gain(const Mechanism& mechanism, const Schedule& schedule, double part,
                      State& state, PerBody<double, float>& stopped) {
  const auto kinetic = [&] { return energy_of(mechanism, state, {}).kinetic; };
  const double before = kinetic();
  int count = stop_fastest_joints(mechanism, schedule, part, state, stopped);
  if (!is_free(state.root) || kinetic() <= before) return count;
  count += stop_fastest_joints(mechanism, schedule, 0, state, stopped);
  const double after = kinetic();
  if (after > before)
    state.root.velocity_world = state.root.velocity_world * std::sqrt(before / after);
  return count;
}

int carry_stiff(const Mechanism& mechanism, const Loads& loads, double h, State& state,
                Workspace& workspace) {
  const Schedule& schedule = *workspace.model->schedule;
  State& next = workspace.next;
  const int stopped = stop_without_gain(mechanism, schedule, 0, state, next.tension_torque);
  next.rest_from_body = state.rest_from_body;
  next.joint_velocity = state.joint_velocity;
  next.root = state.root;
  if (state.root.hold == RootHold::on_path) {
    next.root = root_at(*loads.root_path, state.time + h);
  } else if (is_free(state.root)) {
    const Vec3 change = loads.gravity_world * h;
    next.root.position_world += (state.root.velocity_world + change * 0.5) * h;
    next.root.velocity_world += change;
  }
  const Scheme scheme = make_one_point_scheme(1, h);
  if (workspace.works) {
    std::fill(workspace.works->ground.begin(), workspace.works->ground.end(), GroundForce{});
    add_substep(mechanism, loads, scheme, state, next, *workspace.works);
  }
  accept(scheme, state, workspace);
  forget_accelerations(schedule, state);
  return stopped;
}

}  // namespace thigmo
