#include "check.h"

static const char* const fork =
    "derivation length: 1\n"
    "Axiom: !(0.02)A\n"
    "A --> F(0.5)[+(30)!(0.01)F(0.3)]F(0.4)\n";

static void a_text_a_file_and_a_grown_plant_give_the_same(void) {
  thigmo_world world = new_world();
  thigmo_grammar grammar = thigmo_default_grammar();
  grammar.text = fork;
  grammar.species = "oak";
  thigmo_plant from_text = {0}, from_grown = {0};
  MUST(thigmo_world_add_grammar(world, &grammar, &from_text));
  thigmo_grown grown = NULL;
  MUST(thigmo_grown_from_grammar(&grammar, &grown));
  thigmo_grown_info info = {0};
  MUST(thigmo_grown_get_info(grown, &info));
  CHECK(info.segments == 3);
  NEAR(info.height, 0.9, 0.02); /* and the radius of the tip */
  const thigmo_placing there = {{4, 0, 0}, 0};
  MUST(thigmo_world_add_grown(world, grown, &there, &from_grown));
  MUST(thigmo_grown_free(grown));
  CHECK(segments_of(world, from_text) == 3 && segments_of(world, from_grown) == 3);
  run(world, 10);
  double here[7 * 3], beside[7 * 3];
  MUST(thigmo_world_transforms(world, from_text, THIGMO_POSITION_ROTATION, here, 21, NULL));
  MUST(thigmo_world_transforms(world, from_grown, THIGMO_POSITION_ROTATION, beside, 21, NULL));
  for (int i = 0; i < 21; ++i) NEAR(beside[i], here[i] + (i % 7 == 0 ? 4 : 0), 1e-14);
  MUST(thigmo_world_free(world));
}

static void parameters_and_seeds_reach_the_grammar(void) {
  thigmo_world world = new_world();
  const thigmo_parameter longer = {"L", 0.75};
  thigmo_grammar grammar = thigmo_default_grammar();
  grammar.text = "#define L 0.5\nderivation length: 1\nAxiom: !(0.02)A\nA --> F(L)F(L)\n";
  grammar.parameters = &longer;
  grammar.parameter_count = 1;
  thigmo_plant plant = {0};
  MUST(thigmo_world_add_grammar(world, &grammar, &plant));
  thigmo_segment_info info[2];
  size_t count = 0;
  MUST(thigmo_world_segments(world, plant, info, 2, &count));
  CHECK(count == 2 && info[0].parent == -1 && info[1].parent == 0);
  CHECK(info[1].symbol == 'F' && info[1].rule == 0 && info[1].step == 1);
  NEAR(info[0].length, 0.75, 1e-15);
  NEAR(info[1].radius_base, 0.01, 1e-12);
  grammar.steps = 0; /* the axiom draws nothing */
  REFUSES(THIGMO_BAD_INPUT, thigmo_world_add_grammar(world, &grammar, &plant));
  MUST(thigmo_world_free(world));
}

static void errors_say_where(void) {
  thigmo_world world = new_world();
  thigmo_plant plant = {7, 7};
  thigmo_grammar grammar = thigmo_default_grammar();
  grammar.file = "fern.lsys";
  grammar.text = "derivation length: 1\nAxiom: A\nA --> F(q)\n";
  REFUSES(THIGMO_BAD_INPUT, thigmo_world_add_grammar(world, &grammar, &plant));
  CHECK(plant.slot == 7 && plant.generation == 7);
  CHECK(strstr(thigmo_error_message(), "fern.lsys:3:") != NULL);
  CHECK(thigmo_error_count() >= 1);
  thigmo_diagnostic said = {0};
  CHECK(thigmo_error_get(0, &said) == THIGMO_OK);
  CHECK(said.severity == THIGMO_ERROR && said.code == THIGMO_BAD_INPUT);
  CHECK(strcmp(said.file, "fern.lsys") == 0 && said.line == 3 && said.column == 9);
  CHECK(strstr(said.source_line, "A --> F(q)") != NULL && strstr(said.message, "q") != NULL);
  CHECK(thigmo_error_get(thigmo_error_count(), &said) == THIGMO_BAD_ARGUMENT);
  CHECK(thigmo_error_get(0, NULL) == THIGMO_BAD_ARGUMENT);
  MUST(thigmo_world_set_gravity(world, (thigmo_vec3){0, -1, 0}));
  CHECK(strstr(thigmo_error_message(), "fern.lsys:3:") != NULL); /* stays until the next */

  grammar.text = NULL;
  grammar.file = "/nowhere/at/all.lsys";
  REFUSES(THIGMO_BAD_INPUT, thigmo_world_add_grammar(world, &grammar, &plant));
  CHECK(strstr(thigmo_error_message(), "/nowhere/at/all.lsys") != NULL);
  grammar.file = NULL;
  REFUSES(THIGMO_BAD_INPUT, thigmo_world_add_grammar(world, &grammar, &plant));
  grammar.text = fork;
  grammar.species = "oka";
  REFUSES(THIGMO_BAD_INPUT, thigmo_world_add_grammar(world, &grammar, &plant));
  CHECK(thigmo_error_get(0, &said) == THIGMO_OK && strstr(said.hint, "oak") != NULL);
  MUST(thigmo_world_free(world));
}

static void instances_share_a_model_and_have_names_of_their_own(void) {
  thigmo_world world = new_world();
  const thigmo_plant tree = add_tree(world);
  thigmo_placing placings[5];
  thigmo_plant names[5], all[6];
  for (int i = 0; i < 5; ++i) placings[i] = (thigmo_placing){{3.0 * i, 0, 5}, 0.3 * i};
  MUST(thigmo_world_add_instances(world, tree, placings, 5, names));
  size_t count = 0, segments = 0;
  MUST(thigmo_world_plants(world, NULL, 0, &count));
  CHECK(count == 6);
  REFUSES(THIGMO_NO_ROOM, thigmo_world_plants(world, all, 5, &count));
  MUST(thigmo_world_plants(world, all, 6, &count));
  CHECK(memcmp(all, &tree, sizeof tree) == 0 && memcmp(all + 1, names, sizeof names) == 0);
  MUST(thigmo_world_segment_count(world, &segments));
  CHECK(segments == 6 * segments_of(world, tree));
  MUST(thigmo_world_add_instances(world, tree, placings, 1, NULL));

  thigmo_segment tip = {0}, second = {0};
  MUST(thigmo_world_tip(world, names[2], &tip));
  MUST(thigmo_world_segment(world, names[2], 1, &second));
  thigmo_plant owner = {0};
  MUST(thigmo_world_plant_of(world, tip, &owner));
  CHECK(memcmp(&owner, &names[2], sizeof owner) == 0);
  CHECK(memcmp(&tip, &second, sizeof tip) != 0);
  int32_t holds = 0;
  MUST(thigmo_world_holds_plant(world, names[4], &holds));
  CHECK(holds);
  MUST(thigmo_world_holds_segment(world, tip, &holds));
  CHECK(holds);
  MUST(thigmo_world_holds_plant(world, (thigmo_plant){0}, &holds));
  CHECK(!holds);
  MUST(thigmo_world_free(world));
}

static void notes_say_what_was_completed(void) {
  thigmo_grammar grammar = thigmo_default_grammar();
  /* A closing bracket too few: said, and completed. */
  grammar.text = "derivation length: 1\nAxiom: !(0.02)A\nA --> F(1)F(1)\nB --> F\n";
  thigmo_world world = new_world();
  thigmo_plant plant = {0};
  thigmo_grown grown = NULL;
  MUST(thigmo_world_add_grammar(world, &grammar, &plant));
  MUST(thigmo_grown_from_grammar(&grammar, &grown));
  size_t of_world = 0, of_grown = 0;
  MUST(thigmo_world_note_count(world, &of_world));
  MUST(thigmo_grown_note_count(grown, &of_grown));
  CHECK(of_world == of_grown);
  thigmo_diagnostic said = {0};
  for (size_t i = 0; i < of_grown; ++i) {
    MUST(thigmo_grown_note(grown, i, &said));
    CHECK(said.severity != THIGMO_ERROR && said.code == THIGMO_OK && strlen(said.message) > 0);
    MUST(thigmo_world_note(world, i, &said));
  }
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_grown_note(grown, of_grown, &said));
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_world_note(world, of_world, &said));
  MUST(thigmo_grown_free(grown));
  MUST(thigmo_world_free(world));
}

static void particles_move_what_asks_for_them(void) {
  thigmo_world world = new_world();
  const thigmo_particle_settings settings = thigmo_default_particles();
  CHECK(settings.supports == 4 && settings.iterations == 0 && settings.power == 1);
  thigmo_rod rod = thigmo_default_rod();
  thigmo_plant joints = {0}, particles = {0};
  MUST(thigmo_world_add_rod(world, &rod, &joints));
  rod.particles = &settings;
  MUST(thigmo_world_add_rod(world, &rod, &particles));
  thigmo_particle_component component = {0};
  size_t count = 9;
  MUST(thigmo_world_particles(world, joints, &component, 1, &count));
  CHECK(count == 0);
  MUST(thigmo_world_particles(world, particles, &component, 1, &count));
  /* As many as the root of its constraints, rounded up: Li (2012), appendix A.1. */
  const size_t n = (size_t)component.iterations;
  CHECK(count == 1 && component.constraints > 20 && n * n >= component.constraints &&
        (n - 1) * (n - 1) < component.constraints);
  run(world, 10);
  thigmo_particle_settings odd = settings;
  odd.supports = 3;
  rod.particles = &odd;
  thigmo_plant none = {0};
  CHECK(thigmo_world_add_rod(world, &rod, &none) != THIGMO_OK);
  CHECK(strlen(thigmo_error_message()) > 0);
  MUST(thigmo_world_free(world));
}

static void the_header_is_the_library_s(void) {
  CHECK(thigmo_abi() == THIGMO_ABI);
  CHECK(strlen(thigmo_version()) >= 5);
}

void test_plants(void) {
  the_header_is_the_library_s();
  a_text_a_file_and_a_grown_plant_give_the_same();
  parameters_and_seeds_reach_the_grammar();
  errors_say_where();
  instances_share_a_model_and_have_names_of_their_own();
  notes_say_what_was_completed();
  particles_move_what_asks_for_them();
}
