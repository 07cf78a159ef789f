#pragma once

#include <atomic>
#include <optional>
#include <span>

#include "base/image.h"
#include "mesh/mesh_options.h"
#include "render/camera.h"
#include "render/light.h"
#include "render/scene.h"

namespace thigmo {

struct RenderOptions {
  int width = 960, height = 540;  // [pixels]
  int samples = 4;                // a pixel, each with one shadow and one sky ray
  int leaf_rows = 5;
  int threads = 0;  // 0: as many as the machine has
  Daylight light = {};
  std::optional<double> ground_height = 0.0;    // [m]; none: the plants hang in the air
  MeshOptions surface = {};                     // of organs and of how fine stems are
  std::span<const SegmentNumbers> values = {};  // of each plant; empty: none has any
  ValueRange range = {};                        // of the colours for values
  const std::atomic<bool>* cancel = nullptr;    // when it turns true, the rest stays black
};

// A picture of plants. The same bits for any number of threads.
Image render_picture(std::span<const PosedPlant> plants, const Camera& camera,
                     const RenderOptions& options = {});

}  // namespace thigmo
