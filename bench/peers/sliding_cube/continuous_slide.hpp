#pragma once

#include <vector>

#include "bench/peers/sliding_cube/cube_case.hpp"

namespace graspmap::bench {

/// Where a cube is at some time of its continuous motion.
struct Slide {
  Vec2 position_m = Vec2::Zero();
  Vec2 velocity_m_s = Vec2::Zero();
  double distance_m = 0.0;  ///< length of the path so far
};

/// The motion under isotropic friction b = mu g and a constant force a = |f|/m at an angle psi to
/// the velocity, in closed form: speed = C tan(psi/2)^(b/a) / sin psi, psi' = -a sin psi / speed,
/// integrated with u = tan(psi/2). It rests from where it stops. Throws std::invalid_argument for
/// anisotropic friction, and for a force along the velocity.
Slide isotropic_slide(const CubeCase& cube, double time_s);

/// The motion at 0, h, 2 h ... `steps` h by Runge-Kutta's fourth-order method, each interval in
/// parts of at most `part_s`. Throws std::domain_error when the cube comes to rest.
std::vector<Slide> integrated_slide(const CubeCase& cube, double h, int steps, double part_s);

/// The same by the closed form where there is one, else integrated finely.
std::vector<Slide> continuous_slide(const CubeCase& cube, double h, int steps);

}  // namespace graspmap::bench
