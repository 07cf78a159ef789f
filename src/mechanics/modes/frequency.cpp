#include "mechanics/modes/frequency.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "mechanics/modes/lanczos.h"

namespace thigmo {
namespace {

// The largest eigenvalue of a symmetric tridiagonal matrix: bisection on the signs of the pivots of
// T - x, of which all are negative where x is above every eigenvalue.
double largest_eigenvalue(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  double low = diagonal[0], high = 0;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    const double left = i > 0 ? beside[i - 1] : 0.0;
    const double right = i + 1 < diagonal.size() ? beside[i] : 0.0;
    low = std::max(low, diagonal[i]);
    high = std::max(high, diagonal[i] + left + right);
  }
  const auto is_above = [&](double x) {
    double pivot = diagonal[0] - x;
    for (std::size_t i = 1; i < diagonal.size(); ++i) {
      if (!(pivot < 0)) return false;
      pivot = diagonal[i] - x - beside[i - 1] * beside[i - 1] / pivot;
    }
    return pivot < 0;
  };
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (is_above(middle) ? high : low) = middle;
  }
  return high;
}

template <class Real>
double lowest_frequency(const Mechanism& mechanism) {
  if (mechanism.body.empty()) return 0;
  LinkTree<Real> tree = link_tree<Real>(mechanism);
  Lanczos<Real> lanczos(tree);
  // Oblique, so that neither plane of bending is missing.
  lanczos.start_under_torque({1.0, 0.3, 0.7});
  double largest = 0;  // 1/ω² [s²]
  constexpr int most_iterations = 60;
  constexpr double enough = 1e-5;  // relative change of 1/ω², twice one after the other
  int settled = 0;
  for (int iteration = 0; iteration < most_iterations && lanczos.grow(); ++iteration) {
    const double before = largest;
    largest = largest_eigenvalue(lanczos.diagonal, lanczos.beside);
    settled = std::abs(largest - before) <= enough * largest ? settled + 1 : 0;
    if (settled == 2) break;
  }
  return largest > 0 ? 1 / (std::sqrt(largest) * 2.0 * std::numbers::pi) : 0;
}

}  // namespace

double first_frequency(const Mechanism& mechanism) {
  // What is out of a float's range gives zero there.
  const double single = body_count(mechanism) > many_bodies ? first_frequency_single(mechanism) : 0;
  return single > 0 ? single : lowest_frequency<double>(mechanism);
}

double first_frequency_single(const Mechanism& mechanism) {
  return lowest_frequency<float>(mechanism);
}

}  // namespace thigmo
