#include "sim/closing/support_friction.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

#include "geometry/assert.hpp"
#include "geometry/types.hpp"

namespace graspmap {
namespace {

SupportElement& add_support_element(Support& support) {
  GRASPMAP_CHECK(support.size < kMaxSupportElements);
  SupportElement& element = support.elements[static_cast<std::size_t>(support.size++)];
  element = {};
  return element;
}

void add_support_point(const Vec2& arm_B_mm, double share, Support& support) {
  SupportElement& element = add_support_element(support);
  element.dimension = 2;
  element.frame = SupportFrame::kPoint;
  element.share = share;
  element.slip_map(0, 0) = 1.0;
  element.slip_map(1, 1) = 1.0;
  element.arm_B_mm = arm_B_mm;
}

/// An element that turns with the part. `root` is L of y' L L' y = |L' y|^2.
void add_support_in_part(const Eigen::Matrix3d& root, double length_mm, Support& support) {
  SupportElement& element = add_support_element(support);
  element.frame = SupportFrame::kPart;
  element.slip_map_B = root.inverse();
  element.slip_map_B.col(2) *= length_mm;
}

void add_support(const EllipsoidSupport& model, const Vec2& /*center*/, Support& support) {
  add_support_element(support).slip_map.diagonal() = Vec3(model.e_t, model.e_o, model.e_r_mm);
}

void add_support(const TripodSupport& model, const Vec2& /*center*/, Support& support) {
  for (const double angle : model.angles_rad) {
    add_support_point(model.radius_mm * unit_vector(angle), 1.0 / 3.0, support);
  }
}

void add_support(const PointsSupport& model, const Vec2& center_of_mass_P_mm, Support& support) {
  for (const SupportPoint& point : model.points) {
    const double share = point.load_share * point.friction_factor;
    if (share == 0.0) continue;  // no force at all, however it slides
    add_support_point(point.point_P_mm - center_of_mass_P_mm, share, support);
  }
}

void add_support(const PartEllipsoidSupport& model, const Vec2& /*center*/, Support& support) {
  add_support_in_part(model.matrix.llt().matrixL(), model.length_mm, support);
}

/// In the coordinates in which the ellipsoid near the surface is a ball.
void add_support(const FourthOrderSupport& model, const Vec2& /*center*/, Support& support) {
  const FourthOrderForm form(model.coefficients);
  const Eigen::Matrix3d root = form.nearest_ellipsoid().llt().matrixL();
  add_support_in_part(root, model.length_mm, support);
  support.surface = form.in_coordinates(root.transpose().inverse());
}

}  // namespace

void set_model(const SupportModel& model, const Vec2& center_of_mass_P_mm, Support& support) {
  support.size = 0;
  support.surface.reset();
  std::visit([&](const auto& kind) { add_support(kind, center_of_mass_P_mm, support); }, model);
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
