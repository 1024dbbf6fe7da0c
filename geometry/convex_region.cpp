#include "geometry/convex_region.hpp"

namespace graspmap {
namespace {

// A superellipse placed at X: f(x) = f_0(X^-1 x), so grad f = R grad f_0 and H = R H_0 R^T.

double value(const PlacedSuperellipse& placed, const Vec2& x_mm) {
  return graspmap::value(placed.shape, inverse_transform(placed.pose, x_mm));
}

Vec2 gradient(const PlacedSuperellipse& placed, const Vec2& x_mm) {
  const Vec2 local = inverse_transform(placed.pose, x_mm);
  return Rotation2(placed.pose.angle_rad) * graspmap::gradient(placed.shape, local);
}

Mat2 hessian(const PlacedSuperellipse& placed, const Vec2& x_mm) {
  const Rotation2 R(placed.pose.angle_rad);
  Mat2 matrix;
  matrix << R.c, -R.s, R.s, R.c;
  const Vec2 local = inverse_transform(placed.pose, x_mm);
  return matrix * graspmap::hessian(placed.shape, local) * matrix.transpose();
}

}  // namespace

double value(const ConvexFunction& function, const Vec2& x_mm) {
  return std::visit([&](const auto& f) { return value(f, x_mm); }, function);
}

Vec2 gradient(const ConvexFunction& function, const Vec2& x_mm) {
  return std::visit([&](const auto& f) -> Vec2 { return gradient(f, x_mm); }, function);
}

Mat2 hessian(const ConvexFunction& function, const Vec2& x_mm) {
  return std::visit([&](const auto& f) -> Mat2 { return hessian(f, x_mm); }, function);
}

std::size_t active_function(const ConvexRegion& region, const Vec2& x_mm) {
  std::size_t active = 0;
  double largest = value(region.functions.front(), x_mm);
  for (std::size_t i = 1; i < region.functions.size(); ++i) {
    const double candidate = value(region.functions[i], x_mm);
    if (candidate > largest) {
      largest = candidate;
      active = i;
    }
  }
  return active;
}

double value(const ConvexRegion& region, const Vec2& x_mm) {
  return value(region.functions[active_function(region, x_mm)], x_mm);
}

}  // namespace graspmap
