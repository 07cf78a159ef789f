#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mechanics/model/mechanism.h"

// The same tree in other programs: each is given the masses, inertias, springs and dampers of one
// mechanism, so that times can be compared.
namespace thigmo::bench {

// How the joints of a tree are turned, and how they move; body frames.
struct JointMotion {
  std::vector<Quat> rest_from_body;
  std::vector<Vec3> velocity;  // [rad/s]
};

// One program that holds the tree. Gravity is -9.81 m/s² along y; there is no air.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;
  virtual void set(const JointMotion& motion) = 0;
  // By the step the peer was made with. False: the program gave up.
  virtual bool step() = 0;
  // Of the joints as they are, without anything of the step's scheme; body frames [rad/s²].
  virtual std::vector<Vec3> accelerations() = 0;
  // Where the bodies end [m].
  virtual std::vector<Vec3> tips() const = 0;
};

std::unique_ptr<Peer> make_thigmo(const Mechanism& mechanism, double step);
std::unique_ptr<Peer> make_dart(const Mechanism& mechanism, double step);
// Its springs act as they are when a step begins, its dampers are solved with the step.
std::unique_ptr<Peer> make_mujoco(const Mechanism& mechanism, double step);

}  // namespace thigmo::bench
