#include <algorithm>
#include <cmath>

#include "bench/peers/sliding_cube/cube_scene.hpp"

namespace graspmap::bench {

/// Runge and Kutta's method on v' = f/m - mu g v/|v|; at rest for good once friction can hold the
/// force and would stop the cube within a step.
CubeEnd exact_cube(const CubeScene& scene) {
  constexpr double kStep_s = 2e-5;
  const double b = scene.mu * scene.gravity_m_s2;
  const Eigen::Vector2d pull = scene.force_n / scene.mass_kg;
  const auto acceleration = [&](const Eigen::Vector2d& v) -> Eigen::Vector2d {
    return v.norm() > 0.0 ? Eigen::Vector2d(pull - b * v / v.norm()) : Eigen::Vector2d::Zero();
  };
  Eigen::Vector2d v = scene.velocity_m_s;
  Eigen::Vector2d x = Eigen::Vector2d::Zero();
  const auto steps = static_cast<int>(std::lround(scene.duration_s / kStep_s));
  for (int i = 0; i < steps; ++i) {
    if (pull.norm() <= b && v.norm() <= 2.0 * b * kStep_s) break;
    const Eigen::Vector2d k1 = acceleration(v);
    const Eigen::Vector2d k2 = acceleration(v + 0.5 * kStep_s * k1);
    const Eigen::Vector2d k3 = acceleration(v + 0.5 * kStep_s * k2);
    const Eigen::Vector2d k4 = acceleration(v + kStep_s * k3);
    x += kStep_s * v + kStep_s * kStep_s / 6.0 * (k1 + k2 + k3);
    v += kStep_s / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  CubeEnd end;
  end.position_m << x, 0.5 * scene.side_m;
  return end;
}

}  // namespace graspmap::bench
