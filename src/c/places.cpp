#include "c/border.h"
#include "c/values.h"

// Where everything is, how it moves and what it bears.

namespace thigmo {
namespace {

template <class Number>
thigmo_code put_transforms(thigmo_world world, thigmo_plant plant, std::int32_t layout, Number* to,
                           std::size_t room, std::size_t* count) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    const std::size_t each = thigmo_numbers_of(layout);
    if (each == 0) {
      return refuse(THIGMO_BAD_ARGUMENT, "this is no layout of transforms",
                    "give one of thigmo_layout");
    }
    const Outcome<std::size_t> segments = its.world.segment_count(id_of(plant));
    if (!segments) return code_of(segments);
    const thigmo_code code = check_room(each * *segments, to, room, count);
    if (code != THIGMO_OK || to == nullptr) return code;
    return code_of(its.world.transforms(id_of(plant), static_cast<Layout>(layout),
                                        std::span<Number>(to, each * *segments)));
  });
}

thigmo_picked c_of(const std::optional<Picked>& picked) {
  if (!picked) return {};
  return {.hit = 1,
          .plant = thigmo::c_of(picked->plant),
          .segment = thigmo::c_of(picked->segment),
          .along = picked->along,
          .position = thigmo::c_of(picked->position),
          .distance = picked->distance};
}

}  // namespace
}  // namespace thigmo

using namespace thigmo;

size_t thigmo_numbers_of(int32_t layout) {
  return layout >= 0 && layout <= THIGMO_MATRIX_4X4_COLUMNS
             ? numbers_of(static_cast<Layout>(layout))
             : 0;
}

thigmo_code thigmo_world_transforms(thigmo_world world, thigmo_plant plant, int32_t layout,
                                    double* to, size_t room, size_t* count) {
  return put_transforms(world, plant, layout, to, room, count);
}

thigmo_code thigmo_world_transforms_float(thigmo_world world, thigmo_plant plant, int32_t layout,
                                          float* to, size_t room, size_t* count) {
  return put_transforms(world, plant, layout, to, room, count);
}

thigmo_code thigmo_world_velocities(thigmo_world world, thigmo_plant plant, thigmo_motion* to,
                                    size_t room, size_t* count) {
  return on(world, [&](WorldOfC& its) {
    return give_each(
        its, id_of(plant), its.motions, to, room, count,
        [&](std::span<Motion3> motions) { return its.world.velocities(id_of(plant), motions); },
        [](const Motion3& motion) -> thigmo_motion {
          return {.velocity = c_of(motion.velocity),
                  .angular_velocity = c_of(motion.angular_velocity)};
        });
  });
}

thigmo_code thigmo_world_section_loads(thigmo_world world, thigmo_plant plant,
                                       thigmo_section_load* to, size_t room, size_t* count) {
  return on(world, [&](WorldOfC& its) {
    return give_each(
        its, id_of(plant), its.section_loads, to, room, count,
        [&](std::span<SectionLoad> loads) { return its.world.section_loads(id_of(plant), loads); },
        [](const SectionLoad& load) -> thigmo_section_load {
          return {.force = c_of(load.force), .moment = c_of(load.moment), .stress = load.stress};
        });
  });
}

thigmo_code thigmo_world_momentum(thigmo_world world, thigmo_plant plant, thigmo_momentum* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    return give(its.world.momentum(id_of(plant)), to, [](const Momentum& m) -> thigmo_momentum {
      return {.mass = m.mass,
              .center = c_of(m.center),
              .linear = c_of(m.linear),
              .angular = c_of(m.angular)};
    });
  });
}

thigmo_code thigmo_world_pick(thigmo_world world, const thigmo_ray* ray, thigmo_picked* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"ray", ray}, {"to", to}})) return bad;
    return give(its.world.pick({.origin = numbers_of(ray->origin),
                                .direction = numbers_of(ray->direction),
                                .reach = ray->reach}),
                to, [](const std::optional<Picked>& picked) { return c_of(picked); });
  });
}

thigmo_code thigmo_world_nearest(thigmo_world world, thigmo_vec3 point, double within,
                                 thigmo_picked* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    return give(its.world.nearest(numbers_of(point), within), to,
                [](const std::optional<Picked>& picked) { return c_of(picked); });
  });
}

thigmo_code thigmo_world_add_probe(thigmo_world world, const char* name, thigmo_segment segment,
                                   double along) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"name", name}})) return bad;
    return code_of(its.world.add_probe(name, id_of(segment), along));
  });
}

thigmo_code thigmo_world_remove_probe(thigmo_world world, const char* name) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"name", name}})) return bad;
    return code_of(its.world.remove_probe(name));
  });
}

thigmo_code thigmo_world_probes(thigmo_world world, thigmo_probe* to, size_t room, size_t* count) {
  return on(world, [&](WorldOfC& its) {
    its.probes = its.world.probes();
    return give_list(its.probes, to, room, count, [](const ProbeReading& probe) -> thigmo_probe {
      return {.name = probe.name.c_str(),
              .position = c_of(probe.position),
              .velocity = c_of(probe.velocity)};
    });
  });
}
