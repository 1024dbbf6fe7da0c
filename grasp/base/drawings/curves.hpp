#pragma once

#include <functional>
#include <vector>

#include "geometry/outline.hpp"

namespace graspmap {

/// A curve whose tangent is continuous, over begin <= t <= end.
struct ParametricCurve {
  double begin = 0.0;
  double end = 1.0;
  std::function<Vec2(double)> point_mm;
  std::function<Vec2(double)> derivative;  ///< of any length; 0 only at points apart
};

/// Arcs in place of a curve: each one begins where the one before ends, with the same tangent.
struct ArcChain {
  std::vector<OutlineElement> elements;
  Vec2 end_mm{0, 0};      ///< of the last element
  double error_mm = 0.0;  ///< largest distance of the curve from the chain, of many points of it
};

/// Replaces a curve by biarcs: pairs of arcs with the curve's end points and end tangents, and the
/// same tangent where they meet (Bolton 1975). There are about as few as keep the distance of the
/// curve below tolerance_mm > 0; they lie symmetrically on a symmetric curve.
ArcChain biarcs(const ParametricCurve& curve, double tolerance_mm);

/// A rational B-spline. There are degree + 1 more knots than points.
struct Nurbs {
  int degree = 3;
  std::vector<double> knots;
  std::vector<Vec2> points;
  std::vector<double> weights;  ///< > 0, as many as points; empty: all 1
};

/// The pieces of a spline within which its tangent is continuous, of a few knots each.
std::vector<ParametricCurve> smooth_pieces(const Nurbs& spline);

}  // namespace graspmap
