#pragma once

#include "geometry/elementary/elementary.hpp"
#include "geometry/types.hpp"

namespace graspmap {

/// x -> A x + b: how entities of a drawing are placed.
struct Affine {
  Mat2 linear = Mat2::Identity();
  Vec2 shift = Vec2::Zero();

  Vec2 operator()(const Vec2& x) const { return linear * x + shift; }
  /// First the other one, then this one.
  Affine operator*(const Affine& first) const {
    return {linear * first.linear, linear * first.shift + shift};
  }

  static Affine translation(const Vec2& by) { return {Mat2::Identity(), by}; }
  static Affine rotation(double angle_rad) {
    Affine turn;
    turn.linear << elementary::cos(angle_rad), -elementary::sin(angle_rad),
        elementary::sin(angle_rad), elementary::cos(angle_rad);
    return turn;
  }
  static Affine scaling(double x, double y) {
    Affine scale;
    scale.linear << x, 0.0, 0.0, y;
    return scale;
  }
};

}  // namespace graspmap
