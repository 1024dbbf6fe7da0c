#include "lab/articulated/node_pair.hpp"

namespace graspmap {

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

}  // namespace graspmap
