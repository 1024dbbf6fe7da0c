#include "lab/solids/gilbert_distance.hpp"

#include <Eigen/QR>
#include <limits>
#include <vector>

namespace graspmap {
namespace {

using SimplexPoints = std::vector<MinkowskiPoint>;

/// Weights of the point of the affine hull of `points` nearest to the origin; negative ones where
/// the points do not span a hull of their number.
Eigen::VectorXd nearest_weights(const SimplexPoints& points) {
  const auto n = static_cast<Eigen::Index>(points.size());
  Eigen::VectorXd weights = Eigen::VectorXd::Ones(n);
  if (n == 1) return weights;
  Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> edges(3, n - 1);
  for (Eigen::Index i = 1; i < n; ++i) {
    edges.col(i - 1) = points[static_cast<std::size_t>(i)].d - points[0].d;
  }
  const auto qr = edges.colPivHouseholderQr();
  if (qr.rank() < n - 1) return -weights;
  weights.tail(n - 1) = -qr.solve(points[0].d);
  weights[0] = 1.0 - weights.tail(n - 1).sum();
  return weights;
}

MinkowskiPoint weighted_sum(const SimplexPoints& points, const Eigen::VectorXd& weights) {
  MinkowskiPoint sum;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double weight = weights[static_cast<Eigen::Index>(i)];
    sum.a += weight * points[i].a;
    sum.b += weight * points[i].b;
    sum.d += weight * points[i].d;
  }
  return sum;
}

/// Reduces a simplex to those of its points that carry the one nearest to the origin.
MinkowskiPoint reduce_to_nearest(SimplexPoints& points) {
  MinkowskiPoint nearest;
  SimplexPoints carriers;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned subset = 1; subset < (1U << points.size()); ++subset) {
    SimplexPoints some;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if ((subset >> i & 1U) != 0U) some.push_back(points[i]);
    }
    const Eigen::VectorXd weights = nearest_weights(some);
    if (!(weights.minCoeff() >= 0.0)) continue;
    const MinkowskiPoint point = weighted_sum(some, weights);
    if (point.d.squaredNorm() < least) {
      least = point.d.squaredNorm();
      nearest = point;
      carriers = some;
    }
  }
  points = carriers;
  return nearest;
}

}  // namespace

std::optional<MinkowskiPoint> nearest_to_origin(const MinkowskiDifference& difference) {
  constexpr int kMostIterations = 200;
  constexpr double kRelative = 1e-14;
  constexpr double kTouch = 1e-12;
  SimplexPoints simplex{difference.support(Vec3::UnitX())};
  MinkowskiPoint nearest = simplex[0];
  for (int i = 0; i < kMostIterations; ++i) {
    const double squared = nearest.d.squaredNorm();
    if (squared <= kTouch * kTouch * difference.size_mm() * difference.size_mm()) {
      return std::nullopt;
    }
    const MinkowskiPoint next = difference.support(-nearest.d);
    if (squared - nearest.d.dot(next.d) <= kRelative * squared) break;
    simplex.push_back(next);
    const MinkowskiPoint nearer = reduce_to_nearest(simplex);
    if (!(nearer.d.squaredNorm() < squared)) break;
    nearest = nearer;
    if (simplex.size() == 4) return std::nullopt;  // the origin is inside
  }
  return nearest;
}

}  // namespace graspmap
