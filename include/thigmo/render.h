#pragma once

// Pictures of plants.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "thigmo/base.h"
#include "thigmo/surface.h"

namespace thigmo {

// How a picture shows plants.
struct View {
  // Where the camera stands [degrees]: 0 looks from +z, 90 from +x; above the horizon. It goes as far
  // back as the plants need.
  double azimuth = 29, elevation = 5.5;
  double zoom = 1;                                // 2: everything twice as large
  std::optional<Numbers3> eye = {}, target = {};  // [m]; place it by hand instead
  double field_of_view = 30;                      // from bottom to top [degrees]
  double aperture = 0;  // diameter of the lens [m]; what is out of focus blurs. 0: all is sharp
  std::optional<double> focus = {};  // distance that is sharp [m]; else that of the plants' middle
  bool ground = true;                // false: the plants hang in the sky
  bool wireframe = false;            // segments as lines and joints as dots
  std::string colour = {};           // name of a value to colour segments by; see colour_values()
  SurfaceDetail surface = {};
};

// Names of the values that segments can be coloured by, each with what it is.
std::vector<std::pair<std::string, std::string>> colour_values();

struct RenderRequest {
  std::string
      file;  // a scenario (.toml), or a grammar or a tree from elsewhere for one plant at rest
  std::string out_file;             // .png
  std::optional<double> time = {};  // of a scenario's picture [s]; none: its start
  std::vector<double> times = {};   // instead: several pictures side by side [s], early first
  std::optional<int> steps = {};    // of a grammar; else the file's derivation length
  std::optional<std::uint64_t> seed = {};  // of a grammar
  std::string species = {};                // of a grammar; empty: as the grammar says, else oak
  // "NAME=number" replaces a #define of a grammar; "key=value" changes a key of a scenario.
  std::vector<std::string> overrides = {};
  View view = {};
  int width = 960, height = 720;  // of each picture [pixels]
  int samples = 32;               // light paths per pixel
  int threads = 0;                // 0: as many as the machine has
  const std::atomic<bool>* cancel = nullptr;
};

struct RenderSummary {
  std::size_t plants = 0, segments = 0, organs = 0;
  Numbers3 bbox_min = {}, bbox_max = {};  // around all segments, as drawn [m]
  double value_min = 0, value_max = 0;    // of the colours' value
  double draw_seconds = 0;                // of drawing alone
  bool cancelled = false;                 // then no file was written
  Diagnostics notes;                      // what readers completed
};

// Draws one picture.
Outcome<RenderSummary> render(const RenderRequest& request);

}  // namespace thigmo
