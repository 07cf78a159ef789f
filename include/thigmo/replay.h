#pragma once

// Logs of worlds, made again: see World::keep_log.

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "thigmo/world.h"

namespace thigmo {

struct ReplayOptions {
  std::string file = {};                      // that the text is from, for messages
  int threads = 1;                            // 0: as many as the machine has
  const std::atomic<bool>* cancel = nullptr;  // set it to stop soon
};

// What came of a log.
struct Replay {
  World world;
  std::int64_t steps = 0;        // that were made again
  std::uint64_t state_hash = 0;  // of the world now
  bool cancelled = false;
  // What was first not as it is in the log, with its line: after which step the state was another, or what a
  // call gave. None where all of it came again.
  std::optional<Diagnostic> differs = {};
};

// Makes all calls of a log again. Refused, with line and column, is what is no log.
Outcome<Replay> replay(std::string_view log, const ReplayOptions& options = {});
Outcome<Replay> replay_file(const std::string& path, const ReplayOptions& options = {});

}  // namespace thigmo
