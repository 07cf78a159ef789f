#include "mechanics/model/root_motion.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace thigmo {
namespace {

// Second derivatives of the cubic spline with no slope at its ends: a tridiagonal system,
//   h₋ m₋ + 2 (h₋ + h₊) m + h₊ m₊ = 6 ((y₊ - y)/h₊ - (y - y₋)/h₋).
std::vector<double> spline_curvature(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size();
  std::vector<double> upper(n, 0.0), m(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const double before = i > 0 ? x[i] - x[i - 1] : 0.0;
    const double after = i + 1 < n ? x[i + 1] - x[i] : 0.0;
    const double slope_before = i > 0 ? (y[i] - y[i - 1]) / before : 0.0;
    const double slope_after = i + 1 < n ? (y[i + 1] - y[i]) / after : 0.0;
    const double pivot = 2 * (before + after) - (i > 0 ? before * upper[i - 1] : 0.0);
    upper[i] = after / pivot;
    m[i] = (6 * (slope_after - slope_before) - (i > 0 ? before * m[i - 1] : 0.0)) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 0;) m[i] -= upper[i] * m[i + 1];
  return m;
}

// The matrix that takes the rate of a rotation vector φ to the angular velocity in the turned axes:
//   1 - (1 - cos φ)/φ² [φ]× + (φ - sin φ)/φ³ [φ]×².
Mat3 rate_to_omega(const Vec3& phi) {
  const double x = dot(phi, phi), angle = std::sqrt(x);
  const bool small = angle < 1e-3;
  const double a = small ? 0.5 - x / 24 : (1 - std::cos(angle)) / x;
  const double b = small ? 1.0 / 6 - x / 120 : (angle - std::sin(angle)) / (x * angle);
  const Mat3 k = cross_matrix(phi);
  return full(identity_times(1.0)) - k * a + (k * k) * b;
}

}  // namespace

RootPath make_root_path(std::vector<double> time, std::array<std::vector<double>, 6> value) {
  THIGMO_ASSERT(time.size() >= 2);
  RootPath path{.time = std::move(time), .value = std::move(value), .curvature = {}};
  for (std::size_t i = 0; i < 6; ++i) {
    path.curvature[i] = spline_curvature(path.time, path.value[i]);
  }
  return path;
}

RootState root_at(const RootPath& path, double time) {
  const std::vector<double>& t = path.time;
  const bool moves = time >= t.front() && time < t.back();
  const double inside = std::clamp(time, t.front(), t.back());
  const auto next = std::upper_bound(t.begin() + 1, t.end() - 1, inside);
  const auto hi = static_cast<std::size_t>(next - t.begin()), lo = hi - 1;
  const double h = t[hi] - t[lo], b = (inside - t[lo]) / h, a = 1 - b;
  std::array<double, 6> y{}, rate{}, second{};
  for (std::size_t i = 0; i < 6; ++i) {
    const double y0 = path.value[i][lo], y1 = path.value[i][hi];
    const double m0 = path.curvature[i][lo], m1 = path.curvature[i][hi];
    y[i] = a * y0 + b * y1 + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6;
    if (!moves) continue;
    rate[i] = (y1 - y0) / h + ((1 - 3 * a * a) * m0 + (3 * b * b - 1) * m1) * h / 6;
    second[i] = a * m0 + b * m1;
  }
  const Vec3 phi{y[3], y[4], y[5]}, phi_rate{rate[3], rate[4], rate[5]};
  const Mat3 j = rate_to_omega(phi);
  // The change of that matrix along the path, by a central difference that is exact to 1e-9.
  constexpr double tick = 1e-5;
  const Mat3 j_rate =
      (rate_to_omega(phi + phi_rate * tick) - rate_to_omega(phi - phi_rate * tick)) * (0.5 / tick);
  // Angular rates are in the plant's own axes, which were turned before.
  const Quat& turn = path.start.world_from_plant;
  const auto own = [&turn](const Vec3& v) { return rotate(conjugate(turn), v); };
  return {.position_world = Vec3{y[0], y[1], y[2]} + path.start.origin_world,
          .world_from_plant = exp_rotation(phi) * turn,
          .velocity_world = {rate[0], rate[1], rate[2]},
          .accel_world = {second[0], second[1], second[2]},
          .omega_plant = own(j * phi_rate),
          .alpha_plant = own(j * Vec3{second[3], second[4], second[5]} + j_rate * phi_rate),
          .hold = RootHold::on_path};
}

}  // namespace thigmo
