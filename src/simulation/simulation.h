#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "environment/wind_ease.h"
#include "mechanics/step/step.h"
#include "particles/particle_plant.h"
#include "plant/motion.h"
#include "simulation/ground.h"
#include "simulation/keyed_values.h"
#include "simulation/plant_model.h"
#include "simulation/registry.h"
#include "simulation/timeline.h"
#include "thigmo/event.h"

namespace thigmo {

// Where a piece was cut from, as long as it can be joined again as if it had not been.
struct Stub {
  SegmentId parent;
  double time = 0;            // when it was cut [s]
  Vec3 base_in_parent;        // of its first segment [m]
  Quat parent_from_rest;      // of that one's joint
  Vec3T<float> acceleration;  // of that joint, with the plant that it was of; see State [rad/s²]
  float tension_torque = 0;   // the same [N m]
  bool started = false;       // whether these were known
  std::shared_ptr<const struct CutSegment> through = {};  // none: the cut was at a segment's base
};

// One plant of a simulation: constants that it may share, state and scratch of its own. Copies share the
// model and nothing else.
struct SimulatedPlant {
  std::shared_ptr<const PlantModel> model;
  std::string name;
  Index slot = no_index;            // of its name, in the registry
  std::uint32_t birth = 0;          // its segments came into the world together then
  std::vector<SegmentId> ids = {};  // of its segments; none: they have that birth, in order
  std::optional<Stub> stub = {};    // of a piece
  PlantFrame stands;                // where its root was at first: rest poses are shown there
  State state;
  Workspace workspace;
  // Of a plant that they move: its state then has root and time only. See solver.h.
  std::optional<ParticlePlant> particles = {};
  Wind wind_model;  // that blows around it
  WindSampler wind;
  std::optional<WindEase> wind_ease = {};  // where that comes up while another dies away
  AirLattice keyed_air = {};               // of gusts whose strength changes by keys
  double gust_strength = 1;                // of those, over that of the wind
  std::vector<PointLoad> loads;            // those of this step; capacity for all forces on it
  std::vector<GrabLoad> grabs;             // the same of all grabs on it
  std::optional<RootPath> path;            // of its root
  std::optional<double> release;           // when its root is let go [s]
  std::optional<Ground> ground;
  double quiet_time = 0;  // that nothing has moved in [s]
  bool asleep = false;    // at rest, and nothing around it changes: it costs nothing
  bool touches = false;   // the ground, in the last step
  bool told_asleep = false, told_touching = false;  // by the last event about it
  StepReport report;                                // of the last step
};

// A force, its place found.
struct AppliedForce {
  std::size_t plant = 0;
  PointLoad load;             // a follower turns with the section where it acts
  Vec3 end_flexibility;       // from the middle of its segment to there [rad/(N m)]
  double start = 0, end = 0;  // [s]
  double omega = 0;  // above 0 it goes to and fro: × sin(omega (t - start) + phase) [rad/s]
  double phase = 0;  // [rad]
  std::uint32_t number = 0;  // its name
};

// A grab, its place found. One of a scenario goes along its path, another where it is dragged: within the next
// step, with an even speed.
struct Grab {
  std::size_t plant = 0;
  GrabLoad load;
  RootPath path;             // no times: it is dragged
  double release = 0;        // [s]
  std::uint32_t number = 0;  // its name
  Vec3 last_target_world;    // of one that is dragged, before the step to come [m]
};

// A probe of the scenario, its place found.
struct Probe {
  std::string name;
  std::size_t plant = 0;
  Index body = 0;
  Vec3 point_in_body;        // [m]
  Vec3 curvature;            // of the stem there at rest, where it is a curved rod [rad/m]
  bool gone = false;         // with the segment that it was on
  std::uint64_t source = 0;  // fingerprint of where the scenario puts it; 0: there is none
};

// What runs. Plants are independent of each other within a step, so that threads take whole plants. A copy
// goes its own way: it has the states, and shares the models, which do not change.
struct Simulation {
  Vec3 gravity_world;  // [m/s²]
  StepOptions options;
  DragModel drag;
  Wind wind;
  std::optional<GroundForm> ground = {};  // of plants to come
  std::vector<SimulatedPlant> plants;
  std::vector<AppliedForce> forces;
  std::vector<Grab> grabs;
  std::vector<Probe> probes;
  Registry registry;               // of the names of plants and segments
  std::vector<Event> events = {};  // of the last step and since
  Timeline timeline = {};          // edits that are still to come
  KeyedValues keyed = {};          // what changes by keys
  std::uint32_t loads_named = 0;   // forces and grabs, so far
  std::int64_t pieces_named = 0;   // that were cut off, so far
  double time = 0;                 // [s]
  std::int64_t steps = 0;
  std::int64_t rejected_steps = 0;  // substeps that were undone and retaken smaller
  std::int64_t corrections = 0;     // passes repeated for better velocities
  std::int64_t braked_joints = 0;   // too fast for the smallest substep, in each substep anew
  std::int64_t coarse_steps = 0;    // of single plants, too violent for StepOptions::most_passes
  // The largest gain of energy of a plant that no load worked on, over its largest kinetic energy.
  double energy_gain = 0;
  bool finite = true;  // false: a plant could not be moved on; the run must stop
  // What had to be completed or repaired of trees from files, and what may not be meant.
  Diagnostics notes = {};
  double step = 0;  // that the scenario asks for; 0: none does [s]
  // Fingerprint of the scenario as far as it says how plants move, and of the plants that it made; 0: there is
  // none. See model_hash.h.
  std::uint64_t scenario_hash = 0;
  // The energy with which the plants' accounts began, where they are kept [J].
  std::optional<double> account_start = {};
  double account_by_edits = 0;  // what edits brought since then [J]
  Works account_closed = {};    // sums of plants that are gone
};

// Names.
PlantId plant_id(const Simulation& simulation, std::size_t plant);
SegmentId segment_id(const SimulatedPlant& plant, Index segment);
std::vector<SegmentId> segment_ids(const SimulatedPlant& plant);
// Gives a plant that is new in a simulation its name, and all of its segments.
void name_plant(std::size_t plant, Simulation& simulation);

// Room for what a step may tell of the plants that there are.
void reserve_events(Simulation& simulation);

// The model of a plant that shares it with none: its own from now on. Only edits change it.
PlantModel& own_model(SimulatedPlant& plant);

// Lets a plant move on from a state that has jumped: what it found of the last step is not that of the next.
void wake(SimulatedPlant& plant);

// Why a simulation that is not finite could not go on, and what to do.
Diagnostic why_stopped(const Simulation& simulation);

// The forces on a plant that act from now on and stay as they are.
std::vector<PointLoad> standing_loads(const Simulation& simulation, std::size_t plant);

// Moves everything by dt on at most `threads` threads (0: all). Allocates nothing but scratch of each
// thread, once, for the largest plant it meets.
void step(Simulation& simulation, double dt, int threads);

// The air around a plant, as of the last step.
const AirLattice& air_around(const SimulatedPlant& plant);

// What acted on a plant in the last step.
Loads loads_of(const Simulation& simulation, const SimulatedPlant& plant);

// A plant where it stands at rest, for files and pictures. The model must outlive it.
MovingPlant standing(const SimulatedPlant& plant);

// Not a number where its segment is gone.
PointMotion probe_motion(const Simulation& simulation, const Probe& probe);

Index segment_count(const Simulation& simulation);

// Fingerprint of all states: equal for equal bits.
std::uint64_t state_hash(const Simulation& simulation);

// What the scheme took from plants that nothing damps and no load works on, over their largest kinetic
// energy: the most of any plant, 0 where there is none.
double energy_taken_by_scheme(const Simulation& simulation);

}  // namespace thigmo
