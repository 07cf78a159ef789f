#include "bench/peers/peers.h"
#include "mechanics/step/step.h"

namespace thigmo::bench {
namespace {

class Thigmo : public Peer {
 public:
  Thigmo(const Mechanism& mechanism, double step)
      : mechanism_(mechanism),
        state_(rest_state(mechanism)),
        workspace_(make_workspace(mechanism)),
        step_(step) {}

  std::string name() const override { return "thigmo"; }

  void set(const JointMotion& motion) override {
    state_ = rest_state(mechanism_);
    for (std::size_t i = 0; i < motion.velocity.size(); ++i) {
      state_.rest_from_body.set(i, motion.rest_from_body[i]);
      state_.joint_velocity.set(i, motion.velocity[i]);
    }
  }

  bool step() override {
    return thigmo::step(mechanism_, {}, {}, step_, state_, workspace_).finite;
  }

  std::vector<Vec3> accelerations() override {
    State state = state_;
    state.started = false;
    thigmo::step(mechanism_, {}, {}, 1e-13, state, workspace_);
    std::vector<Vec3> accelerations;
    for (std::size_t i = 0; i < state.joint_acceleration.size(); ++i) {
      accelerations.push_back(state.joint_acceleration[i]);
    }
    return accelerations;
  }

  std::vector<Vec3> tips() const override {
    const Pose pose = pose_of(mechanism_, state_);
    std::vector<Vec3> tips;
    for (std::size_t i = 0; i < pose.base_world.size(); ++i) {
      const Vec3 along{0, mechanism_.body[i].length, 0};
      tips.push_back(pose.base_world[i] + rotate(pose.world_from_segment[i], along));
    }
    return tips;
  }

 private:
  Mechanism mechanism_;
  State state_;
  Workspace workspace_;
  double step_;
};

}  // namespace

std::unique_ptr<Peer> make_thigmo(const Mechanism& mechanism, double step) {
  return std::make_unique<Thigmo>(mechanism, step);
}

}  // namespace thigmo::bench
