#include "sim/closing/support_friction.hpp"

#include <cmath>

namespace graspmap {
namespace {

Support make_ellipsoid(const EllipsoidSupport& model) {
  Support support;
  support.size = 1;
  support.elements[0].slip_map.diagonal() = Vec3(model.e_t, model.e_o, model.e_r_mm);
  return support;
}

Support make_tripod(const TripodSupport& model) {
  Support support;
  support.size = 3;
  for (std::size_t j = 0; j < 3; ++j) {
    SupportElement& element = support.elements[j];
    element.dimension = 2;
    element.share = 1.0 / 3.0;
    element.slip_map(0, 0) = 1.0;
    element.slip_map(1, 1) = 1.0;
    element.arm_B_mm =
        model.radius_mm * Vec2(std::cos(model.angles_rad[j]), std::sin(model.angles_rad[j]));
  }
  return support;
}

}  // namespace

Support make_support(const SupportModel& model) {
  if (const auto* ellipsoid = std::get_if<EllipsoidSupport>(&model)) {
    return make_ellipsoid(*ellipsoid);
  }
  return make_tripod(std::get<TripodSupport>(model));
}

void set_angle(Support& support, const Rotation2& R_GB) {
  for (int j = 0; j < support.size; ++j) {
    SupportElement& element = support.elements[static_cast<std::size_t>(j)];
    if (element.dimension == 3) continue;
    element.arm_G_mm = R_GB * element.arm_B_mm;
    element.slip_map.col(2).head<2>() = perp(element.arm_G_mm);
  }
}

}  // namespace graspmap
