#include <catch2/catch.hpp>

#include "lab/articulated/forward_dynamics.hpp"
#include "lab/articulated/link_kinematics.hpp"
#include "tests/lab/articulated/articulated_systems.hpp"
#include "tests/lab/articulated/dense_tree.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

std::vector<NodePair> random_pairs(Random& random, int links, int count) {
  std::vector<NodePair> pairs;
  for (int i = 0; i < count; ++i) {
    pairs.push_back({random.index(links), random.index(links + 1) - 1, random_point_mm(random),
                     random_point_mm(random), random_rotation(random)});
  }
  return pairs;
}

}  // namespace

TEST_CASE("the operational-space inverse inertia is that of the mass matrix") {
  Random random(21);
  OperationalSpace space;
  Eigen::MatrixXd Lambda;
  for (int trial = 0; trial < 40; ++trial) {
    const int links = 1 + random.index(12);
    const Tree tree(random_tree(random, links));
    const std::vector<NodePair> pairs = random_pairs(random, links, 1 + random.index(5));
    DenseTree dense(tree.system);
    dense.place(tree.state.q);
    const Eigen::MatrixXd J = dense.jacobian_of(pairs);
    space.inverse_inertia(tree.system, tree.links, tree.inertias, pairs, Lambda);
    const Eigen::MatrixXd expected = J * dense.mass_matrix().ldlt().solve(J.transpose());
    check_close(Lambda, expected, 1e-10);
    CHECK(Lambda == Lambda.transpose());

    Eigen::VectorXd velocities(J.rows());
    std::vector<Twist> impulses(tree.links.size(), Twist::Zero());
    const Eigen::VectorXd p = random_vector(random, static_cast<int>(J.rows()), 100.0);
    for (std::size_t c = 0; c < pairs.size(); ++c) {
      const auto row = static_cast<Eigen::Index>(3 * c);
      velocities.segment<3>(row) = pair_velocity(tree.links, pairs[c]);
      add_pair_impulse(pairs[c], p.segment<3>(row), impulses);
    }
    check_close(velocities, (J * tree.state.nu).eval(), 1e-11);
    Eigen::VectorXd change;
    impulse_response(tree.system, tree.layout, tree.links, tree.inertias, impulses, change);
    check_close((J * change).eval(), (Lambda * p).eval(), 1e-10);
  }
}

TEST_CASE("no pairs make an empty inverse inertia") {
  Random random(22);
  const Tree tree(random_tree(random, 4));
  OperationalSpace space;
  Eigen::MatrixXd Lambda;
  space.inverse_inertia(tree.system, tree.links, tree.inertias, {}, Lambda);
  CHECK(Lambda.size() == 0);
}

TEST_CASE("links that share nothing but the ground do not feel each other") {
  Random random(23);
  ArticulatedSystem system;
  system.links = {random_link(random, JointKind::kPin, -1),
                  random_link(random, JointKind::kBall, 0),
                  random_link(random, JointKind::kPin, -1)};
  const Tree tree(system);
  OperationalSpace space;
  Eigen::MatrixXd Lambda;
  const std::vector<NodePair> pairs{{1, -1, Vec3(10.0, 0.0, 0.0), Vec3::Zero(), Mat3::Identity()},
                                    {2, -1, Vec3(0.0, 20.0, 0.0), Vec3::Zero(), Mat3::Identity()}};
  space.inverse_inertia(tree.system, tree.links, tree.inertias, pairs, Lambda);
  CHECK(Lambda.topRightCorner(3, 3).isZero(0.0));
  CHECK(Lambda.topLeftCorner(3, 3).norm() > 0.0);
}

TEST_CASE("accelerations of closures are the rates of their velocities") {
  Random random(24);
  for (int trial = 0; trial < 10; ++trial) {
    const Tree tree(random_tree(random, 6));
    const Closure closure{random.index(6), random.index(7) - 1, random_point_mm(random),
                          random_point_mm(random)};
    const NodePair pair = closure_pair(closure, tree.links);
    const auto velocity_at_time = [&](double t) {
      Tree moved = tree;
      advance_coordinates(tree.system, tree.layout, tree.state.q, tree.state.nu, t, moved.state.q);
      moved.state.nu += t * tree.free.nudot;
      moved.update();
      return pair_velocity(moved.links, closure_pair(closure, moved.links));
    };
    const auto slope = [&](double t) {
      return Vec3((velocity_at_time(t) - velocity_at_time(-t)) / (2.0 * t));
    };
    const Vec3 expected = (4.0 * slope(2e-4) - slope(4e-4)) / 3.0;
    check_close(closure_acceleration(pair, tree.links, tree.free.rates), expected, 1e-7);
  }
}

TEST_CASE("the gap of a closure is the distance of its points") {
  ArticulatedSystem system;
  Link link;
  link.joint.at_mm = {0.0, 100.0, 0.0};
  link.mass_kg = 1.0;
  link.centre_of_mass_mm = {0.0, 0.0, -50.0};
  system.links = {link};
  CHECK(worst_start_gap_mm(system) == 0.0);
  system.closures = {{0, -1, {0.0, 0.0, -200.0}, {0.0, 97.0, -204.0}}};
  CHECK(worst_start_gap_mm(system) == Approx(5.0));
}
