#include <stdlib.h>

#include "check.h"

/* Tests of include/thigmo/c.h as a C program sees it: capi_tests NAME runs one group of them. */

int failed_checks = 0;

thigmo_world new_world(void) {
  thigmo_world world = NULL;
  MUST(thigmo_world_create(&world));
  return world;
}

thigmo_plant add_level_rod(thigmo_world world) {
  thigmo_plant plant = {0};
  thigmo_rod rod = thigmo_default_rod();
  rod.direction.x = 1;
  rod.direction.y = 0;
  rod.density = 500;
  rod.young = 5e9;
  rod.damping_ratio = 0.3;
  rod.stands_as_modelled = 1;
  MUST(thigmo_world_add_rod(world, &rod, &plant));
  return plant;
}

thigmo_plant add_tree(thigmo_world world) {
  thigmo_plant plant = {0};
  thigmo_grammar grammar = thigmo_default_grammar();
  grammar.file = THIGMO_SOURCE_DIR "/gallery/plants/young_tree.lsys";
  grammar.species = "oak";
  MUST(thigmo_world_add_grammar(world, &grammar, &plant));
  return plant;
}

void run(thigmo_world world, int steps) {
  for (int i = 0; i < steps; ++i) MUST(thigmo_world_step(world, 1.0 / 60, 1));
}

uint64_t hash_of(thigmo_world world) {
  uint64_t hash = 0;
  MUST(thigmo_world_state_hash(world, &hash));
  return hash;
}

size_t segments_of(thigmo_world world, thigmo_plant plant) {
  size_t count = 0;
  MUST(thigmo_world_segments(world, plant, NULL, 0, &count));
  return count;
}

static const struct {
  const char* name;
  void (*run)(void);
} groups[] = {
    {"plants", test_plants},   {"places", test_places},     {"surroundings", test_surroundings},
    {"edits", test_edits},     {"surfaces", test_surfaces}, {"accounts", test_accounts},
    {"keeping", test_keeping}, {"misuse", test_misuse},     {"threads", test_threads},
    {"zeros", test_zeros},
};

int main(int argc, char** argv) {
  for (size_t i = 0; i < sizeof groups / sizeof *groups && argc == 2; ++i) {
    if (strcmp(groups[i].name, argv[1]) != 0) continue;
    groups[i].run();
    return failed_checks == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  fprintf(stderr, "usage: capi_tests GROUP; there is no such group\n");
  return 2;
}
