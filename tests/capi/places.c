#include <stdlib.h>

#include "check.h"

enum { n = 20 };

/* A matrix of a unit quaternion, as every textbook has it. */
static void matrix_of(const double* q, double m[3][3]) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  m[0][0] = 1 - 2 * (y * y + z * z);
  m[0][1] = 2 * (x * y - w * z);
  m[0][2] = 2 * (x * z + w * y);
  m[1][0] = 2 * (x * y + w * z);
  m[1][1] = 1 - 2 * (x * x + z * z);
  m[1][2] = 2 * (y * z - w * x);
  m[2][0] = 2 * (x * z - w * y);
  m[2][1] = 2 * (y * z + w * x);
  m[2][2] = 1 - 2 * (x * x + y * y);
}

static void layouts_say_the_same(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  const thigmo_wind wind = {{3, 1, 8}, 0, 1, 20, 10, 0};
  MUST(thigmo_world_set_wind(world, &wind));
  run(world, 20);
  double plain[7 * n], rows[12 * n];
  float columns[16 * n];
  size_t count = 0;
  MUST(thigmo_world_transforms(world, rod, THIGMO_POSITION_ROTATION, plain, 7 * n, &count));
  CHECK(count == 7 * n);
  MUST(thigmo_world_transforms(world, rod, THIGMO_MATRIX_3X4, rows, 12 * n, NULL));
  MUST(thigmo_world_transforms_float(world, rod, THIGMO_MATRIX_4X4_COLUMNS, columns, 16 * n, NULL));
  for (int s = 0; s < n; ++s) {
    double m[3][3];
    matrix_of(plain + 7 * s + 3, m);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        NEAR(rows[12 * s + 4 * i + j], m[i][j], 1e-14);
        NEAR(columns[16 * s + 4 * j + i], m[i][j], 1e-7);
      }
      NEAR(rows[12 * s + 4 * i + 3], plain[7 * s + i], 0);
      NEAR(columns[16 * s + 12 + i], plain[7 * s + i], 1e-7);
      NEAR(columns[16 * s + 4 * i + 3], 0, 0);
    }
    NEAR(columns[16 * s + 15], 1, 0);
  }
  CHECK(thigmo_numbers_of(THIGMO_MATRIX_3X4) == 12 && thigmo_numbers_of(9) == 0);
  double spoilt = 5;
  REFUSES(THIGMO_NO_ROOM,
          thigmo_world_transforms(world, rod, THIGMO_MATRIX_3X4, &spoilt, 1, &count));
  CHECK(count == 12 * n && spoilt == 5);
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_transforms(world, rod, 3, rows, 12 * n, NULL));
  MUST(thigmo_world_free(world));
}

static void velocities_are_differences_of_places(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  MUST(thigmo_world_set_gravity(world, (thigmo_vec3){0, -3, 2}));
  run(world, 5);
  const double dt = 1e-5;
  double before[7 * n], after[7 * n];
  thigmo_motion motion[n];
  MUST(thigmo_world_transforms(world, rod, THIGMO_POSITION_ROTATION, before, 7 * n, NULL));
  MUST(thigmo_world_step(world, dt, 1));
  MUST(thigmo_world_velocities(world, rod, motion, n, NULL));
  MUST(thigmo_world_step(world, dt, 1));
  MUST(thigmo_world_transforms(world, rod, THIGMO_POSITION_ROTATION, after, 7 * n, NULL));
  for (int s = 0; s < n; ++s) {
    /* Central differences are off by dt^2 times the third derivative. */
    NEAR(motion[s].velocity.x, (after[7 * s] - before[7 * s]) / (2 * dt), 1e-5);
    NEAR(motion[s].velocity.y, (after[7 * s + 1] - before[7 * s + 1]) / (2 * dt), 1e-5);
    NEAR(motion[s].velocity.z, (after[7 * s + 2] - before[7 * s + 2]) / (2 * dt), 1e-5);
  }
  CHECK(fabs(motion[n - 1].velocity.y) > 1e-3 && fabs(motion[n - 1].angular_velocity.z) > 1e-3);
  MUST(thigmo_world_free(world));
}

static void a_rod_at_rest_carries_its_weight(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  thigmo_momentum momentum = {0};
  MUST(thigmo_world_momentum(world, rod, &momentum));
  const double pi = 3.14159265358979323846;
  const double mass = 500 * pi * 1e-4;
  NEAR(momentum.mass, mass, 1e-12);
  NEAR(momentum.center.x, 0.5, 1e-12);
  NEAR(momentum.linear.y, 0, 1e-15);
  run(world, 1);
  thigmo_section_load loads[n];
  MUST(thigmo_world_section_loads(world, rod, loads, n, NULL));
  /* It stands as it was modelled, so that its root carries m g and m g L / 2, at (1 m) / 2 from its root. */
  NEAR(fabs(loads[0].force.y), mass * 9.81, 1e-6);
  NEAR(fabs(loads[0].moment.z), mass * 9.81 * 0.5, 1e-6);
  const double w = pi / 4 * 1e-6; /* section modulus pi r^3 / 4 */
  NEAR(loads[0].stress, mass * 9.81 * 0.5 / w, 1e-3 * loads[0].stress);
  MUST(thigmo_world_free(world));
}

static void rays_and_points_meet_the_rod(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  const thigmo_ray down = {{0.52, 3, 0}, {0, -2, 0}, 100};
  thigmo_picked picked = {0};
  MUST(thigmo_world_pick(world, &down, &picked));
  thigmo_segment tenth = {0};
  MUST(thigmo_world_segment(world, rod, 10, &tenth));
  CHECK(picked.hit && memcmp(&picked.segment, &tenth, sizeof tenth) == 0);
  CHECK(memcmp(&picked.plant, &rod, sizeof rod) == 0);
  NEAR(picked.along, 0.4, 1e-9);
  NEAR(picked.distance, 3 - 0.01, 1e-9);
  NEAR(picked.position.y, 0.01, 1e-9);
  MUST(thigmo_world_nearest(world, (thigmo_vec3){0.52, 0, 0.11}, 1, &picked));
  CHECK(picked.hit && memcmp(&picked.segment, &tenth, sizeof tenth) == 0);
  NEAR(picked.distance, 0.1, 1e-9);
  const thigmo_ray up = {{0.52, 3, 0}, {0, 1, 0}, 100}, none = {{0, 0, 0}, {0, 0, 0}, 1},
                   no_number = {{0, NAN, 0}, {0, 1, 0}, 1};
  MUST(thigmo_world_pick(world, &up, &picked));
  CHECK(!picked.hit && picked.distance == 0);
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_pick(world, &none, &picked));
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_pick(world, &no_number, &picked));
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_nearest(world, (thigmo_vec3){0, 0, 0}, -1, &picked));
  MUST(thigmo_world_free(world));
}

static void probes_go_where_their_segments_go(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  thigmo_segment fifth = {0}, tip = {0};
  MUST(thigmo_world_segment(world, rod, 5, &fifth));
  MUST(thigmo_world_tip(world, rod, &tip));
  MUST(thigmo_world_add_probe(world, "tip", tip, 1));
  MUST(thigmo_world_add_probe(world, "middle", fifth, 0.5));
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_add_probe(world, "tip", fifth, 1));
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_add_probe(world, "", fifth, 1));
  CHECK(thigmo_world_add_probe(world, "beyond", fifth, 1.5) == THIGMO_BAD_ARGUMENT);
  thigmo_probe probes[2];
  size_t count = 0;
  MUST(thigmo_world_probes(world, probes, 2, &count));
  CHECK(count == 2 && strcmp(probes[0].name, "tip") == 0 && strcmp(probes[1].name, "middle") == 0);
  NEAR(probes[0].position.x, 1, 1e-12);
  NEAR(probes[1].position.x, 0.275, 1e-12);
  MUST(thigmo_world_cut(world, fifth, 0, NULL)); /* all of it falls */
  run(world, 6);
  MUST(thigmo_world_probes(world, probes, 2, NULL));
  NEAR(probes[0].velocity.y, -0.981, 0.02); /* and unbends a little */
  MUST(thigmo_world_remove_segment(world, tip, NULL));
  MUST(thigmo_world_probes(world, probes, 2, NULL));
  CHECK(isnan(probes[0].position.x) && !isnan(probes[1].position.x));
  MUST(thigmo_world_remove_probe(world, "tip"));
  REFUSES(THIGMO_STALE, thigmo_world_remove_probe(world, "tip"));
  MUST(thigmo_world_probes(world, NULL, 0, &count));
  CHECK(count == 1);
  MUST(thigmo_world_free(world));
}

void test_places(void) {
  layouts_say_the_same();
  velocities_are_differences_of_places();
  a_rod_at_rest_carries_its_weight();
  rays_and_points_meet_the_rod();
  probes_go_where_their_segments_go();
}
