#include "lab/spatial/linear_contact.hpp"

#include <algorithm>

#include "lab/spatial/contact_frame.hpp"

namespace graspmap {
namespace {

std::vector<SolidContact> points_of(const SpatialScene& scene, const std::vector<Pose3>& poses,
                                    int body_a, int body_b) {
  const auto a = static_cast<std::size_t>(body_a);
  const auto b = static_cast<std::size_t>(body_b);
  return contact_points(scene.bodies[a].solid, poses[a], scene.bodies[b].solid, poses[b]);
}

/// Contacts at given poses, those of a pair of bodies computed once for all its points.
class ContactsAtPoses {
 public:
  ContactsAtPoses(const SpatialScene& scene, const std::vector<Pose3>& poses)
      : scene_(scene), poses_(poses) {}

  const SolidContact& of(const PointPair& pair) {
    const BodyPair bodies{pair.body_a, pair.body_b};
    if (contacts_.empty() || !(bodies == bodies_)) {
      contacts_ = points_of(scene_, poses_, pair.body_a, pair.body_b);
      bodies_ = bodies;
    }
    return contacts_[static_cast<std::size_t>(pair.point)];
  }

 private:
  const SpatialScene& scene_;
  const std::vector<Pose3>& poses_;
  BodyPair bodies_;
  std::vector<SolidContact> contacts_;
};

}  // namespace

std::vector<SpatialLinearContact> linear_contacts(const SpatialScene& scene,
                                                  const std::vector<Pose3>& poses,
                                                  const std::vector<PointPair>& points,
                                                  const std::vector<Vec3>& axes) {
  ContactsAtPoses at_poses(scene, poses);
  std::vector<SpatialLinearContact> contacts;
  for (std::size_t k = 0; k < points.size(); ++k) {
    SpatialLinearContact contact;
    contact.pair = points[k];
    contact.friction = contact_law(scene, points[k].body_a, points[k].body_b).friction;
    contact.at = at_poses.of(points[k]);
    const auto frame = contact_frame(contact.at.normal, axes[k]);
    contact.t = frame.t;
    contact.o = frame.o;
    contacts.push_back(contact);
  }
  return contacts;
}

void add_tangent_axes(const SpatialScene& scene, const std::vector<Pose3>& start,
                      const std::vector<PointPair>& points, std::vector<Vec3>& axes) {
  ContactsAtPoses at_start(scene, start);
  for (std::size_t k = axes.size(); k < points.size(); ++k) {
    axes.push_back(frame_axis(at_start.of(points[k]).normal));
  }
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
