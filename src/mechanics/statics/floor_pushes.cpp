#include "mechanics/statics/floor_pushes.h"

#include <algorithm>
#include <cmath>

namespace thigmo {
namespace {

constexpr Vec3 up{0, 1, 0};
// What the ground's rounds stop at: how deep tips may sink, in parts of the plant's reach, and how
// much the pushes may still change, in parts of their sum.
constexpr double deepest_tip = 1e-9, changed_push = 1e-4;

double force_on(const FloorPushes& pushes, std::size_t body) {
  return std::max(0.0, pushes.push[body] - pushes.stiffness[body] * pushes.gap[body]);
}

Vec3 tip_arm(const Mechanism& mechanism, const Statics& statics, std::size_t body) {
  return statics.world_from_body[body] * Vec3{0, mechanism.body[body].length, 0};
}

}  // namespace

// k is ten times what the joints on the way to the root resist a push up at the tip with: each
// round then leaves about a tenth of what was too deep.
FloorPushes start_pushes(const Mechanism& mechanism, const State& state, const Floor* floor) {
  if (!floor) return {};
  const std::size_t n = mechanism.body.size();
  FloorPushes pushes{.floor = floor,
                     .push = std::vector<double>(n, 0.0),
                     .gap = std::vector<double>(n, 0.0),
                     .stiffness = std::vector<double>(n, 1.0),
                     .carried = std::vector<double>(n)};
  const Pose pose = pose_of(mechanism, state);
  for (std::size_t i = 0; i < n; ++i) {
    const Body& body = mechanism.body[i];
    const Vec3 tip = pose.base_world[i] + rotate(pose.world_from_segment[i], {0, body.length, 0});
    const auto softer = [](const Body& b) { return std::min(b.stiffness.x, b.stiffness.z); };
    // An upright stem resists endlessly to first order, but not for long.
    double flexibility = 0.01 * body.length * body.length / softer(body);
    for (auto k = static_cast<Index>(i); k != no_index;) {
      const auto at = as_size(k);
      const Vec3 arm = tip - pose.base_world[at];
      flexibility += (arm.x * arm.x + arm.z * arm.z) / softer(mechanism.body[at]);
      pushes.reach = std::max(pushes.reach, length(arm));
      k = mechanism.parent[at];
    }
    pushes.stiffness[i] = 10 / flexibility;
  }
  return pushes;
}

void add_pushes(const Mechanism& mechanism, FloorPushes& pushes, Statics& statics,
                std::vector<HeightBlock>& heights) {
  const std::size_t n = pushes.gap.size();
  heights.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    pushes.gap[i] = statics.places[i].joint_world.y + tip_arm(mechanism, statics, i).y -
                    pushes.floor->lowest[i];
    heights[i] = {.arm = cross(statics.places[i].from_parent, up), .torque = {}, .torque_left = {}};
    const double f = force_on(pushes, i), k = pushes.stiffness[i];
    if (std::isfinite(pushes.gap[i])) {
      const double energy = (f * f - pushes.push[i] * pushes.push[i]) / (2 * k);
      statics.energy += energy;
      statics.energy_scale += std::abs(energy);
    }
    pushes.carried[i] = f;
    if (f == 0) continue;
    // ½ k (y + φ·c)², c = tip × up.
    const Vec3 c = cross(tip_arm(mechanism, statics, i), up);
    statics.blocks[i].own = statics.blocks[i].own + full(outer(c) * k);
    heights[i].torque = heights[i].torque_left = c * k;
    heights[i].stiffness = k;
  }
  // Torque and curvature of the pushes; their energy is the one above.
  const double before = statics.energy;
  for (std::size_t i = n; i-- > 0;) {
    const double f = force_on(pushes, i);
    if (f > 0) add_force(tip_arm(mechanism, statics, i), up * f, i, statics);
    if (pushes.carried[i] == 0 || mechanism.parent[i] == no_index) continue;
    const auto p = as_size(mechanism.parent[i]);
    add_force(statics.places[i].from_parent, up * pushes.carried[i], p, statics);
    pushes.carried[p] += pushes.carried[i];
  }
  statics.energy = before;
}

double unsettled(const FloorPushes& pushes) {
  double deepest = 0, changed = 0, total = 0;
  for (std::size_t i = 0; i < pushes.gap.size(); ++i) {
    const double f = force_on(pushes, i);
    deepest = std::max(deepest, -pushes.gap[i]);
    changed += std::abs(f - pushes.push[i]);
    total += f;
  }
  return std::max(deepest / (deepest_tip * pushes.reach),
                  total > 0 ? changed / (changed_push * total) : changed);
}

void renew(FloorPushes& pushes) {
  for (std::size_t i = 0; i < pushes.gap.size(); ++i) pushes.push[i] = force_on(pushes, i);
}

std::vector<PointLoad> pushes_as_loads(const Mechanism& mechanism, const FloorPushes& pushes) {
  std::vector<PointLoad> loads;
  for (std::size_t i = 0; i < pushes.gap.size(); ++i) {
    const double f = force_on(pushes, i);
    if (f == 0) continue;
    loads.push_back({.body = static_cast<Index>(i),
                     .point_in_body = {0, mechanism.body[i].length, 0},
                     .force = {0, f, 0}});
  }
  return loads;
}

}  // namespace thigmo
