#include "lab/spatial_scenes/spatial_view.hpp"

#include <algorithm>
#include <limits>

namespace graspmap {

SpatialView view_from(const Vec3& toward) {
  SpatialView view;
  view.toward = toward.normalized();
  view.right = Vec3::UnitZ().cross(view.toward).normalized();
  view.up = view.toward.cross(view.right);
  return view;
}

GrowingBox3::GrowingBox3()
    : min(Vec3::Constant(std::numeric_limits<double>::infinity())),
      max(Vec3::Constant(-std::numeric_limits<double>::infinity())) {}

void GrowingBox3::add(const Vec3& low, const Vec3& high) {
  min = min.cwiseMin(low);
  max = max.cwiseMax(high);
}

std::vector<Vec3> GrowingBox3::corners() const {
  std::vector<Vec3> corners;
  for (const double x : {min.x(), max.x()}) {
    for (const double y : {min.y(), max.y()}) {
      for (const double z : {min.z(), max.z()}) corners.emplace_back(x, y, z);
    }
  }
  return corners;
}

SpatialView view_of(const GrowingBox3& moving) {
  constexpr double kHardly = 0.3;
  const Vec3 size = moving.size();
  if (size.x() < kHardly * std::max(size.y(), size.z())) return view_from({1.0, -0.4, 0.4});
  if (size.y() < kHardly * std::max(size.x(), size.z())) return view_from({0.4, -1.0, 0.4});
  return view_from({1.0, -1.0, 1.0});
}

}  // namespace graspmap
