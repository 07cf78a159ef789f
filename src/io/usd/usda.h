#pragma once

#include <span>

#include "io/rig/reduce.h"
#include "io/text/bytes.h"
#include "mesh/mesh_options.h"
#include "plant/motion.h"

namespace thigmo {

struct UsdaOptions {
  enum class Style {
    skeleton,  // UsdSkel: a skinned mesh, joints and their animation
    points,    // a mesh with time-sampled points: plays everywhere, large
    curves,    // stems as curves with widths, organs as instances: light, for further work
  };
  Style style = Style::skeleton;
  MeshOptions mesh = {};
  Index max_joints = 65'535;
  int max_depth = 200;  // of joint paths, which name all ancestors and so grow with their square
};

// Universal Scene Description as text: metres, y up, times counted in frames at the motion's rate.
Result<Done> write_usda(std::span<const MovingPlant> plants, const UsdaOptions& options,
                        const ByteSink& sink);

}  // namespace thigmo
