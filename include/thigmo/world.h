#pragma once

// Worlds: plants that move, and that can be changed between any two steps. All of it is in thigmo_core.
//
// Everything that may fail is an Outcome: a name whose thing is gone, a number that is none, a call from a
// second thread while the first is still in one. What was refused has changed nothing. Questions that cannot
// fail but so answer with nothing, or with what is no number.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "thigmo/base.h"
#include "thigmo/event.h"
#include "thigmo/ids.h"
#include "thigmo/plant.h"
#include "thigmo/surface.h"

namespace thigmo {

struct GustyWind {
  Numbers3 mean = {6, 0, 0};  // [m/s]
  double intensity = 0.25;    // standard deviation / mean speed; 0: uniform wind
  std::uint64_t seed = 1;
  double length_scale = 20;  // integral length of the gusts along the wind; 0: no gusts [m]
  double decay = 10;         // C of Davenport's coherence exp(-C n r / U) across it
  double ease = 1;           // in which it comes up and what blew dies away; 0: at once [s]
};

// A level ground that tips of segments do not sink into.
struct LevelGround {
  double height = 0;      // [m]
  double stiffness = 0;   // at each tip; 0: gives by a millimetre under the heaviest plant [N/m]
  double damping = 0;     // at each tip; 0: stops what falls without much of a bounce [N s/m]
  double friction = 0.6;  // Coulomb's coefficient [-]
};

// A force or moment at a point of a segment, until it is taken away.
struct PointForce {
  double along = 1;             // 0: base of the segment, 1: its tip
  Numbers3 force = {0, 0, 0};   // [N]
  Numbers3 moment = {0, 0, 0};  // [N m]
  bool follower = false;        // turns with the segment; else keeps its direction
};

// A spring and damper from a point of a segment to a point that is dragged about.
struct GrabSpring {
  double along = 1;        // 0: base of the segment, 1: its tip
  double stiffness = 200;  // [N/m]
  double damping = -1;     // negative: critical for the mass that hangs on the grab alone [N s/m]
};

// Not a number where the segment that it was on is gone.
struct ProbeReading {
  std::string name;
  Numbers3 position;  // [m]
  Numbers3 velocity;  // [m/s]
};

struct Energies {
  double kinetic = 0, elastic = 0, gravitational = 0;  // [J]
};

// The work that forces did since World::keep_account, and what was lost [J].
struct EnergyWorks {
  double by_air = 0;
  double by_loads = 0;   // forces, moments and grabs
  double by_ground = 0;  // mostly friction
  double by_base = 0;    // what moves the roots
  double by_edits = 0;   // what cuts, grafts and changes brought, or took where negative
  double lost_in_joints = 0;
  double lost_by_mass = 0;
  double numerical = 0;  // what the scheme took out, and the error of the account
};

// Momentum of a plant, about the origin of the world.
struct Momentum {
  double mass = 0;   // [kg]
  Numbers3 center;   // of mass [m]
  Numbers3 linear;   // [kg m/s]
  Numbers3 angular;  // [kg m²/s]
};

// One segment as it was modelled, and what made it.
struct SegmentInfo {
  SegmentId id;
  std::int32_t parent = -1;                            // its place in this list; -1: a root
  double length = 0, radius_base = 0, radius_tip = 0;  // [m]
  std::int32_t axis = 0, order = 0;  // the branch that it belongs to; 0: trunk, 1: its branches, …
  std::int32_t module = -1, rule = -1, step = -1;  // of the grammar; -1: none made it
  char symbol = 0;                                 // first character of the module's name
  std::int32_t material = 0;                       // its place in World::materials of its plant
};

// What segments are made of.
struct MaterialInfo {
  std::string name;
  double density = 0;        // green [kg/m³]
  double young = 0;          // along the grain [Pa]
  double shear = 0;          // of twisting [Pa]
  double damping_ratio = 0;  // of the first bending mode of the plant it is in [-]
  double strength = 0;       // modulus of rupture in bending [Pa]
};

// One segment as it moves now, and the joint at its base: edits change them. Stiffness is of bending about x,
// twisting about y and bending about z.
struct SegmentBody {
  double mass = 0;                 // with the organs on it [kg]
  Numbers3 stiffness = {0, 0, 0};  // [N m/rad]
  double damping_time = 0;         // damper over spring [s]
};

// What the section at a segment's base carries: of what is beyond on what is before. World axes.
struct SectionLoad {
  Numbers3 force = {0, 0, 0};   // [N]
  Numbers3 moment = {0, 0, 0};  // [N m]
  double stress = 0;            // extreme fibre, of tension or pressure and bending [Pa]
};

struct Motion3 {
  Numbers3 velocity;          // of the segment's base [m/s]
  Numbers3 angular_velocity;  // world axes [rad/s]
};

struct Ray {
  Numbers3 origin = {0, 0, 0};     // [m]
  Numbers3 direction = {0, 0, 1};  // of any length
  double reach = 1e9;              // [m]
};

// Where a ray, or the nearest point, meets a plant.
struct Picked {
  PlantId plant;
  SegmentId segment;
  double along = 0;               // 0: base of the segment, 1: its tip
  Numbers3 position = {0, 0, 0};  // on its surface [m]
  double distance = 0;            // from where the ray begins, or from the point asked for [m]
};

// How transforms are laid out in the caller's memory, one after the other.
enum class Layout {
  position_rotation,   // 3 + 4 numbers: position, unit quaternion w, x, y, z
  matrix_3x4,          // 12 numbers, row by row: rotation and position
  matrix_4x4_columns,  // 16 numbers, column by column, as OpenGL and three.js have it
};
std::size_t numbers_of(Layout layout);

// A segment that was cut through: the lower part kept its name, the upper one has a new one.
struct Split {
  SegmentId lower, upper;
  double along = 0;  // where, of its length
};

// What an edit did.
struct EditReport {
  std::vector<PlantId> pieces;  // plants that it made
  std::vector<Split> splits;
  // Of all that it concerned; no numbers where no account is kept (World::keep_account) [J].
  double energy_before = std::numeric_limits<double>::quiet_NaN();
  double energy_after = std::numeric_limits<double>::quiet_NaN();
};

// How a grafted plant is turned to what carries it when its joint is at rest.
enum class GraftRest {
  as_before,  // where it was cut from that place: as before the cut; else as it is now
  as_it_is,   // as it is now
};
struct GraftOptions {
  double along = 1;  // where on the segment
  GraftRest rest = GraftRest::as_before;
  bool carry = false;  // brings the plant there; else it must be there, and no point of it moves
  Numbers4 turn = {1, 0, 0,
                   0};  // of a plant that is in no world yet: segment from plant, w, x, y, z
};

// What is changed of segments; factors of what they have now.
struct ChangeOf {
  double stiffness = 1;  // of the joints at their bases
  double mass = 1;
  double damping = 1;        // damping time: damper over spring
  double creep = 0;          // part of the joints' present angles that becomes their rest: 0 … 1
  std::string species = {};  // another wood; factors come on top
};

// The caller's own threads: calls work(data, i) for every i below `count`, in any order, on any threads, and
// comes back when all are done.
struct Jobs {
  int threads = 1;  // of our own, where `run` is null; 0: as many as the machine has
  void (*run)(void* user, std::size_t count, void (*work)(const void* data, std::size_t i),
              const void* data) = nullptr;
  void* user = nullptr;
};

// Plants, the air around them, and time. A copy goes its own way: it shares what does not change, so that
// undo, what-if and branching futures are copies. While another thread is in a call on it a copy is empty, and its
// notes say so.
class World {
 public:
  World();
  World(const World&);
  World& operator=(const World&);
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  ~World();

  // --- plants
  Outcome<PlantId> add(const GrammarPlant& plant);
  Outcome<PlantId> add(const RodPlant& rod);
  Outcome<PlantId> add(const GrownPlant& plant, const Placing& placing = {});
  // More plants like one that is there, each as that one started; they share its model.
  Outcome<std::vector<PlantId>> add_instances(PlantId like, std::span<const Placing> placings);
  std::size_t plant_count() const;
  std::size_t segment_count() const;
  Outcome<std::size_t> segment_count(PlantId plant) const;
  PlantId plant(std::size_t number) const;  // in the order of plants(); names nothing beyond
  std::vector<PlantId> plants() const;
  bool holds(PlantId plant) const;
  bool holds(SegmentId segment) const;
  Outcome<PlantId> plant_of(SegmentId segment) const;
  Outcome<std::vector<SegmentInfo>> segments(PlantId plant) const;  // parents first
  Outcome<std::vector<MaterialInfo>> materials(PlantId plant) const;
  Outcome<Done> bodies(PlantId plant, std::span<SegmentBody> to) const;  // one a segment
  Outcome<SegmentId> segment(PlantId plant, std::size_t number) const;
  Outcome<SegmentId> tip(PlantId plant) const;  // the last segment of its main axis
  Outcome<ParticleCounts> particles(PlantId plant) const;

  // --- what surrounds them; all may be called at any time
  Outcome<Done> set_wind(const GustyWind& wind);
  Outcome<Done> set_gravity(const Numbers3& gravity);  // [m/s²]
  Outcome<Done> set_ground(const std::optional<LevelGround>& ground);
  Outcome<ForceId> push(SegmentId segment, const PointForce& force);
  Outcome<Done> change(ForceId force, const PointForce& to);
  Outcome<Done> remove(ForceId force);
  Outcome<GrabId> grab(SegmentId segment, const GrabSpring& spring = {});
  Outcome<Done> drag(GrabId grab, const Numbers3& to);  // there from the next step on [m]
  Outcome<Done> let_go(GrabId grab);
  // Carries a clamped root to a place within `seconds`, smoothly.
  Outcome<Done> move_root(PlantId plant, const Transform& to, double seconds);
  Outcome<Done> release_root(PlantId plant);
  Outcome<Done> clamp_root(PlantId plant);  // where it is, stopping it

  // --- edits
  Outcome<EditReport> cut(SegmentId segment, double along = 0);
  Outcome<EditReport> remove(SegmentId segment);  // with all that stands on it
  Outcome<EditReport> remove(PlantId plant);
  Outcome<EditReport> graft(PlantId scion, SegmentId onto, const GraftOptions& options = {});
  Outcome<EditReport> graft(const GrownPlant& scion, SegmentId onto,
                            const GraftOptions& options = {});
  Outcome<EditReport> extend(SegmentId tip, double by);  // makes an end longer [m]
  Outcome<EditReport> thicken(std::span<const SegmentId> segments, double factor);
  Outcome<EditReport> change(std::span<const SegmentId> segments, const ChangeOf& to);
  Outcome<EditReport> change(PlantId plant, const ChangeOf& to);  // all of its segments

  // --- time
  // Moves everything by dt seconds. False: the motion of a plant could not be continued; it is where it was, all
  // others have moved, and time has not. The event `stopped` names it: mend what is wrong with it, remove it, or
  // go back to a copy. The next step tries again.
  bool step(double dt, int threads = 1);
  Outcome<Done> step(double dt, const Jobs& jobs);
  double time() const;                    // [s]
  std::span<const Event> events() const;  // of the last step, and of what was called since
  bool asleep(PlantId plant) const;

  // --- where everything is
  std::vector<Transform> transforms(PlantId plant) const;
  // Into the caller's memory: numbers_of(layout) numbers a segment.
  Outcome<Done> transforms(PlantId plant, Layout layout, std::span<double> to) const;
  Outcome<Done> transforms(PlantId plant, Layout layout, std::span<float> to) const;
  Outcome<Done> velocities(PlantId plant, std::span<Motion3> to) const;
  Outcome<Done> section_loads(PlantId plant, std::span<SectionLoad> to) const;
  Outcome<Momentum> momentum(PlantId plant) const;
  Outcome<std::optional<Picked>> pick(const Ray& ray) const;
  Outcome<std::optional<Picked>> nearest(const Numbers3& point, double within) const;  // [m]
  // Without meshes of organs that are in files: see surface_with_organs.
  Outcome<PlantSurface> surface(PlantId plant, const SurfaceDetail& detail = {}) const;
  // A point of a segment that probes() tells of from now on, wherever the segment goes; not a number once it is gone.
  Outcome<Done> add_probe(const std::string& name, SegmentId segment, double along = 1);
  Outcome<Done> remove_probe(const std::string& name);
  std::vector<ProbeReading> probes() const;
  // Velocity of the air at a point around a plant, as the last step took it.
  Numbers3 air_velocity(PlantId plant, const Numbers3& point) const;  // [m/s]

  // --- accounts
  Energies energies() const;
  // From now on account is kept of where energy goes, for the plants that are there; steps take longer.
  Outcome<Done> keep_account();
  EnergyWorks account() const;                  // zero where none is kept
  double first_frequency(PlantId plant) const;  // small motions about rest, no gravity [Hz]
  // What steps of dt do to that frequency: found over true, less 1; negative, they slow it.
  double frequency_error(PlantId plant, double dt) const;
  // Of the main axis's sway about its present pose, under gravity [Hz]. Dampers are tuned to that of the
  // plant as it is modelled.
  double sway_frequency(PlantId plant) const;
  std::int64_t rejected_steps() const;
  // That whirled too fast for the smallest substep, counted in each substep anew.
  std::int64_t braked_joints() const;
  // Steps of single plants that were not done after the passes that a step may take, the key
  // `most_passes` of a scenario; what was left of them was taken coarsely.
  std::int64_t coarse_steps() const;
  // How far the energy of a plant that no load worked on rose above its lowest before, over its largest
  // kinetic energy: the most of any plant so far. Above 0.02 the motion is not to be trusted.
  double energy_gain() const;
  int substeps() const;  // that the last step was taken in, of the plant that needed most
  // What was warned of, completed or repaired when its plants were made.
  const Diagnostics& notes() const;

  // --- keeping it
  std::uint64_t state_hash() const;
  // All of it as bytes, whatever was done to it before. What they are restored to goes on with the same bits, and
  // names mean in it what they meant. Bytes that are damaged or forged are refused.
  Outcome<std::string> save() const;
  static Outcome<World> restore(std::string_view bytes);
  // From now on all calls that change the world are kept, with the world as it is now and, after every so many
  // steps, its state. The log is text, a call a line: thigmo/replay.h makes the calls again, with the same bits.
  Outcome<Done> keep_log(int check_every = 60);
  Outcome<std::string> log() const;

 private:
  friend struct WorldAccess;
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace thigmo
