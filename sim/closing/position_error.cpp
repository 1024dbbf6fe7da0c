#include "sim/closing/position_error.hpp"

#include <algorithm>
#include <cmath>

#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

double boundary_mm(const Vec3& offset_mm) {
  return offset_mm.head<2>().norm() + std::abs(offset_mm[2]);
}

}  // namespace

PositionError::PositionError(const Vec3& change, double h_s, double reach_mm)
    : h_s_(h_s),
      reach_mm_(reach_mm),
      offset_mm_(0.5 * h_s * change.cwiseProduct(Vec3(1.0, 1.0, reach_mm))) {
  free_mm_ = boundary_mm(offset_mm_);
}

/// Gram and Schmidt's method: the offset moves along the part of the gap's gradient that is
/// orthogonal to those before, so that their gaps stay.
void PositionError::keep_closed(const Vec2& normal, const Vec2& arm_mm, double jaw_change_mm_s) {
  if (constraints_ == 3) return;
  const Vec3 gradient(normal.x(), normal.y(), cross(arm_mm, normal) / reach_mm_);
  Vec3 direction = gradient;
  for (int k = 0; k < constraints_; ++k) {
    direction -= directions_.col(k).dot(direction) * directions_.col(k);
  }
  const double length = direction.norm();
  if (length < tolerances::kDependentGradient) return;
  direction /= length;
  const double gap_mm = gradient.dot(offset_mm_) - normal.x() * 0.5 * h_s_ * jaw_change_mm_s;
  offset_mm_ -= gap_mm / length * direction;
  directions_.col(constraints_++) = direction;
}

double PositionError::mm() const {
  return std::clamp(boundary_mm(offset_mm_), tolerances::kLeastErrorShare * free_mm_, free_mm_);
}

}  // namespace graspmap
