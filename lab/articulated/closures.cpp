#include "lab/articulated/closures.hpp"

namespace graspmap {
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

}  // namespace graspmap
