#pragma once

#include "sim/closing/model.hpp"

namespace graspmap {

/// How far a point of the part's boundary is off after one step, estimated. A step
/// q^(l+1) = q^l + h nu^(l+1) of first order is off by h/2 (nu^(l+1) - nu^l) but for terms of
/// higher order. Contacts that stay closed take away what would open or overlap them: the estimate
/// is the nearest motion of the part that keeps their gaps, with the jaws off by their part of the
/// same.
class PositionError {
 public:
  /// `change` of the part's velocity, (mm/s, mm/s, rad/s), in a step of `h_s`; `reach_mm` is the
  /// largest distance of a point of the part from its centre of mass.
  PositionError(const Vec3& change, double h_s, double reach_mm);

  /// Takes in a contact that was closed before the step and carries an impulse in it. `normal` is
  /// out of the jaw, `arm_mm` from the centre of mass to the contact point, `jaw_change_mm_s` the
  /// change of the jaw's velocity.
  void keep_closed(const Vec2& normal, const Vec2& arm_mm, double jaw_change_mm_s);

  /// The estimate, mm: at most the one without contacts and, for the terms of higher order, at
  /// least kLeastErrorShare of that.
  [[nodiscard]] double mm() const;

 private:
  double h_s_;
  double reach_mm_;
  double free_mm_;  ///< without contacts
  Vec3 offset_mm_;  ///< (x, y, reach times angle)
  int constraints_ = 0;
  Eigen::Matrix3d directions_;  ///< by column, orthonormal: what the contacts so far determine
};

}  // namespace graspmap
