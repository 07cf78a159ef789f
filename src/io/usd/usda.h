#pragma once

#include <span>

#include "io/rig/reduce.h"
#include "io/text/bytes.h"
#include "mesh/mesh_options.h"
#include "plant/motion.h"
#include "thigmo/formats.h"

namespace thigmo {

struct UsdaOptions {
  UsdStyle style = UsdStyle::skeleton;
  MeshOptions mesh = {};
  Index max_joints = 65'535;
  int max_depth = 200;  // of joint paths, which name all ancestors and so grow with their square
};

// Universal Scene Description as text: metres, y up, times counted in frames at the motion's rate.
Result<Done> write_usda(std::span<const MovingPlant> plants, const UsdaOptions& options,
                        const ByteSink& sink);

}  // namespace thigmo
