#include "lab/articulated/system.hpp"

namespace graspmap {
namespace {

int quaternion_begin(JointKind kind) { return kind == JointKind::kFree ? 3 : 0; }

bool has_quaternion(JointKind kind) { return kind == JointKind::kBall || kind == JointKind::kFree; }

}  // namespace

int position_size(JointKind kind) {
  switch (kind) {
    case JointKind::kPin:
    case JointKind::kSlider:
      return 1;
    case JointKind::kBall:
      return 4;
    case JointKind::kFree:
      break;
  }
  return 7;
}

int velocity_size(JointKind kind) {
  switch (kind) {
    case JointKind::kPin:
    case JointKind::kSlider:
      return 1;
    case JointKind::kBall:
      return 3;
    case JointKind::kFree:
      break;
  }
  return 6;
}

CoordinateLayout coordinate_layout(const ArticulatedSystem& system) {
  CoordinateLayout layout;
  for (const Link& link : system.links) {
    layout.q_begin.push_back(layout.q_size);
    layout.nu_begin.push_back(layout.nu_size);
    layout.q_size += position_size(link.joint.kind);
    layout.nu_size += velocity_size(link.joint.kind);
  }
  return layout;
}

ArticulatedState start_state(const ArticulatedSystem& system) {
  const CoordinateLayout layout = coordinate_layout(system);
  ArticulatedState state;
  state.q.setZero(layout.q_size);
  state.nu.setZero(layout.nu_size);
  for (std::size_t k = 0; k < system.links.size(); ++k) {
    const Link& link = system.links[k];
    if (link.position.size() > 0) {
      state.q.segment(layout.q_begin[k], link.position.size()) = link.position;
    }
    if (link.velocity.size() > 0) {
      state.nu.segment(layout.nu_begin[k], link.velocity.size()) = link.velocity;
    }
    if (!has_quaternion(link.joint.kind)) continue;
    auto turn = state.q.segment<4>(layout.q_begin[k] + quaternion_begin(link.joint.kind));
    if (link.position.size() == 0) turn[0] = 1.0;
    turn.normalize();
  }
  return state;
}

void advance_coordinates(const ArticulatedSystem& system, const CoordinateLayout& layout,
                         const Eigen::VectorXd& q, const Eigen::VectorXd& nu, double h,
                         Eigen::VectorXd& end) {
  end.resize(layout.q_size);
  for (std::size_t k = 0; k < system.links.size(); ++k) {
    const JointKind kind = system.links[k].joint.kind;
    const int i = layout.q_begin[k];
    const int j = layout.nu_begin[k];
    if (!has_quaternion(kind)) {
      end[i] = q[i] + h * nu[j];
      continue;
    }
    const int offset = quaternion_begin(kind);
    end.segment(i, offset) = q.segment(i, offset) + h * nu.segment(j, offset);
    const Vec3 half = 0.5 * h * nu.segment<3>(j + offset);
    const Eigen::Vector4d from = q.segment<4>(i + offset);
    const Eigen::Quaterniond turned = (Eigen::Quaterniond(from[0], from[1], from[2], from[3]) *
                                       Eigen::Quaterniond(1.0, half.x(), half.y(), half.z()))
                                          .normalized();
    end.segment<4>(i + offset) << turned.w(), turned.x(), turned.y(), turned.z();
  }
}

}  // namespace graspmap
