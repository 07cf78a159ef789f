#include <stdlib.h>

#include "check.h"

/* Worlds as bytes. */

static void a_saved_world_goes_on_with_the_same_bits(void) {
  thigmo_world world = new_world(), again = NULL;
  const thigmo_plant tree = add_tree(world);
  const thigmo_wind wind = thigmo_default_wind();
  const thigmo_ground ground = thigmo_default_ground();
  MUST(thigmo_world_set_wind(world, &wind));
  MUST(thigmo_world_set_ground(world, &ground));
  thigmo_segment fourth = {0}, tip = {0};
  thigmo_grab grab = {0};
  MUST(thigmo_world_segment(world, tree, 4, &fourth));
  MUST(thigmo_world_tip(world, tree, &tip));
  MUST(thigmo_world_grab(world, tip, NULL, &grab));
  MUST(thigmo_world_add_probe(world, "tip", tip, 1));
  run(world, 10);
  thigmo_edit edit = {0};
  MUST(thigmo_world_cut(world, fourth, 0.5, &edit));
  run(world, 5);

  thigmo_bytes bytes = {0};
  MUST(thigmo_world_save(world, &bytes));
  CHECK(bytes.size > 1000);
  MUST(thigmo_world_restore(bytes.data, bytes.size, &again));
  CHECK(hash_of(again) == hash_of(world));
  MUST(thigmo_world_drag(world, grab, (thigmo_vec3){0.5, 2, 0}));
  MUST(thigmo_world_drag(again, grab, (thigmo_vec3){0.5, 2, 0}));
  run(world, 10);
  run(again, 10);
  CHECK(hash_of(again) == hash_of(world));
  thigmo_plant owner = {0};
  thigmo_probe here = {0}, there = {0};
  MUST(thigmo_world_plant_of(again, edit.split.upper, &owner));
  CHECK(memcmp(&owner, &edit.piece, sizeof owner) == 0);
  MUST(thigmo_world_probes(world, &here, 1, NULL));
  MUST(thigmo_world_probes(again, &there, 1, NULL));
  NEAR(there.position.x, here.position.x, 0);
  MUST(thigmo_world_free(world));
  MUST(thigmo_world_free(again));
}

static void damaged_bytes_are_refused(void) {
  thigmo_world world = new_world(), again = NULL;
  add_level_rod(world);
  thigmo_bytes bytes = {0};
  MUST(thigmo_world_save(world, &bytes));
  unsigned char* copy = malloc(bytes.size);
  memcpy(copy, bytes.data, bytes.size);
  for (size_t size = 0; size < bytes.size; size += 1 + bytes.size / 37) {
    REFUSES(THIGMO_BAD_INPUT, thigmo_world_restore(copy, size, &again));
  }
  for (size_t i = 0; i < bytes.size; i += 1 + bytes.size / 101) {
    copy[i] ^= 0x55;
    REFUSES(THIGMO_BAD_INPUT, thigmo_world_restore(copy, bytes.size, &again));
    copy[i] ^= 0x55;
  }
  CHECK(again == NULL);
  MUST(thigmo_world_restore(copy, bytes.size, &again));
  free(copy);
  run(again, 2);
  MUST(thigmo_world_free(again));
  MUST(thigmo_world_free(world));
}

static void a_log_comes_again(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  thigmo_bytes none = {0}, log = {0};
  CHECK(thigmo_world_log(world, &none) != THIGMO_OK); /* none is kept yet */
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_keep_log(world, -1));
  MUST(thigmo_world_keep_log(world, 5));
  thigmo_segment tenth = {0}, tip = {0};
  thigmo_grab grab = {0};
  MUST(thigmo_world_segment(world, rod, 10, &tenth));
  MUST(thigmo_world_tip(world, rod, &tip));
  MUST(thigmo_world_grab(world, tip, NULL, &grab));
  MUST(thigmo_world_drag(world, grab, (thigmo_vec3){1, 0.125, 0}));
  run(world, 12);
  MUST(thigmo_world_cut(world, tenth, 0.5, NULL));
  run(world, 8);
  MUST(thigmo_world_log(world, &log));
  thigmo_replay again = {0};
  MUST(thigmo_world_replay(log.data, log.size, 2, &again));
  CHECK(again.steps == 20 && !again.differs && again.state_hash == hash_of(world));
  CHECK(hash_of(again.world) == hash_of(world));
  MUST(thigmo_world_free(again.world));

  /* Another place to drag to is another motion: said, with its line. */
  char* changed = malloc(log.size + 1);
  memcpy(changed, log.data, log.size);
  changed[log.size] = 0;
  char* place = strstr(changed, "0.125");
  CHECK(place != NULL);
  if (place != NULL) place[2] = '2';
  MUST(thigmo_world_replay(changed, log.size, 1, &again));
  CHECK(again.differs && again.difference.line > 1 && strlen(again.difference.message) > 10);
  MUST(thigmo_world_free(again.world));
  again.world = NULL;
  REFUSES(THIGMO_BAD_INPUT, thigmo_world_replay("no log", 6, 1, &again));
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_replay(log.data, log.size, -1, &again));
  CHECK(again.world == NULL);
  free(changed);
  MUST(thigmo_world_free(world));
}

void test_keeping(void) {
  a_log_comes_again();
  a_saved_world_goes_on_with_the_same_bits();
  damaged_bytes_are_refused();
}
