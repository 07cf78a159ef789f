#pragma once

#include "base/result.h"
#include "mesh/mesh_options.h"
#include "simulation/simulation.h"
#include "thigmo/world.h"

namespace thigmo {

// The way into a world for what is built on the core: scenarios, and meshes that are read from files.
struct WorldAccess {
  static World world_of(Simulation simulation);
  static Result<PlantSurface> surface(const World& world, PlantId plant,
                                      const MeshOptions& options);
};

}  // namespace thigmo
