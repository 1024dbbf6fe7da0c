#pragma once

#include "geometry/types.hpp"
#include "sim/closing/model.hpp"
#include "sim/closing/support_elements.hpp"

namespace graspmap {

/// Makes a support that of a model, for a part with this centre of mass, at the angle zero.
/// Allocates nothing.
void set_model(const SupportModel& model, const Vec2& center_of_mass_P_mm, Support& support);

/// Turns an element with the part: sets B at the angle theta.
void set_angle(SupportElement& element, const Rotation2& R_GB);

/// The same for all of them.
inline void set_angle(Support& support, const Rotation2& R_GB) {
  for (int j = 0; j < support.size; ++j) {
    SupportElement& element = support.elements[static_cast<std::size_t>(j)];
    if (element.frame != SupportFrame::kGripper) set_angle(element, R_GB);
  }
}

/// The projection of z onto the ball |z| <= radius.
inline Vec3 project_to_ball(const Vec3& z, double radius) {
  const double norm = z.norm();
  return norm <= radius ? z : Vec3(z * (radius / norm));
}

}  // namespace graspmap
