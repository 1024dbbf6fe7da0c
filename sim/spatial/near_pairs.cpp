#include "sim/spatial/near_pairs.hpp"

#include <algorithm>

namespace graspmap {
namespace {

/// A lower bound of the gap of two bodies; exact with a half-space.
double least_gap_mm(const SpatialScene& scene, const SpatialState& state, std::size_t a,
                    std::size_t b) {
  const auto to_plane = [&](std::size_t plane, std::size_t body) {
    const Vec3 up = state.poses[plane].orientation * Vec3::UnitZ();
    const Pose3& pose = state.poses[body];
    const Vec3 low =
        pose.to_world(support_point(scene.bodies[body].solid, pose.orientation.conjugate() * -up));
    return up.dot(low - state.poses[plane].position_mm);
  };
  if (std::holds_alternative<HalfSpace>(scene.bodies[a].solid)) return to_plane(a, b);
  if (std::holds_alternative<HalfSpace>(scene.bodies[b].solid)) return to_plane(b, a);
  return (state.poses[a].position_mm - state.poses[b].position_mm).norm() -
         bounding_radius_mm(scene.bodies[a].solid) - bounding_radius_mm(scene.bodies[b].solid);
}

}  // namespace

std::vector<BodyPair> near_pairs(const SpatialScene& scene, const SpatialState& state,
                                 double reach_mm) {
  std::vector<BodyPair> pairs;
  for (std::size_t a = 0; a < scene.bodies.size(); ++a) {
    for (std::size_t b = a + 1; b < scene.bodies.size(); ++b) {
      if (scene.bodies[a].is_fixed && scene.bodies[b].is_fixed) continue;
      const BodyPair pair{static_cast<int>(a), static_cast<int>(b)};
      if (!contact_law(scene, pair.body_a, pair.body_b).touch) continue;
      if (least_gap_mm(scene, state, a, b) <= reach_mm) pairs.push_back(pair);
    }
  }
  return pairs;
}

bool add_overlapping(const SpatialScene& scene, const SpatialState& state,
                     std::vector<BodyPair>& pairs) {
  const std::size_t before = pairs.size();
  for (const BodyPair& pair : near_pairs(scene, state, 0.0)) {
    if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
  }
  return pairs.size() > before;
}

}  // namespace graspmap
