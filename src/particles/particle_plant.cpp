#include "particles/particle_plant.h"

#include <algorithm>
#include <cmath>

namespace thigmo {
namespace {

// What ends get of a correction: in inverse proportion to their masses (Jakobsen 2001), weakened by the power.
void find_shares(const std::vector<DistanceConstraint>& constraints, double power,
                 const std::vector<double>& inverse_mass, std::vector<EndShares>& shares) {
  shares.resize(constraints.size());
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const double tail = at(inverse_mass, constraints[i].tail);
    const double head = at(inverse_mass, constraints[i].head), sum = tail + head;
    shares[i] = sum > 0 ? EndShares{power * tail / sum, power * head / sum} : EndShares{};
  }
}

}  // namespace

void place_at_rest(const ParticleModel& model, const RootState& root, ParticleState& state) {
  const std::size_t n = particle_count(model);
  state.position_world.resize(n);
  state.previous_world.resize(n);
  state.previous_step = 1;
  const Vec3 omega = rotate(root.world_from_plant, root.omega_plant);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 arm = rotate(root.world_from_plant, model.rest_in_plant[i]);
    state.position_world[i] = root.position_world + arm;
    state.previous_world[i] = state.position_world[i] - (root.velocity_world + cross(omega, arm));
  }
}

void prepare(const ParticleModel& model, bool held, ParticleScratch& scratch) {
  if (scratch.ready && scratch.for_held == held) return;
  const std::size_t n = particle_count(model);
  scratch.begin_world.resize(n);
  scratch.velocity_gain.resize(n);
  scratch.inverse_mass.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    scratch.inverse_mass[i] = model.mass[i] > 0 ? 1 / model.mass[i] : 0;
  }
  for (const ParticleRoot& root : model.roots) {
    if (held) at(scratch.inverse_mass, at(model.stems, root.stem).base) = 0;
  }
  const double power = model.settings.power;
  find_shares(model.constraints, power, scratch.inverse_mass, scratch.shares);
  find_shares(model.anchors, power, scratch.inverse_mass, scratch.anchor_shares);
  scratch.ready = true;
  scratch.for_held = held;
}

ParticlePlant make_particle_plant(std::shared_ptr<const ParticleModel> model,
                                  const RootState& root) {
  ParticlePlant plant{.model = std::move(model), .state = {}, .scratch = {}};
  place_at_rest(*plant.model, root, plant.state);
  prepare(*plant.model, !is_free(root), plant.scratch);
  return plant;
}

bool is_finite(const ParticleState& state) {
  return std::all_of(state.position_world.begin(), state.position_world.end(),
                     [](const Vec3& position) { return std::isfinite(dot(position, position)); });
}

void add_to_hash(const ParticleState& state, Hasher& hasher) {
  hasher.add(state.previous_step);
  for (const auto* places : {&state.position_world, &state.previous_world}) {
    for (const Vec3& p : *places) {
      for (const double value : {p.x, p.y, p.z}) hasher.add(value);
    }
  }
}

}  // namespace thigmo
