#pragma once

// Static poses.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "thigmo/base.h"

namespace thigmo {

struct PoseRequest {
  std::string scenario_file;
  std::string scenario_text = {};  // instead of a file
  std::vector<std::string> overrides = {};
  // "newton"; or the pseudo-rigid-body chain of Hall 2013: "chain-1r", "chain-3r", their forms
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

}  // namespace thigmo
