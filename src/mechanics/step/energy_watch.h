#pragma once

// The energy of a plant that no load works on: it may only fall.

#include <limits>

#include "mechanics/kinematics/energy.h"
#include "mechanics/model/loads.h"
#include "mechanics/step/step.h"

namespace thigmo {

// Above these gains, over the largest kinetic energy, passes are repeated until they agree, and steps
// may gain no more.
inline constexpr double watched_gain = 0.005, limited_gain = 0.015;

bool any_load_works(const Loads& loads);

// What the energy of a plant that no load works on must not rise above while its step is taken in
// substeps.
struct EnergyCeiling {
  bool held = false;
  double energy = std::numeric_limits<double>::quiet_NaN();  // not known yet [J]

  bool allows(const Mechanism& mechanism, const Loads& loads, const State& state,
              const State& next);
};

// Begins to watch the energy of a plant that no load works on, from the state as it is.
void begin_watch(const Mechanism& mechanism, const Loads& loads, State& state);

// Looks at it after a step, where it is time or the step was not one pass.
void watch_energy(const Mechanism& mechanism, const Loads& loads, State& state, StepReport& report);

}  // namespace thigmo
