#pragma once

// Converting files.

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "thigmo/base.h"
#include "thigmo/formats.h"
#include "thigmo/progress.h"
#include "thigmo/surface.h"

namespace thigmo {

struct ConvertRequest {
  std::string input;   // a grammar, a scenario (.toml), or a tree from elsewhere
  std::string output;  // by its ending; the plant at rest, a scenario's plants with their motion
  std::string species = "oak";          // what an imported tree is made of
  double scale = 1;                     // metres in the input's unit
  bool lines = false;                   // .obj as lines instead of a mesh
  int max_joints = 65'535;              // of a skeleton; more segments are merged
  UsdStyle style = UsdStyle::skeleton;  // of .usda
  double rate = 30;                     // frames per second of a scenario's motion
  SurfaceDetail surface = {};
  std::string compare =
      {};  // .png that shows the first plant with all joints beside the few of a .glb
  int compare_size = 640;                   // of each of its two pictures [pixels]
  std::vector<std::string> overrides = {};  // as for `run` and `render`
  int threads = 0;                          // 0: as many as the machine has
  std::function<void(const Progress&)> on_progress = {};
  const std::atomic<bool>* cancel = nullptr;  // set it to stop soon; nothing half-written is left
};

struct Converted {
  std::size_t segments = 0, organs = 0, frames = 1;
  double write_seconds = 0;  // of writing alone: reading, growing and simulating are not in it
  bool cancelled = false;    // then no file was written
  std::vector<std::string> files;  // written
  Diagnostics notes;               // what readers completed and writers gave up
};

Outcome<Converted> convert(const ConvertRequest& request);

}  // namespace thigmo
