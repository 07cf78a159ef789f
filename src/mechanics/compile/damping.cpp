#include "mechanics/compile/damping.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "mechanics/modes/sway.h"

namespace thigmo {
namespace {

using std::numbers::pi;

double ratio_of(const Plant& plant, std::size_t body) {
  return at(plant.materials, plant.segments[body].material).damping_ratio;
}

// A damping time within a float's range.
float held(double time) {
  return static_cast<float>(std::clamp(time, 0.0, double{std::numeric_limits<float>::max()}));
}

// D = τ K in each joint gives a mode of unit modal mass the ratio
//   ζ = φᵀ D φ / (2ω) = Σ τ e · ω_e²/(2ω),
// e its joints' shares of the elastic energy, ω_e² twice that energy, ω its frequency under gravity. What
// sways is a root's motion at that frequency, which may be that of several modes: e is taken from it, as it
// is once the joints damp by what is asked of the wood at the plant's root. So ζ is, of the plant that it is
// tuned for, what each period takes over 4π times the energy.
struct Tuning {
  std::vector<double> share;  // e of each body
  double ratio_per_time = 0;  // ω_e²/(2ω) [1/s]
};

// A tree near the weight that it buckles under sways slowly, one that hangs fast. Gravity counts where it
// slows the sway, and by a third at most, since all joints are tuned by it: a hanging rope has little wood to damp with.
Tuning tuning_of(const Plant& plant, const Mechanism& mechanism, const Vec3& gravity_world,
                 PoseTree& tree) {
  if (mechanism.body.empty()) return {};
  Sway sway = main_sway(mechanism, gravity_world, ratio_of(plant, 0), tree);
  if (!(sway.elastic_frequency > 0)) return {};
  const double elastic = 2 * pi * sway.elastic_frequency;
  const double omega = std::clamp(2 * pi * sway.frequency, 0.65 * elastic, elastic);
  return {.share = std::move(sway.bending_share),
          .ratio_per_time = elastic * elastic / (2 * omega)};
}

// Damping times of the joints before they are tuned.
std::vector<double> untuned_times(const Plant& plant, const Mechanism& mechanism, PoseTree tree) {
  std::vector<double> times(mechanism.body.size());
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = ratio_of(plant, i);
  if (plant.damping.law == DampingLaw::stiffness) return times;
  // D = 2ζ/ω K with the axis's own ω.
  const Axes axes = axes_of(plant, mechanism);
  const std::vector<double> frequency = axis_frequencies(mechanism, axes, std::move(tree));
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double omega = 2 * pi * at(frequency, axes.of_body[i]);
    times[i] = omega > 0 ? 2 * times[i] / omega : 0.0;
  }
  return times;
}

void set_rayleigh(const Plant& plant, Mechanism& mechanism) {
  const auto law_of = [&](std::size_t body) {
    const double ratio = ratio_of(plant, body);
    return rayleigh_damping(plant.damping.frequencies,
                            plant.damping.ratios.value_or(std::array{ratio, ratio}));
  };
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    mechanism.body[i].damping_time = held(law_of(i).stiffness_time);
  }
  if (!mechanism.body.empty()) mechanism.mass_damping += law_of(0).mass_rate;
}

}  // namespace

RayleighDamping rayleigh_damping(const std::array<double, 2>& frequencies,
                                 const std::array<double, 2>& ratios) {
  const double low = 2 * pi * frequencies[0], high = 2 * pi * frequencies[1];
  const double part = 2 / (high * high - low * low);
  return {.mass_rate = part * low * high * (ratios[0] * high - ratios[1] * low),
          .stiffness_time = part * (ratios[1] * high - ratios[0] * low)};
}

void set_damping(const Plant& plant, const Vec3& gravity_world, Mechanism& mechanism) {
  mechanism.mass_damping = plant.damping.mass_rate;
  if (plant.damping.law == DampingLaw::rayleigh) return set_rayleigh(plant, mechanism);
  const bool damped = std::any_of(plant.materials.begin(), plant.materials.end(),
                                  [](const Material& m) { return m.damping_ratio > 0; });
  if (!damped) return;
  PoseTree tree = rest_tree(mechanism);
  const Tuning tuning = tuning_of(plant, mechanism, gravity_world, tree);
  if (tuning.share.empty()) return;
  const std::vector<double> times = untuned_times(plant, mechanism, std::move(tree));
  double asked = 0, untuned = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    asked += tuning.share[i] * ratio_of(plant, i);
    untuned += tuning.share[i] * times[i] * tuning.ratio_per_time;
  }
  const double factor = untuned > 0 ? asked / untuned : 0.0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    mechanism.body[i].damping_time = held(times[i] * factor);
  }
}

void damp_root_springs(const Plant& plant, const Vec3& gravity_world, Mechanism& mechanism) {
  if (plant.damping.law == DampingLaw::rayleigh) return;
  PoseTree tree = rest_tree(mechanism);
  const Tuning tuning = tuning_of(plant, mechanism, gravity_world, tree);
  double asked = 0, wood = 0, root_share = 0;
  for (std::size_t i = 0; i < tuning.share.size(); ++i) {
    asked += tuning.share[i] * ratio_of(plant, i);
    if (mechanism.parent[i] == no_index) {
      root_share += tuning.share[i];
    } else {
      wood += tuning.share[i] * mechanism.body[i].damping_time * tuning.ratio_per_time;
    }
  }
  if (!(root_share > 0)) return;
  const double time = (asked - wood) / (root_share * tuning.ratio_per_time);
  for (std::size_t i = 0; i < tuning.share.size(); ++i) {
    if (mechanism.parent[i] != no_index) continue;
    mechanism.body[i].damping_time = held(std::max<double>(time, mechanism.body[i].damping_time));
  }
}

}  // namespace thigmo
