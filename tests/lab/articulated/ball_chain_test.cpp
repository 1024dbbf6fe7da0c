#include <catch2/catch.hpp>
#include <cmath>

#include "lab/articulated/link_kinematics.hpp"
#include "lab/articulated/simulate_articulated.hpp"
#include "tests/lab/articulated/articulated_systems.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// Spheres at the ends of light rods that hang together by ball joints; the first is free.
ArticulatedSystem ball_chain(Random& random, int count) {
  ArticulatedSystem system;
  for (int k = 0; k < count; ++k) {
    Link link = random_link(random, k == 0 ? JointKind::kFree : JointKind::kBall, k - 1);
    link.joint.at_mm = k == 0 ? Vec3(0.0, 0.0, 900.0) : Vec3(150.0, 0.0, 0.0);
    link.centre_of_mass_mm = {150.0, 0.0, 0.0};
    link.ball = LinkBall{link.centre_of_mass_mm, 50.0};
    link.inertia_kg_mm2 = 0.4 * link.mass_kg * 50.0 * 50.0 * Mat3::Identity();
    if (k == 0) link.position.head<3>().setZero();
    link.velocity *= 0.5;
    system.links.push_back(link);
  }
  return system;
}

/// Linear, and angular about G's origin.
Twist momentum(const ArticulatedSystem& system, const SpatialSnapshot& shown) {
  Twist sum = Twist::Zero();
  for (std::size_t k = 0; k < system.links.size(); ++k) {
    const Mat3 R = shown.poses[k].orientation.toRotationMatrix();
    const Vec3 p = system.links[k].mass_kg * shown.velocities[k].head<3>();
    sum.head<3>() += p;
    sum.tail<3>() += shown.poses[k].position_mm.cross(p) + R * system.links[k].inertia_kg_mm2 *
                                                               R.transpose() *
                                                               shown.velocities[k].tail<3>();
  }
  return sum;
}

}  // namespace

TEST_CASE("a chain of ball joints keeps its momenta") {
  Random random(61);
  ArticulatedSystem system = ball_chain(random, 5);
  system.gravity_mm_s2.setZero();
  system.mu = 0.3;
  system.restitution = 0.5;
  const auto drift = [&](double h) {
    std::vector<SpatialSnapshot> ends;
    int contacts = 0;
    const SceneRun run =
        simulate_articulated(system, {}, {h, 0.5, 0}, [&](const SpatialSnapshot& shown) {
          contacts += static_cast<int>(shown.contacts.size());
          if (ends.size() < 2) ends.push_back(shown);
          ends.back() = shown;
          return true;
        });
    REQUIRE_FALSE(run.failure);
    const Twist start = momentum(system, ends.front());
    Twist change = momentum(system, ends.back()) - start;
    change.head<3>() /= start.head<3>().norm();
    change.tail<3>() /= start.tail<3>().norm();
    return change.norm();
  };
  const double coarse = drift(4e-4);
  const double fine = drift(2e-4);
  CHECK(coarse <= 2e-2);
  CHECK(fine <= 0.6 * coarse);
}

TEST_CASE("a chain of ball joints falls on a plane and lies there") {
  for (const ContactSolver solver : {ContactSolver::kMlcpLemke, ContactSolver::kMncpRlm}) {
    CAPTURE(name(solver));
    Random random(62);
    ArticulatedSystem system = ball_chain(random, 4);
    system.obstacles = {{"plane", Vec3::Zero(), Vec3::UnitZ()}};
    system.mu = 0.4;
    system.restitution = 0.3;
    ArticulatedSettings settings;
    settings.contact.solver = solver;
    double work_gained_j = 0.0;
    double work_j = 0.0;
    SpatialSnapshot end;
    const SceneRun run =
        simulate_articulated(system, settings, {1e-3, 2.0, 8}, [&](const SpatialSnapshot& shown) {
          work_j += shown.contact_work_j;
          work_gained_j += std::max(shown.contact_work_j, 0.0);
          end = shown;
          return true;
        });
    CHECK_FALSE(run.failure);
    // Rows at the end of a step against forces at its start: an error of the order of h.
    CHECK(work_gained_j <= 1e-4 * std::abs(work_j));
    CHECK(work_j < 0.0);
    CHECK(end.energy.kinetic_j <= 0.05);  // spheres may roll on
    for (std::size_t k = 0; k < 4; ++k) {
      CHECK(std::abs(end.poses[k].position_mm.z() - 50.0) <= 1.0);
    }
    CHECK(end.contacts.size() == 4);
  }
}

namespace {

ArticulatedSystem tree_with_balls(Random& random, int count) {
  ArticulatedSystem system = random_tree(random, count);
  for (Link& link : system.links) {
    link.ball = LinkBall{random_point_mm(random, 100.0), random.uniform(5.0, 50.0)};
  }
  system.obstacles = {{"plane", random_point_mm(random), random_point_mm(random).normalized()}};
  return system;
}

/// The tree as it will be, or was, at a time.
Tree at_time(const Tree& tree, double t) {
  Tree moved = tree;
  advance_coordinates(tree.system, tree.layout, tree.state.q, tree.state.nu, t, moved.state.q);
  moved.state.nu += t * tree.free.nudot;
  moved.update();
  return moved;
}

template <typename Value>
auto rate_of(const Tree& tree, const Value& value) {
  const auto slope = [&](double t) {
    return ((value(at_time(tree, t)) - value(at_time(tree, -t))) / (2.0 * t)).eval();
  };
  return ((4.0 * slope(1e-4) - slope(2e-4)) / 3.0).eval();
}

using Vec1 = Eigen::Matrix<double, 1, 1>;

}  // namespace

TEST_CASE("velocities and accelerations of contacts are the rates of their gaps") {
  Random random(41);
  for (int trial = 0; trial < 10; ++trial) {
    const Tree tree(tree_with_balls(random, 5));
    REQUIRE_FALSE(ball_pairs(tree.system).empty());
    for (const BallPair& pair : ball_pairs(tree.system)) {
      const auto contact_of = [&](const Tree& t) { return ball_contact(t.system, t.links, pair); };
      const auto nodes_of = [&](const Tree& t) {
        return contact_nodes(t.links, pair, contact_of(t));
      };
      const NodePair nodes = nodes_of(tree);
      const Vec3 u = pair_velocity(tree.links, nodes);
      const Vec1 gap_rate =
          rate_of(tree, [&](const Tree& t) { return Vec1(contact_of(t).gap_mm); });
      CHECK(u[0] == Approx(gap_rate[0]).epsilon(1e-6).margin(1e-4));

      const Vec3 a = contact_acceleration(tree.system, tree.links, tree.free.rates, pair, nodes);
      // d/dt (n . v), and t and o parts of d/dt v with the part along n taken out of it by t, o
      // that turn with n: d/dt (t . v) = t . vdot - (t . ndot) (n . v).
      const Vec3 vdot = rate_of(tree, [&](const Tree& t) {
        const NodePair there = nodes_of(t);
        return Vec3(there.axes.transpose() * pair_velocity(t.links, there));
      });
      const Vec3 ndot = rate_of(tree, [&](const Tree& t) { return contact_of(t).normal; });
      const Vec3 slip = nodes.axes.transpose() * u;
      Vec3 expected = nodes.axes * vdot;
      expected[0] += ndot.dot(slip);
      expected.tail<2>() -= (nodes.axes * ndot).tail<2>() * u[0];
      check_close(a, expected, 1e-6);
    }
  }
}

TEST_CASE("frames of contacts are right-handed") {
  Random random(42);
  const Tree tree(tree_with_balls(random, 6));
  REQUIRE_FALSE(ball_pairs(tree.system).empty());
  for (const BallPair& pair : ball_pairs(tree.system)) {
    const BallContact contact = ball_contact(tree.system, tree.links, pair);
    const Mat3 axes = contact_nodes(tree.links, pair, contact).axes;
    check_close((axes * axes.transpose()).eval(), Mat3(Mat3::Identity()), 1e-14);
    CHECK(axes.determinant() == Approx(1.0));
    check_close(Vec3(contact.on_a_mm - contact.on_b_mm), Vec3(contact.gap_mm * contact.normal),
                1e-12);
  }
}

TEST_CASE("links that are joined do not touch") {
  Random random(43);
  // 0 - 1 - 2, 1 - 3, and 4 on the ground beside 0.
  ArticulatedSystem system;
  for (const int parent : {-1, 0, 1, 1, -1}) {
    system.links.push_back(random_link(random, JointKind::kPin, parent));
    system.links.back().ball = LinkBall{Vec3::Zero(), 10.0};
  }
  const auto pairs_of = [&] {
    std::vector<std::pair<int, int>> found;
    for (const BallPair& pair : ball_pairs(system)) found.emplace_back(pair.link_a, pair.link_b);
    return found;
  };
  using Pairs = std::vector<std::pair<int, int>>;
  CHECK(pairs_of() == Pairs{{0, 2}, {0, 3}, {0, 4}, {1, 4}, {2, 4}, {3, 4}});
  system.closures = {{4, 2, Vec3::Zero(), Vec3::Zero()}};
  CHECK(pairs_of() == Pairs{{0, 2}, {0, 3}, {0, 4}, {1, 4}, {3, 4}});
  system.self_contact = false;
  CHECK(pairs_of().empty());
  system.obstacles.emplace_back();
  system.links[3].ball.reset();
  CHECK(pairs_of().size() == 4);
}
