#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "lab/articulated/forward_dynamics.hpp"
#include "lab/articulated/link_kinematics.hpp"
#include "lab/articulated/simulate_articulated.hpp"
#include "lab/articulated/system.hpp"
#include "tests/support/keep_largest.hpp"
#include "tests/support/random.hpp"

namespace graspmap::testing {

/// The largest distance |closure_gap| at a system's start, mm; 0 without closures.
inline double worst_start_gap_mm(const ArticulatedSystem& system) {
  std::vector<LinkKinematics> links;
  place_links(system, coordinate_layout(system), start_state(system).q, links);
  double worst = 0.0;
  for (const Closure& closure : system.closures) {
    keep_largest(worst, closure_gap(closure, links).norm());
  }
  return worst;
}

inline const std::vector<ContactSolver> kContactSolvers{
    ContactSolver::kMlcpLemke, ContactSolver::kMlcpPfbRlm, ContactSolver::kMlcpPfbPlm,
    ContactSolver::kMncpRlm, ContactSolver::kMncpPlm};

/// A uniform sphere of 1 kg and 1 m radius that slides on a plane at 2 m/s: example B1,
/// Mylapilli and Jain 2017, section 6.1.
inline ArticulatedSystem sliding_sphere() {
  ArticulatedSystem system;
  Link sphere;
  sphere.name = "sphere";
  sphere.joint.kind = JointKind::kFree;
  sphere.mass_kg = 1.0;
  sphere.inertia_kg_mm2 = 0.4e6 * Mat3::Identity();
  sphere.ball = LinkBall{Vec3::Zero(), 1000.0};
  sphere.position.resize(7);
  sphere.position << 0.0, 0.0, 1000.0, 1.0, 0.0, 0.0, 0.0;
  sphere.velocity.resize(6);
  sphere.velocity << 2000.0, 0.0, 0.0, 0.0, 0.0, 0.0;
  system.links = {sphere};
  system.obstacles = {{"plane", Vec3::Zero(), Vec3::UnitZ()}};
  system.mu = 0.2;
  return system;
}

/// Spheres of 1 kg and half a metre across at the ends of massless links of 1 m with pins about x,
/// the first at G's origin, straight at 45 degrees to the left (-y): example B2, section 6.2. Floor
/// 10 m below, wall 4 m to the right. The first pin turns at `speed_rad_s`, to the right when > 0.
inline ArticulatedSystem pendulum_chain(int count, double speed_rad_s) {
  ArticulatedSystem system;
  for (int i = 0; i < count; ++i) {
    Link link;
    link.parent = i - 1;
    link.joint.at_mm = i == 0 ? Vec3(Vec3::Zero()) : Vec3(0.0, 0.0, -1000.0);
    link.mass_kg = 1.0;
    link.centre_of_mass_mm = {0.0, 0.0, -1000.0};
    link.inertia_kg_mm2 = 0.4 * 250.0 * 250.0 * Mat3::Identity();
    link.ball = LinkBall{link.centre_of_mass_mm, 250.0};
    link.position = Eigen::VectorXd::Constant(1, i == 0 ? -0.25 * M_PI : 0.0);
    link.velocity = Eigen::VectorXd::Constant(1, i == 0 ? speed_rad_s : 0.0);
    system.links.push_back(link);
  }
  system.obstacles = {{"floor", {0.0, 0.0, -10000.0}, Vec3::UnitZ()},
                      {"wall", {0.0, 4000.0, 0.0}, -Vec3::UnitY()}};
  system.mu = 0.5;
  system.restitution = 0.7;
  return system;
}

/// A system at its start, or where it is put, with all that the dynamics need.
struct Tree {
  explicit Tree(const ArticulatedSystem& tree)
      : system(tree), layout(coordinate_layout(tree)), state(start_state(tree)) {
    update();
  }
  void update() {
    place_links(system, layout, state.q, links);
    move_links(system, layout, state.nu, links);
    REQUIRE(articulate(system, links, inertias));
    forward_dynamics(system, layout, links, inertias, free);
  }
  /// Semi-implicit Euler without contacts.
  void step(double h) {
    state.nu += h * free.nudot;
    Eigen::VectorXd q;
    advance_coordinates(system, layout, state.q, state.nu, h, q);
    state.q = q;
    state.time_s += h;
    update();
  }
  double total_j() const { return energy(system, links).total_j(); }

  ArticulatedSystem system;
  CoordinateLayout layout;
  ArticulatedState state;
  std::vector<LinkKinematics> links;
  std::vector<ArticulatedInertia> inertias;
  FreeAcceleration free;
};

/// |a - b| <= tolerance (1 + |b|), in the largest entry.
template <typename A, typename B>
void check_close(const A& a, const B& b, double tolerance) {
  REQUIRE(a.rows() == b.rows());
  REQUIRE(a.cols() == b.cols());
  CHECK((a - b).cwiseAbs().maxCoeff() <= tolerance * (1.0 + b.cwiseAbs().maxCoeff()));
}

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
