#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "mechanics/compile/compile_mechanism.h"
#include "mechanics/kernel/step_sweeps.h"
#include "mechanics/step/step.h"
#include "support/plants.h"

// The sweeps with numbers of lanes and a kind of number that no processor of ours uses today: another one
// needs nothing but its own instantiation.

namespace thigmo::kernel_widths_test {
namespace {

struct Anywhere {};
template <class T, int width>
StepKernel kernel_here() {
  return kernel_of<Lanes<T, width, Anywhere>>();
}
std::vector<StepKernel> kernels_here() {
  return {kernel_here<double, 2>(), generic_kernel(), kernel_here<double, 8>(),
          kernel_here<double, 16>()};
}

// A run of half a second in wind, with a grab.
State moved(const Mechanism& mechanism, const StepKernel& kernel, bool serial,
            const Ground* ground = nullptr) {
  const auto schedule = std::make_shared<Schedule>(make_schedule(mechanism, kernel.width, serial));
  Workspace workspace = make_workspace(make_step_model(mechanism, kernel, schedule));
  State state = rest_state(mechanism);
  const AirLattice air{.velocity_world = {air_node({8, 0, 3})}};
  const GrabLoad grab{.body = 7, .target_world = {0.3, 1, 0}, .stiffness = 20, .damping = 1};
  const Loads loads{.air = &air, .grabs = {&grab, 1}, .ground = ground};
  for (int i = 0; i < 30; ++i) {
    EXPECT_TRUE(step(mechanism, loads, {}, 1.0 / 60, state, workspace).finite);
  }
  return state;
}

// Unbranched stems beside each other: every body has one child at most, so that no sum has another order.
Plant tuft(int stems, int segments) {
  Plant plant{.name = "tuft", .materials = {support::beam_material()}};
  for (int stem = 0; stem < stems; ++stem) {
    const double angle = 0.7 * stem;
    for (int i = 0; i < segments; ++i) {
      const Index parent = i == 0 ? no_index : static_cast<Index>(plant.segments.size()) - 1;
      plant.segments.push_back(
          {.parent = parent,
           .base_in_parent =
               i == 0 ? Vec3{0.1 * std::cos(angle), 0.2, 0.1 * std::sin(angle)} : Vec3{0, 0.1, 0},
           .length = 0.1,
           .radius_base = 0.004,
           .radius_tip = 0.004,
           .material = 0});
    }
  }
  return plant;
}

TEST(Kernels, OfAnyNumberOfLanesGiveTheSameBits) {
  const Mechanism mechanism = compile_mechanism(tuft(37, 6));
  const Ground ground{.height = 0.05, .stiffness = 500, .damping = 5, .friction = 0.5};
  const State reference = moved(mechanism, generic_kernel(), false, &ground);
  for (const StepKernel& kernel : kernels_here()) {
    for (const bool serial : {false, true}) {
      const State state = moved(mechanism, kernel, serial, &ground);
      for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
        ASSERT_EQ(state.rest_from_body[i], reference.rest_from_body[i])
            << kernel.width << ' ' << serial << ' ' << i;
        ASSERT_EQ(state.joint_velocity[i], reference.joint_velocity[i]);
      }
    }
  }
}

// Where bodies have several children the order of sums differs, and rounding, single digits (6e-8) in what
// is put aside between sweeps.
TEST(Kernels, OfAnyNumberOfLanesMoveATreeAlike) {
  const Mechanism mechanism = compile_mechanism(support::random_tree(300, 11));
  const PointMotion reference =
      point_motion(mechanism, moved(mechanism, generic_kernel(), false), 299, {});
  EXPECT_GT(length(reference.velocity_world), 0.01);
  for (const StepKernel& kernel : kernels_here()) {
    for (const bool serial : {false, true}) {
      const PointMotion motion = point_motion(mechanism, moved(mechanism, kernel, serial), 299, {});
      EXPECT_NEAR(length(motion.position_world - reference.position_world), 0, 1e-6)
          << kernel.width << ' ' << serial;
      EXPECT_NEAR(length(motion.velocity_world - reference.velocity_world), 0, 1e-4);
    }
  }
}

// Sixteen floats: positions of metres have seven digits.
TEST(Kernels, OfFloatsMoveATreeAlmostAlike) {
  const Mechanism mechanism = compile_mechanism(support::random_tree(300, 11));
  const PointMotion reference =
      point_motion(mechanism, moved(mechanism, generic_kernel(), false), 299, {});
  for (const bool serial : {false, true}) {
    const PointMotion motion =
        point_motion(mechanism, moved(mechanism, kernel_here<float, 16>(), serial), 299, {});
    EXPECT_NEAR(length(motion.position_world - reference.position_world), 0, 1e-3) << serial;
    EXPECT_NEAR(length(motion.velocity_world - reference.velocity_world), 0, 1e-2) << serial;
  }
}

}  // namespace
}  // namespace thigmo::kernel_widths_test
