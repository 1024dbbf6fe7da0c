#include "grasp/spatial_scenes/spatial_overlap.hpp"

#include <algorithm>

#include "geometry/spatial/closest_points3.hpp"

namespace graspmap {
namespace {

bool links_may_touch(const ArticulatedSystem& system, int body_a, int body_b) {
  const auto [a, b] = std::minmax(body_a, body_b);
  const auto links = static_cast<int>(system.links.size());
  const auto link = [&](int k) -> const Link& { return system.links[static_cast<std::size_t>(k)]; };
  if (a >= links || !link(a).ball) return false;
  if (b >= links) return true;
  if (!link(b).ball || !system.self_contact) return false;
  return link(b).parent != a && link(a).parent != link(b).parent;
}

}  // namespace

bool may_touch(const SpatialSceneFile& file, int body_a, int body_b) {
  const auto is_fixed = [&](int body) {
    return file.bodies[static_cast<std::size_t>(body)].is_fixed;
  };
  if (is_fixed(body_a) && is_fixed(body_b)) return false;
  if (file.is_articulated()) return links_may_touch(file.articulated().system, body_a, body_b);
  return contact_law(file.rigid().scene, body_a, body_b).touch;
}

std::optional<BodyOverlap> deepest_overlap(const SpatialSceneFile& file,
                                           const std::vector<Pose3>& poses) {
  constexpr double kRounding = 1e-6;
  std::optional<BodyOverlap> deepest;
  for (std::size_t a = 0; a < file.bodies.size(); ++a) {
    for (std::size_t b = a + 1; b < file.bodies.size(); ++b) {
      const Solid& solid_a = file.bodies[a].solid;
      const Solid& solid_b = file.bodies[b].solid;
      const double radius_a = bounding_radius_mm(solid_a);
      const double radius_b = bounding_radius_mm(solid_b);
      if ((poses[a].position_mm - poses[b].position_mm).norm() > radius_a + radius_b) continue;
      if (!may_touch(file, static_cast<int>(a), static_cast<int>(b))) continue;
      const double depth = -closest_points(solid_a, poses[a], solid_b, poses[b]).gap_mm;
      if (depth <= kRounding * std::min(radius_a, radius_b)) continue;
      if (deepest && depth <= deepest->depth_mm) continue;
      deepest = {static_cast<int>(a), static_cast<int>(b), depth};
    }
  }
  return deepest;
}

}  // namespace graspmap
