#include <pthread.h>

#include "check.h"

/* The caller's jobs, other threads, and threads of thigmo. */

static thigmo_world forest(void) {
  thigmo_world world = new_world();
  const thigmo_plant tree = add_tree(world);
  thigmo_placing placings[7];
  for (int i = 0; i < 7; ++i) placings[i] = (thigmo_placing){{4.0 * i, 0, 6}, 0.5 * i};
  MUST(thigmo_world_add_instances(world, tree, placings, 7, NULL));
  const thigmo_wind wind = thigmo_default_wind();
  MUST(thigmo_world_set_wind(world, &wind));
  return world;
}

static int calls_of_run = 0;

/* Any order will do: the last one first. */
static void run_backwards(void* user, size_t count, void (*work)(const void*, size_t),
                          const void* data) {
  CHECK(user == &calls_of_run);
  ++calls_of_run;
  for (size_t i = count; i-- > 0;) work(data, i);
}

static void threads_and_jobs_give_the_same_bits(void) {
  uint64_t hashes[4];
  for (int i = 0; i < 4; ++i) {
    thigmo_world world = forest();
    const thigmo_jobs jobs = {run_backwards, &calls_of_run, 4};
    const int32_t threads[] = {1, 2, 0};
    for (int step = 0; step < 10; ++step) {
      if (i == 3) {
        MUST(thigmo_world_step_with_jobs(world, 1.0 / 60, &jobs));
      } else {
        MUST(thigmo_world_step(world, 1.0 / 60, threads[i]));
      }
    }
    hashes[i] = hash_of(world);
    MUST(thigmo_world_free(world));
  }
  CHECK(calls_of_run >= 10);
  CHECK(hashes[0] == hashes[1] && hashes[0] == hashes[2] && hashes[0] == hashes[3]);
}

/* A world that a second thread calls while the first is in a step. */
typedef struct meeting {
  thigmo_world world;
  thigmo_surface surface;
  thigmo_plant plant;
} meeting;

static void* intrude(void* user) {
  const meeting* met = user;
  double time = -1;
  thigmo_shape shape = {0};
  CHECK(strlen(thigmo_error_message()) == 0); /* errors belong to threads */
  REFUSES(THIGMO_BUSY, thigmo_world_time(met->world, &time));
  REFUSES(THIGMO_BUSY, thigmo_world_step(met->world, 0.01, 1));
  REFUSES(THIGMO_BUSY, thigmo_world_free(met->world));
  REFUSES(THIGMO_BUSY, thigmo_surface_follow(met->surface, met->world, met->plant, &shape));
  CHECK(time == -1);
  thigmo_world other = NULL; /* other worlds may be called */
  MUST(thigmo_world_create(&other));
  MUST(thigmo_world_free(other));
  return NULL;
}

static void run_with_an_intruder(void* user, size_t count, void (*work)(const void*, size_t),
                                 const void* data) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, intrude, user) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  REFUSES(THIGMO_BUSY, thigmo_world_free(((meeting*)user)->world)); /* nor from within */
  for (size_t i = 0; i < count; ++i) work(data, i);
}

static void a_second_thread_is_told_that_the_world_is_busy(void) {
  meeting met = {forest(), NULL, {0}};
  MUST(thigmo_world_plants(met.world, NULL, 0, &(size_t){0}));
  thigmo_plant plants[8];
  MUST(thigmo_world_plants(met.world, plants, 8, NULL));
  met.plant = plants[0];
  MUST(thigmo_surface_create(met.world, met.plant, NULL, &met.surface));
  const thigmo_jobs jobs = {run_with_an_intruder, &met, 2};
  MUST(thigmo_world_step_with_jobs(met.world, 1.0 / 60, &jobs));
  double time = 0;
  MUST(thigmo_world_time(met.world, &time));
  NEAR(time, 1.0 / 60, 1e-15);
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_step_with_jobs(met.world, 1.0 / 60, &(thigmo_jobs){0}));
  MUST(thigmo_surface_free(met.surface));
  MUST(thigmo_world_free(met.world));
}

static void* own_world(void* user) {
  uint64_t* hash = user;
  thigmo_world world = forest();
  run(world, 10);
  *hash = hash_of(world);
  MUST(thigmo_world_free(world));
  return NULL;
}

static void worlds_of_different_threads_do_not_meet(void) {
  pthread_t threads[3];
  uint64_t hashes[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, own_world, &hashes[i]);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  CHECK(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
}

void test_threads(void) {
  threads_and_jobs_give_the_same_bits();
  a_second_thread_is_told_that_the_world_is_busy();
  worlds_of_different_threads_do_not_meet();
}
