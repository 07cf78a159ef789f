#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "environment/wind.h"
#include "mechanics/step/step.h"
#include "plant/placement.h"
#include "plant/rod.h"
#include "scenario/path_source.h"
#include "simulation/add_plant.h"
#include "simulation/ground.h"
#include "simulation/keyed_value.h"
#include "thigmo/formats.h"
#include "thigmo/surface.h"

namespace thigmo {

// What changes of a material, over what it is at the start; empty: nothing.
struct KeyedMaterial {
  KeyedValue<double> stiffness, damping;
};

// The wood of some segments of a tree from a file: of those that meet every condition.
struct WoodSource {
  Diagnostic place;  // where the scenario says so
  Material material;
  KeyedMaterial keyed = {};
  std::optional<double> hollow = {};              // else the tree's [-]
  std::optional<Index> axis = {};                 // its number in the file, or as it was counted
  Index first_order = 0, last_order = INT32_MAX;  // branching orders, 0: trunk
  double radius_above = 0;                        // in the middle of the file's segment [m]
  double radius_below = std::numeric_limits<double>::infinity();  // [m]
};

// A tree that was drawn, scanned or measured elsewhere.
struct TreeSource {
  std::string file;                // as the scenario names it, behind its folder
  double scale = 1;                // metres in the file's unit
  std::optional<bool> z_up = {};   // else what the format says
  std::optional<int> pieces = {};  // of each of its segments; else as far as bars need it
  Material material;
  double hollow = 0;                   // inner over outer radius of its stems [-]
  std::vector<WoodSource> woods = {};  // of segments that are made of something else
};

// What holds a plant's root.
struct RootSource {
  bool free = false;                   // nothing: a cut branch, a pot in the air
  std::optional<double> release = {};  // when it is let go [s]
  Vec3 velocity_world, spin_world;     // of a free one at the start [m/s], [rad/s]
  double pot_mass = 0;                 // a ball about the root [kg]
  double pot_radius = 0;               // [m]
};

struct PlantSource {
  std::string name;
  RootSource root;
  Damping damping;
  Method method = Method::articulated;
  ParticleSettings particles = {};
  std::variant<RodDescription, GrammarSource, TreeSource> source;
  KeyedMaterial keyed = {};                // of its material
  std::optional<double> root_spring = {};  // how the ground holds its root [N m/rad]; none: firmly
  // Where it stands. None: where the grammar or the file has it. A shift is from there, but that of a tree
  // from a file, which is from the origin.
  std::optional<Placement> place = {};
  std::optional<std::size_t> like = {};  // the first of several equal plants, where it is another
  std::optional<StartPose> start = {};   // else rest for rods, and modelled for all others, or rest
                                         // where these could not stand as modelled
};

// "tip", a place along a segment, along an axis or along the main one.
struct PointOnPlant {
  enum class Kind { tip, segment, axis, main_axis } kind = Kind::tip;
  Index number = 0;  // of the segment or axis
  double along = 1;
  Diagnostic place = {};  // where the scenario says so
};

struct ForceSource {
  std::string plant;
  PointOnPlant at;
  Vec3 force;   // [N]
  Vec3 moment;  // [N m]
  bool follower = false;
  double start = 0;                // [s]
  std::optional<double> end = {};  // [s]; none: for good
  double frequency = 0;  // [Hz]; above 0 it goes to and fro: × sin(2π f (t - start) + phase)
  double phase_degrees = 0;
};

// How the root of a plant is moved.
struct MotionSource {
  std::string plant;
  PathSource path;
};

// A spring and damper that hold a point of a plant; their other end moves, and they may let go.
struct GrabSource {
  std::string plant;
  PointOnPlant at;
  PathSource path;                     // of the other end, from where the point is at the start
  double stiffness = 0;                // [N/m]
  double damping = 0;                  // [N s/m]
  std::optional<double> release = {};  // [s]; none: never
};

struct ProbeSource {
  std::string name;
  std::string plant;
  PointOnPlant at;
};

// Changes of plants at a time. Segments are those of a plant as it was modelled, whatever they are on by then.
struct CutSource {};
struct RemoveSource {};
struct GraftSource {
  std::string scion;        // the plant that it was modelled as …
  PointOnPlant part_of_it;  // … and a segment that the one to be grafted has
  bool as_before = true;    // joined again where it was cut, as before
  bool carry = false;       // brought there
};
struct ChangeSource {
  double stiffness = 1, mass = 1, damping = 1;  // factors
  double creep = 0;  // part of the joints' angles that becomes their rest
};
struct ThickenSource {
  double factor = 1;  // of radii
};
struct ExtendSource {
  double by = 0;  // [m]
};
struct EditSource {
  Diagnostic place;  // where the scenario says so
  double time = 0;   // [s]
  std::string plant;
  std::optional<PointOnPlant> at = {};  // none: the whole plant; of a graft: where it was cut from
  std::variant<CutSource, RemoveSource, GraftSource, ChangeSource, ThickenSource, ExtendSource>
      what;
};

enum class OutputKind { plants, picture, video, plot };

// A file to leave beside probes.csv and summary.json.
struct OutputSource {
  std::string file;
  OutputKind kind = OutputKind::plants;
  double rate = 30;                     // frames per second of animations
  double time = 0;                      // of a picture [s]
  int width = 960, height = 540;        // of pictures, videos and plots [pixels]
  int samples = 16;                     // light paths per pixel
  std::string probe;                    // of a plot
  Index max_joints = 65'535;            // of a skeleton
  bool lines = false;                   // .obj as lines instead of a mesh
  UsdStyle style = UsdStyle::skeleton;  // of .usda
  // Of pictures and videos.
  std::optional<double> azimuth, elevation;  // [degrees]
  double zoom = 1;
  std::optional<Vec3> eye, target;  // [m]
  double field_of_view = 30;        // [degrees]
  double aperture = 0;              // [m]
  std::optional<double> focus;      // [m]
  bool ground = true;
  bool wireframe = false;
  std::string colour;
  SurfaceDetail surface = {};  // its organs are the scenario's
};

// What a scenario file says, checked and with its defaults filled in.
struct Scenario {
  std::string title;
  double duration = 10;      // [s]
  double step = 1.0 / 60.0;  // [s]
  StepOptions options;
  Vec3 gravity = {0, -9.81, 0};  // at the start [m/s²]
  KeyedValue<Vec3> keyed_gravity = {};
  std::vector<PlantSource> plants;
  WindModel wind;
  KeyedValue<Vec3> keyed_wind = {};  // its mean
  DragModel drag = {.air_density =
                        0};  // no air unless there is a wind, or the file gives a density
  std::vector<ForceSource> forces;
  std::vector<MotionSource> motions;
  std::vector<GrabSource> grabs;
  std::optional<GroundForm> ground = {};
  bool energy = false;            // write energy.csv
  std::vector<EditSource> edits;  // in the order of the file
  std::vector<ProbeSource> probes;
  std::vector<OrganMesh> organs;  // files as the scenario names them, behind its folder
  std::vector<OutputSource> outputs;
  // Of all keys that say how plants move: not title, duration, energy, the limits of a step's passes,
  // probes, organs and outputs.
  std::uint64_t fingerprint = 0;
  Diagnostics notes = {};  // what it says without effect
};

// `file` is for messages, and its folder is put before the names of files in the scenario.
// `overrides` are "key=value" with the value as TOML and the key as a
// path: duration, wind.mean, plant.0.segments or plant.NAME.segments.
Result<Scenario> parse_scenario(std::string_view file, std::string_view text,
                                const std::vector<std::string>& overrides = {});

}  // namespace thigmo
