#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "thigmo/thigmo.h"

// Is it true? Each case compares what the engine does with a number from outside it.
namespace thigmo::validation {

// One compared number.
struct Check {
  std::string what;     // the quantity, with its unit
  double expected = 0;  // from outside this project
  double measured = 0;
  double tolerance = 0;  // allowed |measured - expected|, in the unit of the quantity
  bool passed() const;
};

// A picture of what a case measured.
struct NamedPlot {
  std::string name;  // of the file, without its ending
  Plot plot;
};

// Moments of a scenario side by side.
struct NamedStrip {
  std::string name;  // of the file, without its ending
  RenderRequest request;
};

struct CaseResult {
  std::string name;
  bool all = false;       // asked for: everything, however long it takes
  bool pictures = false;  // asked for: plots and strips
  std::string source;     // where the expected numbers come from
  std::vector<Check> checks;
  std::vector<NamedPlot> plots;  // names begin with that of the case
  std::vector<NamedStrip> strips;
  std::vector<std::string> notes;  // measured, without anything outside to hold it against
  std::string failure;             // why the case could not be run; empty when it was
  std::string skipped = {};        // why it was not tried: what it needs is not here
};

struct Case {
  const char* name;
  const char* source;
  void (*run)(CaseResult& result);
  // Adds the pictures after `run`, where that does not.
  void (*draw)(CaseResult& result) = nullptr;
};

// In the order of docs/validation.md.
const std::vector<Case>& all_cases();

struct CaseOptions {
  bool all = false;       // everything, however long it takes
  bool pictures = false;  // with plots and strips
};
CaseResult run_case(const Case& validation_case, const CaseOptions& options = {});

// ---- for writing cases ----

// |measured - expected| <= part of expected.
void check_relative(CaseResult& result, std::string what, double expected, double measured,
                    double part);
void check_absolute(CaseResult& result, std::string what, double expected, double measured,
                    double tolerance);
// A fact that the source states and the measurement shows, or not.
void check_fact(CaseResult& result, std::string what, bool seen);

// A series to be filled. Measured curves are lines and what they are held against is dots, or the other
// way round where theory has the curve; both in one colour.
PlotSeries dots(std::string label, int colour = -1);
PlotSeries line(std::string label, int colour = -1);
void add_point(PlotSeries& series, double x, double y);

// A strip of pictures of a scenario of the gallery at these times [s].
NamedStrip strip(std::string name, const std::string& scenario, std::vector<double> times);

// Thrown where what a case needs is not here.
struct NotHere : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A file of the source tree; the case is skipped where it is run elsewhere.
std::string source_file(const std::string& file);

// The power p of y ~ x^p, by least squares.
double growth_power(const std::vector<double>& x, const std::vector<double>& y);

// The world of a scenario text; a failure stops the case.
World world_of(const std::string& scenario_text);

// Steps a world and keeps one probe's track.
struct Track {
  std::vector<double> time;
  std::vector<Numbers3> position;
};
Track follow(World& world, double dt, double seconds, std::size_t probe = 0);

// Mean frequency of a signal's crossings through its mean, falling [Hz]; 0 when it has fewer than two.
double crossing_frequency(const std::vector<double>& time, const std::vector<double>& value);

// Amplitude of a frequency [Hz] in a signal of even steps, seen through Hann's window: what is a few
// periods of the window away does not count.
double amplitude_at(const std::vector<double>& time, const std::vector<double>& value,
                    double frequency);

// The same in windows of that many samples, each `stride` after the one before.
struct Amplitudes {
  std::vector<double> time;  // the middle of each window [s]
  std::vector<double> value;
};
Amplitudes amplitudes_over_time(const std::vector<double>& time, const std::vector<double>& value,
                                double frequency, std::size_t samples, std::size_t stride);
// Damping ratio by which the first of them became the last.
double damping_of(const Amplitudes& amplitudes, double frequency);

std::vector<double> component(const Track& track, std::size_t axis);

// The cases, one function a file or group.
void cantilever_sag(CaseResult& result);
void cantilever_vibration(CaseResult& result);
void damping_ratio(CaseResult& result);
void damping_of_stems(CaseResult& result);
void one_hertz_beam(CaseResult& result);
void rod_pendulum(CaseResult& result);
void double_pendulum(CaseResult& result);
void step_convergence(CaseResult& result);
void robustness(CaseResult& result);
void particles_of_li(CaseResult& result);
void energy_of_rods(CaseResult& result);
void energy_of_branched_plants(CaseResult& result);
void limp_rod_in_wind(CaseResult& result);
void tip_loads(CaseResult& result);
void shaken_root(CaseResult& result);
void shaken_tip(CaseResult& result);
void falling_rod(CaseResult& result);
void swinging_in_wind(CaseResult& result);
void step_frequency(CaseResult& result);
void turning_in_air(CaseResult& result);
void ground_friction(CaseResult& result);
void energy_account(CaseResult& result);
void keyed_stiffness(CaseResult& result);
void edits(CaseResult& result);
void gust_coherence(CaseResult& result);
void gust_resonance(CaseResult& result);
void gust_variance(CaseResult& result);
void hanging_chain(CaseResult& result);
void becks_column(CaseResult& result);
void static_elastica(CaseResult& result);
void static_self_weight(CaseResult& result);
void static_column(CaseResult& result);
void static_bend45(CaseResult& result);
void static_princeton(CaseResult& result);
void static_lateral_buckling(CaseResult& result);
void mode_frequencies(CaseResult& result);
void chain_of_hall(CaseResult& result);
void static_convergence(CaseResult& result);
void static_ground(CaseResult& result);
void scanned_trees(CaseResult& result);
void wood_frames(CaseResult& result);
void hollow_and_elliptic(CaseResult& result);
void gravity_directions(CaseResult& result);
void moved_pot(CaseResult& result);
void pull_and_release(CaseResult& result);
void softened_rose(CaseResult& result);
void twist_and_release(CaseResult& result);
void effect_of_radius(CaseResult& result);
void effect_of_length(CaseResult& result);

// Pictures of cases that only compare numbers.
void draw_elastica(CaseResult& result);
void draw_self_weight(CaseResult& result);
void draw_column(CaseResult& result);
void draw_bend45(CaseResult& result);
void draw_princeton(CaseResult& result);
void draw_lateral_buckling(CaseResult& result);
void draw_ground(CaseResult& result);
void draw_mode_frequencies(CaseResult& result);
void draw_scanned_trees(CaseResult& result);

}  // namespace thigmo::validation
