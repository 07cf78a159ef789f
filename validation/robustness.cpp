#include <fmt/format.h>

#include <cmath>
#include <random>

#include "validation/validation.h"

namespace thigmo::validation {
namespace {

// Numbers that look random and are the same in every run.
struct Draw {
  std::mt19937_64 bits;
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  // Evenly over the powers of ten.
  double over_decades(double low, double high) {
    return std::exp(between(std::log(low), std::log(high)));
  }
};

// A rod of any stuff and size, in any storm on a violent base.
std::string random_scenario(std::uint64_t number, bool storm, double damping_ratio) {
  Draw draw{std::mt19937_64(number)};
  const double radius = draw.over_decades(2e-4, 0.5);
  const double slenderness = draw.over_decades(5, 300);
  const double young = draw.over_decades(1e4, 2e10);
  std::string text = fmt::format(
      "[[plant]]\nname = \"p\"\nkind = \"rod\"\nsegments = {}\nradius = {}\nradius_tip = "
      "{}\nlength = {}\n"
      "young = {}\ndensity = {}\ndamping_ratio = {}\ndirection = [{}, {}, {}]\n",
      1 + static_cast<int>(draw.unit() * 24), radius, radius * draw.between(0.1, 1),
      radius * slenderness, young, draw.between(200, 1200), damping_ratio, draw.between(-1, 1),
      draw.between(-1, 1), draw.between(-1, 1) + 1e-3);
  if (!storm) return text;
  text += fmt::format("[wind]\nkind = \"gusty\"\nmean = [{}, 0, 0]\nintensity = 0.4\nseed = {}\n",
                      draw.between(5, 60), number);
  text += fmt::format(
      "[[motion]]\nwave = [{{ amplitude = [{}, {}, {}], turn = [{}, 0, {}], frequency = {} }}]\n",
      draw.between(0, 0.5), draw.between(0, 0.3), draw.between(0, 0.5), draw.between(0, 40),
      draw.between(0, 40), draw.between(0.5, 6));
  return text;
}

}  // namespace

void robustness(CaseResult& result) {
  constexpr int rods = 10'000;
  const double steps[] = {1.0 / 30, 1.0 / 60, 1.0 / 240};
  int broken = 0, gained = 0, undamped = 0, undamped_broken = 0, undamped_gained = 0;
  std::int64_t retaken = 0, taken = 0;
  double worst_gain = 0;
  for (int i = 0; i < rods; ++i) {
    const double h = steps[i % 3];
    const bool storm = i % 2 == 0;
    // Three in ten without any damping, which no wood is.
    const auto number = static_cast<std::uint64_t>(i) + 1;
    Draw draw{std::mt19937_64(~number)};
    const double ratio = draw.unit() < 0.3 ? 0.0 : draw.between(0.005, 0.3);
    World world = world_of(random_scenario(number, storm, ratio));
    const auto total = [&world] {
      const Energies e = world.energies();
      return e.kinetic + e.elastic + e.gravitational;
    };
    const double start = total();
    double exchanged = 0, highest = start;
    bool finite = true;
    for (int k = 0; k < 30 && finite; ++k) {
      finite = world.step(h);
      const Energies e = world.energies();
      finite = finite && std::isfinite(e.kinetic + e.elastic + e.gravitational);
      exchanged = std::max(exchanged, e.kinetic + e.elastic);
      highest = std::max(highest, total());
    }
    taken += 30;
    retaken += world.rejected_steps();
    if (ratio == 0) ++undamped;
    if (!finite) ++(ratio > 0 ? broken : undamped_broken);
    // Nothing but gravity acts on half of them: their energy may not rise.
    if (!storm && finite && exchanged > 0) {
      const double gain = (highest - start) / exchanged;
      if (ratio > 0) worst_gain = std::max(worst_gain, gain);
      if (gain > 0.02) ++(ratio > 0 ? gained : undamped_gained);
    }
  }
  check_absolute(result, "damped rods whose motion broke off or was not finite", 0, broken, 0);
  result.notes.push_back(fmt::format("{} rods, {} steps, {} pieces retaken", rods, taken, retaken));
  result.notes.push_back(fmt::format(
      "{} damped rods left alone gained more than 2 % of what they exchanged, at most {:.2g}",
      gained, worst_gain));
  result.notes.push_back(
      fmt::format("of {} undamped rods {} broke off in the storm, {} left alone "
                  "gained more than 2 %",
                  undamped, undamped_broken, undamped_gained));
}

}  // namespace thigmo::validation
