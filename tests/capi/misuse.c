#include <stdlib.h>

#include "check.h"

/* Handles are names: one that was freed is found out, whatever has its slot now, and so is one of another kind or one
 * that was made up. zeros.c does this for every function. */
static void handles_that_were_freed_are_stale(void) {
  double time = 0;
  thigmo_world first = new_world();
  MUST(thigmo_world_free(first));
  thigmo_world second = new_world(); /* in the same slot */
  CHECK(second != first);
  REFUSES(THIGMO_STALE, thigmo_world_time(first, &time));
  REFUSES(THIGMO_STALE, thigmo_world_free(first));
  MUST(thigmo_world_time(second, &time));
  REFUSES(THIGMO_STALE, thigmo_world_time(NULL, &time));
  MUST(thigmo_world_free(NULL));
  MUST(thigmo_grown_free(NULL));
  MUST(thigmo_surface_free(NULL));

  const thigmo_rod rod = thigmo_default_rod();
  thigmo_grown grown = NULL;
  MUST(thigmo_grown_from_rod(&rod, &grown));
  thigmo_plant plant = {0};
  REFUSES(THIGMO_STALE, thigmo_world_add_grown((thigmo_world)(void*)grown, grown, NULL, &plant));
  REFUSES(THIGMO_STALE, thigmo_world_add_grown(second, (thigmo_grown)(void*)second, NULL, &plant));
  REFUSES(THIGMO_STALE, thigmo_world_time((thigmo_world)(void*)&rod, &time));
  REFUSES(THIGMO_STALE, thigmo_world_time((thigmo_world)(void*)~(uintptr_t)0, &time));
  MUST(thigmo_world_add_grown(second, grown, NULL, &plant));
  MUST(thigmo_grown_free(grown));
  run(second, 2); /* it keeps what it needs */
  MUST(thigmo_world_free(second));
}

static void many_worlds_come_and_go(void) {
  thigmo_world worlds[50];
  double time = 0;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 50; ++i) worlds[i] = new_world();
    for (int i = 0; i < 50; ++i) MUST(thigmo_world_free(worlds[(i * 7) % 50]));
    for (int i = 0; i < 50; ++i) CHECK(thigmo_world_time(worlds[i], &time) == THIGMO_STALE);
  }
}

/* A rod's name is of no use in a world that has no rod. */
static void ids_of_other_worlds_are_checked(void) {
  thigmo_world full = new_world(), empty = new_world();
  const thigmo_plant rod = add_level_rod(full);
  thigmo_segment tip = {0};
  MUST(thigmo_world_tip(full, rod, &tip));
  thigmo_momentum momentum = {0};
  REFUSES(THIGMO_STALE, thigmo_world_momentum(empty, rod, &momentum));
  REFUSES(THIGMO_STALE, thigmo_world_cut(empty, tip, 0.5, NULL));
  REFUSES(THIGMO_STALE,
          thigmo_world_add_instances(empty, rod, &(thigmo_placing){{0, 0, 0}, 0}, 1, NULL));
  MUST(thigmo_world_free(full));
  MUST(thigmo_world_free(empty));
}

static void numbers_that_are_none_are_refused(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  thigmo_segment tip = {0};
  MUST(thigmo_world_tip(world, rod, &tip));
  const uint64_t before = hash_of(world);
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 3; ++i) {
    const thigmo_vec3 place = {0, bad[i], 0};
    REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_step(world, bad[i], 1));
    REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_set_gravity(world, place));
    CHECK(thigmo_world_cut(world, tip, bad[i], NULL) != THIGMO_OK);
    REFUSES(THIGMO_BAD_ARGUMENT,
            thigmo_world_add_instances(world, rod, &(thigmo_placing){place, 0}, 1, NULL));
    thigmo_rod shape = thigmo_default_rod();
    thigmo_plant plant = {0};
    shape.length = bad[i];
    REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_add_rod(world, &shape, &plant));
    shape = thigmo_default_rod();
    shape.position.z = bad[i];
    REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_add_rod(world, &shape, &plant));
    shape = thigmo_default_rod();
    shape.damping_ratio = bad[i];
    REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_add_rod(world, &shape, &plant));
    thigmo_grammar grammar = thigmo_default_grammar();
    grammar.text = "derivation length: 1\nAxiom: F(1)\n";
    grammar.position = place;
    REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_add_grammar(world, &grammar, &plant));
    const thigmo_transform to = {place, {1, 0, 0, 0}};
    REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_move_root(world, rod, &to, 1));
  }
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_step(world, 0, 1));
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_step(world, -1, 1));
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_step(world, 1.0 / 60, -1));
  CHECK(hash_of(world) == before); /* what was refused has changed nothing */
  MUST(thigmo_world_free(world));
}

static void too_much_is_refused(void) {
  thigmo_world world = new_world();
  thigmo_plant plant = {0};
  thigmo_rod rod = thigmo_default_rod();
  rod.segments = 2000000000;
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_add_rod(world, &rod, &plant));
  rod.segments = -1;
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_add_rod(world, &rod, &plant));
  const thigmo_plant one = add_level_rod(world);
  const thigmo_placing placing = {{0, 0, 0}, 0};
  /* More than any memory holds: found out before a placing is read. */
  REFUSES(THIGMO_NO_MEMORY, thigmo_world_add_instances(world, one, &placing, SIZE_MAX / 8, NULL));
  thigmo_diagnostic said = {0};
  CHECK(thigmo_error_count() == 1 && thigmo_error_get(0, &said) == THIGMO_OK);
  CHECK(said.code == THIGMO_NO_MEMORY && strlen(said.message) > 10);
  thigmo_grammar grammar = thigmo_default_grammar();
  grammar.text = "derivation length: 60\nAxiom: A\nA --> AA\n";
  CHECK(thigmo_world_add_grammar(world, &grammar, &plant) != THIGMO_OK);
  MUST(thigmo_world_free(world));
}

void test_misuse(void) {
  handles_that_were_freed_are_stale();
  many_worlds_come_and_go();
  ids_of_other_worlds_are_checked();
  numbers_that_are_none_are_refused();
  too_much_is_refused();
}
