#include "sim/support/limit_surface_point.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace graspmap {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

/// Flat spots of the surface seen from afar take some 30; the line search halves at most 40 times.
constexpr int kProjectionIterations = 100;
constexpr int kProjectionHalvings = 40;
/// Newton steps below this length (the surface's size is about 1) need no line search, whose
/// distances rounding errors would decide; they go on while each is much shorter than the last.
constexpr double kSmallProjectionStep = 1e-5;
constexpr double kLeastProjectionGain = 0.9;
constexpr double kLastProjectionStep = 1e-16;
constexpr double kProjectionDecrease = 1e-4;

Vector3d on_surface(const FourthOrderForm& form, const Vector3d& y) {
  return y / std::sqrt(std::sqrt(form.value(y)));
}

/// The surface at one of its points: H's gradient g, two tangents, and the tangents' part of
/// I + lambda H'' with g's multiple lambda that is nearest to z - y.
struct LocalSurface {
  Vector3d gradient;
  Eigen::Matrix<double, 3, 2> tangents;
  double multiplier = 0.0;
  Matrix2d curvature_inverse;

  LocalSurface(const FourthOrderForm& form, const Vector3d& y, const Vector3d& z) {
    const Matrix3d hessian = form.hessian(y);
    gradient = FourthOrderForm::gradient(hessian, y);
    const Vector3d normal = gradient.normalized();
    int least = 0;
    normal.cwiseAbs().minCoeff(&least);
    tangents.col(0) = normal.cross(Vector3d::Unit(least)).normalized();
    tangents.col(1) = normal.cross(tangents.col(0));
    multiplier = std::max((z - y).dot(gradient) / gradient.squaredNorm(), 0.0);
    const Matrix2d M =
        Matrix2d::Identity() + multiplier * (tangents.transpose() * hessian * tangents);
    const double determinant = M(0, 0) * M(1, 1) - M(0, 1) * M(0, 1);
    curvature_inverse << M(1, 1), -M(0, 1), -M(0, 1), M(0, 0);
    curvature_inverse /= determinant;
  }

  [[nodiscard]] Vector3d newton_step(const Vector3d& y, const Vector3d& z) const {
    const Vector2d along = tangents.transpose() * (z - y);
    return tangents * (curvature_inverse * along);
  }
};

/// The next point of the iteration: nearer to z, and on the side of the surface that z sees, where
/// the nearest point is the only one at which the distance is stationary.
Vector3d next_point(const FourthOrderForm& form, const Vector3d& y, const Vector3d& z,
                    const Vector3d& step) {
  const double distance2 = (z - y).squaredNorm();
  const double slope = 2.0 * step.dot(z - y);
  double alpha = 1.0;
  for (int k = 0; k < kProjectionHalvings; ++k, alpha *= 0.5) {
    const Vector3d next = on_surface(form, y + alpha * step);
    const Vector3d rest = z - next;
    if (rest.squaredNorm() <= distance2 - kProjectionDecrease * alpha * slope &&
        rest.dot(form.gradient(next)) > 0.0) {
      return next;
    }
  }
  return y;
}

}  // namespace

LimitSurfacePoint limit_surface_point(const FourthOrderForm& form, const Vector3d& z) {
  LimitSurfacePoint found;
  const double value = form.value(z);
  found.inside = !(value > 1.0);
  found.nearest = z;
  found.derivative.setZero();
  found.boundary.setZero();
  if (!(value > 0.0)) return found;  // z = 0, or not finite
  Vector3d y = z / std::sqrt(std::sqrt(value));
  double last_length = std::numeric_limits<double>::infinity();
  for (int k = 0; !found.inside && k < kProjectionIterations; ++k) {
    const Vector3d step = LocalSurface(form, y, z).newton_step(y, z);
    const double length = step.norm();
    if (length > kSmallProjectionStep) {
      y = next_point(form, y, z, step);
      continue;
    }
    if (length <= kLastProjectionStep || length > kLeastProjectionGain * last_length) break;
    y = on_surface(form, y + step);
    last_length = length;
  }
  const LocalSurface local(form, y, found.inside ? y : z);
  found.boundary = y;
  if (!found.inside) found.nearest = y;
  found.derivative = local.tangents * local.curvature_inverse * local.tangents.transpose();
  return found;
}

}  // namespace graspmap
