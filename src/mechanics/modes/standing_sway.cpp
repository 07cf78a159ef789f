#include "mechanics/modes/standing_sway.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "mechanics/modes/main_pair.h"
#include "mechanics/modes/mass_matrix.h"

// In the absolute rotations φ of all bodies the stiffness K of springs, weight and carried moments couples
// parent and child only (see statics.cpp), so that K⁻¹ M takes O(n) as the springs' own does.
//
// The frequency ω of the sway is that of the main pair of Lanczos' iteration. A heavy crown has no mode of
// its own for it but dozens around it, which would take as many vectors; its shape x is therefore solved
// for at once. The root's motion a at ω, with every stiffness K (1 + 2i ζ), moves the plant by
//   (K - λ M) x = M a,  λ = ω²/(1 + 2i ζ),
// in O(n) once the places y_i of the joints count as unknowns besides: then M, too, has a block a body.

namespace thigmo {
namespace {

using Complex = std::complex<double>;
using Eigen::Matrix3cd;
using Eigen::Vector3cd;

Eigen::Vector3d eigen(const Vec3& v) { return {v.x, v.y, v.z}; }
Eigen::Matrix3d eigen(const Mat3& m) {
  Eigen::Matrix3d result;
  result << eigen(m.row_x).transpose(), eigen(m.row_y).transpose(), eigen(m.row_z).transpose();
  return result;
}

// About the pose, as if every joint carried the weight beyond it.
Statics held_statics(const Mechanism& mechanism, const Vec3& gravity, const State& state) {
  Statics statics;
  evaluate_statics(mechanism, {.gravity_world = gravity}, 1.0, state, statics);
  for (std::size_t i = mechanism.body.size(); i-- > 0;) {
    statics.blocks[i].torque += statics.imbalance[i];
    if (mechanism.parent[i] == no_index) continue;
    at(statics.imbalance, mechanism.parent[i]) += statics.imbalance[i];
  }
  return statics;
}

// Lanczos' iteration for K⁻¹ M from the static shape under the acceleration a, whose torques are `shake`.
Pair find_pair(const Mechanism& mechanism, const std::vector<TreeBlock>& factored, MassMatrix& mass,
               std::vector<Vec3> shake, double damping_ratio) {
  constexpr int iterations = 8;
  const std::size_t n = mechanism.body.size();
  std::vector<double> diagonal, beside;
  std::vector<Vec3> r(n), relative(n), torque(n), before(n), y(n);
  double first_beta = 0;
  solve(mechanism.parent, factored, shake, relative, r);
  for (int k = 0; k < iterations; ++k) {
    mass.apply(r.data(), torque.data());
    const double beta = std::sqrt(inner(r, torque));
    if (!(beta > 0) || !std::isfinite(beta)) break;
    if (k == 0) {
      first_beta = beta;
    } else {
      beside.push_back(beta);
    }
    std::vector<Vec3> next(n);
    for (std::size_t i = 0; i < n; ++i) {
      r[i] = r[i] * (1 / beta);
      torque[i] = torque[i] * (1 / beta);
      next[i] = before[i] * -beta;
    }
    std::vector<Vec3> used = torque;
    solve(mechanism.parent, factored, used, relative, y);
    const double alpha = inner(y, torque);
    diagonal.push_back(alpha);
    for (std::size_t i = 0; i < n; ++i) next[i] += y[i] - r[i] * alpha;
    before = std::move(r);
    r = std::move(next);
  }
  return diagonal.empty() ? Pair{} : main_pair(diagonal, beside, first_beta, damping_ratio);
}

// What a body and all beyond it answer to its rotation and to its joint's place: torque A φ + B y - t and
// force Bᵀ φ + C y - f.
struct Answer {
  Matrix3cd of_turn = Matrix3cd::Zero();   // A
  Matrix3cd of_both = Matrix3cd::Zero();   // B
  Matrix3cd of_place = Matrix3cd::Zero();  // C
  Vector3cd torque = Vector3cd::Zero();    // t
  Vector3cd force = Vector3cd::Zero();     // f
};

// The same once it has bent at its joint by θ = U (t - (A + G) φ_p - B y), U = (A + H)⁻¹ and G = -½[g]× of
// the moment g that it carries; and seen from the parent's joint, y = y_p + X φ_p, X = -[r]×.
void add_to_parent(const Answer& own, const Matrix3cd& bend, const Matrix3cd& carried,
                   const Eigen::Matrix3d& arm, Answer& parent) {
  const Matrix3cd back = (own.of_turn + carried.transpose()) * bend;
  const Matrix3cd of_turn = own.of_turn - back * (own.of_turn + carried);
  const Matrix3cd of_both = own.of_both - back * own.of_both;
  const Matrix3cd of_place = own.of_place - own.of_both.transpose() * bend * own.of_both;
  const Vector3cd torque = own.torque - back * own.torque;
  const Vector3cd force = own.force - own.of_both.transpose() * (bend * own.torque);
  const Matrix3cd along = of_both * arm;
  parent.of_turn += of_turn + along + along.transpose() + arm.transpose() * of_place * arm;
  parent.of_both += of_both + arm.transpose() * of_place;
  parent.of_place += of_place;
  parent.torque += torque + arm.transpose() * force;
  parent.force += force;
}

// x of (K - λ M) x = M a.
std::vector<Vector3cd> shaken_turns(const Mechanism& mechanism, const Statics& statics,
                                    const MassMatrix& mass, const Complex& lambda, const Vec3& a) {
  const std::size_t n = mechanism.body.size();
  std::vector<Answer> answer(n);
  std::vector<Matrix3cd> bend(n);
  const auto carried_by = [&](std::size_t i) {
    return Matrix3cd(eigen(cross_matrix(statics.blocks[i].torque)) * -0.5);
  };
  for (std::size_t i = n; i-- > 0;) {
    const TreeBlock& block = statics.blocks[i];
    Answer& own = answer[i];
    const Vec3& moment = mass.moment(i);
    const Eigen::Matrix3d moment_cross = eigen(cross_matrix(moment));
    own.of_turn += eigen(full(symmetric_part(block.own))) - lambda * eigen(full(mass.inertia(i)));
    own.of_both -= lambda * moment_cross;
    own.of_place -= lambda * mechanism.body[i].mass * Eigen::Matrix3d::Identity();
    own.torque += eigen(cross(moment, a));
    own.force += eigen(a * mechanism.body[i].mass);
    bend[i] = (own.of_turn + eigen(full(block.joint))).inverse();
    if (mechanism.parent[i] == no_index) continue;
    add_to_parent(own, bend[i], carried_by(i), -eigen(cross_matrix(statics.places[i].from_parent)),
                  at(answer, mechanism.parent[i]));
  }
  std::vector<Vector3cd> turn(n), place(n, Vector3cd::Zero());
  for (std::size_t i = 0; i < n; ++i) {
    if (mechanism.parent[i] == no_index) {
      turn[i] = bend[i] * answer[i].torque;
      continue;
    }
    const auto p = as_size(mechanism.parent[i]);
    place[i] = place[p] - eigen(cross_matrix(statics.places[i].from_parent)) * turn[p];
    turn[i] =
        turn[p] + bend[i] * (answer[i].torque - (answer[i].of_turn + carried_by(i)) * turn[p] -
                             answer[i].of_both * place[i]);
  }
  return turn;
}

// Energies of a motion x at ω, means over time: of each joint's bending, and of all.
struct Energies {
  std::vector<double> bending;  // [J]
  double bent = 0, all = 0;     // [J]
};

// ¼ (xᴴ K x + ω² xᴴ M x), with K x = λ M x + M a.
Energies energies_of(const Mechanism& mechanism, const Statics& statics, MassMatrix& mass,
                     const std::vector<Vector3cd>& turn, const Complex& lambda, double omega,
                     const std::vector<Vec3>& shake) {
  const std::size_t n = turn.size();
  Energies result{.bending = std::vector<double>(n)};
  double x_m_x = 0;
  Complex x_m_a = 0;
  for (const bool imaginary : {false, true}) {
    std::vector<Vec3> part(n), torque(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Eigen::Vector3d value = imaginary ? Eigen::Vector3d(turn[i].imag()) : turn[i].real();
      part[i] = {value.x(), value.y(), value.z()};
    }
    mass.apply(part.data(), torque.data());
    x_m_x += inner(part, torque);
    x_m_a += inner(part, shake) * (imaginary ? Complex{0, -1} : Complex{1, 0});
    for (std::size_t i = 0; i < n; ++i) {
      const Index parent = mechanism.parent[i];
      const Vec3 from = parent == no_index ? Vec3{} : at(part, parent);
      const Vec3 bent = transposed_times(statics.world_from_body[i], part[i] - from);
      const double energy = 0.25 * dot(bent, joint_stiffness(mechanism.body[i]) * bent);
      result.bending[i] += energy;
      result.bent += energy;
    }
  }
  result.all = 0.25 * ((lambda * x_m_x + x_m_a).real() + omega * omega * x_m_x);
  return result;
}

}  // namespace

Sway standing_sway(const Mechanism& mechanism, const Vec3& gravity_world, const State* state,
                   double damping_ratio) {
  const State pose = state ? *state : rest_state(mechanism);
  const Statics statics = held_statics(mechanism, gravity_world, pose);
  std::vector<TreeBlock> factored = statics.blocks;
  const Factored factors = factor(mechanism.parent, true, factored);
  if (!factors.regular || factors.negative > 0) return {};

  MassMatrix mass(mechanism, statics);
  const Vec3 a = statics.world_from_body[0] * shake_in_first;
  std::vector<Vec3> still(mechanism.body.size()), shake(still.size());
  mass.apply(still.data(), shake.data(), a);
  const Pair pair = find_pair(mechanism, factored, mass, shake, damping_ratio);
  if (!(pair.square_time > 0) || !std::isfinite(pair.square_time)) return {};

  const double omega = 1 / std::sqrt(pair.square_time);
  const Complex lambda = omega * omega / Complex{1, 2 * damping_ratio};
  const std::vector<Vector3cd> turn = shaken_turns(mechanism, statics, mass, lambda, a);
  Energies energies = energies_of(mechanism, statics, mass, turn, lambda, omega, shake);
  // A mode of unit mass has the mean energies ω_e²/4 and ω²/2.
  const double square_part = 2 * energies.bent / energies.all;
  if (!(square_part > 0) || !std::isfinite(square_part)) return {};
  double total_mass = 0;
  for (const Body& body : mechanism.body) total_mass += body.mass;
  for (double& bending : energies.bending) bending /= energies.bent;
  const double frequency = omega / (2 * std::numbers::pi);
  return {.elastic_frequency = frequency * std::sqrt(square_part),
          .frequency = frequency,
          .mass_share = pair.modal_mass / (total_mass * dot(a, a)),
          .bending_share = std::move(energies.bending)};
}

}  // namespace thigmo
