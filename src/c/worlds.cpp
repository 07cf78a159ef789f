#include "c/border.h"
#include "c/values.h"

// The library; worlds, their time, and their accounts.

namespace thigmo {
namespace {

thigmo_event c_of(const Event& event) {
  return {.kind = static_cast<std::int32_t>(event.kind),
          .time = event.time,
          .plant = thigmo::c_of(event.plant),
          .segment = thigmo::c_of(event.segment),
          .other = thigmo::c_of(event.other)};
}

// A number of a plant that is there.
template <class Question>
thigmo_code plant_number(thigmo_world world, thigmo_plant plant, double* to, Question&& question) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    if (const thigmo_code bad = code_of(its.world.segment_count(id_of(plant)))) return bad;
    *to = question(its.world, id_of(plant));
    return THIGMO_OK;
  });
}

}  // namespace
}  // namespace thigmo

using namespace thigmo;

int32_t thigmo_abi(void) { return THIGMO_ABI; }
const char* thigmo_version(void) { return version(); }

thigmo_code thigmo_world_create(thigmo_world* to) {
  return guarded([&]() -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    *to = keep_world({});
    return THIGMO_OK;
  });
}

thigmo_code thigmo_world_copy(thigmo_world world, thigmo_world* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    *to = keep_world(its.world);
    return THIGMO_OK;
  });
}

thigmo_code thigmo_world_free(thigmo_world world) { return free_handle(world); }

thigmo_code thigmo_world_step(thigmo_world world, double dt, int32_t threads) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    if (threads < 0) return refuse_threads();
    return code_of(its.world.step(dt, Jobs{.threads = threads}));
  });
}

thigmo_code thigmo_world_step_with_jobs(thigmo_world world, double dt, const thigmo_jobs* jobs) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"jobs", jobs}})) return bad;
    if (jobs->run == nullptr) return refuse(THIGMO_BAD_ARGUMENT, "jobs need a function 'run'");
    return code_of(its.world.step(
        dt, Jobs{.threads = std::max(1, jobs->threads), .run = jobs->run, .user = jobs->user}));
  });
}

thigmo_code thigmo_world_time(thigmo_world world, double* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    *to = its.world.time();
    return THIGMO_OK;
  });
}

const char* thigmo_event_name(int32_t kind) {
  return kind >= 0 && kind <= THIGMO_STOPPED ? to_string(static_cast<EventKind>(kind)) : "unknown";
}

thigmo_code thigmo_world_events(thigmo_world world, thigmo_event* to, size_t room, size_t* count) {
  return on(world, [&](const WorldOfC& its) {
    return give_list(its.world.events(), to, room, count,
                     [](const Event& event) { return c_of(event); });
  });
}

thigmo_code thigmo_world_asleep(thigmo_world world, thigmo_plant plant, int32_t* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    if (const thigmo_code bad = code_of(its.world.segment_count(id_of(plant)))) return bad;
    *to = its.world.asleep(id_of(plant)) ? 1 : 0;
    return THIGMO_OK;
  });
}

thigmo_code thigmo_world_energies(thigmo_world world, thigmo_energies* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    const Energies energies = its.world.energies();
    *to = {.kinetic = energies.kinetic,
           .elastic = energies.elastic,
           .gravitational = energies.gravitational};
    return THIGMO_OK;
  });
}

thigmo_code thigmo_world_keep_account(thigmo_world world) {
  return on(world, [&](WorldOfC& its) { return code_of(its.world.keep_account()); });
}

thigmo_code thigmo_world_account(thigmo_world world, thigmo_works* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    const EnergyWorks works = its.world.account();
    *to = {.by_air = works.by_air,
           .by_loads = works.by_loads,
           .by_ground = works.by_ground,
           .by_base = works.by_base,
           .by_edits = works.by_edits,
           .lost_in_joints = works.lost_in_joints,
           .lost_by_mass = works.lost_by_mass,
           .numerical = works.numerical};
    return THIGMO_OK;
  });
}

thigmo_code thigmo_world_first_frequency(thigmo_world world, thigmo_plant plant, double* to) {
  return plant_number(world, plant, to,
                      [](const World& its, PlantId id) { return its.first_frequency(id); });
}

thigmo_code thigmo_world_frequency_error(thigmo_world world, thigmo_plant plant, double dt,
                                         double* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    if (!(std::isfinite(dt) && dt > 0)) {
      return refuse(THIGMO_BAD_ARGUMENT, "a step of that length cannot be taken",
                    "give a time above 0");
    }
    if (const thigmo_code bad = code_of(its.world.segment_count(id_of(plant)))) return bad;
    *to = its.world.frequency_error(id_of(plant), dt);
    return THIGMO_OK;
  });
}

thigmo_code thigmo_world_sway_frequency(thigmo_world world, thigmo_plant plant, double* to) {
  return plant_number(world, plant, to,
                      [](const World& its, PlantId id) { return its.sway_frequency(id); });
}

thigmo_code thigmo_world_record(thigmo_world world, thigmo_record* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    *to = {.rejected_steps = its.world.rejected_steps(),
           .braked_joints = its.world.braked_joints(),
           .coarse_steps = its.world.coarse_steps(),
           .energy_gain = its.world.energy_gain(),
           .substeps = its.world.substeps()};
    return THIGMO_OK;
  });
}
