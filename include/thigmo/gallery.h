#pragma once

// The grammars of a folder, and a picture of them all.

#include <atomic>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "thigmo/base.h"
#include "thigmo/progress.h"

namespace thigmo {

struct SheetRequest {
  std::string folder = "gallery/plants";  // of grammars
  std::string out_file;                   // .png
  int columns = 7;
  int tile = 240;    // width of a picture; its height is the same [pixels]
  int samples = 24;  // light paths per pixel
  int threads = 0;   // 0: as many as the machine has
  std::function<void(const Progress&)> on_progress = {};
  const std::atomic<bool>* cancel = nullptr;
};

struct SheetSummary {
  std::vector<std::string> plants;  // in the order of the pictures
  bool cancelled = false;           // then no file was written
  Diagnostics notes;                // warnings of the grammars
};

// Draws all grammars of a folder side by side, each with its name.
Outcome<SheetSummary> contact_sheet(const SheetRequest& request);

// The grammars of a folder, each with the first comment of its file.
Outcome<std::vector<std::pair<std::string, std::string>>> gallery(const std::string& folder);

}  // namespace thigmo
