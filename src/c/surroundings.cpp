#include "c/border.h"
#include "c/values.h"

// What surrounds plants and holds them.

namespace thigmo {
namespace {

PointForce force_of(const thigmo_push& push) {
  return {.along = push.along,
          .force = numbers_of(push.force),
          .moment = numbers_of(push.moment),
          .follower = push.follower != 0};
}

}  // namespace
}  // namespace thigmo

using namespace thigmo;

thigmo_wind thigmo_default_wind(void) {
  const GustyWind wind;
  return {.mean = c_of(wind.mean),
          .intensity = wind.intensity,
          .seed = wind.seed,
          .length_scale = wind.length_scale,
          .decay = wind.decay,
          .ease = wind.ease};
}

thigmo_code thigmo_world_set_wind(thigmo_world world, const thigmo_wind* wind) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"wind", wind}})) return bad;
    return code_of(its.world.set_wind({.mean = numbers_of(wind->mean),
                                       .intensity = wind->intensity,
                                       .seed = wind->seed,
                                       .length_scale = wind->length_scale,
                                       .decay = wind->decay,
                                       .ease = wind->ease}));
  });
}

thigmo_code thigmo_world_air_velocity(thigmo_world world, thigmo_plant plant, thigmo_vec3 point,
                                      thigmo_vec3* to) {
  return on(world, [&](const WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    if (const thigmo_code bad = check_numbers("point", {point.x, point.y, point.z})) return bad;
    if (const thigmo_code bad = code_of(its.world.segment_count(id_of(plant)))) return bad;
    *to = c_of(its.world.air_velocity(id_of(plant), numbers_of(point)));
    return THIGMO_OK;
  });
}

thigmo_code thigmo_world_set_gravity(thigmo_world world, thigmo_vec3 gravity) {
  return on(world,
            [&](WorldOfC& its) { return code_of(its.world.set_gravity(numbers_of(gravity))); });
}

thigmo_ground thigmo_default_ground(void) {
  const LevelGround ground;
  return {.height = ground.height,
          .stiffness = ground.stiffness,
          .damping = ground.damping,
          .friction = ground.friction};
}

thigmo_code thigmo_world_set_ground(thigmo_world world, const thigmo_ground* ground) {
  return on(world, [&](WorldOfC& its) {
    if (ground == nullptr) return code_of(its.world.set_ground(std::nullopt));
    return code_of(its.world.set_ground(LevelGround{.height = ground->height,
                                                    .stiffness = ground->stiffness,
                                                    .damping = ground->damping,
                                                    .friction = ground->friction}));
  });
}

thigmo_push thigmo_default_push(void) { return {.along = PointForce{}.along}; }

thigmo_code thigmo_world_push(thigmo_world world, thigmo_segment segment, const thigmo_push* push,
                              thigmo_force* to) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"push", push}, {"to", to}})) return bad;
    return give(its.world.push(id_of(segment), force_of(*push)), to,
                [](ForceId id) { return c_of(id); });
  });
}

thigmo_code thigmo_world_change_force(thigmo_world world, thigmo_force force,
                                      const thigmo_push* push) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"push", push}})) return bad;
    return code_of(its.world.change(id_of(force), force_of(*push)));
  });
}

thigmo_code thigmo_world_remove_force(thigmo_world world, thigmo_force force) {
  return on(world, [&](WorldOfC& its) { return code_of(its.world.remove(id_of(force))); });
}

thigmo_spring thigmo_default_spring(void) {
  const GrabSpring spring;
  return {.along = spring.along, .stiffness = spring.stiffness, .damping = spring.damping};
}

thigmo_code thigmo_world_grab(thigmo_world world, thigmo_segment segment,
                              const thigmo_spring* spring, thigmo_grab* to) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    const thigmo_spring s = spring == nullptr ? thigmo_default_spring() : *spring;
    return give(its.world.grab(id_of(segment),
                               {.along = s.along, .stiffness = s.stiffness, .damping = s.damping}),
                to, [](GrabId id) { return c_of(id); });
  });
}

thigmo_code thigmo_world_drag(thigmo_world world, thigmo_grab grab, thigmo_vec3 position) {
  return on(world, [&](WorldOfC& its) {
    return code_of(its.world.drag(id_of(grab), numbers_of(position)));
  });
}

thigmo_code thigmo_world_let_go(thigmo_world world, thigmo_grab grab) {
  return on(world, [&](WorldOfC& its) { return code_of(its.world.let_go(id_of(grab))); });
}

thigmo_code thigmo_world_move_root(thigmo_world world, thigmo_plant plant,
                                   const thigmo_transform* to, double seconds) {
  return on(world, [&](WorldOfC& its) -> thigmo_code {
    if (const thigmo_code bad = check_given({{"to", to}})) return bad;
    return code_of(its.world.move_root(id_of(plant), transform_of(*to), seconds));
  });
}

thigmo_code thigmo_world_release_root(thigmo_world world, thigmo_plant plant) {
  return on(world, [&](WorldOfC& its) { return code_of(its.world.release_root(id_of(plant))); });
}

thigmo_code thigmo_world_clamp_root(thigmo_world world, thigmo_plant plant) {
  return on(world, [&](WorldOfC& its) { return code_of(its.world.clamp_root(id_of(plant))); });
}
