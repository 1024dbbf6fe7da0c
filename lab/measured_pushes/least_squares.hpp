#pragma once

#include <Eigen/Core>
#include <functional>

#include "geometry/types.hpp"

namespace graspmap {

/// Sets the residuals at x, as many as it is given.
using Residuals = std::function<void(const Eigen::VectorXd& x, Eigen::VectorXd& residuals)>;

/// The x near `start` with the least sum of squares of `values` residuals: Levenberg and Marquardt,
/// with differences for slopes and few evaluations, for residuals that are simulated.
Eigen::VectorXd least_squares(const Eigen::VectorXd& start, Eigen::Index values,
                              const Residuals& residuals);

/// How far a simulated end of a push is from a measured one: mm, mm, and the angle times 0.7
/// `length_mm`; shortened so that its square is 2 (sqrt(1 + r^2) - 1), r its length: wild pushes
/// count little.
Vec3 end_residual(const Pose2& simulated, const Pose2& measured, double length_mm);

/// What an angle times the length is multiplied by, beside mm.
inline constexpr double kAngleWeight = 0.7;

/// `angle` in (-pi, pi].
double wrapped_angle(double angle_rad);

/// a from b: mm, mm, and rad in (-pi, pi].
Vec3 difference(const Pose2& a, const Pose2& b);

/// The pose after an error of mm, mm, rad.
Pose2 moved(const Pose2& pose, const Vec3& by);

}  // namespace graspmap
