#include <stdlib.h>

#include "check.h"

static void a_surface_rests_and_follows(void) {
  thigmo_world world = new_world();
  const thigmo_plant tree = add_tree(world);
  thigmo_surface surface = NULL;
  MUST(thigmo_surface_create(world, tree, NULL, &surface));
  thigmo_mesh mesh = {0};
  MUST(thigmo_surface_mesh(surface, &mesh));
  CHECK(mesh.vertices > 100 && mesh.indices % 3 == 0 && mesh.indices > 300);
  for (size_t i = 0; i < mesh.indices; ++i) CHECK(mesh.index[i] < mesh.vertices);
  for (size_t v = 0; v < mesh.vertices; ++v) {
    const float* normal = mesh.normals + 3 * v;
    NEAR(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2], 1, 1e-4);
  }
  thigmo_shape shape = {0};
  MUST(thigmo_surface_follow(surface, world, tree, &shape));
  CHECK(shape.vertices == mesh.vertices);
  const thigmo_wind wind = {{15, 0, 0}, 0, 1, 20, 10, 0};
  MUST(thigmo_world_set_wind(world, &wind));
  float before = 0, after = 0; /* of all vertices along the wind */
  for (size_t v = 0; v < shape.vertices; ++v) before += shape.positions[3 * v];
  run(world, 30);
  MUST(thigmo_surface_follow(surface, world, tree, &shape));
  for (size_t v = 0; v < shape.vertices; ++v) after += shape.positions[3 * v];
  CHECK(after > before);

  size_t numbers = 0;
  MUST(thigmo_surface_joint_matrices(surface, world, tree, NULL, 0, &numbers));
  CHECK(numbers == 16 * segments_of(world, tree));
  float* matrices = malloc(numbers * sizeof *matrices);
  MUST(thigmo_surface_joint_matrices(surface, world, tree, matrices, numbers, NULL));
  for (size_t v = 0; v < mesh.vertices; ++v) {
    for (size_t row = 0; row < 3; ++row) {
      double sum = 0;
      for (size_t k = 4 * v; k < 4 * v + 4; ++k) {
        const float* m = matrices + 16 * mesh.joints[k];
        double at = m[12 + row];
        for (size_t c = 0; c < 3; ++c) at += (double)m[4 * c + row] * mesh.positions[3 * v + c];
        sum += mesh.weights[k] * at;
      }
      NEAR(shape.positions[3 * v + row], sum, 2e-6); /* floats at two metres */
    }
  }
  REFUSES(THIGMO_NO_ROOM,
          thigmo_surface_joint_matrices(surface, world, tree, matrices, numbers - 1, NULL));
  free(matrices);

  thigmo_segment fourth = {0};
  MUST(thigmo_world_segment(world, tree, 4, &fourth));
  MUST(thigmo_world_cut(world, fourth, 0, NULL));
  REFUSES(THIGMO_BAD_ARGUMENT, thigmo_surface_follow(surface, world, tree, &shape));
  MUST(thigmo_world_free(world));
  MUST(thigmo_surface_mesh(surface, &mesh)); /* lives on */
  REFUSES(THIGMO_STALE, thigmo_surface_follow(surface, world, tree, &shape));
  MUST(thigmo_surface_free(surface));
  REFUSES(THIGMO_STALE, thigmo_surface_mesh(surface, &mesh));
}

static void details_are_heard_and_checked(void) {
  thigmo_world world = new_world();
  const thigmo_plant rod = add_level_rod(world);
  thigmo_surface_detail detail = thigmo_default_surface_detail();
  CHECK(detail.sides == 12);
  size_t vertices[2];
  for (int i = 0; i < 2; ++i) {
    detail.sides = 6 * (i + 1);
    thigmo_surface surface = NULL;
    thigmo_mesh mesh = {0};
    MUST(thigmo_surface_create(world, rod, &detail, &surface));
    MUST(thigmo_surface_mesh(surface, &mesh));
    vertices[i] = mesh.vertices;
    MUST(thigmo_surface_free(surface));
  }
  CHECK(vertices[1] > vertices[0]);
  thigmo_surface surface = NULL;
  detail.sides = -4;
  CHECK(thigmo_surface_create(world, rod, &detail, &surface) != THIGMO_OK);
  detail.sides = 12;
  detail.leaf_share = NAN;
  CHECK(thigmo_surface_create(world, rod, &detail, &surface) != THIGMO_OK);
  CHECK(surface == NULL);
  MUST(thigmo_world_free(world));
}

void test_surfaces(void) {
  a_surface_rests_and_follows();
  details_are_heard_and_checked();
}
