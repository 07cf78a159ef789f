#pragma once

// The generalized-alpha scheme of a step; its equations stand in step.cpp.

#include "mechanics/kernel/step_kernel.h"

namespace thigmo {

struct StepOptions {
  // How much of a motion too fast for the step is taken out in each step: 0 nothing (the implicit
  // midpoint rule), 1 all. Motions that the step resolves hardly feel it: at 0.2 a mode with 60
  // steps a period loses 8e-7 of critical damping.
  double numerical_damping = 0.2;
  // Passes over the plant that a step may take before it is too violent; most steps take one. What is
  // left of the step is then taken coarsely: in long substeps, with brakes for what turns too fast for
  // them, and where those do not help with all joints held.
  int most_passes = 1000;
  bool stop_when_violent = false;  // rather than go on coarsely
};

// Where within a step of length 1 the scheme takes the forces.
double force_time(const StepOptions& options);

// How fast a vibration of ω dt is in steps of dt, over how fast it is: below 1, a step slows it.
double frequency_ratio(const StepOptions& options, double omega_dt);

// The longest step that slows a vibration of ω by at most a part of its frequency [s].
double step_for_frequency(const StepOptions& options, double omega, double part);

Scheme make_scheme(double rho, double h);

// Forces at one point of the step, nothing remembered: the midpoint rule at ½, implicit Euler at 1.
Scheme make_one_point_scheme(double point, double h);

}  // namespace thigmo
