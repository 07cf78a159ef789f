#pragma once

#include "app/common.h"
#include "mechanics/statics/equilibrium.h"

namespace thigmo {

// The simulation of a scenario file, or of a text where one is given, for what is found of plants that
// stand still; what it reads is added to the inputs. Its notes say what of the scenario is left out; a
// plant that nothing holds is an error.
Result<Simulation> standing_simulation(const std::string& file, const std::string& text,
                                       const std::vector<std::string>& overrides, Inputs& inputs);

// Why a plant has no pose to stand in, or none that Newton's method finds.
Diagnostic no_equilibrium(const Plant& plant, const EquilibriumReport& report);

}  // namespace thigmo
