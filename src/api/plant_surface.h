#pragma once

#include <memory>

#include "mesh/mesh.h"
#include "thigmo/thigmo.h"

namespace thigmo {

struct PlantSurface::Content {
  SkinnedMesh mesh;
  SurfaceMesh at_rest;
  Pose pose;
  Deformed shape;
};

}  // namespace thigmo
