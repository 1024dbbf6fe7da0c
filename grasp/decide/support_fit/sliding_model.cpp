#include "grasp/decide/support_fit/sliding_model.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <numeric>

#include "geometry/types.hpp"

namespace graspmap {
namespace {

constexpr int kSlidingIterations = 60;
constexpr double kSlidingError = 1e-11;

/// Newton's method with a line search on a convex function that grows to infinity. `evaluate(v,
/// gradient, hessian)` returns its value; with null pointers the value only.
template <typename Evaluate>
Vec3 minimum(Vec3 v, const Evaluate& evaluate) {
  for (int k = 0; k < kSlidingIterations; ++k) {
    Vec3 gradient;
    Eigen::Matrix3d hessian;
    const double value = evaluate(v, &gradient, &hessian);
    if (!(gradient.norm() > kSlidingError)) break;
    hessian += kSlidingError * Eigen::Matrix3d::Identity();
    const Vec3 step = -hessian.ldlt().solve(gradient);
    double alpha = 1.0;
    while (alpha > kSlidingError && evaluate(v + alpha * step, nullptr, nullptr) >
                                        value + 1e-4 * alpha * step.dot(gradient)) {
      alpha *= 0.5;
    }
    if (!(alpha > kSlidingError)) break;
    v += alpha * step;
  }
  return v;
}

}  // namespace

EllipsoidSliding::EllipsoidSliding(const Eigen::Matrix3d& matrix)
    : matrix_(matrix), inverse_(matrix.inverse()) {}

Vec3 EllipsoidSliding::wrench_of(const Vec3& twist) const {
  const Vec3 y = inverse_ * twist;
  return y / std::sqrt(twist.dot(y));
}

Vec3 EllipsoidSliding::twist_of(const Vec3& wrench) const { return matrix_ * wrench; }

double EllipsoidSliding::radius(const Vec3& direction) const {
  return 1.0 / std::sqrt(direction.dot(matrix_ * direction));
}

/// The minimum of H(g) - v . g, scaled to the surface.
Vec3 FourthOrderSliding::wrench_of(const Vec3& twist) const {
  const Vec3 v = twist.normalized();
  const Vec3 start = v * std::cbrt(0.25 / form_.value(v));
  const Vec3 g = minimum(start, [&](const Vec3& at, Vec3* gradient, Eigen::Matrix3d* hessian) {
    if (gradient != nullptr) {
      *hessian = form_.hessian(at);
      *gradient = FourthOrderForm::gradient(*hessian, at) - v;
    }
    return form_.value(at) - v.dot(at);
  });
  return g / std::sqrt(std::sqrt(form_.value(g)));
}

Vec3 FourthOrderSliding::twist_of(const Vec3& wrench) const { return form_.gradient(wrench); }

double FourthOrderSliding::radius(const Vec3& direction) const {
  return 1.0 / std::sqrt(std::sqrt(form_.value(direction)));
}

Vec3 point_wrench(const Vec2& point, const Vec3& twist) {
  const Vec2 slip = twist.head<2>() + twist[2] * perp(point);
  const double speed = slip.norm();
  if (speed == 0.0) return Vec3::Zero();
  const Vec2 force = slip / speed;
  return {force.x(), force.y(), cross(point, force)};
}

Vec3 PointsSliding::wrench_of(const Vec3& twist) const {
  Vec3 wrench = Vec3::Zero();
  for (std::size_t j = 0; j < points_.size(); ++j) {
    wrench += forces_[j] * point_wrench(points_[j], twist);
  }
  return wrench;
}

Vec3 PointsSliding::twist_of(const Vec3& wrench) const {
  const double sum = std::accumulate(forces_.begin(), forces_.end(), 0.0);
  const Vec3 f = wrench.normalized();
  Vec3 v = f;
  for (const double rounding : {0.1, 3e-3, 1e-4}) {
    v = minimum(v, [&](const Vec3& at, Vec3* gradient, Eigen::Matrix3d* hessian) {
      double P = 0.0;
      Vec3 dP = Vec3::Zero();
      Eigen::Matrix3d ddP = Eigen::Matrix3d::Zero();
      for (std::size_t j = 0; j < points_.size(); ++j) {
        const double share = forces_[j] / sum;
        if (share == 0.0) continue;
        const Vec2 slip = at.head<2>() + at[2] * perp(points_[j]);
        const double speed = std::sqrt(slip.squaredNorm() + rounding * rounding);
        P += share * speed;
        if (gradient == nullptr) continue;
        Eigen::Matrix<double, 2, 3> B;
        B << 1.0, 0.0, -points_[j].y(), 0.0, 1.0, points_[j].x();
        const Vec2 d = slip / speed;
        dP += share * (B.transpose() * d);
        ddP += share / speed * (B.transpose() * (Mat2::Identity() - d * d.transpose()) * B);
      }
      if (gradient != nullptr) {
        *gradient = P * dP - f;
        *hessian = dP * dP.transpose() + P * ddP;
      }
      return 0.5 * P * P - f.dot(at);
    });
  }
  return v;
}

/// With the twist v that belongs to the direction d: P(v) / (d . v).
double PointsSliding::radius(const Vec3& direction) const {
  const Vec3 v = twist_of(direction);
  return wrench_of(v).dot(v) / direction.dot(v);
}

double angle_deg(const Vec3& a, const Vec3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b)) * 180.0 / std::numbers::pi;
}

}  // namespace graspmap
