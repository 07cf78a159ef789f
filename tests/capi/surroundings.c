#include "check.h"

static double tip_of(thigmo_world world, thigmo_plant rod, int axis) {
  double places[7 * 20] = {0};
  MUST(thigmo_world_transforms(world, rod, THIGMO_POSITION_ROTATION, places, 140, NULL));
  return places[7 * 19 + axis];
}

static thigmo_segment tip_segment(thigmo_world world, thigmo_plant plant) {
  thigmo_segment tip = {0};
  MUST(thigmo_world_tip(world, plant, &tip));
  return tip;
}

static void wind_blows_and_dies_away(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  thigmo_wind wind = thigmo_default_wind();
  NEAR(wind.mean.x, 6, 0);
  wind.mean = (thigmo_vec3){0, 0, 5};
  wind.intensity = 0;
  wind.ease = 0;
  MUST(thigmo_world_set_wind(world, &wind));
  run(world, 60);
  thigmo_vec3 air = {0};
  MUST(thigmo_world_air_velocity(world, rod, (thigmo_vec3){0.5, 0, 0}, &air));
  NEAR(air.z, 5, 1e-9);
  CHECK(tip_of(world, rod, 2) > 1e-5);
  wind.ease = -1;
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_set_wind(world, &wind));
  wind.ease = 0;
  wind.mean.x = NAN;
  CHECK(thigmo_world_set_wind(world, &wind) != THIGMO_OK);
  REFUSES(THIGMO_BAD_ARGUMENT,
          thigmo_world_air_velocity(world, rod, (thigmo_vec3){0, INFINITY, 0}, &air));
  MUST(thigmo_world_free(world));
}

/* E I / L^3 * 3 is the stiffness of a cantilever's tip: the rod has E I = 5e9 pi 1e-8 / 4 = 39.27 N m^2. */
static void a_force_bends_a_cantilever(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  thigmo_push push = thigmo_default_push();
  push.force.z = 1;
  thigmo_force force = {0};
  MUST(thigmo_world_push(world, tip_segment(world, rod), &push, &force));
  run(world, 240);
  /* The last segment's base is at 0.95 L: 0.95^2 (3 - 0.95) / 2 of the tip's deflection. */
  const double deflection = 1 / (3 * 39.2699) * 0.95 * 0.95 * (3 - 0.95) / 2;
  NEAR(tip_of(world, rod, 2), deflection, 0.01 * deflection);
  push.force.z = -1;
  MUST(thigmo_world_change_force(world, force, &push));
  run(world, 240);
  NEAR(tip_of(world, rod, 2), -deflection, 0.01 * deflection);
  MUST(thigmo_world_remove_force(world, force));
  REFUSES(THIGMO_STALE, thigmo_world_remove_force(world, force));
  REFUSES(THIGMO_STALE, thigmo_world_change_force(world, force, &push));
  run(world, 240);
  NEAR(tip_of(world, rod, 2), 0, 0.01 * deflection);
  push.along = 1.5;
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_push(world, tip_segment(world, rod), &push, &force));
  push.along = 1;
  push.moment.x = NAN;
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_push(world, tip_segment(world, rod), &push, &force));
  MUST(thigmo_world_free(world));
}

static void a_grab_pulls_and_lets_go(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  thigmo_spring spring = thigmo_default_spring();
  spring.stiffness = 1e4; /* the tip goes nearly all the way: 118 / (1e4 + 118) is missing */
  thigmo_grab grab = {0}, second = {0};
  MUST(thigmo_world_grab(world, tip_segment(world, rod), &spring, &grab));
  MUST(thigmo_world_drag(world, grab, (thigmo_vec3){1, 0.05, 0}));
  run(world, 240);
  CHECK(tip_of(world, rod, 1) > 0.045 && tip_of(world, rod, 1) < 0.05);
  MUST(thigmo_world_let_go(world, grab));
  REFUSES(THIGMO_STALE, thigmo_world_let_go(world, grab));
  REFUSES(THIGMO_STALE, thigmo_world_drag(world, grab, (thigmo_vec3){0, 0, 0}));
  MUST(thigmo_world_grab(world, tip_segment(world, rod), NULL, &second));
  CHECK(second.number != grab.number);
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_drag(world, second, (thigmo_vec3){NAN, 0, 0}));
  spring.stiffness = 0;
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_grab(world, tip_segment(world, rod), &spring, &second));
  MUST(thigmo_world_free(world));
}

static void what_is_released_falls_onto_the_ground(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  thigmo_ground ground = thigmo_default_ground();
  ground.height = -0.5;
  MUST(thigmo_world_set_ground(world, &ground));
  MUST(thigmo_world_release_root(world, rod));
  run(world, 6); /* free fall: g t^2 / 2 */
  thigmo_momentum momentum = {0};
  MUST(thigmo_world_momentum(world, rod, &momentum));
  NEAR(momentum.linear.y, -momentum.mass * 9.81 * 0.1, 1e-9);
  int touched = 0;
  for (int i = 0; i < 120; ++i) {
    MUST(thigmo_world_step(world, 1.0 / 60, 1));
    thigmo_event events[16];
    size_t count = 0;
    MUST(thigmo_world_events(world, events, 16, &count));
    for (size_t e = 0; e < count; ++e) touched += events[e].kind == THIGMO_TOUCHED;
  }
  CHECK(touched >= 1);
  CHECK(tip_of(world, rod, 1) > -0.55);
  MUST(thigmo_world_clamp_root(world, rod));
  ground.friction = -1;
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_set_ground(world, &ground));
  MUST(thigmo_world_set_ground(world, NULL));
  MUST(thigmo_world_free(world));
}

static void a_root_goes_where_it_is_carried(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  thigmo_transform to = {{0.2, 0.3, -0.1}, {1, 0, 0, 0}};
  MUST(thigmo_world_move_root(world, rod, &to, 0.5));
  run(world, 240);
  double places[140];
  MUST(thigmo_world_transforms(world, rod, THIGMO_POSITION_ROTATION, places, 140, NULL));
  NEAR(places[0], 0.2, 1e-9);
  NEAR(places[1], 0.3, 1e-9);
  NEAR(places[2], -0.1, 1e-9);
  to.rotation.w = 2;
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_move_root(world, rod, &to, 0.5));
  to.rotation.w = 1;
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_move_root(world, rod, &to, 0));
  MUST(thigmo_world_free(world));
}

void test_surroundings(void) {
  wind_blows_and_dies_away();
  a_force_bends_a_cantilever();
  a_grab_pulls_and_lets_go();
  what_is_released_falls_onto_the_ground();
  a_root_goes_where_it_is_carried();
}
