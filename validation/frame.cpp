#include "validation/frame.h"

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>
#include <numbers>

namespace thigmo::validation {
namespace {

using Matrix12 = Eigen::Matrix<double, 12, 12>;
using Vector12 = Eigen::Matrix<double, 12, 1>;

using std::numbers::pi;

// An element of length l along its x. At each end: moves along x, y, z, then turns about x, y, z.
struct Element {
  Matrix12 stiffness = Matrix12::Zero(), mass = Matrix12::Zero();
};

// Adds a symmetric block of size n at these places.
template <std::size_t n>
void add(const std::array<int, n>& places, const std::array<std::array<double, n>, n>& block,
         double factor, Matrix12& sum) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) sum(places[i], places[k]) += factor * block[i][k];
  }
}

// Przemieniecki, Theory of Matrix Structural Analysis, chapters 5 and 11.
Element make_element(double l, double radius, const FrameWood& wood) {
  Element e;
  const double area = pi * radius * radius, second = area * radius * radius / 4;
  const double line = wood.density * area;
  const std::array<std::array<double, 2>, 2> spring{{{1, -1}, {-1, 1}}}, rod{{{2, 1}, {1, 2}}};
  add<2>({0, 6}, spring, wood.young * area / l, e.stiffness);
  add<2>({0, 6}, rod, line * l / 6, e.mass);
  add<2>({3, 9}, spring, wood.shear * 2 * second / l, e.stiffness);
  add<2>({3, 9}, rod, wood.density * 2 * second * l / 6, e.mass);
  for (const bool about_z : {true, false}) {
    // Bending in the plane of x and y turns about z; in that of x and z about -y.
    const double s = about_z ? 1 : -1, l2 = l * l;
    const std::array<std::array<double, 4>, 4> bend{{{12, 6 * l * s, -12, 6 * l * s},
                                                     {6 * l * s, 4 * l2, -6 * l * s, 2 * l2},
                                                     {-12, -6 * l * s, 12, -6 * l * s},
                                                     {6 * l * s, 2 * l2, -6 * l * s, 4 * l2}}};
    const std::array<std::array<double, 4>, 4> sway{{{156, 22 * l * s, 54, -13 * l * s},
                                                     {22 * l * s, 4 * l2, 13 * l * s, -3 * l2},
                                                     {54, 13 * l * s, 156, -22 * l * s},
                                                     {-13 * l * s, -3 * l2, -22 * l * s, 4 * l2}}};
    // Inertia against turning across the bar (Rayleigh).
    const std::array<std::array<double, 4>, 4> turn{{{36, 3 * l * s, -36, 3 * l * s},
                                                     {3 * l * s, 4 * l2, -3 * l * s, -l2},
                                                     {-36, -3 * l * s, 36, -3 * l * s},
                                                     {3 * l * s, -l2, -3 * l * s, 4 * l2}}};
    const std::array<int, 4> places =
        about_z ? std::array<int, 4>{1, 5, 7, 11} : std::array<int, 4>{2, 4, 8, 10};
    add<4>(places, bend, wood.young * second / (l * l2), e.stiffness);
    add<4>(places, sway, line * l / 420, e.mass);
    add<4>(places, turn, wood.density * second / (30 * l), e.mass);
  }
  return e;
}

}  // namespace

FrameAnswer solve_frame(const std::vector<FrameBar>& bars, const FrameWood& wood, int pieces) {
  const auto nodes = static_cast<Eigen::Index>(bars.size()) * pieces;  // without the clamped one
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(6 * nodes, 6 * nodes), mass = stiffness;
  Eigen::VectorXd weight = Eigen::VectorXd::Zero(6 * nodes);
  Vector12 falling =
      Vector12::Zero();  // both ends of an element alike: its mass times that is its weight
  falling(1) = falling(7) = -9.81;
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const FrameBar& bar = bars[b];
    const Eigen::Vector3d along(bar.tip[0] - bar.base[0], bar.tip[1] - bar.base[1],
                                bar.tip[2] - bar.base[2]);
    const double l = along.norm() / pieces;
    const Eigen::Vector3d x = along.normalized(), y = x.unitOrthogonal();
    Eigen::Matrix3d local_from_world;
    local_from_world << x.transpose(), y.transpose(), x.cross(y).transpose();
    Matrix12 turn = Matrix12::Zero();
    for (int k = 0; k < 4; ++k) turn.block<3, 3>(3 * k, 3 * k) = local_from_world;
    const Element element = make_element(l, bar.radius, wood);
    const Matrix12 world_stiffness = turn.transpose() * element.stiffness * turn;
    const Matrix12 world_mass = turn.transpose() * element.mass * turn;
    const Vector12 element_weight = world_mass * falling;
    for (int p = 0; p < pieces; ++p) {
      // Numbers of the two nodes; -1 is the clamp.
      const Eigen::Index far = static_cast<Eigen::Index>(b) * pieces + p;
      const Eigen::Index ends[2] = {p > 0 ? far - 1 : Eigen::Index{bar.from} * pieces - 1, far};
      for (int i = 0; i < 2; ++i) {
        if (ends[i] >= 0) weight.segment<6>(6 * ends[i]) += element_weight.segment<6>(6 * i);
        for (int k = 0; k < 2; ++k) {
          if (ends[i] < 0 || ends[k] < 0) continue;
          stiffness.block<6, 6>(6 * ends[i], 6 * ends[k]) +=
              world_stiffness.block<6, 6>(6 * i, 6 * k);
          mass.block<6, 6>(6 * ends[i], 6 * ends[k]) += world_mass.block<6, 6>(6 * i, 6 * k);
        }
      }
    }
  }
  FrameAnswer answer;
  const Eigen::VectorXd moved = stiffness.ldlt().solve(weight);
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const auto n = static_cast<Eigen::Index>(b + 1) * pieces - 1;
    answer.moved.push_back({moved(6 * n), moved(6 * n + 1), moved(6 * n + 2)});
  }
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(
      stiffness, mass, Eigen::EigenvaluesOnly | Eigen::Ax_lBx);
  for (const double square : solver.eigenvalues()) {
    answer.frequencies_hz.push_back(std::sqrt(square) / (2 * pi));
  }
  return answer;
}

}  // namespace thigmo::validation
