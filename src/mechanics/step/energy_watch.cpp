#include "mechanics/step/energy_watch.h"

#include <algorithm>
#include <cmath>

namespace thigmo {
namespace {

// A substep may gain this part of the energy that moves where nothing gives any.
constexpr double largest_gain = 1e-3;
constexpr double largest_gain_of_grown = 1e-6;  // where it gained too much before: see limited_gain
// So often, in steps, the energy of a plant that no load works on is looked at.
constexpr int watch_interval = 8;
// What energies round to: smaller changes are none.
constexpr double energy_digits = 1e-10;

double sum(const Energy& e) { return e.kinetic + e.elastic + e.gravitational; }

}  // namespace

bool any_load_works(const Loads& loads) {
  return loads.air || loads.ground || loads.root_path || !loads.grabs.empty() ||
         !loads.points.empty();
}

bool EnergyCeiling::allows(const Mechanism& mechanism, const Loads& loads, const State& state,
                           const State& next) {
  if (!held) return true;
  if (std::isnan(energy)) energy = sum(energy_of(mechanism, state, loads.gravity_world));
  const Energy after = energy_of(mechanism, next, loads.gravity_world);
  const double part = state.watch.gain > limited_gain ? largest_gain_of_grown : largest_gain;
  if (sum(after) > energy + part * (after.kinetic + after.elastic)) return false;
  energy = std::min(energy, sum(after));
  return true;
}

void begin_watch(const Mechanism& mechanism, const Loads& loads, State& state) {
  EnergyWatch& watch = state.watch;
  const Vec3 changed = watch.gravity_world - loads.gravity_world;
  if (watch.on && dot(changed, changed) == 0) return;
  const Energy energy = energy_of(mechanism, state, loads.gravity_world);
  watch = {.on = true,
           .gravity_world = loads.gravity_world,
           .start = sum(energy),
           .lowest = sum(energy),
           .swing = energy.kinetic};
}

void watch_energy(const Mechanism& mechanism, const Loads& loads, State& state,
                  StepReport& report) {
  EnergyWatch& watch = state.watch;
  const bool plain = report.corrections == 0 && report.rejected == 0;
  if (++watch.unseen < watch_interval && plain) return;
  watch.unseen = 0;
  const Energy energy = energy_of(mechanism, state, loads.gravity_world);
  watch.swing = std::max(watch.swing, energy.kinetic);
  const double gain = sum(energy) - watch.lowest;
  const double all = energy.kinetic + energy.elastic + std::abs(energy.gravitational);
  if (gain > energy_digits * all && watch.swing > 0) report.energy_gain = gain / watch.swing;
  watch.gain = report.energy_gain;
  watch.lowest = std::min(watch.lowest, sum(energy));
}

}  // namespace thigmo
