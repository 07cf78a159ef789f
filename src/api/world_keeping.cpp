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

Outcome<Done> World::keep_log(int check_every) {
  return call(*content_, [&]() -> Result<Done> {
    if (check_every < 0) {
      return bad_argument("a log cannot note states after so many steps",
                          "0 notes the last state alone");
    }
    content_->log.emplace(write_snapshot(content_->simulation), check_every);
    return Done{};
  });
}

Outcome<std::string> World::log() const {
  return call(*content_, [&]() -> Result<std::string> {
    if (!content_->log) return bad_argument("this world keeps no log", "call keep_log first");
    return content_->log->text(content_->simulation);
  });
}

}  // namespace thigmo
