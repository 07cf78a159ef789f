#include "check.h"

static const double pi = 3.14159265358979323846;

static thigmo_segment segment(thigmo_world world, thigmo_plant plant, size_t number) {
  thigmo_segment id = {0};
  MUST(thigmo_world_segment(world, plant, number, &id));
  return id;
}

static int32_t happened(thigmo_world world, int32_t kind) {
  thigmo_event events[64];
  size_t count = 0;
  MUST(thigmo_world_events(world, events, 64, &count));
  for (size_t i = 0; i < count; ++i) {
    if (events[i].kind == kind) return 1;
  }
  return 0;
}

static void a_cut_makes_a_piece_and_keeps_momentum(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  MUST(thigmo_world_set_gravity(world, (thigmo_vec3){0, -3, 0}));
  MUST(thigmo_world_keep_account(world));
  run(world, 10);
  const thigmo_segment fifth = segment(world, rod, 5), twelfth = segment(world, rod, 12);
  thigmo_momentum before = {0}, stump = {0}, fallen = {0};
  MUST(thigmo_world_momentum(world, rod, &before));
  thigmo_edit edit = {0};
  MUST(thigmo_world_cut(world, segment(world, rod, 8), 0.25, &edit));
  CHECK(edit.pieces == 1 && edit.splits == 1 && happened(world, THIGMO_CUT));
  NEAR(edit.split.along, 0.25, 0);
  CHECK(edit.energy_after <= edit.energy_before * (1 + 1e-12));
  thigmo_plant pieces[2] = {{0}}, owner = {0};
  thigmo_split splits[2];
  size_t count = 0;
  MUST(thigmo_world_pieces(world, pieces, 2, &count));
  CHECK(count == 1 && memcmp(&pieces[0], &edit.piece, sizeof edit.piece) == 0);
  MUST(thigmo_world_splits(world, splits, 2, &count));
  CHECK(count == 1 && memcmp(&splits[0], &edit.split, sizeof edit.split) == 0);
  MUST(thigmo_world_plant_of(world, fifth, &owner));
  CHECK(memcmp(&owner, &rod, sizeof rod) == 0);
  MUST(thigmo_world_plant_of(world, twelfth, &owner));
  CHECK(memcmp(&owner, &edit.piece, sizeof rod) == 0);
  CHECK(segments_of(world, rod) == 9 && segments_of(world, edit.piece) == 12);
  MUST(thigmo_world_momentum(world, rod, &stump));
  MUST(thigmo_world_momentum(world, edit.piece, &fallen));
  NEAR(stump.mass + fallen.mass, before.mass, 1e-12);
  NEAR(stump.linear.y + fallen.linear.y, before.linear.y, 1e-9 * fabs(before.linear.y));
  NEAR(stump.angular.z + fallen.angular.z, before.angular.z, 1e-9 * fabs(before.angular.z));

  MUST(thigmo_world_graft(world, edit.piece, edit.split.lower,
                          &(thigmo_graft){.along = 1, .turn = {1, 0, 0, 0}}, &edit));
  CHECK(happened(world, THIGMO_GRAFTED));
  REFUSES(THIGMO_STALE, thigmo_world_cut(world, (thigmo_segment){0}, 0, &edit));
  run(world, 10);
  MUST(thigmo_world_free(world));
}

static void what_is_removed_is_gone(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world), other = add_level_rod(world);
  const thigmo_segment tenth = segment(world, rod, 10), last = segment(world, rod, 19);
  MUST(thigmo_world_remove_segment(world, tenth, NULL));
  CHECK(segments_of(world, rod) == 10);
  int32_t holds = 1;
  MUST(thigmo_world_holds_segment(world, last, &holds));
  CHECK(!holds);
  thigmo_plant owner = {0};
  REFUSES(THIGMO_STALE, thigmo_world_plant_of(world, last, &owner));
  REFUSES(THIGMO_STALE, thigmo_world_remove_segment(world, tenth, NULL));
  MUST(thigmo_world_remove_plant(world, rod, NULL));
  REFUSES(THIGMO_STALE, thigmo_world_remove_plant(world, rod, NULL));
  MUST(thigmo_world_holds_plant(world, rod, &holds));
  CHECK(!holds && happened(world, THIGMO_REMOVED));
  const thigmo_plant third = add_level_rod(world); /* never the first one's name */
  CHECK(memcmp(&third, &rod, sizeof rod) != 0);
  CHECK(segments_of(world, other) == 20);
  MUST(thigmo_world_free(world));
}

static void a_grown_plant_is_grafted(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  thigmo_rod twig = thigmo_default_rod();
  twig.segments = 3;
  twig.length = 0.2;
  twig.radius_base = twig.radius_tip = 0.003;
  thigmo_grown grown = NULL;
  MUST(thigmo_grown_from_rod(&twig, &grown));
  thigmo_graft graft = thigmo_default_graft();
  graft.along = 0.5;
  MUST(thigmo_world_graft_grown(world, grown, segment(world, rod, 10), &graft, NULL));
  CHECK(segments_of(world, rod) == 23);
  size_t plants = 0;
  MUST(thigmo_world_plants(world, NULL, 0, &plants));
  CHECK(plants == 1);
  graft.rest = 2;
  REFUSES(THIGMO_BAD_ARGUMENT,
          thigmo_world_graft_grown(world, grown, segment(world, rod, 1), &graft, NULL));
  graft.rest = THIGMO_AS_IT_IS;
  graft.turn.w = NAN;
  REFUSES(THIGMO_BAD_ARGUMENT,
          thigmo_world_graft_grown(world, grown, segment(world, rod, 1), &graft, NULL));
  MUST(thigmo_grown_free(grown));
  REFUSES(THIGMO_STALE, thigmo_world_graft_grown(world, grown, segment(world, rod, 1), NULL, NULL));
  CHECK(segments_of(world, rod) == 23);
  run(world, 5);
  MUST(thigmo_world_free(world));
}

/* A cantilever's first frequency goes with the root of E / rho, and a tip's growth makes it slower. */
static void growth_and_change_are_felt(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  double first = 0, now = 0;
  MUST(thigmo_world_first_frequency(world, rod, &first));
  thigmo_body bodies[20];
  MUST(thigmo_world_bodies(world, rod, bodies, 20, NULL));
  /* E I / h of a joint between segments of a length h, and rho A h. */
  NEAR(bodies[10].stiffness.x, 5e9 * 0.25 * pi * 1e-8 / 0.05, 1e-6);
  NEAR(bodies[10].mass, 500 * pi * 1e-4 * 0.05, 1e-12);
  thigmo_change change = thigmo_default_change();
  change.stiffness = 4;
  MUST(thigmo_world_change_plant(world, rod, &change, NULL));
  const double softer = bodies[10].stiffness.x;
  MUST(thigmo_world_bodies(world, rod, bodies, 20, NULL));
  NEAR(bodies[10].stiffness.x, 4 * softer, 1e-6);
  MUST(thigmo_world_first_frequency(world, rod, &now));
  NEAR(now, 2 * first, 1e-6 * first);
  change.stiffness = 1;
  change.mass = 4;
  thigmo_segment all[20];
  for (size_t i = 0; i < 20; ++i) all[i] = segment(world, rod, i);
  MUST(thigmo_world_change_segments(world, all, 20, &change, NULL));
  MUST(thigmo_world_first_frequency(world, rod, &now));
  NEAR(now, first, 1e-6 * first);
  CHECK(happened(world, THIGMO_CHANGED));
  MUST(thigmo_world_extend(world, all[19], 0.05, NULL));
  double longer = 0;
  MUST(thigmo_world_first_frequency(world, rod, &longer));
  CHECK(longer < now);
  MUST(thigmo_world_thicken(world, all, 20, 1.5, NULL));
  thigmo_segment_info info[20];
  MUST(thigmo_world_segments(world, rod, info, 20, NULL));
  NEAR(info[3].radius_base, 0.015, 1e-15);
  NEAR(info[19].length, 0.1, 1e-15);
  change.mass = -1;
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_change_plant(world, rod, &change, NULL));
  change = thigmo_default_change();
  change.species = "beech";
  thigmo_material materials[4];
  size_t kinds = 0;
  MUST(thigmo_world_materials(world, rod, materials, 4, &kinds));
  CHECK(kinds == 1 && materials[0].young == 5e9 && materials[0].density == 500);
  MUST(thigmo_world_change_segments(world, all + 5, 1, &change, NULL));
  MUST(thigmo_world_materials(world, rod, materials, 4, &kinds));
  MUST(thigmo_world_segments(world, rod, info, 20, NULL));
  CHECK(kinds == 2 && strcmp(materials[info[5].material].name, "beech") == 0);
  CHECK(info[4].material == 0 && materials[info[5].material].shear > 0);
  change.species = "no such wood";
  REFUSES(THIGMO_BAD_INPUT, thigmo_world_change_plant(world, rod, &change, NULL));
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_thicken(world, all, 20, NAN, NULL));
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_extend(world, all[19], INFINITY, NULL));
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_extend(world, all[3], 0.1, NULL)); /* no end */
  all[7] = (thigmo_segment){12345, 3};
  REFUSES(THIGMO_STALE, thigmo_world_thicken(world, all, 20, 2, NULL));
  MUST(thigmo_world_segments(world, rod, info, 20, NULL));
  NEAR(info[3].radius_base, 0.015, 1e-15); /* what was refused has changed nothing */
  MUST(thigmo_world_free(world));
}

static void a_copy_goes_its_own_way(void) {
  thigmo_world world = new_world(), undo = NULL;
  const thigmo_plant tree = add_tree(world);
  run(world, 10);
  MUST(thigmo_world_copy(world, &undo));
  CHECK(hash_of(world) == hash_of(undo));
  MUST(thigmo_world_cut(world, segment(world, tree, 4), 0.5, NULL));
  run(world, 5);
  CHECK(hash_of(world) != hash_of(undo));
  thigmo_world again = NULL;
  MUST(thigmo_world_copy(undo, &again));
  MUST(thigmo_world_cut(again, segment(again, tree, 4), 0.5, NULL));
  run(again, 5);
  CHECK(hash_of(world) == hash_of(again));
  MUST(thigmo_world_free(world));
  run(undo, 1);
  MUST(thigmo_world_free(undo));
  MUST(thigmo_world_free(again));
}

void test_edits(void) {
  a_cut_makes_a_piece_and_keeps_momentum();
  what_is_removed_is_gone();
  a_grown_plant_is_grafted();
  growth_and_change_are_felt();
  a_copy_goes_its_own_way();
}
