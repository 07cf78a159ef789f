// A user's program: it sees only what was installed. A rod from a scenario text must have the
// frequency of a beam, and sag when it is let go.
#include <thigmo/thigmo.h>

#include <cmath>
#include <cstdio>
#include <numbers>

int main() {
  auto world = thigmo::parse_world(R"(
    [[plant]]
    name = "beam"
    kind = "rod"
    segments = 50
    length = 1.0
    radius = 0.01
    young = 8.1e9
    poisson = 0.3
    density = 923
    damping_ratio = 0.05
    direction = [1, 0, 0]
    [[probe]]
    name = "tip"
    plant = "beam"
    at = "tip"
  )");
  if (!world) {
    std::fprintf(stderr, "%s\n", world.error().c_str());
    return 1;
  }

  // Clamped Euler-Bernoulli beam: f = 1.8751² / (2 pi L²) sqrt(E I / (rho A)), I / A = r² / 4.
  const double beam =
      1.875104 * 1.875104 / (2 * std::numbers::pi) * std::sqrt(8.1e9 * 0.01 * 0.01 / (4 * 923));
  const double frequency = world->first_frequency(world->plant(0));
  std::printf("thigmo %s: first frequency %.4f Hz, of a beam %.4f Hz\n", thigmo::version(),
              frequency, beam);
  // 50 segments converge at second order: 1/50² and some.
  if (std::abs(frequency / beam - 1) > 2e-3) return 1;

  for (int i = 0; i < 10; ++i) {
    if (!world->step(1.0 / 240)) return 1;
  }
  const thigmo::ProbeReading tip = world->probes().at(0);
  std::printf("tip after %.4f s: %.6f m\n", world->time(), tip.position[1]);
  const bool sags = tip.position[1] < 0 && tip.position[1] > -0.02;
  return sags && world->transforms(world->plant(0)).size() == 50 ? 0 : 1;
}
