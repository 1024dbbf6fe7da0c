#include "sim/closing/support_friction.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

#include "geometry/assert.hpp"
#include "geometry/types.hpp"

namespace graspmap {

SupportElement& Support::add_element() {
  GRASPMAP_CHECK(size < kMaxSupportElements);
  SupportElement& element = elements[static_cast<std::size_t>(size++)];
  element = {};
  return element;
}

void Support::add_point(const Vec2& arm_B_mm, double share) {
  SupportElement& element = add_element();
  element.dimension = 2;
  element.frame = SupportFrame::kPoint;
  element.share = share;
  element.slip_map(0, 0) = 1.0;
  element.slip_map(1, 1) = 1.0;
  element.arm_B_mm = arm_B_mm;
}

void Support::add_in_part(const Eigen::Matrix3d& root, double length_mm) {
  SupportElement& element = add_element();
  element.frame = SupportFrame::kPart;
  element.slip_map_B = root.inverse();
  element.slip_map_B.col(2) *= length_mm;
}

void EllipsoidSupport::add_to(Support& support, const Vec2& /*center*/) const {
  support.add_element().slip_map.diagonal() = Vec3(e_t, e_o, e_r_mm);
}

void TripodSupport::add_to(Support& support, const Vec2& /*center*/) const {
  for (const double angle : angles_rad) {
    support.add_point(radius_mm * unit_vector(angle), 1.0 / 3.0);
  }
}

void PointsSupport::add_to(Support& support, const Vec2& center_of_mass_P_mm) const {
  for (const SupportPoint& point : points) {
    const double share = point.load_share * point.friction_factor;
    if (share == 0.0) continue;  // no force at all, however it slides
    support.add_point(point.point_P_mm - center_of_mass_P_mm, share);
  }
}

void PartEllipsoidSupport::add_to(Support& support, const Vec2& /*center*/) const {
  support.add_in_part(matrix.llt().matrixL(), length_mm);
}

/// In the coordinates in which the ellipsoid near the surface is a ball.
void FourthOrderSupport::add_to(Support& support, const Vec2& /*center*/) const {
  const FourthOrderForm form(coefficients);
  const Eigen::Matrix3d root = form.nearest_ellipsoid().llt().matrixL();
  support.add_in_part(root, length_mm);
  support.surface = form.in_coordinates(root.transpose().inverse());
}

void set_model(const SupportModel& model, const Vec2& center_of_mass_P_mm, Support& support) {
  support.size = 0;
  support.surface.reset();
  std::visit([&](const auto& law) { law.add_to(support, center_of_mass_P_mm); }, model);
  set_angle(support, Rotation2());
}

void set_angle(SupportElement& element, const Rotation2& R_GB) {
  switch (element.frame) {
    case SupportFrame::kGripper:
      break;
    case SupportFrame::kPoint:
      element.arm_G_mm = R_GB * element.arm_B_mm;
      element.slip_map.col(2).head<2>() = perp(element.arm_G_mm);
      break;
    case SupportFrame::kPart:
      for (int k = 0; k < 3; ++k) {
        element.slip_map.row(k).head<2>() =
            (R_GB * Vec2(element.slip_map_B.row(k).head<2>())).transpose();
      }
      element.slip_map.col(2) = element.slip_map_B.col(2);
      break;
  }
}

}  // namespace graspmap
