#pragma once

#include <variant>
#include <vector>

#include "mechanics/kinematics/link_tree.h"
#include "mechanics/model/mechanism.h"

namespace thigmo {

// The vibration of the main axis: of all that start when the root is shaken, the one with the largest
// modal mass. Twigs and petioles that vibrate more slowly have little.
struct Sway {
  // Without gravity, of the same shape: where weight changes that, of the motion when the root is shaken,
  // its joints' energy against all of it [Hz]; 0: nothing can vibrate.
  double elastic_frequency = 0;
  double frequency = 0;  // standing in that pose under gravity [Hz]; 0: it would fall
  double mass_share = 0;  // (φᵀ M a)²/(φᵀ M φ · aᵀ M a), a: all moves as the root is shaken
  // Of each body's joint in the elastic energy while the root is shaken at this frequency, until the motion,
  // damped everywhere by a given ratio, goes on as it is.
  std::vector<double> bending_share;
};

// About the pose of a state; without one, about the rest pose. Its shares are those of a ratio of 0.05.
Sway main_sway(const Mechanism& mechanism, const Vec3& gravity_world, const State* state = nullptr);

// A pose, with half the digits for large mechanisms: what several iterations share.
using PoseTree = std::variant<LinkTree<float>, LinkTree<double>>;
PoseTree rest_tree(const Mechanism& mechanism);
// Of the rest pose's tree, whose vectors it changes; what floats do not hold it makes anew in doubles.
Sway main_sway(const Mechanism& mechanism, const Vec3& gravity_world, double damping_ratio,
               PoseTree& tree);

// Which axis each body belongs to. A body continues its parent's axis, or begins one of its own.
struct Axes {
  std::vector<Index> of_body;
  Index count = 0;
};

// As next_on_axis says.
Axes axes_of(const Plant& plant, const Mechanism& mechanism);

// Lowest frequency of each axis about the rest pose, its base clamped and its side axes riding on it as
// rigid bodies [Hz]; 0 where nothing can vibrate. Within some percent.
std::vector<double> axis_frequencies(const Mechanism& mechanism, const Axes& axes, PoseTree tree);

}  // namespace thigmo
