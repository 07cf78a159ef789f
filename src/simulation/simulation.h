#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "grammar/grammar.h"
#include "mechanics/step.h"
#include "plant/motion.h"
#include "simulation/scenario.h"

namespace thigmo {

// What plants that are alike share.
struct PlantModel {
  Plant plant;
  Mechanism mechanism;
  std::shared_ptr<const StepModel> step_model;  // of the mechanism
};

// One plant of a simulation: constants, state and scratch.
struct SimulatedPlant {
  explicit SimulatedPlant(std::shared_ptr<PlantModel> shared)
      : model(std::move(shared)), plant(model->plant), mechanism(model->mechanism) {}

  std::shared_ptr<PlantModel> model;
  Plant& plant;          // of the model
  Mechanism& mechanism;  // of the model
  std::string name;
  Placement placement;  // from where the model stands; its state's base stands there
  State state;
  Workspace workspace;
  Wind wind_model;  // that blows around it
  WindSampler wind;
  std::vector<PointLoad> loads;   // those of this step; capacity for all forces on it
  std::vector<PullLoad> pulls;    // the same of all hands on it
  std::optional<BasePath> path;   // of its foot
  std::optional<double> release;  // when its foot is let go [s]
  std::optional<Ground> ground;
  double quiet_time = 0;  // that nothing has moved in [s]
  bool asleep = false;    // at rest, and nothing around it changes: it costs nothing
  StepReport report;      // of the last step
};

// A force of the scenario, its place found.
struct AppliedForce {
  std::size_t plant = 0;
  PointLoad load;             // one that turns along does so with the section where it acts
  Vec3 end_flexibility;       // from the middle of its segment to there [rad/(N m)]
  double start = 0, end = 0;  // [s]
  double omega = 0;  // above 0 it goes to and fro: × sin(omega (t - start) + phase) [rad/s]
  double phase = 0;  // [rad]
};

// A hand of the scenario, its place found.
struct Hand {
  std::size_t plant = 0;
  PullLoad load;
  Vec3 origin_world;   // where its point is at the start [m]
  BasePath path;       // its displacement from there
  double release = 0;  // [s]
};

// A probe of the scenario, its place found.
struct Probe {
  std::string name;
  std::size_t plant = 0;
  Index body = 0;
  Vec3 point_in_body;  // [m]
  Vec3 curvature;      // of the stem there at rest, where it is a curved rod [rad/m]
};

// What runs. Plants are independent of each other within a step, so that threads take whole plants.
struct Simulation {
  Vec3 gravity_world;  // [m/s²]
  StepOptions options;
  DragModel drag;
  Wind wind;
  std::vector<SimulatedPlant> plants;
  std::vector<AppliedForce> forces;
  std::vector<Hand> hands;
  std::vector<Probe> probes;
  double time = 0;  // [s]
  std::int64_t steps = 0;
  std::int64_t rejected_steps = 0;  // pieces of steps that were undone and retaken smaller
  std::int64_t corrections = 0;     // passes repeated for better velocities
  std::int64_t braked_joints = 0;   // too fast for the smallest piece of a step, in each piece anew
  std::int64_t coarse_steps = 0;    // of single plants, too violent for StepOptions::most_passes
  // The largest gain of energy of a plant that no load worked on, over its largest kinetic energy.
  double energy_gain = 0;
  bool finite = true;  // false: a plant could not be moved on; the run must stop
  // What had to be completed or repaired of trees from files, and what may not be meant.
  Diagnostics notes = {};
  double step = 0;  // that the scenario asks for; 0: none does [s]
  // Fingerprint of what the scenario says of the motion; 0: there is none. See snapshot.h.
  std::uint64_t scenario_hash = 0;
  // The energy with which the plants' accounts began, where they are kept [J].
  std::optional<double> account_start = {};
};

// Reads a tree from elsewhere; what had to be completed is added to the notes.
using ReadTree = std::function<Result<Plant>(const TreeSource&, Diagnostics& notes)>;

// Whether equal plants of a scenario share a model, which stands where the first would without its
// placement, or each has its own, made where it stands.
enum class Alike { separate, shared };

// Grows the plants, compiles their mechanisms, finds the places of forces and probes. Files that the
// scenario names are read through `read_file`, trees from elsewhere through `read_tree`.
Result<Simulation> make_simulation(const Scenario& scenario, const ReadFile& read_file,
                                   const ReadTree& read_tree = {}, Alike alike = Alike::separate);

// Why a simulation that is not finite could not go on, and what to do.
Diagnostic why_stopped(const Simulation& simulation);

// Turns the joints of given bodies by the angles that they start with, away from where they are.
void turn_to_start_angles(SimulatedPlant& plant);

// Grows the plant of a grammar file.
Result<Plant> grow_from_file(const GrammarSource& source, const ReadFile& read_file,
                             Diagnostics& notes);

// Adds a plant that is already grown; its number.
std::size_t add_plant(Plant plant, Simulation& simulation);

// The forces on a plant that act from now on and stay as they are.
std::vector<PointLoad> standing_loads(const Simulation& simulation, std::size_t plant);

// Moves everything by dt on at most `threads` threads (0: all). Allocates nothing but scratch of each
// thread, once, for the largest plant it meets.
void step(Simulation& simulation, double dt, int threads);

// What acted on a plant in the last step.
Loads loads_of(const Simulation& simulation, const SimulatedPlant& plant);

PointMotion probe_motion(const Simulation& simulation, const Probe& probe);

Index segment_count(const Simulation& simulation);

// Fingerprint of all states: equal for equal bits.
std::uint64_t state_hash(const Simulation& simulation);

// What the scheme took from plants that nothing damps and no load works on, over their largest kinetic
// energy: the most of any plant, 0 where there is none.
double energy_taken_by_scheme(const Simulation& simulation);

// How many steps of that length make up the duration.
std::int64_t step_count(double duration, double step);

}  // namespace thigmo
