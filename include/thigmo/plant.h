#pragma once

// What plants are made from: grammars, rods, and plants that were grown or read before. All of it is in
// thigmo_core.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thigmo/base.h"

namespace thigmo {

// What moves a plant: rigid segments with elastic joints, or particles that constraints hold together (Li 2012),
// whose stiffness follows from steps and iterations and not from the wood.
enum class Method { articulated, particles };

struct ParticleSettings {
  // Of each angular constraint: 2 lie in the plane of a flat plant, which it then never leaves, as in Li's own
  // work; 4 hold it in space, as he proposes (section 5.1).
  int supports = 4;
  int iterations =
      0;  // of all constraints, in each step; 0: ⌈√n⌉ of a component's n (appendix A.1)
  double power = 1;  // part of its correction that a constraint gets in each iteration: 0 … 1
  double velocity_kept = 1;  // part of its velocity that a particle keeps over a second: 0 … 1
  // Ties supports to those of the segment below, so that nothing turns about its own axis. Li's angular
  // constraints leave that free (section 5.1). Of 4 supports only.
  bool twist = true;
};

// What a plant of particles is made of: its connected components are relaxed on their own.
struct ParticleComponent {
  std::size_t constraints = 0;
  int iterations = 0;  // in each step
};
struct ParticleCounts {
  std::size_t particles = 0;
  std::vector<ParticleComponent> components;  // none: the plant has joints
};

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
  Method method = Method::articulated;
  ParticleSettings particles = {};  // of that method
};

// A round rod, for trials and for what is no plant: a stake, a rope, a handle.
struct RodPlant {
  int segments = 20;
  double length = 1;                // [m]
  double radius_base = 0.01;        // [m]
  double radius_tip = 0.01;         // [m]
  Numbers3 direction = {0, 1, 0};   // unit vector
  std::string species = "oak";      // else the numbers below
  double density = 0;               // above 0: instead of the species' [kg/m³]
  double young = 0;                 // above 0: instead of the species' [Pa]
  double damping_ratio = -1;        // 0 or more: instead of the species'
  bool stands_as_modelled = false;  // else it starts straight and sags under its weight
  Method method = Method::articulated;
  ParticleSettings particles = {};  // of that method
  Numbers3 position = {0, 0, 0};    // [m]
};

// Where one of several equal plants stands: its root, and how it is turned about the vertical through it.
struct Placing {
  Numbers3 position = {0, 0, 0};  // [m]
  double turn = 0;                // [rad]
};

// A plant at rest that is in no world yet. Copies share it; it never changes.
class GrownPlant {
 public:
  GrownPlant() = default;  // none
  explicit operator bool() const { return content_ != nullptr; }
  std::size_t segment_count() const;
  double height() const;  // [m]
  const std::string& name() const;

 private:
  friend struct GrownPlantAccess;
  std::shared_ptr<const struct GrownPlantContent> content_;
};

// Grows a grammar; `notes` takes what was warned of.
Outcome<GrownPlant> grow_plant(const GrammarPlant& plant, Diagnostics* notes = nullptr);
Outcome<GrownPlant> grow_plant(const RodPlant& rod);

}  // namespace thigmo
