#include "lab/spatial/near_pairs.hpp"

#include <algorithm>

#include "lab/solids/closest_points3.hpp"

namespace graspmap {
namespace {

/// True when two bodies are within reach: by their bounding spheres, then by their closest points.
bool is_within(const SpatialScene& scene, const SpatialState& state, std::size_t a, std::size_t b,
               double reach_mm) {
  const Solid& solid_a = scene.bodies[a].solid;
  const Solid& solid_b = scene.bodies[b].solid;
  const double apart_mm = (state.poses[a].position_mm - state.poses[b].position_mm).norm();
  if (apart_mm - bounding_radius_mm(solid_a) - bounding_radius_mm(solid_b) > reach_mm) return false;
  return closest_points(solid_a, state.poses[a], solid_b, state.poses[b]).gap_mm <= reach_mm;
}

/// Adds the pairs within reach that are not among `pairs`.
void add_near(const SpatialScene& scene, const SpatialState& state, double reach_mm,
              std::vector<BodyPair>& pairs) {
  const std::vector<BodyPair> known = pairs;
  for (std::size_t a = 0; a < scene.bodies.size(); ++a) {
    for (std::size_t b = a + 1; b < scene.bodies.size(); ++b) {
      if (scene.bodies[a].is_fixed && scene.bodies[b].is_fixed) continue;
      const BodyPair pair{static_cast<int>(a), static_cast<int>(b)};
      if (std::find(known.begin(), known.end(), pair) != known.end()) continue;
      if (!contact_law(scene, pair.body_a, pair.body_b).touch) continue;
      if (is_within(scene, state, a, b, reach_mm)) pairs.push_back(pair);
    }
  }
}

}  // namespace

std::vector<BodyPair> near_pairs(const SpatialScene& scene, const SpatialState& state,
                                 double reach_mm) {
  std::vector<BodyPair> pairs;
  add_near(scene, state, reach_mm, pairs);
  return pairs;
}

bool add_overlapping(const SpatialScene& scene, const SpatialState& state,
                     std::vector<BodyPair>& pairs) {
  const std::size_t before = pairs.size();
  add_near(scene, state, 0.0, pairs);
  return pairs.size() > before;
}

}  // namespace graspmap
