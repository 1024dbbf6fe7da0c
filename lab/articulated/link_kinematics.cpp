#include "lab/articulated/link_kinematics.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "geometry/assert.hpp"

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
  GRASPMAP_CHECK(q.size() == layout.q_size);
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
  GRASPMAP_CHECK(nu.size() == layout.nu_size && links.size() == system.links.size());
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

SceneEnergy energy(const ArticulatedSystem& system, const std::vector<LinkKinematics>& links) {
  SceneEnergy sum;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Link& link = system.links[k];
    const Vec3 c = links[k].arm(link.centre_of_mass_mm);
    const Vec3 v = velocity_at(links[k].velocity, c);
    const Vec3 w = links[k].R.transpose() * links[k].velocity.tail<3>();
    sum.kinetic_j += 0.5 * kJoulesPerMillinewtonMillimetre *
                     (link.mass_kg * v.squaredNorm() + w.dot(link.inertia_kg_mm2 * w));
    sum.potential_j -= kJoulesPerMillinewtonMillimetre * link.mass_kg *
                       system.gravity_mm_s2.dot(links[k].origin_mm + c);
  }
  return sum;
}

Vec3 pair_velocity(const std::vector<LinkKinematics>& links, const NodePair& pair) {
  Vec3 velocity = velocity_at(links[static_cast<std::size_t>(pair.link_a)].velocity, pair.arm_a_mm);
  if (pair.link_b >= 0) {
    velocity -= velocity_at(links[static_cast<std::size_t>(pair.link_b)].velocity, pair.arm_b_mm);
  }
  return pair.axes * velocity;
}

void add_pair_impulse(const NodePair& pair, const Vec3& p, std::vector<Twist>& impulses) {
  const Vec3 on_a = pair.axes.transpose() * p;
  const auto add = [&](int link, const Vec3& arm_mm, const Vec3& impulse) {
    Twist& sum = impulses[static_cast<std::size_t>(link)];
    sum.head<3>() += impulse;
    sum.tail<3>() += arm_mm.cross(impulse);
  };
  add(pair.link_a, pair.arm_a_mm, on_a);
  if (pair.link_b >= 0) add(pair.link_b, pair.arm_b_mm, -on_a);
}

namespace {

std::size_t link_at(int link) { return static_cast<std::size_t>(link); }

}  // namespace

Vec3 closure_gap(const Closure& closure, const std::vector<LinkKinematics>& links) {
  const Vec3 b = closure.link_b < 0 ? closure.point_b_mm
                                    : links[link_at(closure.link_b)].to_world(closure.point_b_mm);
  return links[link_at(closure.link_a)].to_world(closure.point_a_mm) - b;
}

NodePair closure_pair(const Closure& closure, const std::vector<LinkKinematics>& links) {
  NodePair pair{closure.link_a, closure.link_b,
                links[link_at(closure.link_a)].arm(closure.point_a_mm), Vec3::Zero(),
                Mat3::Identity()};
  if (closure.link_b >= 0) pair.arm_b_mm = links[link_at(closure.link_b)].arm(closure.point_b_mm);
  return pair;
}

Vec3 closure_acceleration(const NodePair& pair, const std::vector<LinkKinematics>& links,
                          const std::vector<Twist>& rates) {
  const auto a = link_at(pair.link_a);
  Vec3 acceleration = acceleration_at(links[a].velocity, rates[a], pair.arm_a_mm);
  if (pair.link_b >= 0) {
    const auto b = link_at(pair.link_b);
    acceleration -= acceleration_at(links[b].velocity, rates[b], pair.arm_b_mm);
  }
  return pair.axes * acceleration;
}

namespace {

const Link& link_of(const ArticulatedSystem& system, int link) {
  return system.links[static_cast<std::size_t>(link)];
}

bool are_joined(const ArticulatedSystem& system, int a, int b) {
  const int parent_a = link_of(system, a).parent;
  const int parent_b = link_of(system, b).parent;
  if (parent_a == b || parent_b == a || (parent_a >= 0 && parent_a == parent_b)) return true;
  return std::any_of(system.closures.begin(), system.closures.end(), [&](const Closure& closure) {
    return std::minmax(closure.link_a, closure.link_b) == std::minmax(a, b);
  });
}

Vec3 ball_centre_mm(const ArticulatedSystem& system, const std::vector<LinkKinematics>& links,
                    int link) {
  return links[static_cast<std::size_t>(link)].to_world(link_of(system, link).ball->centre_mm);
}

/// How a ball moves and how that changes.
struct BallMotion {
  Vec3 v, a, w, wdot;  // of the centre, and of the link's turning
};

BallMotion ball_motion(const ArticulatedSystem& system, const std::vector<LinkKinematics>& links,
                       const std::vector<Twist>& rates, int link) {
  const auto k = static_cast<std::size_t>(link);
  const Vec3 arm = links[k].arm(link_of(system, link).ball->centre_mm);
  return {velocity_at(links[k].velocity, arm), acceleration_at(links[k].velocity, rates[k], arm),
          links[k].velocity.tail<3>(), rates[k].tail<3>()};
}

}  // namespace

std::vector<BallPair> ball_pairs(const ArticulatedSystem& system) {
  std::vector<BallPair> pairs;
  for (int a = 0; a < static_cast<int>(system.links.size()); ++a) {
    if (!link_of(system, a).ball) continue;
    for (int i = 0; i < static_cast<int>(system.obstacles.size()); ++i) pairs.push_back({a, -1, i});
    if (!system.self_contact) continue;
    for (int b = a + 1; b < static_cast<int>(system.links.size()); ++b) {
      if (link_of(system, b).ball && !are_joined(system, a, b)) pairs.push_back({a, b, -1});
    }
  }
  return pairs;
}

int second_body(const ArticulatedSystem& system, const BallPair& pair) {
  return pair.link_b >= 0 ? pair.link_b : static_cast<int>(system.links.size()) + pair.obstacle;
}

BallContact ball_contact(const ArticulatedSystem& system, const std::vector<LinkKinematics>& links,
                         const BallPair& pair) {
  const double radius_a = link_of(system, pair.link_a).ball->radius_mm;
  const Vec3 centre_a = ball_centre_mm(system, links, pair.link_a);
  BallContact contact;
  if (pair.link_b < 0) {
    const ArmObstacle& obstacle = system.obstacles[static_cast<std::size_t>(pair.obstacle)];
    contact.normal = obstacle.normal;
    contact.gap_mm = contact.normal.dot(centre_a - obstacle.point_mm) - radius_a;
    contact.on_a_mm = centre_a - radius_a * contact.normal;
    contact.on_b_mm = contact.on_a_mm - contact.gap_mm * contact.normal;
    return contact;
  }
  const double radius_b = link_of(system, pair.link_b).ball->radius_mm;
  const Vec3 centre_b = ball_centre_mm(system, links, pair.link_b);
  const Vec3 between = centre_a - centre_b;
  const double distance = between.norm();
  if (distance > 0.0) contact.normal = between / distance;
  contact.gap_mm = distance - radius_a - radius_b;
  contact.on_a_mm = centre_a - radius_a * contact.normal;
  contact.on_b_mm = centre_b + radius_b * contact.normal;
  return contact;
}

NodePair contact_nodes(const std::vector<LinkKinematics>& links, const BallPair& pair,
                       const BallContact& contact) {
  const Vec3& n = contact.normal;
  const Vec3 along = std::abs(n.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
  const Vec3 t = (along - along.dot(n) * n).normalized();
  NodePair nodes;
  nodes.link_a = pair.link_a;
  nodes.link_b = pair.link_b;
  nodes.arm_a_mm = contact.on_a_mm - links[static_cast<std::size_t>(pair.link_a)].origin_mm;
  if (pair.link_b >= 0) {
    nodes.arm_b_mm = contact.on_b_mm - links[static_cast<std::size_t>(pair.link_b)].origin_mm;
  }
  nodes.axes.row(0) = n;
  nodes.axes.row(1) = t;
  nodes.axes.row(2) = n.cross(t);
  return nodes;
}

Vec3 contact_acceleration(const ArticulatedSystem& system, const std::vector<LinkKinematics>& links,
                          const std::vector<Twist>& rates, const BallPair& pair,
                          const NodePair& nodes) {
  const Vec3 n = nodes.axes.row(0);
  const BallMotion a = ball_motion(system, links, rates, pair.link_a);
  const double radius_a = link_of(system, pair.link_a).ball->radius_mm;
  if (pair.link_b < 0) return nodes.axes * (a.a - radius_a * a.wdot.cross(n));
  const BallMotion b = ball_motion(system, links, rates, pair.link_b);
  const double radius_b = link_of(system, pair.link_b).ball->radius_mm;
  const Vec3 v = a.v - b.v;
  const double distance =
      (ball_centre_mm(system, links, pair.link_a) - ball_centre_mm(system, links, pair.link_b))
          .norm();
  const Vec3 ndot = distance > 0.0 ? Vec3((v - v.dot(n) * n) / distance) : Vec3(Vec3::Zero());
  const Vec3 rate = a.a - b.a - radius_a * (a.wdot.cross(n) + a.w.cross(ndot)) -
                    radius_b * (b.wdot.cross(n) + b.w.cross(ndot));
  const Vec3 slip = v - (radius_a * a.w + radius_b * b.w).cross(n);
  // n turns by ndot, t and o by -(t . ndot) n and -(o . ndot) n.
  const Vec3 turned = nodes.axes * ndot;
  return nodes.axes * rate +
         Vec3(ndot.dot(slip), -turned.y() * n.dot(slip), -turned.z() * n.dot(slip));
}

}  // namespace graspmap
