#include "lab/spatial_scenes/passing_bodies.hpp"

#include <algorithm>
#include <variant>

namespace graspmap {
namespace {

/// The radius of the largest sphere about the centre of a bounded solid that is inside of it.
struct InnerRadius {
  double operator()(const Sphere& s) const { return s.radius_mm; }
  double operator()(const Ellipsoid& s) const { return s.semi_axes_mm.minCoeff(); }
  double operator()(const Superquadric& s) const { return s.semi_axes_mm.minCoeff(); }
  double operator()(const Box3& s) const { return s.half_extents_mm.minCoeff(); }
  double operator()(const Cylinder& s) const { return std::min(s.radius_mm, s.half_length_mm); }
  double operator()(const HalfSpace& /*s*/) const { return 0.0; }
};

}  // namespace

PassingFinder::PassingFinder(const SpatialSceneFile& file) {
  if (file.is_articulated()) return;
  const SpatialScene& scene = file.rigid().scene;
  const auto is_bounded = [](const SpatialBody& body) {
    return !std::holds_alternative<HalfSpace>(body.solid);
  };
  for (std::size_t a = 0; a < scene.bodies.size(); ++a) {
    for (std::size_t b = a + 1; b < scene.bodies.size(); ++b) {
      const SpatialBody& one = scene.bodies[a];
      const SpatialBody& other = scene.bodies[b];
      if (!is_bounded(one) || !is_bounded(other) || (one.is_fixed && other.is_fixed)) continue;
      const int i = static_cast<int>(a);
      const int j = static_cast<int>(b);
      if (!contact_law(scene, i, j).touch) continue;
      pairs_.push_back(
          {i, j, std::visit(InnerRadius{}, one.solid) + std::visit(InnerRadius{}, other.solid),
           bounding_radius_mm(one.solid) + bounding_radius_mm(other.solid)});
    }
  }
}

void PassingFinder::observe(const SpatialSnapshot& snapshot) {
  if (snapshot.step_s > 0.0 && !found_) {
    for (const Pair& pair : pairs_) {
      const auto apart = [&](const std::vector<Pose3>& poses) -> Vec3 {
        return poses[static_cast<std::size_t>(pair.body_a)].position_mm -
               poses[static_cast<std::size_t>(pair.body_b)].position_mm;
      };
      const double moved_mm = (apart(snapshot.poses) - apart(last_)).norm();
      const double nearest_mm = std::min(apart(snapshot.poses).norm(), apart(last_).norm());
      if (moved_mm <= pair.thickness_mm || nearest_mm > pair.reach_mm + moved_mm) continue;
      found_ = {pair.body_a, pair.body_b, moved_mm, pair.thickness_mm, snapshot.time_s};
      break;
    }
  }
  last_ = snapshot.poses;
}

}  // namespace graspmap
