#include "sim/spatial/linear_contact.hpp"

#include <algorithm>

#include "sim/spatial/contact_equations.hpp"

namespace graspmap {
namespace {

std::vector<SolidContact> points_of(const SpatialScene& scene, const std::vector<Pose3>& poses,
                                    int body_a, int body_b) {
  const auto a = static_cast<std::size_t>(body_a);
  const auto b = static_cast<std::size_t>(body_b);
  return contact_points(scene.bodies[a].solid, poses[a], scene.bodies[b].solid, poses[b]);
}

SolidContact point_of(const SpatialScene& scene, const std::vector<Pose3>& poses,
                      const PointPair& pair) {
  return points_of(scene, poses, pair.body_a, pair.body_b)[static_cast<std::size_t>(pair.point)];
}

}  // namespace

SpatialLinearContact linear_contact(const SpatialScene& scene, const std::vector<Pose3>& poses,
                                    const PointPair& pair, const Vec3& axis) {
  SpatialLinearContact contact;
  contact.pair = pair;
  contact.friction = contact_law(scene, pair.body_a, pair.body_b).friction;
  contact.at = point_of(scene, poses, pair);
  const auto frame = contact_frame<double>(contact.at.normal, axis);
  contact.t = frame.t;
  contact.o = frame.o;
  return contact;
}

Vec3 tangent_axis(const SpatialScene& scene, const std::vector<Pose3>& start,
                  const PointPair& pair) {
  return frame_axis(point_of(scene, start, pair).normal);
}

bool add_closed_points(const SpatialScene& scene, const std::vector<Pose3>& poses,
                       const std::vector<BodyPair>& pairs, double touching_mm,
                       std::vector<PointPair>& points) {
  const std::size_t before = points.size();
  for (const BodyPair& pair : pairs) {
    const auto contacts = points_of(scene, poses, pair.body_a, pair.body_b);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (contacts[i].gap_mm > touching_mm) continue;
      const PointPair point{pair.body_a, pair.body_b, static_cast<int>(i)};
      if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
    }
  }
  return points.size() > before;
}

}  // namespace graspmap
