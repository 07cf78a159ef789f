#include "math/rotation.h"

#include <gtest/gtest.h>

#include <numbers>

#include "base/random.h"

namespace thigmo::rotation_test {
namespace {

Vec3 random_vector(std::uint64_t key) {
  return {unit_from_bits(mix_bits(key, 1)) - 0.5, unit_from_bits(mix_bits(key, 2)) - 0.5,
          unit_from_bits(mix_bits(key, 3)) - 0.5};
}

// exp and log are inverse up to pi, from tiny to large angles.
TEST(Rotation, LogInvertsExp) {
  for (std::uint64_t k = 0; k < 200; ++k) {
    const double angle = k < 100 ? std::pow(10.0, -0.1 * static_cast<double>(k))
                                 : 3.1 * static_cast<double>(k - 100) / 100;
    const Vec3 v = normalized(random_vector(k)) * angle;
    EXPECT_NEAR(length(log_rotation(exp_rotation(v)) - v), 0.0, 1e-14 + 1e-13 * angle);
  }
}

TEST(Rotation, MatrixAndQuaternionTurnAlike) {
  for (std::uint64_t k = 0; k < 100; ++k) {
    const Quat q = exp_rotation(random_vector(k) * 6.0);
    const Vec3 v = random_vector(k + 1000);
    EXPECT_NEAR(length(rotate(q, v) - matrix(q) * v), 0.0, 1e-14);
    const Mat3 columns = transposed(matrix(q));
    const Quat back = quat_from_columns(columns.row_x, columns.row_y, columns.row_z);
    EXPECT_NEAR(length(log_rotation(conjugate(q) * back)), 0.0, 1e-13);
  }
}

TEST(Rotation, BetweenTakesOneToTheOther) {
  const Vec3 y{0, 1, 0};
  EXPECT_NEAR(length(rotate(rotation_between(y, -y), y) + y), 0.0, 1e-12);
  for (std::uint64_t k = 0; k < 50; ++k) {
    const Vec3 a = normalized(random_vector(k)), b = normalized(random_vector(k + 77));
    EXPECT_NEAR(length(rotate(rotation_between(a, b), a) - b), 0.0, 1e-13);
  }
}

TEST(Vector, SymmetricInverseTimesItselfIsOne) {
  for (std::uint64_t k = 0; k < 50; ++k) {
    const Sym3 a = outer(random_vector(k)) + outer(random_vector(k + 50)) + identity_times(0.1);
    const Mat3 one = full(inverse(a)) * full(a);
    EXPECT_NEAR(one.row_x.x, 1.0, 1e-12);
    EXPECT_NEAR(one.row_x.y, 0.0, 1e-12);
    EXPECT_NEAR(one.row_y.z, 0.0, 1e-12);
    EXPECT_NEAR(one.row_z.z, 1.0, 1e-12);
  }
}

TEST(Vector, ConjugateIsTheProduct) {
  const Mat3 r = matrix(exp_rotation({0.3, -1.1, 0.7}));
  const Vec3 d{1, 2, 3};
  const Mat3 expected = r * full(diagonal(d)) * transposed(r);
  const Sym3 got = conjugate(r, d);
  EXPECT_NEAR(got.xy, expected.row_x.y, 1e-14);
  EXPECT_NEAR(got.yz, expected.row_y.z, 1e-14);
  EXPECT_NEAR(conjugate(r, diagonal(d)).xz, got.xz, 1e-14);
}

}  // namespace
}  // namespace thigmo::rotation_test
