#pragma once

#include <vector>

#include "geometry/biarc.hpp"

namespace graspmap {

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
