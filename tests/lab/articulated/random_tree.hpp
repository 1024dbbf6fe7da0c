#pragma once

#include <Eigen/Geometry>

#include "lab/articulated/system.hpp"
#include "tests/support/random.hpp"

namespace graspmap::testing {

inline Eigen::VectorXd random_vector(Random& random, int size, double most) {
  Eigen::VectorXd v(size);
  for (auto& x : v) x = random.uniform(-most, most);
  return v;
}

inline Vec3 random_point_mm(Random& random, double most = 300.0) {
  return random_vector(random, 3, most);
}

inline Mat3 random_rotation(Random& random) {
  const Eigen::Vector4d q = random_vector(random, 4, 1.0).normalized();
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

/// A link on `parent` with random mass, place and motion.
inline Link random_link(Random& random, JointKind kind, int parent) {
  Link link;
  link.parent = parent;
  link.joint = {kind, random_point_mm(random).normalized(), random_point_mm(random)};
  link.mass_kg = random.uniform(0.2, 3.0);
  link.centre_of_mass_mm = random_point_mm(random, 150.0);
  // Moments of thin parts along the axes: they obey the triangle inequality.
  const Vec3 parts(random.uniform(1e2, 3e4), random.uniform(1e2, 3e4), random.uniform(1e2, 3e4));
  const Mat3 R = random_rotation(random);
  link.inertia_kg_mm2 =
      R * Vec3(parts.y() + parts.z(), parts.z() + parts.x(), parts.x() + parts.y()).asDiagonal() *
      R.transpose();
  const int turn = kind == JointKind::kBall || kind == JointKind::kFree ? 4 : 0;
  const int moves = kind == JointKind::kFree ? 3 : (kind == JointKind::kBall ? 0 : 1);
  link.position.resize(moves + turn);
  link.position.head(moves) = random_vector(random, moves, kind == JointKind::kPin ? 3.0 : 200.0);
  if (turn > 0) link.position.tail(4) = random_vector(random, 4, 1.0).normalized();
  const int linear = kind == JointKind::kSlider ? 1 : (kind == JointKind::kFree ? 3 : 0);
  const int angular = kind == JointKind::kSlider ? 0 : (kind == JointKind::kPin ? 1 : 3);
  link.velocity.resize(linear + angular);
  link.velocity.head(linear) = random_vector(random, linear, 500.0);
  link.velocity.tail(angular) = random_vector(random, angular, 3.0);
  return link;
}

/// A forest of `count` links with all kinds of joints; some links without mass within chains.
inline ArticulatedSystem random_tree(Random& random, int count, bool with_massless = true) {
  ArticulatedSystem system;
  system.gravity_mm_s2 = random_point_mm(random, 9810.0);
  bool on_massless = false;
  for (int k = 0; k < count; ++k) {
    const int parent = on_massless ? k - 1 : random.index(k + 1) - 1;
    auto kind = static_cast<JointKind>(random.index(4));
    if (on_massless && kind == JointKind::kFree) kind = JointKind::kBall;
    const bool can_be_massless = kind == JointKind::kPin || kind == JointKind::kSlider;
    Link link = random_link(random, kind, parent);
    on_massless =
        with_massless && can_be_massless && !on_massless && k + 1 < count && random.index(3) == 0;
    if (on_massless) {
      link.mass_kg = 0.0;
      link.inertia_kg_mm2.setZero();
    }
    system.links.push_back(link);
  }
  return system;
}

}  // namespace graspmap::testing
