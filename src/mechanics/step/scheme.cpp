#include "mechanics/step/scheme.h"

#include <cmath>
#include <complex>

namespace thigmo {

Scheme make_one_point_scheme(double point, double h) {
  return {.h = h,
          .alpha_f = 1 - point,
          .c_v = point * h,
          .c_x = point * point * h * h,
          .drift_w = point * h,
          .x_a1 = point * h * h,
          .v_a1 = h};
}

Scheme make_scheme(double rho, double h) {
  // The same motion, but its accelerations would ring on for ever.
  if (rho == 1) return make_one_point_scheme(0.5, h);
  const double am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1);
  const double gamma = 0.5 - am + af, beta = 0.25 * (1 - am + af) * (1 - am + af);
  const double part = (1 - af) * h;
  return {.h = h,
          .alpha_m = am,
          .alpha_f = af,
          .c_v = part * gamma / (1 - am),
          .c_x = part * h * beta / (1 - am),
          .drift_w = part,
          .drift_a = part * h * (0.5 - beta - beta * am / (1 - am)),
          .known_a = part * (1 - gamma - gamma * am / (1 - am)),
          .x_a0 = h * h * (0.5 - beta),
          .x_a1 = h * h * beta,
          .v_a0 = h * (1 - gamma),
          .v_a1 = h * gamma};
}

// The scheme on x'' = -ω² x is a matrix, of (x, v, a) after a step by those before:
//   ā = -ω² (x + drift_w v + drift_a a) / (1 + c_x ω²),   a₁ = (ā - αm a)/(1 - αm).
// The frequency it shows is the angle of its complex pair of eigenvalues, the roots of
//   λ³ - tr λ² + m λ - det = 0.
double frequency_ratio(const StepOptions& options, double omega_dt) {
  const Scheme s = make_scheme(1.0 - options.numerical_damping, 1.0);
  std::complex<double> root = 1;
  // From slow vibrations on, so that Newton's method stays with its root.
  constexpr int stages = 200;
  for (int stage = 1; stage <= stages; ++stage) {
    const double omega = omega_dt * stage / stages, square = omega * omega;
    const double by_x = -square / (1 + s.c_x * square) / (1 - s.alpha_m);
    const double ax = by_x, av = by_x * s.drift_w,
                 aa = by_x * s.drift_a - s.alpha_m / (1 - s.alpha_m);
    const double xx = 1 + s.x_a1 * ax, xv = 1 + s.x_a1 * av, xa = s.x_a0 + s.x_a1 * aa;
    const double vx = s.v_a1 * ax, vv = 1 + s.v_a1 * av, va = s.v_a0 + s.v_a1 * aa;
    const double trace = xx + vv + aa;
    const double minors = xx * vv - xv * vx + xx * aa - xa * ax + vv * aa - va * av;
    const double det =
        xx * (vv * aa - va * av) - xv * (vx * aa - va * ax) + xa * (vx * av - vv * ax);
    if (stage == 1) root = std::polar(1.0, omega);
    for (int i = 0; i < 4; ++i) {
      root -= (((root - trace) * root + minors) * root - det) /
              ((3.0 * root - 2 * trace) * root + minors);
    }
  }
  return omega_dt > 0 ? std::arg(root) / omega_dt : 1;
}

double step_for_frequency(const StepOptions& options, double omega, double part) {
  double low = 0, high = 2 / omega;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (1 - frequency_ratio(options, omega * middle) <= part ? low : high) = middle;
  }
  return low;
}

double force_time(const StepOptions& options) {
  return 1.0 - make_scheme(1.0 - options.numerical_damping, 1.0).alpha_f;
}

}  // namespace thigmo
