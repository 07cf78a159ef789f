#pragma once

// A rod as a chain of rigid bodies, moved by a method that shares nothing with the engine's: the spins of all
// bodies at once, a dense matrix, Runge and Kutta's fourth order.
namespace thigmo::validation {

// Level along x at first and clamped there; nothing damps it.
struct RodChain {
  int segments = 10;
  double length = 1, radius = 0.01;          // [m]
  double young = 0, shear = 0, density = 0;  // [Pa], [Pa], [kg/m³]
  double curvature = 0;                      // natural, towards z [rad/m]
};

struct ChainMotion {
  double out_of_plane = 0;  // the farthest that the start of a segment was from z = 0 [m]
  double energy_error = 0;  // the largest change of energy, over the largest kinetic energy
};

// Let go at rest under 9.81 m/s² along -y.
ChainMotion let_chain_go(const RodChain& chain, double seconds, double dt);

}  // namespace thigmo::validation
