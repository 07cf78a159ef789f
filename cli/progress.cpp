#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>

#include "cli/output.h"

namespace thigmo::cli {
namespace {

constexpr int bar_width = 30;
constexpr std::chrono::milliseconds between_bars{100};
constexpr std::chrono::seconds between_lines{5};

}  // namespace

ProgressDisplay::ProgressDisplay() : terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressDisplay::~ProgressDisplay() {
  if (bar_open_) say("\n");
}

void ProgressDisplay::show(const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  const bool new_stage = progress.stage != stage_;
  const bool done = progress.fraction >= 1.0;
  if (new_stage) {
    if (bar_open_) say("\n");
    bar_open_ = false;
    stage_ = progress.stage;
    stage_start_ = now;
  } else if (!done && now - last_shown_ < (terminal_ ? between_bars : between_lines)) {
    return;
  }
  last_shown_ = now;
  if (terminal_) {
    draw_bar(progress);
  } else {
    log_line(progress);
  }
}

void ProgressDisplay::draw_bar(const Progress& progress) {
  const double part = std::clamp(progress.fraction, 0.0, 1.0);
  const int filled = static_cast<int>(part * bar_width);
  const double spent =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - stage_start_).count();
  const std::string left = part > 0.02 && part < 1
                               ? fmt::format("{:.0f} s left", spent * (1 - part) / part)
                               : fmt::format("{:.1f} s", spent);
  say("\r{:<24} [{}{}] {:3.0f} %  {:<12}", progress.stage,
      std::string(static_cast<std::size_t>(filled), '#'),
      std::string(static_cast<std::size_t>(bar_width - filled), '-'), part * 100, left);
  bar_open_ = part < 1;
  if (!bar_open_) say("\n");
}

void ProgressDisplay::log_line(const Progress& progress) {
  say("{}: {:.0f} %\n", progress.stage, 100 * progress.fraction);
}

}  // namespace thigmo::cli
