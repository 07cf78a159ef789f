#pragma once

// Running scenarios.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "thigmo/base.h"
#include "thigmo/event.h"
#include "thigmo/progress.h"
#include "thigmo/world.h"

namespace thigmo {

struct RunRequest {
  std::string scenario_file;
  std::string out_folder;
  int threads = 0;  // 0: as many as the machine has
  std::vector<std::string> overrides = {};
  std::function<void(const Progress&)> on_progress = {};
  const std::atomic<bool>* cancel = nullptr;  // set it to stop soon; nothing half-written is left
  std::string restore_file = {};              // a snapshot to go on from, with the same bits
  std::string save_file = {};                 // where to leave a snapshot of the end
  std::string log_file = {};                  // where to leave a log, to be replayed
};

// Something that happened in a run. Segments are told by the plant that they were modelled in and their number there,
// which they keep on whatever they are.
struct RunEvent {
  EventKind kind = EventKind::added;
  double time = 0;          // [s]
  std::string plant;        // its name by then
  std::string modelled_in;  // empty: the whole plant is meant
  std::int64_t segment = -1;
  std::string other;  // see Event
};

// A plant that particles move, as it is at the end.
struct RunParticles {
  std::string plant;
  ParticleCounts counts;
};

struct RunSummary {
  std::size_t segments = 0;
  std::int64_t steps = 0;
  double simulated_seconds = 0;
  double wall_seconds = 0;  // of stepping alone: growing, writing and drawing are not in it
  double real_time_factor = 0;
  std::int64_t rejected_steps = 0;  // substeps that were undone and retaken smaller
  std::int64_t corrections = 0;     // passes over a plant repeated for better guesses
  std::int64_t braked_joints = 0;   // see World::braked_joints
  std::int64_t coarse_steps = 0;    // see World::coarse_steps
  double energy_gain = 0;           // see World::energy_gain
  // What the scheme took from plants that nothing damps or drives, over their largest kinetic energy.
  double energy_taken_by_scheme = 0;
  // What the step does to the sway of a plant's main axis, of the plant that suffers most: found over
  // true, less 1; and the longest step that slows it by no more than 1 % [s].
  double step_frequency_error = 0;
  double step_within_percent = 0;
  bool finite = true;  // false: the motion could not be continued to the end
  bool cancelled = false;
  std::vector<ProbeReading> probes;
  std::vector<RunEvent> events;         // the first 10,000, in the order of their times
  std::int64_t events_left_out = 0;     // of more than that
  std::vector<RunParticles> particles;  // of plants that they move
  std::uint64_t state_hash = 0;
  std::vector<std::string> files;  // written, without the folder
  Diagnostics notes;               // what had to be given up, and what is not to be trusted
};

Outcome<RunSummary> run(const RunRequest& request);

}  // namespace thigmo
