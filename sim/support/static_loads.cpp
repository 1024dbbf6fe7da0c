#include "sim/support/static_loads.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "geometry/elementary/elementary.hpp"

namespace graspmap {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kHullTolerance =
    1e-9;  ///< relative to the points' distances: on the edge is inside
constexpr int kLoadIterations = 200;
constexpr double kLoadRegularization = 1e-13;
constexpr double kLoadError = 1e-13;  ///< at which the iteration ends
constexpr double kLoadsFound = 1e-7;  ///< largest error of loads that count as found

/// The points seen from the centre, in units of the farthest one's distance.
std::vector<Vector2d> seen_from(const std::vector<Vector2d>& points_mm, const Vector2d& center_mm) {
  double farthest = 0.0;
  for (const Vector2d& p : points_mm) farthest = std::max(farthest, (p - center_mm).norm());
  std::vector<Vector2d> seen;
  for (const Vector2d& p : points_mm) {
    seen.push_back(farthest > 0.0 ? Vector2d((p - center_mm) / farthest) : Vector2d::Zero());
  }
  return seen;
}

/// True when no half-plane through the origin is free of points.
bool surround_origin(const std::vector<Vector2d>& points) {
  std::vector<double> angles;
  for (const Vector2d& p : points) {
    if (p.norm() <= kHullTolerance) return true;
    angles.push_back(elementary::atan2(p.y(), p.x()));
  }
  std::sort(angles.begin(), angles.end());
  double widest = angles.front() + 2.0 * std::numbers::pi - angles.back();
  for (std::size_t k = 1; k < angles.size(); ++k) {
    widest = std::max(widest, angles[k] - angles[k - 1]);
  }
  return widest <= std::numbers::pi + kHullTolerance;
}

double load(const Vector3d& plane, const Vector2d& point) {
  return std::max(plane[0] + plane[1] * point.x() + plane[2] * point.y(), 0.0);
}

double dual(const std::vector<Vector2d>& points, const Vector3d& plane) {
  double sum = -plane[0];
  for (const Vector2d& p : points) sum += 0.5 * load(plane, p) * load(plane, p);
  return sum;
}

/// The least squares' dual: loads are max(0, a + b . p), a plane, and (a, b) minimises the sum of
/// their squares / 2 minus a: convex and piecewise quadratic, solved by Newton's method.
Vector3d load_plane(const std::vector<Vector2d>& points) {
  Vector3d plane(1.0 / static_cast<double>(points.size()), 0.0, 0.0);
  for (int k = 0; k < kLoadIterations; ++k) {
    Vector3d gradient(-1.0, 0.0, 0.0);
    Eigen::Matrix3d hessian = kLoadRegularization * Eigen::Matrix3d::Identity();
    for (const Vector2d& p : points) {
      const double w = load(plane, p);
      if (w <= 0.0) continue;
      const Vector3d row(1.0, p.x(), p.y());
      gradient += w * row;
      hessian += row * row.transpose();
    }
    if (gradient.norm() <= kLoadError) break;
    const Vector3d step = -hessian.ldlt().solve(gradient);
    const double now = dual(points, plane);
    double alpha = 1.0;
    while (alpha > kLoadError &&
           dual(points, plane + alpha * step) > now + 0.1 * alpha * step.dot(gradient)) {
      alpha *= 0.5;
    }
    plane += alpha * step;
  }
  return plane;
}

/// The loads of three points that are no line, by areas; may be negative.
std::vector<double> loads_of_three(const std::vector<Vector2d>& p) {
  const auto area = [](const Vector2d& u, const Vector2d& v) {
    return u.x() * v.y() - u.y() * v.x();
  };
  const std::array areas{area(p[1], p[2]), area(p[2], p[0]), area(p[0], p[1])};
  const double sum = areas[0] + areas[1] + areas[2];
  return {areas[0] / sum, areas[1] / sum, areas[2] / sum};
}

bool balance(const std::vector<Vector2d>& points, const std::vector<double>& loads) {
  double sum = 0.0;
  Vector2d moment = Vector2d::Zero();
  for (std::size_t k = 0; k < points.size(); ++k) {
    sum += loads[k];
    moment += loads[k] * points[k];
  }
  return std::abs(sum - 1.0) <= kLoadsFound && moment.norm() <= kLoadsFound;
}

}  // namespace

std::optional<std::vector<double>> static_loads(const std::vector<Vector2d>& points_mm,
                                                const Vector2d& center_mm) {
  if (points_mm.empty()) return {};
  const std::vector<Vector2d> points = seen_from(points_mm, center_mm);
  if (!surround_origin(points)) return {};
  std::vector<double> loads;
  if (points.size() == 3) {
    loads = loads_of_three(points);
    for (double& share : loads) share = std::max(share, 0.0);
    if (balance(points, loads)) return loads;
    loads.clear();  // three points on a line
  }
  const Vector3d plane = load_plane(points);
  for (const Vector2d& p : points) loads.push_back(load(plane, p));
  if (!balance(points, loads)) return {};
  return loads;
}

}  // namespace graspmap
