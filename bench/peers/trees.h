#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/peers/peers.h"

namespace thigmo::bench {

// What the programs are compared on.
struct Tree {
  std::string name;
  Mechanism mechanism;
  double mean_depth = 0;  // bodies from a body to the ground, itself included
};

// A plant of the gallery with other values for its #define constants, of wood with that part of its
// stiffness: a tree must sag visibly, since one that does not move has the same pose in every program.
Tree gallery_tree(const std::string& gallery, const std::string& name,
                  const std::map<std::string, double>& parameters, double softness);
// Plain rods of 0.1 m. Each body's parent is drawn at random among the `choice` bodies before it, so that
// the mean depth is about bodies / (choice + 1); every rod turns by some 0.15 rad from its parent, and its
// section is that of all rods it carries.
Tree random_tree(int bodies, int choice);
// An unbranched level rod, the cantilever of Garcia 2023.
Tree level_rod(int bodies);

JointMotion at_rest(const Mechanism& mechanism);
// Every joint turned by some 0.3 rad and moving by some 2 rad/s, each its own way.
JointMotion random_motion(const Mechanism& mechanism);

}  // namespace thigmo::bench
