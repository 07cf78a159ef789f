#pragma once

// Vibration modes.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "thigmo/base.h"

namespace thigmo {

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
  // Of the plant's mass that a mode takes along when the root is shaken along x and along z, both
  // together: the sway of a stem has the most.
  std::vector<double> mass_share;
  int solves = 0;      // O(n) solutions taken
  double wall_ms = 0;  // of finding the modes, the equilibrium included
  std::vector<std::string> files;
  Diagnostics notes;  // what was completed or left out
};

// The lowest undamped vibrations. A plant that falls over has none: an error.
Outcome<ModesSummary> modes(const ModesRequest& request);

}  // namespace thigmo
