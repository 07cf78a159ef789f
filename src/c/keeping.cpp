#include "c/border.h"
#include "c/values.h"
#include "thigmo/replay.h"

// Worlds as bytes, and logs of what was done to them.

namespace thigmo {
namespace {

// Bytes go to the caller, and stay the world's.
thigmo_code give_bytes(Outcome<std::string> bytes, WorldOfC& its, thigmo_bytes* to) {
  if (!bytes) return code_of(bytes);
  its.kept = std::move(*bytes);
  *to = {.data = its.kept.data(), .size = its.kept.size()};
  return THIGMO_OK;
}

}  // namespace
}  // namespace thigmo

using namespace thigmo;

thigmo_code thigmo_world_state_hash(thigmo_world world, uint64_t* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    *to = its.world.state_hash();
    return THIGMO_OK;
  });
}

thigmo_code thigmo_world_save(thigmo_world world, thigmo_bytes* to) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    return give_bytes(its.world.save(), its, to);
  });
}

thigmo_code thigmo_world_restore(const void* data, size_t size, thigmo_world* to) {
  return guarded([&]() -> thigmo_code {
    if (const thigmo_code bad = check_given({{"data", data}, {"to", to}})) return bad;
    Outcome<World> world = World::restore({static_cast<const char*>(data), size});
    if (!world) return code_of(world);
    *to = keep_world(std::move(*world));
    return THIGMO_OK;
  });
}

thigmo_code thigmo_world_keep_log(thigmo_world world, int32_t check_every) {
  return on(world, [&](WorldOfC& its) { return code_of(its.world.keep_log(check_every)); });
}

thigmo_code thigmo_world_log(thigmo_world world, thigmo_bytes* to) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    return give_bytes(its.world.log(), its, to);
  });
}

thigmo_code thigmo_world_replay(const void* log, size_t size, int32_t threads, thigmo_replay* to) {
  return guarded([&]() -> thigmo_code {
    if (const thigmo_code bad = check_given({{"log", log}, {"to", to}})) return bad;
    if (threads < 0) return refuse_threads();
    Outcome<Replay> replayed = replay({static_cast<const char*>(log), size}, {.threads = threads});
    if (!replayed) return code_of(replayed);
    auto its = std::make_shared<WorldOfC>();
    its->world = std::move(replayed->world);
    *to = {.steps = replayed->steps, .state_hash = replayed->state_hash};
    to->differs = replayed->differs ? 1 : 0;
    if (replayed->differs) its->difference = std::move(*replayed->differs);
    to->difference = c_of(its->difference);
    to->world = handles_of(thigmo_world{}).add(std::move(its));
    return THIGMO_OK;
  });
}
