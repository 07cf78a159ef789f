#include "mechanics/modes/main_pair.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>

namespace thigmo {

Pair main_pair(const std::vector<double>& diagonal, const std::vector<double>& beside,
               double first_beta, double damping_ratio) {
  const auto vector = [](const std::vector<double>& values) {
    return Eigen::Map<const Eigen::VectorXd>(values.data(),
                                             static_cast<Eigen::Index>(values.size()));
  };
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(vector(diagonal), vector(beside));
  const Eigen::VectorXd& value = solver.eigenvalues();
  const auto modal_mass = [&](Eigen::Index k) {
    const double part = solver.eigenvectors()(0, k) * first_beta / value(k);
    return value(k) > 0 ? part * part : 0.0;
  };
  double largest = 0;
  for (Eigen::Index k = 0; k < value.size(); ++k) largest = std::max(largest, modal_mass(k));
  Eigen::Index k = value.size() - 1;
  while (k > 0 && !(modal_mass(k) >= 0.25 * largest)) --k;
  Pair pair{.square_time = value(k),
            .modal_mass = modal_mass(k),
            .parts = solver.eigenvectors().col(k),
            .shaken = Eigen::VectorXcd::Zero(value.size())};
  // Σ φ (φᵀ M a) / (ω_j² - ω² + 2i ζ ω_j ω)
  const double omega = 1 / std::sqrt(pair.square_time);
  for (Eigen::Index j = 0; j < value.size(); ++j) {
    if (!(value(j) > 0)) continue;
    const double omega_j = 1 / std::sqrt(value(j));
    const std::complex<double> stiffness{omega_j * omega_j - omega * omega,
                                         2 * damping_ratio * omega_j * omega};
    const double gamma = solver.eigenvectors()(0, j) * first_beta / value(j);
    pair.shaken += solver.eigenvectors().col(j) * (gamma / stiffness);
  }
  return pair;
}

}  // namespace thigmo
