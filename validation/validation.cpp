#include "validation/validation.h"

#include <cmath>
#include <stdexcept>

namespace thigmo::validation {

bool Check::passed() const { return std::abs(measured - expected) <= tolerance; }

const std::vector<Case>& all_cases() {
  static const std::vector<Case> cases = {
      {"cantilever_sag", "w L^4/(8 E I); thesis results: document 000, section 8.3",
       cantilever_sag},
      {"cantilever_vibration", "Euler-Bernoulli, 3.5160 sqrt(EI/(rho A))/(2 pi L^2)",
       cantilever_vibration},
      {"one_hertz_beam", "Euler-Bernoulli; an undamped beam keeps its amplitude", one_hertz_beam},
      {"damping_ratio", "logarithmic decrement of a damped oscillator", damping_ratio},
      {"rod_pendulum", "physics.json D8: compound pendulum from 90 degrees", rod_pendulum},
      {"double_pendulum", "physics.json D8: two uniform rods from 30, 30 degrees", double_pendulum},
      {"robustness", "random plants in storms, thrown, left alone: no motion may break off",
       robustness},
      {"limp_rod_in_wind", "physics.json W2: sin(phi)/cos^2(phi) = K", limp_rod_in_wind},
      {"shaken_foot", "physics.json D9: Kelvin-Voigt beam whose foot is shaken", shaken_foot},
      {"shaken_tip", "physics.json D9: Kelvin-Voigt beam with a force at its tip", shaken_tip},
      {"falling_rod", "physics.json W5: v = v_t tanh(g t / v_t)", falling_rod},
      {"swinging_in_wind", "physics.json W4: damping by quasi-steady drag in a mean wind",
       swinging_in_wind},
      {"hanging_chain", "physics.json D12: zeros of Bessel's function", hanging_chain},
      {"becks_column", "physics.json D11: Beck 1952, flutter under a tangential push",
       becks_column},
      {"tip_loads", "physics.json E1, E2, E3: dead force, moment and follower force at the tip",
       tip_loads},
      {"static_elastica", "physics.json E1, E2, E3: Bisshopp and Drucker 1945; Mattiasson 1981",
       static_elastica},
      {"static_self_weight", "physics.json E5, E6: heavy rods, two independent solvers",
       static_self_weight},
      {"static_column", "physics.json E4: Euler's column after buckling, elliptic integrals",
       static_column},
      {"static_bend45", "physics.json R1: the 45 degree bend, Kirchhoff rod", static_bend45},
      {"static_princeton", "physics.json R7: the Princeton beam, Kirchhoff rod", static_princeton},
      {"static_lateral_buckling", "physics.json R2: laths that tip over", static_lateral_buckling},
      {"static_ground", "beam theory: w L^4/8EI - R L^3/3EI = H; lift-off at (72 EI H/w)^(1/4)",
       static_ground},
      {"static_convergence",
       "physics.json E1, E3, E5, E6, curved rods by shooting: errors fall with a segment's square",
       static_convergence},
      {"mode_frequencies", "physics.json D1, D2, D3, D4, D5: beam frequencies", mode_frequencies},
      {"scanned_trees", "beam finite elements of the scans of Jackson et al. 2019", scanned_trees},
      {"chain_of_document_001", "document 001, chapter 5: tables 5.1 and 5.2",
       chain_of_document_001},
  };
  return cases;
}

CaseResult run_case(const Case& validation_case, bool all) {
  CaseResult result{.name = validation_case.name, .all = all, .source = validation_case.source};
  try {
    validation_case.run(result);
  } catch (const std::runtime_error& failure) {
    result.failure = failure.what();
  }
  return result;
}

void check_relative(CaseResult& result, std::string what, double expected, double measured,
                    double part) {
  check_absolute(result, std::move(what), expected, measured, part * std::abs(expected));
}

void check_absolute(CaseResult& result, std::string what, double expected, double measured,
                    double tolerance) {
  result.checks.push_back({std::move(what), expected, measured, tolerance});
}

void check_fact(CaseResult& result, std::string what, bool seen) {
  check_absolute(result, std::move(what), 1, seen ? 1 : 0, 0);
}

double growth_power(const std::vector<double>& x, const std::vector<double>& y) {
  double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sum_x += a, sum_y += b, sum_xx += a * a, sum_xy += a * b;
  }
  const auto n = static_cast<double>(x.size());
  return (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
}

World world_of(const std::string& scenario_text) {
  Outcome<World> world = World::parse(scenario_text);
  if (!world) throw std::runtime_error(world.error());
  return std::move(*world);
}

Track follow(World& world, double dt, double seconds, std::size_t probe) {
  Track track;
  const auto steps = static_cast<long>(std::llround(seconds / dt));
  for (long i = 0; i < steps; ++i) {
    if (!world.step(dt)) throw std::runtime_error("the motion could not be continued");
    track.time.push_back(world.time());
    track.position.push_back(world.probes().at(probe).position);
  }
  return track;
}

double crossing_frequency(const std::vector<double>& time, const std::vector<double>& value) {
  double mean = 0;
  for (double v : value) mean += v / static_cast<double>(value.size());
  double first = 0, last = 0;
  int crossings = 0;
  for (std::size_t i = 1; i < value.size(); ++i) {
    const double before = value[i - 1] - mean, now = value[i] - mean;
    if (!(before > 0 && now <= 0)) continue;
    last = time[i - 1] + (time[i] - time[i - 1]) * before / (before - now);
    if (crossings++ == 0) first = last;
  }
  return crossings < 2 ? 0.0 : (crossings - 1) / (last - first);
}

std::vector<double> component(const Track& track, std::size_t axis) {
  std::vector<double> values;
  for (const Numbers3& position : track.position) values.push_back(position[axis]);
  return values;
}

}  // namespace thigmo::validation
