#include "validation/validation.h"

#include <cmath>
#include <fstream>
#include <numbers>
#include <stdexcept>

namespace thigmo::validation {

bool Check::passed() const { return std::abs(measured - expected) <= tolerance; }

// Long because it is a table.
const std::vector<Case>& all_cases() {
  static const std::vector<Case> cases = {
      {"cantilever_sag", "w L^4/(8 E I); thesis results: Garcia 2023, section 8.3", cantilever_sag},
      {"cantilever_vibration", "Euler-Bernoulli, 3.5160 sqrt(EI/(rho A))/(2 pi L^2)",
       cantilever_vibration},
      {"one_hertz_beam", "Euler-Bernoulli; an undamped beam keeps its amplitude", one_hertz_beam},
      {"damping_ratio", "logarithmic decrement of a damped oscillator", damping_ratio},
      {"damping_of_stems", "the damping ratio asked for, of every tree's sway", damping_of_stems},
      {"rod_pendulum", "physics.json D8: compound pendulum from 90 degrees", rod_pendulum},
      {"double_pendulum", "physics.json D8: two uniform rods from 30, 30 degrees", double_pendulum},
      {"step_convergence", "physics.json D8: errors fall with the square of the step",
       step_convergence},
      {"step_frequency", "the scheme's own matrix: the angle of its eigenvalues over the step",
       step_frequency},
      {"robustness",
       "random plants in storms, thrown, left alone: none may break off or gain energy",
       robustness},
      {"particles", "Li 2012: figure 13, appendices A.1 and B.1", particles_of_li},
      {"energy_of_rods", "no energy from nothing: heavy rods let go, 20 periods", energy_of_rods},
      {"energy_of_branched_plants", "no energy from nothing: random plants let go, 20 periods",
       energy_of_branched_plants},
      {"limp_rod_in_wind", "physics.json W2: sin(phi)/cos^2(phi) = K", limp_rod_in_wind},
      {"shaken_root", "physics.json D9: Kelvin-Voigt beam whose foot is shaken", shaken_root},
      {"shaken_tip", "physics.json D9: Kelvin-Voigt beam with a force at its tip", shaken_tip},
      {"falling_rod", "physics.json W5: v = v_t tanh(g t / v_t)", falling_rod},
      {"turning_in_air", "drag along a rod that turns: I dw/dt = -k w^2 L^4/4", turning_in_air},
      {"ground_friction", "Coulomb: v^2/(2 mu g); at rest below mu N, (f - mu g) t^2/2 above",
       ground_friction},
      {"energy_account", "the first law: works, losses and stored energy add up", energy_account},
      {"keyed_stiffness", "adiabatic invariance: energy over frequency stays; beam theory",
       keyed_stiffness},
      {"edits", "conservation: momenta add up, nothing jumps at a cut or a graft", edits},
      {"swinging_in_wind", "physics.json W4: damping by quasi-steady drag in a mean wind",
       swinging_in_wind},
      {"gust_coherence", "Davenport 1961: exp(-C n r / U), in one record", gust_coherence},
      {"gust_resonance", "random vibration of a beam in von Karman's spectrum, in 24 records",
       gust_resonance},
      {"gust_variance", "von Karman's spectra, between the nodes of a lattice", gust_variance},
      {"hanging_chain", "physics.json D12: zeros of Bessel's function", hanging_chain},
      {"becks_column", "physics.json D11: Beck 1952, flutter under a tangential push",
       becks_column},
      {"tip_loads", "physics.json E1, E2, E3: dead force, moment and follower force at the tip",
       tip_loads},
      {"static_elastica", "physics.json E1, E2, E3: Bisshopp and Drucker 1945; Mattiasson 1981",
       static_elastica, draw_elastica},
      {"static_self_weight", "physics.json E5, E6: heavy rods, two independent solvers",
       static_self_weight, draw_self_weight},
      {"static_column", "physics.json E4: Euler's column after buckling, elliptic integrals",
       static_column, draw_column},
      {"static_bend45", "physics.json R1: the 45 degree bend, Kirchhoff rod", static_bend45,
       draw_bend45},
      {"static_princeton", "physics.json R7: the Princeton beam, Kirchhoff rod", static_princeton,
       draw_princeton},
      {"static_lateral_buckling", "physics.json R2: flat rods that tip over",
       static_lateral_buckling, draw_lateral_buckling},
      {"static_ground", "beam theory: w L^4/8EI - R L^3/3EI = H; lift-off at (72 EI H/w)^(1/4)",
       static_ground, draw_ground},
      {"static_convergence",
       "physics.json E1, E3, E5, E6, curved rods by shooting: errors fall with a segment's square",
       static_convergence},
      {"mode_frequencies", "physics.json D1, D2, D3, D4, D5, R8: beam frequencies",
       mode_frequencies, draw_mode_frequencies},
      {"scanned_trees", "beam finite elements of the scans of Jackson et al. 2019", scanned_trees,
       draw_scanned_trees},
      {"wood_frames", "a frame of Euler-Bernoulli and Saint-Venant elements, validation/frame.cpp",
       wood_frames},
      {"hollow_and_elliptic", "Euler-Bernoulli and Saint-Venant; Timoshenko & Goodier, art. 104",
       hollow_and_elliptic},
      {"chain_of_hall", "Hall 2013, chapter 5: tables 5.1 and 5.2", chain_of_hall},
      {"gravity_directions", "Garcia 2023, figure 9.4; the poses that statics finds",
       gravity_directions},
      {"moved_pot", "Garcia 2023, figure 9.5: plants hang back when their pot is pushed",
       moved_pot},
      {"pull_and_release", "Garcia 2023, figure 9.6; the first frequency", pull_and_release},
      {"softened_rose", "Garcia 2023, figure 9.7: wood without stiffness cannot stand",
       softened_rose},
      {"twist_and_release", "Garcia 2023, figures 9.12 to 9.14: far mass lags behind",
       twist_and_release},
      {"effect_of_radius", "Garcia 2023, figure 9.15, top; arcs of circles, kappa = M/EI",
       effect_of_radius},
      {"effect_of_length", "Garcia 2023, figure 9.15, bottom; arcs of circles, kappa = M/EI",
       effect_of_length},
  };
  return cases;
}

CaseResult run_case(const Case& validation_case, const CaseOptions& options) {
  CaseResult result{.name = validation_case.name,
                    .all = options.all,
                    .pictures = options.pictures,
                    .source = validation_case.source};
  try {
    validation_case.run(result);
    if (options.pictures && validation_case.draw) validation_case.draw(result);
  } catch (const NotHere& reason) {
    result.skipped = reason.what();
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

PlotSeries dots(std::string label, int colour) {
  return {std::move(label), {}, {}, SeriesStyle::dots, colour};
}

PlotSeries line(std::string label, int colour) {
  return {std::move(label), {}, {}, SeriesStyle::line, colour};
}

void add_point(PlotSeries& series, double x, double y) {
  series.x.push_back(x);
  series.y.push_back(y);
}

NamedStrip strip(std::string name, const std::string& scenario, std::vector<double> times) {
  RenderRequest request{.file = source_file("gallery/scenarios/" + scenario + ".toml")};
  request.times = std::move(times);
  request.width = 160;
  request.height = 190;
  return {std::move(name), std::move(request)};
}

std::string source_file(const std::string& file) {
  if (!std::ifstream(file)) {
    throw NotHere("'" + file + "' is not here: run this case in the source tree");
  }
  return file;
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
  Outcome<World> world = parse_world(scenario_text);
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

double amplitude_at(const std::vector<double>& time, const std::vector<double>& value,
                    double frequency) {
  using std::numbers::pi;
  double in_phase = 0, across = 0, weights = 0;
  const double length = time.back() - time.front();
  for (std::size_t i = 0; i < time.size(); ++i) {
    const double weight = std::pow(std::sin(pi * (time[i] - time.front()) / length), 2);
    in_phase += weight * value[i] * std::sin(2 * pi * frequency * time[i]);
    across += weight * value[i] * std::cos(2 * pi * frequency * time[i]);
    weights += weight;
  }
  return 2 * std::hypot(in_phase, across) / weights;
}

Amplitudes amplitudes_over_time(const std::vector<double>& time, const std::vector<double>& value,
                                double frequency, std::size_t samples, std::size_t stride) {
  Amplitudes result;
  for (std::size_t first = 0; first + samples <= time.size(); first += stride) {
    const auto window = [&](const std::vector<double>& all) {
      const auto from = all.begin() + static_cast<std::ptrdiff_t>(first);
      return std::vector<double>(from, from + static_cast<std::ptrdiff_t>(samples));
    };
    result.time.push_back(0.5 * (time[first] + time[first + samples - 1]));
    result.value.push_back(amplitude_at(window(time), window(value), frequency));
  }
  return result;
}

double damping_of(const Amplitudes& amplitudes, double frequency) {
  return std::log(amplitudes.value.front() / amplitudes.value.back()) /
         (2 * std::numbers::pi * frequency * (amplitudes.time.back() - amplitudes.time.front()));
}

std::vector<double> component(const Track& track, std::size_t axis) {
  std::vector<double> values;
  for (const Numbers3& position : track.position) values.push_back(position[axis]);
  return values;
}

}  // namespace thigmo::validation
