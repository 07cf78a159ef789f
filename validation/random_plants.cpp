#include "validation/random_plants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace thigmo::validation {
namespace {

constexpr double thinnest = 2e-4, thickest = 0.5;  // radii [m]
constexpr double softest = 1e4, stiffest = 2e10;   // Young's moduli [Pa]

// The draws of a list in braces are made in its order, those of a call's arguments in any.
struct Triple {
  double x, y, z;
};
Triple triple(Draw& draw, double low, double high) {
  return {draw.between(low, high), draw.between(low, high), draw.between(low, high)};
}

// Writes a plant as the axiom of a grammar, branch within branch.
struct Branches {
  Draw& draw;
  int left;  // segments that may still be drawn
  std::string text = {};

  // Leaves, flowers, fruits of any size that such a stem could carry.
  void add_organ(double radius) {
    const char* kinds[] = {"~l", "~f", "~r", "~b", "~o"};
    const char* kind = kinds[draw.bits() % 5];
    const double length = std::clamp(radius * draw.over_decades(3, 100), 2e-3, 1.0);
    const double width = length * draw.between(0.2, 1);
    text += fmt::format("[&({:.1f}){}({:.4g},{:.4g})]", draw.between(0, 120), kind, length, width);
  }

  void fork(double radius, double young, int order) {
    const double roll = draw.between(0, 360);
    text += fmt::format("[/({:.1f})&({:.1f})", roll, draw.between(10, 110));
    // A twig may be fifty times as thin, and a hundred times as soft or stiff, as what it grows on.
    const double other = young * (draw.chance(0.3) ? draw.over_decades(0.01, 100) : 1);
    grow(std::max(radius * draw.over_decades(0.02, 1), thinnest),
         std::clamp(other, softest, stiffest), order + 1);
    text += "]";
  }

  void grow(double radius, double young, int order) {
    const double length = std::min(radius * draw.over_decades(2, 80), 20.0);
    const double taper = draw.between(0.6, 1);
    const double crooked = draw.chance(0.3) ? 60 : 10;  // natural bends [degrees]
    text += fmt::format("@Ey({:.4g})@Ed({:.4g})", young, draw.between(200, 1200));
    if (draw.chance(0.2)) text += fmt::format("@Ej({:.3g})", draw.over_decades(0.05, 1));
    const int segments = 1 + static_cast<int>(draw.bits() % 9);
    for (int i = 0; i < segments && left > 0; ++i) {
      --left;
      const Triple bend = triple(draw, -crooked, crooked);
      text += fmt::format("&({:.1f})+({:.1f})/({:.1f})!({:.4g})F({:.4g})", bend.x, bend.y, bend.z,
                          2 * radius, length);
      if (draw.chance(0.3)) add_organ(radius);
      while (left > 0 && order < 6 && draw.chance(0.35)) fork(radius, young, order);
      radius = std::max(radius * taper, thinnest);
    }
  }
};

std::string random_grammar(Draw& draw, double damping_ratio) {
  Branches branches{draw, static_cast<int>(draw.over_decades(3, 60))};
  const double radius = draw.over_decades(thinnest, thickest);
  branches.grow(radius, draw.over_decades(softest, stiffest), 0);
  return fmt::format("derivation length: 0\nAxiom: @Ez({:.4g}){}\n", damping_ratio, branches.text);
}

std::string random_rod(Draw& draw, double damping_ratio) {
  const double radius = draw.over_decades(thinnest, thickest);
  const double length = radius * draw.over_decades(5, 300);
  const double tip = radius * draw.between(0.1, 1);
  const double young = draw.over_decades(softest, stiffest);
  const double density = draw.between(200, 1200);
  const Triple along = triple(draw, -1, 1);
  return fmt::format(
      "kind = \"rod\"\nsegments = {}\nradius = {}\nradius_tip = {}\nlength = {}\nyoung = {}\n"
      "density = {}\ndamping_ratio = {}\ndirection = [{}, {}, {}]\n",
      1 + draw.bits() % 24, radius, tip, length, young, density, damping_ratio, along.x, along.y,
      along.z + 1e-3);
}

std::string storm(Draw& draw, std::uint64_t number) {
  std::string text =
      fmt::format("[wind]\nkind = \"gusty\"\nmean = [{}, 0, 0]\nintensity = 0.4\nseed = {}\n",
                  draw.between(5, 60), number);
  const Triple shift = triple(draw, 0, 0.5), turn = triple(draw, 0, 40);
  return text + fmt::format(
                    "[[motion]]\nwave = [{{ amplitude = [{}, {}, {}], turn = [{}, {}, {}], "
                    "frequency = {} }}]\n",
                    shift.x, shift.y, shift.z, turn.x, turn.y, turn.z, draw.between(0.5, 6));
}

std::string throw_keys(Draw& draw) {
  const Triple velocity = triple(draw, -5, 5), spin = triple(draw, -10, 10);
  return fmt::format("root = \"free\"\nvelocity = [{}, {}, {}]\nspin = [{}, {}, {}]\n", velocity.x,
                     velocity.y, velocity.z, spin.x, spin.y, spin.z);
}

// A folder for the grammar of the plant at work, gone afterwards.
struct Scratch {
  std::filesystem::path folder;
  Scratch() {
    std::random_device unique;
    folder = std::filesystem::temp_directory_path() /
             fmt::format("thigmo-{:08x}{:08x}", unique(), unique());
    std::filesystem::create_directory(folder);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};

}  // namespace

double Draw::over_decades(double low, double high) {
  return std::exp(between(std::log(low), std::log(high)));
}

RandomPlant random_plant(std::uint64_t number) {
  Draw draw{std::mt19937_64(number)};
  const bool undamped = draw.chance(0.3), rod = draw.chance(0.2);
  RandomPlant plant{.damping_ratio = undamped ? 0.0 : draw.between(0.005, 0.3)};
  const Treatment treatments[] = {Treatment::storm, Treatment::left_alone, Treatment::storm,
                                  Treatment::thrown};
  plant.treatment = treatments[number % 4];
  plant.scenario = "[[plant]]\nname = \"p\"\nstart = \"rest\"\n";
  if (rod) {
    plant.scenario += random_rod(draw, plant.damping_ratio);
  } else {
    plant.grammar = random_grammar(draw, plant.damping_ratio);
    plant.scenario += "grammar = \"plant.lsys\"\n";
  }
  if (plant.treatment == Treatment::thrown) plant.scenario += throw_keys(draw);
  if (plant.treatment == Treatment::storm) plant.scenario += storm(draw, number);
  return plant;
}

World random_world(const RandomPlant& plant) {
  const Scratch scratch;
  if (!plant.grammar.empty()) std::ofstream(scratch.folder / "plant.lsys") << plant.grammar;
  Outcome<World> world = parse_world(plant.scenario, scratch.folder.string());
  if (!world) throw std::runtime_error(world.error());
  return std::move(*world);
}

}  // namespace thigmo::validation
