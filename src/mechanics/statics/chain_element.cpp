#include "mechanics/statics/chain_element.h"

namespace thigmo {
namespace {

// 1R, moment load (Howell 2001; Hall 2013, eqs. 3.1 to 3.3).
constexpr double one_joint_place = 0.2654;
constexpr double one_joint_angle = 1.5164;  // c_θ: turn of the elastic tip over that of the link
// 3R, force and moment (Chen et al. 2011; Hall 2013, eqs. 4.10).
constexpr double three_stiffness[3] = {3.25, 2.84, 2.95};
constexpr double three_links[4] = {0.12525, 0.35025, 0.38825, 0.13625};

RigidMotion turn_about(const Vec3& unit_axis, double angle, const Vec3& center) {
  const Mat3 turn = matrix(rotation_about(unit_axis, angle));
  return {.turn = turn, .shift = center - turn * center};
}

double& component(Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

void turn_frame(const Mat3& turn, ChainFrame& frame) {
  for (Vec3& axis : frame) axis = turn * axis;
}

// Hall 2013, algorithm 3.2.
RigidMotion update_one_joint(const Vec3& moment, ChainNode& node) {
  RigidMotion total;
  for (int u = 0; u < 3; ++u) {
    const Vec3 axis = node.axis[0][static_cast<std::size_t>(u)];
    const double angle = dot(moment, axis) / component(node.stiffness[0], u);
    const double turned = angle - component(node.angle[0], u);
    component(node.angle[0], u) = angle;
    const RigidMotion link = turn_about(axis, turned, node.point[1]);
    // The elastic tip turns further than its link when bent; both turn the same when twisted.
    const RigidMotion tip =
        u == 0 ? RigidMotion{} : turn_about(axis, (one_joint_angle - 1) * turned, node.point[2]);
    const RigidMotion both = link * tip;
    node.point[2] = link(node.point[2]);
    turn_frame(link.turn, node.axis[0]);
    turn_frame(both.turn, node.tip_axis);
    total = both * total;
  }
  return total;
}

// Hall 2013, algorithm 4.2.
RigidMotion update_three_joints(const Vec3& force, const Vec3& moment, ChainNode& node) {
  RigidMotion total;
  for (std::size_t m = 0; m < 3; ++m) {
    for (int u = 0; u < 3; ++u) {
      const Vec3& joint = node.point[m + 1];
      const Vec3 at_joint = moment + cross(node.point[4] - joint, force);
      const Vec3 axis = node.axis[m][static_cast<std::size_t>(u)];
      const double angle = dot(at_joint, axis) / component(node.stiffness[m], u);
      const double turned = angle - component(node.angle[m], u);
      component(node.angle[m], u) = angle;
      const RigidMotion motion = turn_about(axis, turned, joint);
      for (std::size_t s = m; s < 3; ++s) {
        node.point[s + 2] = motion(node.point[s + 2]);
        turn_frame(motion.turn, node.axis[s]);
      }
      turn_frame(motion.turn, node.tip_axis);
      total = motion * total;
    }
  }
  return total;
}

}  // namespace

ChainNode make_chain_node(ChainElement kind, const Segment& segment, const Material& material,
                          const Vec3& base_world, const Quat& world_from_segment) {
  const Section section = section_at(segment, 0.5);
  const double l = segment.length;
  const Vec3 stiffness{shear_modulus(material) * section.torsion_constant / l,
                       material.young * section.second_moment_z / l,
                       material.young * section.second_moment_x / l};
  const Mat3 r = matrix(world_from_segment);
  const Vec3 along = r * Vec3{0, 1, 0};
  const ChainFrame frame{along, r * Vec3{0, 0, 1}, r * Vec3{1, 0, 0}};
  ChainNode node{
      .point = {}, .axis = {frame, frame, frame}, .tip_axis = frame, .angle = {}, .stiffness = {}};
  node.point[0] = base_world;
  if (kind == ChainElement::one_joint) {
    node.point[1] = base_world + along * (one_joint_place * l);
    node.point[2] = base_world + along * l;
    node.stiffness[0] = {stiffness.x, one_joint_angle * stiffness.y, one_joint_angle * stiffness.z};
    return node;
  }
  const double beyond = three_links[1] + three_links[2] + three_links[3];
  for (std::size_t m = 0; m < 3; ++m) {
    node.point[m + 1] = node.point[m] + along * (three_links[m] * l);
    node.stiffness[m] = {stiffness.x * beyond / three_links[m + 1],
                         stiffness.y * three_stiffness[m], stiffness.z * three_stiffness[m]};
  }
  node.point[4] = base_world + along * l;
  return node;
}

Vec3 tip_of(ChainElement kind, const ChainNode& node) {
  return node.point[kind == ChainElement::one_joint ? 2 : 4];
}

RigidMotion update_element(ChainElement kind, const Vec3& force, const Vec3& moment,
                           ChainNode& node) {
  return kind == ChainElement::one_joint ? update_one_joint(moment, node)
                                         : update_three_joints(force, moment, node);
}

void transform_element(ChainElement kind, const RigidMotion& motion, ChainNode& node) {
  const std::size_t points = kind == ChainElement::one_joint ? 3 : 5;
  const std::size_t joints = kind == ChainElement::one_joint ? 1 : 3;
  for (std::size_t k = 0; k < points; ++k) node.point[k] = motion(node.point[k]);
  for (std::size_t k = 0; k < joints; ++k) turn_frame(motion.turn, node.axis[k]);
  turn_frame(motion.turn, node.tip_axis);
}

}  // namespace thigmo
