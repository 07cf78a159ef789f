#pragma once

#include <Eigen/Core>
#include <vector>

#include "math/vector.h"

namespace thigmo {

// How the root is shaken, in the frame of the first segment: across it in the main, in both directions,
// and a little along it for what sits on it at an angle. A plant that is turned is shaken the same.
inline constexpr Vec3 shake_in_first{1.0, 0.6, 0.8};

// Narrower bands than this are not told apart: frequencies are found to some tenths of a percent.
inline constexpr double narrowest_band = 0.01;

// A pair of the tridiagonal matrix of Lanczos' iteration: 1/ω² and the parts that the vectors of the
// space have in its shape.
struct Pair {
  double square_time = 0;  // [s²]
  double modal_mass = 0;   // of the shaken root's motion [kg · (length of shake_in_first)²]
  Eigen::VectorXd parts;
  Eigen::VectorXcd shaken;  // the same in the motion when the root is shaken at its frequency
};

// The start K⁻¹ M a of the root's motion a has the part φᵀ M a / ω² of each mode φ of unit modal mass. So
// (φᵀ M a)² = (first part · β)² ω⁴. Equal planes of bending share it unevenly, by how they lie to a: of
// the modes with at least a quarter of the largest, the lowest. `damping_ratio`: of every vibration while
// the root is shaken, so that those within about this part of the frequency take part.
Pair main_pair(const std::vector<double>& diagonal, const std::vector<double>& beside,
               double first_beta, double damping_ratio);

}  // namespace thigmo
