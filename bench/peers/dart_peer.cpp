#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "bench/peers/peers.h"

namespace thigmo::bench {
namespace {

using dart::dynamics::BallJoint;
using dart::dynamics::BodyNode;

Eigen::Vector3d eigen(const Vec3& v) { return {v.x, v.y, v.z}; }

Eigen::Isometry3d frame(const Vec3& origin, const Quat& q) {
  Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
  result.linear() = Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
  result.translation() = eigen(origin);
  return result;
}

// DART wants the inertia about the middle of mass: I - m (c² 1 - c cᵀ).
dart::dynamics::Inertia inertia_of(const Body& body) {
  const Vec3 c = body.first_moment / body.mass;
  const Sym3 i = widened(body.inertia) - (identity_times(dot(c, c)) - outer(c)) * body.mass;
  return {body.mass, c.x, c.y, c.z, i.xx, i.yy, i.zz, i.xy, i.xz, i.yz};
}

class Dart : public Peer {
 public:
  Dart(const Mechanism& mechanism, double step) : mechanism_(mechanism), step_(step) {
    skeleton_->setGravity({0, -9.81, 0});
    skeleton_->setTimeStep(step);
    skeleton_->disableSelfCollisionCheck();
    for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
      const Body& body = mechanism.body[i];
      BallJoint::Properties joint;
      joint.mName = "joint" + std::to_string(i);
      joint.mT_ParentBodyToJoint = frame(body.base_in_parent, body.parent_from_rest);
      joint.mSpringStiffnesses = eigen(body.stiffness);
      joint.mDampingCoefficients = eigen(body.stiffness * body.damping_time);
      BodyNode::Properties node;
      node.mName = "body" + std::to_string(i);
      node.mInertia = inertia_of(body);
      node.mIsCollidable = false;
      const Index parent = mechanism.parent[i];
      nodes_.push_back(
          skeleton_
              ->createJointAndBodyNodePair<BallJoint>(
                  parent == no_index ? nullptr : nodes_[static_cast<std::size_t>(parent)], joint,
                  node)
              .second);
    }
  }

  std::string name() const override { return "DART 6.12"; }

  void set(const JointMotion& motion) override {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Quat& q = motion.rest_from_body[i];
      dart::dynamics::Joint* joint = nodes_[i]->getParentJoint();
      joint->setPositions(
          BallJoint::convertToPositions(Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix()));
      joint->setVelocities(eigen(motion.velocity[i]));
    }
  }

  // What its World does in a step, less contacts.
  bool step() override {
    skeleton_->computeForwardDynamics();
    skeleton_->integrateVelocities(step_);
    skeleton_->integratePositions(step_);
    return true;
  }

  std::vector<Vec3> accelerations() override {
    // The step decides how much of springs and dampers joins the inertia.
    skeleton_->setTimeStep(1e-13);
    skeleton_->computeForwardDynamics();
    skeleton_->setTimeStep(step_);
    std::vector<Vec3> accelerations;
    for (const BodyNode* node : nodes_) {
      const Eigen::VectorXd a = node->getParentJoint()->getAccelerations();
      accelerations.push_back({a[0], a[1], a[2]});
    }
    return accelerations;
  }

  std::vector<Vec3> tips() const override {
    std::vector<Vec3> tips;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Eigen::Vector3d tip =
          nodes_[i]->getWorldTransform() * Eigen::Vector3d(0, mechanism_.body[i].length, 0);
      tips.push_back({tip[0], tip[1], tip[2]});
    }
    return tips;
  }

 private:
  const Mechanism& mechanism_;
  double step_;
  dart::dynamics::SkeletonPtr skeleton_ = dart::dynamics::Skeleton::create();
  std::vector<BodyNode*> nodes_;
};

}  // namespace

std::unique_ptr<Peer> make_dart(const Mechanism& mechanism, double step) {
  return std::make_unique<Dart>(mechanism, step);
}

}  // namespace thigmo::bench
