#pragma once

#include <vector>

#include "lab/solids/closest_points3.hpp"
#include "lab/spatial/near_pairs.hpp"
#include "lab/spatial/scene.hpp"

namespace graspmap {

/// A pair of points that a linear step may keep apart: the `point`-th of `contact_points` of two
/// bodies.
struct PointPair {
  int body_a = 0;  ///< body_a < body_b
  int body_b = 0;
  int point = 0;
  bool operator==(const PointPair&) const = default;
};

/// A pair of points at given poses.
struct SpatialLinearContact {
  PointPair pair;
  EllipticFriction friction;
  SolidContact at;
  Vec3 t = Vec3::UnitX();  ///< n, t, o are right-handed
  Vec3 o = Vec3::UnitY();
};

/// The contacts of pairs of points at `poses`; t is across the normal, in its plane with the pair's
/// axis.
std::vector<SpatialLinearContact> linear_contacts(const SpatialScene& scene,
                                                  const std::vector<Pose3>& poses,
                                                  const std::vector<PointPair>& points,
                                                  const std::vector<Vec3>& axes);

/// Axes for `linear_contacts`, by the normals at the start of a step, so that no t jumps within the
/// step: adds those of the points that have none yet.
void add_tangent_axes(const SpatialScene& scene, const std::vector<Pose3>& start,
                      const std::vector<PointPair>& points, std::vector<Vec3>& axes);

/// Adds the points of `pairs` whose gap is at most `touching_mm` at `poses` and that are not in
/// `points`. False when there are none.
bool add_closed_points(const SpatialScene& scene, const std::vector<Pose3>& poses,
                       const std::vector<BodyPair>& pairs, double touching_mm,
                       std::vector<PointPair>& points);

}  // namespace graspmap
