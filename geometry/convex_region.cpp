#include "geometry/convex_region.hpp"

#include <algorithm>

namespace graspmap {
namespace {

/// The region of x: beside an edge, past the vertex, or in the wedge itself.
struct Region {
  double edge_distance[2];
  int edge = 0;  ///< the one that x is further out of
  bool past_vertex = false;
};

Region locate(const RoundedWedge& shape, const Vec2& x_mm) {
  const Vec2 away = x_mm - shape.vertex_mm;
  Region region{{shape.normals[0].dot(away), shape.normals[1].dot(away)}, 0, false};
  if (region.edge_distance[1] > region.edge_distance[0]) region.edge = 1;
  // The first edge comes from infinity to the vertex, the second one leaves it.
  const double along = perp(shape.normals[region.edge]).dot(away);
  region.past_vertex = region.edge == 0 ? along > 0.0 : along < 0.0;
  return region;
}

}  // namespace

double value(const RoundedWedge& shape, const Vec2& x_mm) {
  const Region region = locate(shape, x_mm);
  const double d = std::max(region.edge_distance[region.edge], 0.0);
  const double square = region.past_vertex && region.edge_distance[region.edge] >= 0.0
                            ? (x_mm - shape.vertex_mm).squaredNorm()
                            : d * d;
  return 0.5 * (square / shape.radius_mm - shape.radius_mm);
}

Vec2 gradient(const RoundedWedge& shape, const Vec2& x_mm) {
  const Region region = locate(shape, x_mm);
  const double d = region.edge_distance[region.edge];
  if (d < 0.0) return Vec2::Zero();
  if (region.past_vertex) return (x_mm - shape.vertex_mm) / shape.radius_mm;
  return shape.normals[region.edge] * (d / shape.radius_mm);
}

Mat2 hessian(const RoundedWedge& shape, const Vec2& x_mm) {
  const Region region = locate(shape, x_mm);
  if (region.edge_distance[region.edge] < 0.0) return Mat2::Zero();
  if (region.past_vertex) return Mat2::Identity() / shape.radius_mm;
  const Vec2& n = shape.normals[region.edge];
  return n * n.transpose() / shape.radius_mm;
}

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

}  // namespace graspmap
