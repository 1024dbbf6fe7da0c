#pragma once

#include <vector>

#include "geometry/convex_shape.hpp"

namespace graspmap {

/// A convex function of a piece in its body's frame, times a constant that makes it a length with
/// |grad f| of order one on the boundary: Chakraborty et al. 2014 ask for its sign only.
struct PieceFunction {
  ConvexFunction function;
  double scale = 1.0;
};

/// X_GB with the rotation computed once.
struct BodyFrame {
  Vec2 origin_mm{0, 0};
  Rotation2 R;
};

/// A function with its derivatives in G's axes at a point.
struct FunctionJet {
  double value_mm = 0.0;
  Vec2 gradient{0, 0};
  Mat2 hessian = Mat2::Zero();  ///< 1/mm
};

/// f(x), x in G, of a function that moves with the frame.
double value_at(const PieceFunction& function, const BodyFrame& frame, const Vec2& x_G_mm);

/// The same with gradient and Hessian.
FunctionJet jet_at(const PieceFunction& function, const BodyFrame& frame, const Vec2& x_G_mm);

/// The functions of a piece, Chakraborty et al. 2014, eq. (23): one for a superellipse, one an edge
/// or one a rounded corner.
std::vector<PieceFunction> piece_functions(const PlacedShape& placed);

}  // namespace graspmap
