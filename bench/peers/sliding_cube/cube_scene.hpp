#pragma once

#include <Eigen/Core>

namespace graspmap::bench {

/// A cube that slides on a plane without turning: 003_28565e2db775357c.txt section VI-A. In m, kg
/// and s, as the engines compared with take it; what the paper's text has lost is the authors'
/// tutorial's.
struct CubeScene {
  double side_m = 0.5;
  double mass_kg = 3.0;
  double mu = 0.22;
  double gravity_m_s2 = 9.8;
  double duration_s = 4.0;
  Eigen::Vector2d velocity_m_s{1.0, 2.0};
  Eigen::Vector2d force_n = Eigen::Vector2d::Zero();  ///< constant, at the centre
};

/// The cube at the end.
struct CubeEnd {
  bool is_solved = true;  ///< no step failed
  Eigen::Vector3d position_m = Eigen::Vector3d::Zero();
  double turned_deg = 0.0;  ///< the angle of its attitude
};

/// The continuous motion of a point mass with Coulomb friction, to 1e-7.
CubeEnd exact_cube(const CubeScene& scene);

/// Equal steps of `step_s`. Ours takes the equivalent contact point; Bullet and ODE four contact
/// points, at the corners.
CubeEnd graspmap_cube(const CubeScene& scene, double step_s);
CubeEnd bullet_cube(const CubeScene& scene, double step_s);

/// With dContactApprox1: friction limited by mu times the normal force, along two fixed directions
/// each for itself.
enum class OdeSolver { kExact, kQuick };  ///< dWorldStep, dWorldQuickStep
CubeEnd ode_cube(const CubeScene& scene, double step_s, OdeSolver solver);

}  // namespace graspmap::bench
