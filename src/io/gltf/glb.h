#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/rig/reduce.h"
#include "io/text/bytes.h"
#include "mesh/mesh.h"
#include "mesh/mesh_options.h"
#include "plant/motion.h"

namespace thigmo {

struct GlbOptions {
  MeshOptions mesh = {};
  int max_depth = 900;        // of the joint tree
  Index max_joints = 65'535;  // of a skin; more segments are merged, see reduce.h
  // A second set of texture coordinates for each plant's mesh, e.g. for pivot textures.
  std::span<const std::vector<Vec2f>> second_uvs = {};
  std::vector<JointReduction>* reductions = nullptr;  // where to report what merging did, by plant
};

// Binary glTF 2.0: for each plant a skinned mesh, one joint a segment (or fewer), and what moves as rotation
// tracks (translation tracks only for joints that do not stay in place in their parent). A plant
// without motion, or with no poses in it, stands at rest. Y is up, metres, seconds: as here.
Result<Done> write_glb(std::span<const MovingPlant> plants, const GlbOptions& options,
                       const ByteSink& sink);
Result<std::string> glb_bytes(std::span<const MovingPlant> plants, const GlbOptions& options = {});

}  // namespace thigmo
