#pragma once

// The public C++ interface of thigmo: grow plants, move them, read where they are, run scenarios.
// SI units, world frame with y up, unless said otherwise. What returns an Outcome does not throw:
// bad input is a Failure, and so is a lack of memory.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "thigmo/diagnostic.h"

namespace thigmo {

// "0.1.0"
const char* version();

// What went wrong: one entry at least.
struct Failure {
  Diagnostics diagnostics;
  std::string message = to_string(diagnostics);  // ready to print
};

// A value, or why there is none.
template <class T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : content_(std::move(value)) {}
  Outcome(Failure failure) : content_(std::move(failure)) {}
  explicit operator bool() const { return content_.index() == 0; }
  T& operator*() { return std::get<0>(content_); }
  const T& operator*() const { return std::get<0>(content_); }
  T* operator->() { return &std::get<0>(content_); }
  const T* operator->() const { return &std::get<0>(content_); }
  // Ready to print: "file:line:column: error: message", the line, a caret, a hint.
  const std::string& error() const { return std::get<1>(content_).message; }
  const Diagnostics& diagnostics() const { return std::get<1>(content_).diagnostics; }

 private:
  std::variant<T, Failure> content_;
};

using Numbers3 = std::array<double, 3>;  // x, y, z
using Numbers4 = std::array<double, 4>;  // unit quaternion w, x, y, z

// Where a segment is: its base, and the rotation of its frame (y along the segment).
struct Transform {
  Numbers3 position;
  Numbers4 rotation;
};

// {"errors": […], "warnings": […], "notes": […]}, each entry with severity, file, line, column, message
// and hint; null where there is none. What a command prints with --json when it fails.
std::string to_json(const Diagnostics& diagnostics);

// What a Failure says when there was not enough memory.
Diagnostic out_of_memory();

// ---- Deriving grammars -------------------------------------------------------------------------

// Where a derivation is refused, before its memory is used.
struct DeriveLimits {
  std::int64_t symbols = 100'000'000;         // of the string
  std::int64_t steps = 1'000'000;             // of the derivation
  std::int64_t nesting = 1'000'000;           // brackets open at one place
  std::int64_t memory_bytes = 2'000'000'000;  // of the strings
  std::int64_t work = 2'000'000'000;          // instructions, comparisons and modules copied
  std::int64_t block = 1'000'000;             // instructions of one block of statements
  int recursion = 100;                        // levels of an expansion without a maximum depth
};

struct DeriveRequest {
  std::string file;
  std::optional<double> steps =
      {};  // else the file's derivation length; a model in time takes parts
  std::optional<std::uint64_t> seed = {};
  std::optional<double> angle_degrees = {};
  std::map<std::string, double> defines = {};  // other values for #define constants
  bool want_text = false;                      // fill Derived::text
  bool want_explanation = false;               // fill Derived::explanation
  bool draw = true;                            // false: leave out segments and box
  int threads = 1;
  DeriveLimits limits = {};
};

struct Derived {
  std::uint64_t length = 0;  // symbols of the plain string, brackets included
  // By character of the plain string, so that they add up to the length; a declared name is one.
  std::map<std::string, std::uint64_t> counts;
  std::uint64_t segments = 0;             // of the plant the turtle draws
  Numbers3 bbox_min = {}, bbox_max = {};  // around both ends of all segments [m]
  std::string text;                       // the string with its parameters
  std::string explanation;  // for every module: the rule, step and parent that made it
  Diagnostics warnings;
  std::size_t failed_expectations = 0;  // `expect` lines that do not hold; they are in the warnings
};

Outcome<Derived> derive(const DeriveRequest& request);

// The counts and sizes as the JSON that `thigmo derive --json` prints.
std::string to_json(const Derived& derived);

// The plant itself, from the file to its last leaf: what an editor does after every change.
struct Grown {
  std::uint64_t symbols = 0;  // of the plain string
  std::uint64_t segments = 0, organs = 0;
  Diagnostics warnings;
};
Outcome<Grown> grow(const DeriveRequest& request);

// What is wrong or suspicious about a grammar file, all at once.
struct Checked {
  int errors = 0, warnings = 0;
  Diagnostics found;  // empty when all is well
};
Outcome<Checked> check(const std::string& file);
std::string to_json(const Checked& checked);

// ---- Worlds: plants that move ------------------------------------------------------------------

struct GrammarPlant {
  std::string file;  // .lsys, .abs or .sbt
  std::optional<int> steps = {};
  std::optional<std::uint64_t> seed = {};
  std::map<std::string, double> parameters = {};  // replace #define constants of the file
  std::string species = {};       // empty: the material that the grammar gives, else oak
  Numbers3 position = {0, 0, 0};  // [m]
  // The grammar itself instead of a file that holds it: `file` is then only its name in messages, and the
  // ending says which language it is in (none: .lsys).
  std::string text = {};
  std::optional<double> smallest_body =
      {};  // ends of stated bodies that are lighter are left out [kg]
};

struct GustyWind {
  Numbers3 mean = {6, 0, 0};  // [m/s]
  double intensity = 0.25;    // standard deviation / mean speed; 0: uniform wind
  std::uint64_t seed = 1;
  double length_scale = 20;  // integral length of the gusts along the wind; 0: no gusts [m]
  double decay = 10;         // C of Davenport's coherence exp(-C n r / U) across it
};

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
  double by_loads = 0;   // forces, moments and hands
  double by_ground = 0;  // mostly friction
  double by_base = 0;    // what moves the feet
  double lost_in_joints = 0;
  double lost_by_mass = 0;
  double numerical = 0;  // what the scheme took out, and the error of the account
};

// A mesh to draw all organs of a kind with: y along, z out of the upper face, scaled evenly to each
// organ's length.
struct OrganMesh {
  std::string kind;  // "leaf", "flower", "petal", "fruit" or "bud"
  std::string file;  // .obj, .glb or .gltf
};

// How finely the surface of plants is made.
struct SurfaceDetail {
  int sides = 12;         // around the thickest stem; thinner ones have fewer, 3 at least
  double min_radius = 0;  // stems that are thinner everywhere are left out [m]
  double leaf_share = 1;  // part of the leaves kept, each larger so that their area stays
  double root_flare = 0;  // how much wider the foot of a stem is: 0.5 is half more
  bool weld = false;      // side branches and their parents are one surface, where that can be
  bool tangents = false;  // GLB gets them too, for normal maps
  std::vector<OrganMesh> organs = {};
};

// The surface of a plant as triangles, for programs that draw it themselves. Three numbers a vertex,
// two for its texture; triangles are counter-clockwise seen from outside.
struct SurfaceMesh {
  std::vector<float> positions, normals, colours, uvs;
  std::vector<std::uint32_t> indices;
};

// A surface that follows a plant of a world.
class PlantSurface {
 public:
  PlantSurface(PlantSurface&&) noexcept;
  PlantSurface& operator=(PlantSurface&&) noexcept;
  ~PlantSurface();

  // At rest. Texture, colours and triangles never change.
  const SurfaceMesh& at_rest() const;

  // Moves positions and normals to where the segments are (World::transforms of its plant) and returns
  // them. The memory is the surface's own and used again.
  struct Shape {
    const float* positions = nullptr;  // three a vertex [m]
    const float* normals = nullptr;    // three a vertex, unit
    std::size_t vertices = 0;
  };
  Shape follow(const std::vector<Transform>& transforms);

 private:
  friend class World;
  struct Content;
  explicit PlantSurface(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content_;
};

// Plants, the air around them, and time.
class World {
 public:
  World();
  // From a scenario file; overrides are "key=value" as in `thigmo run --set`.
  static Outcome<World> load(const std::string& scenario_file,
                             const std::vector<std::string>& overrides = {});
  // From the text of a scenario; files it names are looked up in `folder`.
  static Outcome<World> parse(const std::string& scenario_text, const std::string& folder = ".",
                              const std::vector<std::string>& overrides = {});
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  ~World();

  // Grows a plant from a grammar, a file or its text; its number in this world.
  Outcome<std::size_t> add_plant(const GrammarPlant& plant);
  // Lets this wind blow from now on, also around plants that are there already. False: it is no wind (not
  // finite, or faster than 10,000 m/s); what blew before goes on, and notes() say why.
  bool set_wind(const GustyWind& wind);

  // What was warned of, completed or repaired when its plants were made, or refused as a wind.
  const Diagnostics& notes() const;

  // Moves everything by dt seconds. False: the motion could not be continued.
  bool step(double dt, int threads = 1);

  double time() const;  // [s]
  std::size_t plant_count() const;
  std::size_t segment_count() const;
  std::int64_t rejected_steps() const;
  // That whirled too fast for the smallest piece of a step, counted in each piece anew.
  std::int64_t braked_joints() const;
  // Steps of single plants that were not done after the passes that a step may take, the key
  // `most_passes` of a scenario; what was left of them was taken coarsely.
  std::int64_t coarse_steps() const;
  // How far the energy of a plant that no load worked on rose above its lowest before, over its largest
  // kinetic energy: the most of any plant so far. Above 0.02 the motion is not to be trusted.
  double energy_gain() const;
  int pieces() const;  // that the last step was taken in, of the plant that needed most
  std::vector<Transform> transforms(std::size_t plant) const;
  Outcome<PlantSurface> surface(std::size_t plant, const SurfaceDetail& detail = {}) const;
  std::vector<ProbeReading> probes() const;
  // Velocity of the air at a point around a plant, as the last step took it.
  Numbers3 air_velocity(std::size_t plant, const Numbers3& point) const;  // [m/s]
  Energies energies() const;
  // From now on account is kept of where energy goes, for the plants that are there; steps take longer.
  void keep_account();
  EnergyWorks account() const;                      // zero where none is kept
  double first_frequency(std::size_t plant) const;  // small motions about rest, no gravity [Hz]
  // What steps of dt do to that frequency: found over true, less 1; negative, they slow it.
  double frequency_error(std::size_t plant, double dt) const;
  // Of the main axis's sway about its present pose, under gravity [Hz]. Dampers are tuned to that of the
  // plant as it is modelled.
  double sway_frequency(std::size_t plant) const;
  std::uint64_t state_hash() const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

// ---- Running scenarios -------------------------------------------------------------------------

struct Progress {
  std::string stage;    // what is being done
  double fraction = 0;  // of this stage
};

struct RunRequest {
  std::string scenario_file;
  std::string out_folder;
  int threads = 0;  // 0: as many as the machine has
  std::vector<std::string> overrides = {};
  std::function<void(const Progress&)> on_progress = {};
  const std::atomic<bool>* cancel = nullptr;  // set it to stop soon; nothing half-written is left
  std::string restore_file = {};              // a snapshot to go on from, with the same bits
  std::string save_file = {};                 // where to leave a snapshot of the end
};

struct RunSummary {
  std::size_t segments = 0;
  std::int64_t steps = 0;
  double simulated_seconds = 0;
  double wall_seconds = 0;  // of stepping alone: growing, writing and drawing are not in it
  double real_time_factor = 0;
  std::int64_t rejected_steps = 0;  // pieces of steps that were undone and retaken smaller
  std::int64_t corrections = 0;     // passes over a plant repeated for better guesses
  std::int64_t braked_joints = 0;   // see World::braked_joints
  std::int64_t coarse_steps = 0;    // see World::coarse_steps
  double energy_gain = 0;           // see World::energy_gain
  // What the scheme took from plants that nothing damps or drives, over their largest kinetic energy.
  double energy_taken_by_scheme = 0;
  // What the step does to the sway of a plant's main axis, of the plant that suffers most: found over
  // true, less 1; and the longest step that slows it by no more than 1 % [s].
  double step_frequency_error = 0;
  double step_within_percent = 0;
  bool finite = true;  // false: the motion could not be continued to the end
  bool cancelled = false;
  std::vector<ProbeReading> probes;
  std::uint64_t state_hash = 0;
  std::vector<std::string> files;  // written, without the folder
  Diagnostics notes;               // what had to be given up, and what is not to be trusted
};

// The summary as the JSON that `thigmo run --json` prints; each command has its own. They all have three
// lists, "errors", "warnings" and "notes": docs/scenario.md.
std::string to_json(const RunSummary& summary);

Outcome<RunSummary> run(const RunRequest& request);

// ---- Converting files --------------------------------------------------------------------------

struct ConvertRequest {
  std::string input;   // a grammar, a scenario (.toml), or a tree from elsewhere
  std::string output;  // by its ending; the plant at rest, a scenario's plants with their motion
  std::string species = "oak";     // what an imported tree is made of
  double scale = 1;                // metres in the input's unit
  bool lines = false;              // .obj as lines instead of a mesh
  int max_joints = 65'535;         // of a skeleton; more segments are merged
  std::string style = "skeleton";  // of .usda: or "points", "curves"
  double rate = 30;                // frames per second of a scenario's motion
  SurfaceDetail surface = {};
  std::string compare =
      {};  // .png that shows the first plant with all joints beside the few of a .glb
  int compare_size = 640;                   // of each of its two pictures [pixels]
  std::vector<std::string> overrides = {};  // as for `run` and `render`
  int threads = 0;                          // 0: as many as the machine has
  std::function<void(const Progress&)> on_progress = {};
  const std::atomic<bool>* cancel = nullptr;  // set it to stop soon; nothing half-written is left
};

struct Converted {
  std::size_t segments = 0, organs = 0, frames = 1;
  double write_seconds = 0;  // of writing alone: reading, growing and simulating are not in it
  bool cancelled = false;    // then no file was written
  std::vector<std::string> files;  // written
  Diagnostics notes;               // what readers completed and writers gave up
};

Outcome<Converted> convert(const ConvertRequest& request);
std::string to_json(const Converted& converted);

// ---- Pictures ----------------------------------------------------------------------------------

// How a picture shows plants.
struct View {
  // Where the camera stands [degrees]: 0 looks from +z, 90 from +x; above the horizon. It goes as far
  // back as the plants need.
  double azimuth = 29, elevation = 5.5;
  double zoom = 1;                                // 2: everything twice as large
  std::optional<Numbers3> eye = {}, target = {};  // [m]; place it by hand instead
  double field_of_view = 30;                      // from bottom to top [degrees]
  double aperture = 0;  // diameter of the lens [m]; what is out of focus blurs. 0: all is sharp
  std::optional<double> focus = {};  // distance that is sharp [m]; else that of the plants' middle
  bool ground = true;                // false: the plants hang in the sky
  bool wireframe = false;            // segments as lines and joints as dots
  std::string colour = {};           // name of a value to colour segments by; see colour_values()
  SurfaceDetail surface = {};
};

// Names of the values that segments can be coloured by, each with what it is.
std::vector<std::pair<std::string, std::string>> colour_values();

struct RenderRequest {
  std::string
      file;  // a scenario (.toml), or a grammar or a tree from elsewhere for one plant at rest
  std::string out_file;             // .png
  std::optional<double> time = {};  // of a scenario's picture [s]; none: its start
  std::vector<double> times = {};   // instead: several pictures side by side [s], early first
  std::optional<int> steps = {};    // of a grammar; else the file's derivation length
  std::optional<std::uint64_t> seed = {};  // of a grammar
  std::string species = {};                // of a grammar; empty: as the grammar says, else oak
  // "NAME=number" replaces a #define of a grammar; "key=value" changes a key of a scenario.
  std::vector<std::string> overrides = {};
  View view = {};
  int width = 960, height = 720;  // of each picture [pixels]
  int samples = 32;               // light paths per pixel
  int threads = 0;                // 0: as many as the machine has
  const std::atomic<bool>* cancel = nullptr;
};

struct RenderSummary {
  std::size_t plants = 0, segments = 0, organs = 0;
  Numbers3 bbox_min = {}, bbox_max = {};  // around all segments, as drawn [m]
  double value_min = 0, value_max = 0;    // of the colours' value
  double draw_seconds = 0;                // of drawing alone
  bool cancelled = false;                 // then no file was written
  Diagnostics notes;                      // what readers completed
};

// Draws one picture.
Outcome<RenderSummary> render(const RenderRequest& request);
std::string to_json(const RenderSummary& summary);

struct SheetRequest {
  std::string folder = "gallery/plants";  // of grammars
  std::string out_file;                   // .png
  int columns = 7;
  int tile = 240;    // width of a picture; its height is the same [pixels]
  int samples = 24;  // light paths per pixel
  int threads = 0;   // 0: as many as the machine has
  std::function<void(const Progress&)> on_progress = {};
  const std::atomic<bool>* cancel = nullptr;
};

struct SheetSummary {
  std::vector<std::string> plants;  // in the order of the pictures
  bool cancelled = false;           // then no file was written
  Diagnostics notes;                // warnings of the grammars
};

// Draws all grammars of a folder side by side, each with its name.
Outcome<SheetSummary> contact_sheet(const SheetRequest& request);
std::string to_json(const SheetSummary& summary);

// The grammars of a folder, each with the first comment of its file.
Outcome<std::vector<std::pair<std::string, std::string>>> gallery(const std::string& folder);

// ---- Static poses ------------------------------------------------------------------------------

struct PoseRequest {
  std::string scenario_file;
  std::string scenario_text = {};  // instead of a file
  std::vector<std::string> overrides = {};
  // "newton"; or the pseudo-rigid-body chain of document 001: "chain-1r", "chain-3r", their forms
  // with "-quadratic" and "-outer".
  std::string method = "newton";
  // Instead of looking for a pose: which rest shape makes the modelled pose the equilibrium?
  bool rest_from_pose = false;
  std::optional<Numbers3> branch = {};  // where the pose found is unstable: fall this way
  // Of the chain methods: increments of the load, sweeps of an increment at most, and the part of
  // the length by which no tip may still move.
  int load_increments = 10;
  int most_sweeps = 20'000;
  double tolerance = 1e-10;
  // Give the pose of a chain that has not come to rest too, and say so in `settled`.
  bool keep_unsettled = false;
  std::string out_folder = {};  // for pose.csv and sections.csv; empty: no files
};

struct PosedProbe {
  std::string name;
  Numbers3 position;  // [m]
  Numbers4 rotation;  // of the cross-section there: y along the stem
};

struct PoseSummary {
  std::string method;
  std::size_t segments = 0;
  bool settled = true;  // false only where PoseRequest::keep_unsettled allows it
  int iterations = 0;   // Newton steps, or sweeps of a chain
  double residual =
      0;  // largest torque out of balance over the largest held; chains: last move [m]
  std::optional<bool> stable = {};  // every small deflection takes energy; chains do not know
  double largest_rest_angle = 0;    // between rest and pose, of a joint [rad]
  std::vector<PosedProbe> probes;
  double max_stress = 0;         // extreme fibre [Pa]
  std::int64_t max_segment = 0;  // where
  double min_safety = 0;         // strength over stress
  std::size_t contacts = 0;      // tips that lie on the scenario's ground
  double ground_force = 0;       // with which it pushes them up [N]
  double wall_ms = 0;            // of finding the pose alone
  std::vector<std::string> files;
  Diagnostics notes;  // warnings, and what readers completed
};

// The pose in which gravity and the forces that act at time 0 are in balance. A pose that does not
// exist or is not found is an error that says how much of the loads could be carried.
Outcome<PoseSummary> pose(const PoseRequest& request);

// As `thigmo pose --json` prints it.
std::string to_json(const PoseSummary& summary);

// ---- Plots -------------------------------------------------------------------------------------

enum class SeriesStyle { line, dots, bars };

struct PlotSeries {
  std::string label;
  std::vector<double> x, y;
  SeriesStyle style = SeriesStyle::line;
  int colour = -1;  // 0 to 7; -1: its number in the plot
};

struct Plot {
  std::string title, x_label, y_label;  // labels carry the unit: "time [s]"
  std::vector<PlotSeries> series;
  bool logarithmic_x = false, logarithmic_y = false;  // then what is not positive is left out
  bool equal_scale = false;                           // a metre is as long upwards as to the right
  std::vector<std::string> x_names = {};              // instead of the numbers 0, 1, 2 … below
  int width = 960, height = 540;                      // [pixels]
};

// Writes a PNG; its name.
Outcome<std::string> write_plot(const Plot& plot, const std::string& file);

// ---- Vibration modes ---------------------------------------------------------------------------

struct ModesRequest {
  std::string file;  // a scenario (.toml), or a tree from elsewhere (.json, .obj, …)
  std::string scenario_text = {};  // instead of a file
  std::vector<std::string> overrides = {};
  std::string plant = {};  // of a scenario; empty: its first
  int count = 10;
  // "equilibrium": where gravity and the forces of time 0 let it settle; "modelled": as the file has
  // it, with the rest shape that makes it stand like that; "rest": without any load.
  std::string about = "equilibrium";
  // Wood of a tree that is no scenario's.
  std::string species = "oak";
  std::optional<double> young = {}, density = {};
  // How that wood twists: Poisson's ratio, the shear modulus [Pa] or the shear modulus over Young's.
  std::optional<double> poisson = {}, shear = {}, shear_ratio = {};
  // That each segment of such a tree is cut into; else as many as make five joints between forks.
  std::optional<int> pieces = {};
  std::string out_folder = {};  // for mode_1.glb, mode_1.png …; empty: no files
};

struct ModesSummary {
  std::string plant;
  std::size_t segments = 0;
  std::string about;
  double sag = 0;  // largest way from the modelled shape to the vibrating one [m]
  std::vector<double> frequencies_hz;  // rising; equal ones as often as they are there
  std::vector<double> twist_share;  // of each mode's elastic energy, 0: all bending, 1: all twist
  // Of critical damping, by the plant's dampers alone; without the air.
  std::vector<double> damping_ratios;
  // Of the plant's mass that a mode takes along when the base is shaken along x and along z, both
  // together: the sway of a stem has the most.
  std::vector<double> mass_share;
  int solves = 0;      // O(n) solutions taken
  double wall_ms = 0;  // of finding the modes, the equilibrium included
  std::vector<std::string> files;
  Diagnostics notes;  // what was completed or left out
};

// The lowest undamped vibrations. A plant that falls over has none: an error.
Outcome<ModesSummary> modes(const ModesRequest& request);

// As `thigmo modes --json` prints it.
std::string to_json(const ModesSummary& summary);

}  // namespace thigmo
