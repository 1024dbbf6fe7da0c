#pragma once

#include "lab/solids/pose3.hpp"

namespace graspmap {

/// A body at the end of a step.
struct BodyAtEnd {
  Vec3 centre_mm;
  Mat3 R;        ///< body axes to G's
  Vec3 v;        ///< mm/s
  Vec3 w;        ///< rad/s
  Mat3 turn;     ///< C, the rotation of the step
  Mat3 dphi_dw;  ///< how much further it is turned (about G's axes) for more w
};

/// By `moved`: C turns by 2 atan(|b|) about b = h w / 2 (Cayley's map),
///   C = 1 + 2 ([b] + [b]^2) / (1 + b^2),   dphi = 2 (1 + [b]) db / (1 + b^2).
inline BodyAtEnd body_at_end(const Pose3& start, const Vec3& v, const Vec3& w, double h) {
  const Vec3 b = 0.5 * h * w;
  const double scale = 2.0 / (1.0 + b.squaredNorm());
  const Mat3 B = cross_matrix(b);
  BodyAtEnd body;
  body.v = v;
  body.w = w;
  body.centre_mm = start.position_mm + h * v;
  body.turn = Mat3::Identity() + scale * (B + B * B);
  body.R = body.turn * start.orientation.toRotationMatrix();
  body.dphi_dw = 0.5 * h * scale * (Mat3::Identity() + B);
  return body;
}

}  // namespace graspmap
