#pragma once

// Worlds: plants that move. All of it is in thigmo_core.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thigmo/base.h"
#include "thigmo/surface.h"

namespace thigmo {

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
  double by_loads = 0;   // forces, moments and grabs
  double by_ground = 0;  // mostly friction
  double by_base = 0;    // what moves the roots
  double lost_in_joints = 0;
  double lost_by_mass = 0;
  double numerical = 0;  // what the scheme took out, and the error of the account
};

// Plants, the air around them, and time. Plants are numbered from 0; a number of none is an error of the
// caller, std::out_of_range, except where an Outcome can say so.
class World {
 public:
  World();
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
  // That whirled too fast for the smallest substep, counted in each substep anew.
  std::int64_t braked_joints() const;
  // Steps of single plants that were not done after the passes that a step may take, the key
  // `most_passes` of a scenario; what was left of them was taken coarsely.
  std::int64_t coarse_steps() const;
  // How far the energy of a plant that no load worked on rose above its lowest before, over its largest
  // kinetic energy: the most of any plant so far. Above 0.02 the motion is not to be trusted.
  double energy_gain() const;
  int substeps() const;  // that the last step was taken in, of the plant that needed most
  std::vector<Transform> transforms(std::size_t plant) const;
  // Without meshes of organs that are in files: see surface_with_organs.
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
  friend struct WorldAccess;
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace thigmo
