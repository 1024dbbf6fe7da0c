#include "lab/planar/full/full_mncp_piece.hpp"

#include <algorithm>

namespace graspmap {
namespace {

/// 1 / |grad f| at the end of the shorter semi-axis; half-planes and rounded corners have 1.
double boundary_scale(const ConvexFunction& function) {
  const auto* placed = std::get_if<PlacedSuperellipse>(&function);
  if (placed == nullptr) return 1.0;
  return std::min(placed->shape.a_mm, placed->shape.b_mm) / placed->shape.exponent;
}

Vec2 local(const BodyFrame& frame, const Vec2& x_G_mm) {
  return frame.R.inverse_times(x_G_mm - frame.origin_mm);
}

}  // namespace

double value_at(const PieceFunction& function, const BodyFrame& frame, const Vec2& x_G_mm) {
  return function.scale * value(function.function, local(frame, x_G_mm));
}

FunctionJet jet_at(const PieceFunction& function, const BodyFrame& frame, const Vec2& x_G_mm) {
  const Vec2 x = local(frame, x_G_mm);
  Mat2 R;
  R << frame.R.c, -frame.R.s, frame.R.s, frame.R.c;
  FunctionJet jet;
  jet.value_mm = function.scale * value(function.function, x);
  jet.gradient = function.scale * (R * gradient(function.function, x));
  jet.hessian = function.scale * (R * hessian(function.function, x) * R.transpose());
  return jet;
}

std::vector<PieceFunction> piece_functions(const PlacedShape& placed) {
  std::vector<PieceFunction> functions;
  for (const ConvexFunction& function : region_at(placed.shape, placed.pose).functions) {
    functions.push_back({function, boundary_scale(function)});
  }
  return functions;
}

}  // namespace graspmap
