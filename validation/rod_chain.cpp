#include "validation/rod_chain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

// With e_i the axis of body i, ω_i its spin, h its length, the end of body i moves by ω_i × h e_i against its
// start. With what hangs on it put at its end, body i has the first moment R_i = (½ m + M_i) h e_i about its
// start, M_i the mass beyond. The kinetic energy is then
//   T = ½ Σ_i ω_i · J_i ω_i + Σ_{j<i} (ω_j × h e_j) · (ω_i × R_i),   J_i with M_i h² across e_i,
// whose matrix A gives Σ_j A_ij ω̇_j = torque_i: springs, weight, and what the velocities need.
namespace thigmo::validation {
namespace {

using Vector = std::array<double, 3>;
using Rotation = std::array<double, 4>;  // unit quaternion, real part first
constexpr double gravity = 9.81;         // [m/s²]

Vector operator+(const Vector& a, const Vector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Vector operator*(const Vector& a, double k) { return {a[0] * k, a[1] * k, a[2] * k}; }
Vector operator-(const Vector& a, const Vector& b) { return a + b * -1.0; }
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Rotation product(const Rotation& a, const Rotation& b) {
  const Vector u{a[1], a[2], a[3]}, v{b[1], b[2], b[3]};
  const Vector w = v * a[0] + u * b[0] + cross(u, v);
  return {a[0] * b[0] - dot(u, v), w[0], w[1], w[2]};
}
Rotation back(const Rotation& q) { return {q[0], -q[1], -q[2], -q[3]}; }
Vector turned(const Rotation& q, const Vector& v) {
  const Vector u{q[1], q[2], q[3]}, t = cross(u, v) * 2;
  return v + t * q[0] + cross(u, t);
}
Rotation about_x(double angle) { return {std::cos(angle / 2), std::sin(angle / 2), 0, 0}; }
Vector rotation_vector(const Rotation& q) {
  const Vector u{q[1], q[2], q[3]};
  const double sine = std::sqrt(dot(u, u));
  return u * (sine > 1e-12 ? 2 * std::atan2(sine, q[0]) / sine : 2 / q[0]);
}

struct Motion {
  std::vector<Rotation> world_from_body;  // the body's y lies along it
  std::vector<Vector> spin;               // world axes [rad/s]
};
struct Rates {
  std::vector<Rotation> rotation;
  std::vector<Vector> spin;
};

// What does not change.
struct Bodies {
  int count = 0;
  double h = 0, mass = 0, across = 0, along = 0;  // inertias about a body's start and its axis
  std::vector<double> bend, twist;                // of the joints [N m/rad]
  std::vector<Rotation> rest;                     // of each body against the one before
};

Bodies bodies_of(const RodChain& chain) {
  const double pi = std::numbers::pi, r = chain.radius, h = chain.length / chain.segments;
  Bodies b;
  b.count = chain.segments;
  b.h = h;
  b.mass = chain.density * pi * r * r * h;
  b.across = b.mass * (h * h / 3 + r * r / 4);
  b.along = b.mass * r * r / 2;
  const double area_moment = pi * r * r * r * r / 4;
  for (int i = 0; i < chain.segments; ++i) {
    // Gregory's weights of the first joints, see docs/decisions.md.
    const double weight = i == 0 ? 3.0 / 8 : i == 1 ? 7.0 / 6 : i == 2 ? 23.0 / 24 : 1.0;
    b.bend.push_back(chain.young * area_moment / (h * weight));
    b.twist.push_back(chain.shear * 2 * area_moment / (h * weight));
    const double half = std::sqrt(0.5);
    const Rotation bent = about_x(chain.curvature * h * (i == 0 ? 0.5 : 1));
    b.rest.push_back(i == 0 ? product({half, 0, 0, -half}, bent) : bent);
  }
  return b;
}

Rotation joint_turn(const Bodies& b, const Motion& m, int i) {
  const Rotation parent =
      i > 0 ? m.world_from_body[static_cast<std::size_t>(i - 1)] : Rotation{1, 0, 0, 0};
  const auto at = static_cast<std::size_t>(i);
  return product(back(product(parent, b.rest[at])), m.world_from_body[at]);
}

// -k J⁻¹(θ) for the energy ½ θ · K θ, k = Kθ: θ' = w + ½ θ × w + c θ × (θ × w) for w in the body's axes.
Vector spring_torque(const Vector& theta, double bend, double twist) {
  const double x = dot(theta, theta), half = std::sqrt(x) / 2;
  const double c = x < 1e-4 ? 1.0 / 12 + x / 720 : (1 - half / std::tan(half)) / x;
  const Vector k{bend * theta[0], twist * theta[1], bend * theta[2]}, turn = cross(k, theta);
  return (k + turn * 0.5 + cross(turn, theta) * c) * -1.0;
}

// Solves A x = b for a symmetric, positive A, whose lower half is given.
void solve(std::size_t n, std::vector<double>& a, std::vector<double>& b) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double x = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) x -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = i == j ? std::sqrt(x) : x / a[j * n + j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i * n + k] * b[k];
    b[i] /= a[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k * n + i] * b[k];
    b[i] /= a[i * n + i];
  }
}

Rates rates_of(const Bodies& b, const Motion& m) {
  const auto n = static_cast<std::size_t>(b.count);
  const Vector weight{0, -gravity, 0};
  std::vector<Vector> axis(n), known(n), torque(n, Vector{});
  Vector start{};  // the part of the accelerations that velocities make
  for (std::size_t i = 0; i < n; ++i) {
    axis[i] = turned(m.world_from_body[i], {0, 1, 0});
    known[i] = start;
    start = start + cross(m.spin[i], cross(m.spin[i], axis[i] * b.h));
    const Vector theta = rotation_vector(joint_turn(b, m, static_cast<int>(i)));
    const Vector of_spring =
        turned(m.world_from_body[i], spring_torque(theta, b.bend[i], b.twist[i]));
    torque[i] = torque[i] + of_spring;
    if (i > 0) torque[i - 1] = torque[i - 1] - of_spring;
  }
  std::vector<double> a(9 * n * n), x(3 * n);
  Vector beyond{};  // the force on a body's end: weights less what the known accelerations take
  for (std::size_t i = n; i-- > 0;) {
    const Vector &e = axis[i], &w = m.spin[i];
    const double hanging = b.mass * static_cast<double>(n - 1 - i);
    const Vector arm = e * b.h, moment = e * (0.5 * b.mass * b.h);
    const Vector all_moment = e * ((0.5 * b.mass + hanging) * b.h);
    const double across = b.across + hanging * b.h * b.h;
    const Vector turning = w * b.across + e * ((b.along - b.across) * dot(e, w));
    const Vector sum =
        torque[i] + cross(moment, weight - known[i]) - cross(w, turning) + cross(arm, beyond);
    beyond = beyond + (weight - known[i]) * b.mass - cross(w, cross(w, moment));
    for (std::size_t p = 0; p < 3; ++p) {
      x[3 * i + p] = sum[p];
      for (std::size_t q = 0; q < 3; ++q) {
        double* row = &a[(3 * i + p) * 3 * n];
        row[3 * i + q] = (p == q ? across : 0) + (b.along - across) * e[p] * e[q];
        for (std::size_t j = 0; j < i; ++j) {
          const Vector before = axis[j] * b.h;
          row[3 * j + q] = (p == q ? dot(before, all_moment) : 0) - before[p] * all_moment[q];
        }
      }
    }
  }
  solve(3 * n, a, x);
  Rates rates{.rotation = std::vector<Rotation>(n), .spin = std::vector<Vector>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    const Vector half = m.spin[i] * 0.5;
    rates.rotation[i] = product({0, half[0], half[1], half[2]}, m.world_from_body[i]);
    rates.spin[i] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
  }
  return rates;
}

Motion moved(const Motion& from, const Rates& rates, double h) {
  Motion to = from;
  for (std::size_t i = 0; i < to.spin.size(); ++i) {
    double squared = 0;
    for (std::size_t p = 0; p < 4; ++p) {
      to.world_from_body[i][p] += h * rates.rotation[i][p];
      squared += to.world_from_body[i][p] * to.world_from_body[i][p];
    }
    for (double& part : to.world_from_body[i]) part /= std::sqrt(squared);
    to.spin[i] = to.spin[i] + rates.spin[i] * h;
  }
  return to;
}

Motion after_step(const Bodies& b, const Motion& m, double h) {
  const Rates first = rates_of(b, m), second = rates_of(b, moved(m, first, h / 2));
  const Rates third = rates_of(b, moved(m, second, h / 2)), last = rates_of(b, moved(m, third, h));
  Rates mean = first;
  for (std::size_t i = 0; i < mean.spin.size(); ++i) {
    for (std::size_t p = 0; p < 4; ++p) {
      mean.rotation[i][p] +=
          2 * (second.rotation[i][p] + third.rotation[i][p]) + last.rotation[i][p];
      mean.rotation[i][p] /= 6;
    }
    mean.spin[i] = (mean.spin[i] + (second.spin[i] + third.spin[i]) * 2 + last.spin[i]) * (1.0 / 6);
  }
  return moved(m, mean, h);
}

struct Look {
  double kinetic = 0, potential = 0;  // [J]
  double out_of_plane = 0;            // [m]
};
Look look_at(const Bodies& b, const Motion& m) {
  Look look;
  Vector place{}, velocity{};
  for (std::size_t i = 0; i < m.spin.size(); ++i) {
    const Vector e = turned(m.world_from_body[i], {0, 1, 0}), &w = m.spin[i];
    const Vector moment = e * (0.5 * b.mass * b.h);
    const double spin_along = dot(w, e);
    const Vector theta = rotation_vector(joint_turn(b, m, static_cast<int>(i)));
    look.kinetic += 0.5 * (b.across * dot(w, w) + (b.along - b.across) * spin_along * spin_along) +
                    0.5 * b.mass * dot(velocity, velocity) + dot(velocity, cross(w, moment));
    look.potential += gravity * (b.mass * place[1] + moment[1]) +
                      0.5 * (b.bend[i] * (theta[0] * theta[0] + theta[2] * theta[2]) +
                             b.twist[i] * theta[1] * theta[1]);
    look.out_of_plane = std::max(look.out_of_plane, std::abs(place[2]));
    place = place + e * b.h;
    velocity = velocity + cross(w, e * b.h);
  }
  return look;
}

}  // namespace

ChainMotion let_chain_go(const RodChain& chain, double seconds, double dt) {
  const Bodies b = bodies_of(chain);
  Motion m;
  Rotation last{1, 0, 0, 0};
  for (const Rotation& rest : b.rest) {
    last = product(last, rest);
    m.world_from_body.push_back(last);
    m.spin.push_back({});
  }
  ChainMotion result;
  const Look start = look_at(b, m);
  double kinetic = 0, error = 0;
  const long steps = std::lround(seconds / dt);
  for (long i = 0; i < steps; ++i) {
    m = after_step(b, m, dt);
    const Look now = look_at(b, m);
    kinetic = std::max(kinetic, now.kinetic);
    error =
        std::max(error, std::abs(now.kinetic + now.potential - start.kinetic - start.potential));
    result.out_of_plane = std::max(result.out_of_plane, now.out_of_plane);
  }
  result.energy_error = error / kinetic;
  return result;
}

}  // namespace thigmo::validation
