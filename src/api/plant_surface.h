#pragma once

#include <memory>

#include "mesh/deform.h"
#include "mesh/mesh.h"
#include "thigmo/surface.h"

namespace thigmo {

struct PlantSurface::Content {
  SkinnedMesh mesh;
  SurfaceMesh at_rest;
  Pose pose;
  Deformed shape;
};

}  // namespace thigmo
