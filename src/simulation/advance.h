#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/result.h"
#include "simulation/energy_book.h"
#include "simulation/simulation.h"

namespace thigmo {

// How far a simulation is moved on, and what is asked of it on its way. Steps are numbered from the start
// of the scenario; those before `first_step` are done.
struct Course {
  double step = 0;  // [s]
  std::int64_t first_step = 0, end_step = 1;
  int threads = 0;                            // 0: all
  const std::atomic<bool>* cancel = nullptr;  // once it is set no step begins
  EnergyBook* book = nullptr;                 // that each step is entered in
  // Times at which poses are handed out, not falling [s]: at k / rate also between steps.
  std::span<const double> frames = {};
  double same_time = 2e-3;  // part of a step that does not tell two times apart
  std::function<Result<Done>(double time, const std::vector<Pose>& poses)> at_frame = {};
  AfterEdit after_edit = {};                          // each that the simulation's timeline has
  std::function<Result<Done>()> after_step = {};      // before the frame at its end; may edit
  std::function<void(double done)> on_progress = {};  // part of end_step
};

struct CourseReport {
  double wall_seconds = 0;  // of steps alone
  bool cancelled = false;
};

// The one loop that steps, and makes the edits of the simulation's timeline between steps: to the end, or until it is cancelled, the motion cannot be continued
// (Simulation::finite), or what it calls fails. Frames that are due at the start come before the first step.
Result<CourseReport> advance(const Course& course, Simulation& simulation);

// How many steps of that length reach a time.
std::int64_t steps_to(double time, double step, double same_time);

// How many steps of that length make up the duration; at least one.
std::int64_t step_count(double duration, double step);

}  // namespace thigmo
