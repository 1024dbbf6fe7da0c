#include "lab/articulated/link_kinematics.hpp"

#include <Eigen/Geometry>

namespace graspmap {
namespace {

Mat3 rotation_of(const Eigen::Vector4d& q) {
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

/// The joint's motions; parent_R turns the parent's axes to G's.
void fill_joint_map(const Joint& joint, const Mat3& parent_R, const Mat3& R, JointMap& H) {
  H.setZero(6, velocity_size(joint.kind));
  switch (joint.kind) {
    case JointKind::kPin:
      H.col(0).tail<3>() = R * joint.axis;
      return;
    case JointKind::kSlider:
      H.col(0).head<3>() = R * joint.axis;
      return;
    case JointKind::kBall:
      H.bottomRows<3>() = R;
      return;
    case JointKind::kFree:
      break;
  }
  H.topLeftCorner<3, 3>() = parent_R;
  H.bottomRightCorner<3, 3>() = R;
}

}  // namespace

void place_links(const ArticulatedSystem& system, const CoordinateLayout& layout,
                 const Eigen::VectorXd& q, std::vector<LinkKinematics>& links) {
  links.resize(system.links.size());
  const LinkKinematics ground;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Link& link = system.links[k];
    const Joint& joint = link.joint;
    const int i = layout.q_begin[k];
    const LinkKinematics& parent =
        link.parent < 0 ? ground : links[static_cast<std::size_t>(link.parent)];
    Vec3 at_mm = joint.at_mm;
    Mat3 turn = Mat3::Identity();
    switch (joint.kind) {
      case JointKind::kPin:
        turn = Eigen::AngleAxisd(q[i], joint.axis).toRotationMatrix();
        break;
      case JointKind::kSlider:
        at_mm += q[i] * joint.axis;
        break;
      case JointKind::kBall:
        turn = rotation_of(q.segment<4>(i));
        break;
      case JointKind::kFree:
        at_mm += q.segment<3>(i);
        turn = rotation_of(q.segment<4>(i + 3));
        break;
    }
    links[k].R = parent.R * turn;
    links[k].from_parent_mm = parent.arm(at_mm);
    links[k].origin_mm = parent.origin_mm + links[k].from_parent_mm;
  }
}

void move_links(const ArticulatedSystem& system, const CoordinateLayout& layout,
                const Eigen::VectorXd& nu, std::vector<LinkKinematics>& links) {
  const LinkKinematics ground;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Link& link = system.links[k];
    const LinkKinematics& parent =
        link.parent < 0 ? ground : links[static_cast<std::size_t>(link.parent)];
    LinkKinematics& moving = links[k];
    fill_joint_map(link.joint, parent.R, moving.R, moving.H);
    const Twist relative = moving.H * nu.segment(layout.nu_begin[k], moving.H.cols());
    moving.velocity = carried_motion(moving.from_parent_mm, parent.velocity) + relative;
    const Vec3 w = parent.velocity.tail<3>();
    moving.bias.head<3>() =
        w.cross(w.cross(moving.from_parent_mm)) + 2.0 * w.cross(Vec3(relative.head<3>()));
    moving.bias.tail<3>() = w.cross(Vec3(relative.tail<3>()));
  }
}

}  // namespace graspmap
