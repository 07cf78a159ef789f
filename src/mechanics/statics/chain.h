#pragma once

#include <vector>

#include "mechanics/model/loads.h"
#include "mechanics/statics/chain_element.h"

namespace thigmo {

// How the loads beyond every element are summed. All give the same numbers up to rounding.
enum class ChainForm {
  linear,     // Hall 2013, algorithm 4.1: sums of [F]ᵀ E_αβ P prepared once a sweep
  outer,      // the same by sums of P Fᵀ, appendix A
  quadratic,  // algorithm 3.1: summed anew, and all that is beyond moved, at every element
};

struct ChainOptions {
  ChainElement element = ChainElement::one_joint;
  ChainForm form = ChainForm::linear;
  int load_increments = 10;
  // End iterations stop when no element tip moves further than this, in parts of the whole length.
  double tolerance = 1e-10;
  int most_iterations = 20000;  // of one load increment
  // Raise the loads further where an increment has not come to rest, as Hall 2013 must have done
  // for its shortest chains.
  bool go_on = false;
};

struct ChainReport {
  bool converged = false;
  int iterations = 0;        // sweeps over the whole chain
  double load_fraction = 0;  // the largest at which the end iterations came to rest
  double last_move = 0;      // of an element tip in the last sweep [m]
};

struct ChainPose {
  ChainReport report;
  std::vector<Vec3> tip_world;  // of each segment [m]
  // Of each element, where its links meet, from its base to its tip, and how many points that are. A bent
  // element is longer than its chord.
  std::vector<std::array<Vec3, 5>> points_world;
  std::size_t points_each = 0;
  Pose pose;                         // frames at the segments' bases, y along their chords
  std::vector<Quat> world_from_tip;  // of the elastic tips
};

// The static pose of a plant by the chain algorithm of Hall 2013: each segment one element. Loads
// keep their direction and act at the nearest element tips; weight goes half to either end. Follower
// loads are not in the algorithm and must not be given.
ChainPose bend_chain(const Plant& plant, const Loads& loads, const ChainOptions& options,
                     const PlantFrame& stands = {});

// The point of an element at a fraction of its length, along its links.
Vec3 point_on_chain(const ChainPose& chain, std::size_t segment, double fraction);

}  // namespace thigmo
