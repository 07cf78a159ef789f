#pragma once

#include <vector>

#include "mechanics/statics/statics.h"

namespace thigmo {

// The mass matrix M of the absolute rotations of all bodies, in the pose of some statics.
class MassMatrix {
 public:
  MassMatrix(const Mechanism& mechanism, const Statics& statics)
      : mechanism_(mechanism), statics_(statics) {
    const std::size_t n = mechanism.body.size();
    moment_.resize(n);
    inertia_.resize(n);
    move_.resize(n);
    force_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Mat3& r = statics.world_from_body[i];
      moment_[i] = r * mechanism.body[i].first_moment;
      inertia_[i] = conjugate(r, widened(mechanism.body[i].inertia));
    }
  }

  // Joints move with the bodies before them, v_i = v_p + φ_p × r; torque and force of each body's
  // momentum; forces go back along the same arms. The root moves by `root_move`.
  void apply(const Vec3* turn, Vec3* torque, const Vec3& root_move = {}) {
    const std::size_t n = moment_.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Index parent = mechanism_.parent[i];
      const auto p = as_size(parent);
      move_[i] = parent == no_index ? root_move
                                    : move_[p] + cross(turn[p], statics_.places[i].from_parent);
      torque[i] = inertia_[i] * turn[i] + cross(moment_[i], move_[i]);
      force_[i] = cross(turn[i], moment_[i]) + move_[i] * mechanism_.body[i].mass;
    }
    for (std::size_t i = n; i-- > 0;) {
      if (mechanism_.parent[i] == no_index) continue;
      const auto p = as_size(mechanism_.parent[i]);
      torque[p] += cross(statics_.places[i].from_parent, force_[i]);
      force_[p] += force_[i];
    }
  }

  // Of each body: first moment [kg m] and inertia [kg m²] about its joint, world axes.
  const Vec3& moment(std::size_t body) const { return moment_[body]; }
  const Sym3& inertia(std::size_t body) const { return inertia_[body]; }

 private:
  const Mechanism& mechanism_;
  const Statics& statics_;
  std::vector<Vec3> moment_, move_, force_;
  std::vector<Sym3> inertia_;
};

}  // namespace thigmo
