#include "check.h"

static const double pi = 3.14159265358979323846;

/* Clamped Euler-Bernoulli beam: f = 1.8751^2 / (2 pi L^2) sqrt(E I / (rho A)), I / A = r^2 / 4. */
static void a_rod_has_a_beam_s_frequency(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  const double beam = 1.875104 * 1.875104 / (2 * pi) * sqrt(5e9 * 1e-4 / (4 * 500));
  double found = 0, error = 0, sway = 0;
  MUST(thigmo_world_first_frequency(world, rod, &found));
  NEAR(found, beam, 5e-3 * beam); /* 20 segments */
  MUST(thigmo_world_frequency_error(world, rod, 1e-4, &error));
  NEAR(error, 0, 1e-3);
  MUST(thigmo_world_sway_frequency(world, rod, &sway));
  CHECK(sway > 0 && isfinite(sway));
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_frequency_error(world, rod, NAN, &error));
  REFUSES(THIGMO_STALE, thigmo_world_first_frequency(world, (thigmo_plant){0}, &found));
  MUST(thigmo_world_free(world));
}

static void energy_is_accounted_for(void) {
  thigmo_world world = new_world();
  add_level_rod(world);
  MUST(thigmo_world_set_gravity(world, (thigmo_vec3){0, 0, 0}));
  thigmo_works works = {0};
  MUST(thigmo_world_account(world, &works));
  NEAR(works.by_air, 0, 0);
  MUST(thigmo_world_keep_account(world));
  thigmo_energies before = {0}, after = {0};
  MUST(thigmo_world_energies(world, &before));
  const thigmo_wind wind = {{0, 8, 0}, 0, 1, 20, 10, 0};
  MUST(thigmo_world_set_wind(world, &wind));
  run(world, 30);
  MUST(thigmo_world_energies(world, &after));
  MUST(thigmo_world_account(world, &works));
  CHECK(works.by_air > 0 && works.lost_in_joints > 0);
  const double gained = after.kinetic + after.elastic + after.gravitational - before.kinetic -
                        before.elastic - before.gravitational;
  NEAR(works.by_air - works.lost_in_joints - works.lost_by_mass - works.numerical, gained,
       1e-6 * works.by_air);
  MUST(thigmo_world_free(world));
}

static void steps_are_counted_and_plants_sleep(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  double time = 1;
  MUST(thigmo_world_time(world, &time));
  NEAR(time, 0, 0);
  int32_t asleep = 0;
  for (int i = 0; i < 600 && !asleep; ++i) {
    run(world, 1);
    MUST(thigmo_world_asleep(world, rod, &asleep));
  }
  CHECK(asleep); /* it stands as it was modelled */
  thigmo_event event = {0};
  size_t count = 0;
  MUST(thigmo_world_events(world, &event, 1, &count));
  CHECK(count == 1 && event.kind == THIGMO_SLEPT && event.segment.number == 0);
  CHECK(strcmp(thigmo_event_name(event.kind), "slept") == 0);
  CHECK(strcmp(thigmo_event_name(-1), "unknown") == 0);
  CHECK(memcmp(&event.plant, &rod, sizeof rod) == 0);
  thigmo_record record = {0};
  MUST(thigmo_world_record(world, &record));
  CHECK(record.rejected_steps == 0 && record.coarse_steps == 0);
  CHECK(record.energy_gain < 0.02);
  MUST(thigmo_world_time(world, &time));
  run(world, 60);
  double later = 0;
  MUST(thigmo_world_time(world, &later));
  NEAR(later, time + 1, 1e-12);
  REFUSES(THIGMO_STALE, thigmo_world_asleep(world, (thigmo_plant){9, 9}, &asleep));
  MUST(thigmo_world_free(world));
}

void test_accounts(void) {
  a_rod_has_a_beam_s_frequency();
  energy_is_accounted_for();
  steps_are_counted_and_plants_sleep();
}
