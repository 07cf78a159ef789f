#include "api/world.h"
#include "api/world_content.h"
#include "simulation/save/snapshot.h"

// Worlds as bytes.

namespace thigmo {

Outcome<std::string> World::save() const {
  return call(*content_,
              [&]() -> Result<std::string> { return write_snapshot(content_->simulation); });
}

Outcome<World> World::restore(std::string_view bytes) {
  return attempt([&]() -> Result<World> {
    Result<Simulation> simulation = read_snapshot(bytes, {});
    if (!simulation) return simulation.diagnostics();
    return WorldAccess::world_of(std::move(*simulation));
  });
}

}  // namespace thigmo
