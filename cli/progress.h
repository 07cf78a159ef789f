#pragma once

#include <chrono>
#include <string>

#include "thigmo/thigmo.h"

namespace thigmo::cli {

// Shows how far long work is, on standard error: a bar on a terminal, else a line now and then.
class ProgressDisplay {
 public:
  ProgressDisplay();
  ~ProgressDisplay();
  void show(const Progress& progress);

 private:
  void draw_bar(const Progress& progress);
  void log_line(const Progress& progress);

  bool terminal_;
  std::string stage_;
  std::chrono::steady_clock::time_point stage_start_, last_shown_;
  bool bar_open_ = false;
};

}  // namespace thigmo::cli
