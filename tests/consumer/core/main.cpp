// A user's program that wants physics alone: it grows rods from grammars, moves them and takes their surface
// with thigmo_core and nothing else. What it prints must not depend on how the library was built.
#include <thigmo/thigmo.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace {

constexpr int segments = 40;

std::string rod(const char* length_of_segment) {
  return "derivation length: 1\nAxiom: !(0.02)A\nA --> " + [&] {
    std::string all;
    for (int i = 0; i < segments; ++i) all += std::string("F(") + length_of_segment + ")";
    return all;
  }() + "\n";
}

bool fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  return false;
}

// Euler and Bernoulli: a rod that is twice as long has a quarter of the frequency, but for the inertia of its
// sections, some (r / L)² = 1e-4 of it.
bool frequencies_follow_the_law(const thigmo::World& world) {
  const double one = world.first_frequency(world.plant(0)),
               two = world.first_frequency(world.plant(1));
  std::printf("first frequencies %.6f Hz and %.6f Hz\n", one, two);
  return std::abs(one / two - 4) < 1e-3 ||
         fail("a rod of twice the length has no quarter of the frequency");
}

bool wind_bends(thigmo::World& world) {
  for (int frame = 0; frame < 60; ++frame) {
    if (!world.step(1.0 / 60, 4)) return fail("the motion could not be continued");
  }
  const thigmo::Transform last = world.transforms(world.plant(1)).back();
  std::printf("after %.3f s the last segment starts at (%.6f, %.6f, %.6f) m, state %016llx\n",
              world.time(), last.position[0], last.position[1], last.position[2],
              static_cast<unsigned long long>(world.state_hash()));
  return last.position[0] > 1e-4 || fail("the wind does not bend the rod");
}

bool surface_follows(const thigmo::World& world) {
  auto surface = world.surface(world.plant(1));
  if (!surface) return fail(surface.error().c_str());
  const thigmo::PlantSurface::Shape shape = surface->follow(world.transforms(world.plant(1)));
  std::printf("its surface has %zu vertices and %zu triangles\n", shape.vertices,
              surface->at_rest().indices.size() / 3);
  return shape.vertices > segments || fail("the rod has no surface");
}

}  // namespace

int main() {
  thigmo::World world;
  for (const char* length : {"0.025", "0.05"}) {
    const auto plant = world.add({.file = "rod", .species = "oak", .text = rod(length)});
    if (!plant) {
      std::fprintf(stderr, "%s\n", plant.error().c_str());
      return 1;
    }
  }
  if (!world.set_wind({.mean = {12, 0, 0}, .intensity = 0.3})) return 1;
  const bool good = world.segment_count() == 2 * segments && frequencies_follow_the_law(world) &&
                    wind_bends(world) && surface_follows(world);
  return good ? 0 : 1;
}
