#include "lab/articulated/forward_dynamics.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/lab/articulated/articulated_systems.hpp"
#include "tests/lab/articulated/dense_tree.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kGravity = 9810.0;  // mm/s^2

Link pin_link(int parent, double length_to_parent_mm, double mass_kg, double angle) {
  Link link;
  link.parent = parent;
  link.joint = {JointKind::kPin, Vec3::UnitX(), Vec3(0.0, 0.0, -length_to_parent_mm)};
  link.mass_kg = mass_kg;
  link.position = Eigen::VectorXd::Constant(1, angle);
  return link;
}

}  // namespace

TEST_CASE("the recursion gives the accelerations of the mass matrix") {
  Random random(11);
  for (int trial = 0; trial < 25; ++trial) {
    const Tree tree(random_tree(random, 1 + random.index(10)));
    DenseTree dense(tree.system);
    dense.place(tree.state.q);
    const Eigen::VectorXd expected = dense.accelerations(tree.state.nu);
    check_close(tree.free.nudot, expected, 1e-8);
    for (int k = 0; k < static_cast<int>(tree.links.size()); ++k) {
      const auto link = static_cast<std::size_t>(k);
      const Vec3 point = random_point_mm(random);
      const Vec3 arm = tree.links[link].arm(point);
      const Vec3 a =
          dense.moving(k, arm) * tree.free.nudot + dense.moving_bias(k, point, tree.state.nu);
      check_close(acceleration_at(tree.links[link].velocity, tree.free.rates[link], arm), a, 1e-8);
      check_close(velocity_at(tree.links[link].velocity, arm),
                  (dense.moving(k, arm) * tree.state.nu).eval(), 1e-12);
    }
  }
}

TEST_CASE("the recursion gives the change of velocities by impulses") {
  Random random(12);
  for (int trial = 0; trial < 25; ++trial) {
    const Tree tree(random_tree(random, 1 + random.index(10)));
    DenseTree dense(tree.system);
    dense.place(tree.state.q);
    std::vector<Twist> impulses;
    Eigen::VectorXd generalised = Eigen::VectorXd::Zero(tree.layout.nu_size);
    for (int k = 0; k < static_cast<int>(tree.links.size()); ++k) {
      Twist p = random_vector(random, 6, 100.0);
      p.tail<3>() *= 200.0;
      impulses.push_back(p);
      generalised += dense.moving(k, Vec3::Zero()).transpose() * p.head<3>() +
                     dense.turning(k).transpose() * p.tail<3>();
    }
    Eigen::VectorXd change;
    impulse_response(tree.system, tree.layout, tree.links, tree.inertias, impulses, change);
    check_close(change, dense.mass_matrix().ldlt().solve(generalised).eval(), 1e-10);
  }
}

TEST_CASE("kinetic energy is that of the mass matrix") {
  Random random(13);
  for (int trial = 0; trial < 10; ++trial) {
    const Tree tree(random_tree(random, 8));
    DenseTree dense(tree.system);
    dense.place(tree.state.q);
    const double expected = 0.5e-6 * tree.state.nu.dot(dense.mass_matrix() * tree.state.nu);
    CHECK(energy(tree.system, tree.links).kinetic_j == Approx(expected).epsilon(1e-12));
  }
}

TEST_CASE("free motion takes no power") {
  Random random(14);
  for (int trial = 0; trial < 10; ++trial) {
    const Tree tree(random_tree(random, 8));
    const auto energy_at = [&](double t) {
      Tree moved = tree;
      advance_coordinates(tree.system, tree.layout, tree.state.q, tree.state.nu, t, moved.state.q);
      moved.state.nu += t * tree.free.nudot;
      moved.update();
      return moved.total_j();
    };
    constexpr double kTime = 1e-4;
    const double slope = (energy_at(kTime) - energy_at(-kTime)) / (2.0 * kTime);
    const double half = (energy_at(0.5 * kTime) - energy_at(-0.5 * kTime)) / kTime;
    const double kinetic = energy(tree.system, tree.links).kinetic_j;
    CHECK(std::abs((4.0 * half - slope) / 3.0) <= 1e-6 * kinetic);
  }
}

TEST_CASE("the energy of a random tree drifts in proportion to the step") {
  Random random(15);
  const ArticulatedSystem system = random_tree(random, 6);
  const auto drift = [&](int steps) {
    Tree tree(system);
    const double start = tree.total_j();
    for (int i = 0; i < steps; ++i) tree.step(0.02 / steps);
    return tree.total_j() - start;
  };
  const double coarse = drift(100);
  const double fine = drift(200);
  CHECK(fine / coarse == Approx(0.5).margin(0.05));
  CHECK(std::abs(fine) < 1e-2 * energy(system, Tree(system).links).kinetic_j);
}

TEST_CASE("a pendulum turns as in the textbook") {
  ArticulatedSystem system;
  system.links = {pin_link(-1, 0.0, 2.0, 0.7)};
  system.links[0].centre_of_mass_mm = {0.0, 0.0, -400.0};
  CHECK(Tree(system).free.nudot[0] == Approx(-kGravity / 400.0 * std::sin(0.7)));
  system.links[0].inertia_kg_mm2 = Vec3(5e4, 1.0, 1.0).asDiagonal();
  const double I = 2.0 * 400.0 * 400.0 + 5e4;
  CHECK(Tree(system).free.nudot[0] == Approx(-2.0 * kGravity * 400.0 / I * std::sin(0.7)));
}

TEST_CASE("a double pendulum accelerates as in the textbook") {
  constexpr double kM1 = 1.5;
  constexpr double kM2 = 0.8;
  constexpr double kL1 = 300.0;
  constexpr double kL2 = 500.0;
  ArticulatedSystem system;
  system.links = {pin_link(-1, 0.0, kM1, 0.4), pin_link(0, kL1, kM2, 0.9)};
  system.links[0].centre_of_mass_mm = {0.0, 0.0, -kL1};
  system.links[1].centre_of_mass_mm = {0.0, 0.0, -kL2};
  system.links[0].velocity = Eigen::VectorXd::Constant(1, 1.1);
  system.links[1].velocity = Eigen::VectorXd::Constant(1, -2.3);
  const Tree tree(system);
  // Angles from the vertical a and b: the equations of two point masses.
  const double a = 0.4;
  const double b = 1.3;
  const double wa = 1.1;
  const double wb = -1.2;
  Eigen::Matrix2d M;
  M << (kM1 + kM2) * kL1, kM2 * kL2 * std::cos(a - b), kL1 * std::cos(a - b), kL2;
  const Eigen::Vector2d rhs(
      -kM2 * kL2 * wb * wb * std::sin(a - b) - (kM1 + kM2) * kGravity * std::sin(a),
      kL1 * wa * wa * std::sin(a - b) - kGravity * std::sin(b));
  const Eigen::Vector2d expected = M.inverse() * rhs;
  CHECK(tree.free.nudot[0] == Approx(expected[0]));
  CHECK(tree.free.nudot[1] == Approx(expected[1] - expected[0]));
}

TEST_CASE("a conical pendulum keeps its height") {
  // A ball joint, a massless rod and a sphere that turns with it about the vertical: the sphere's
  // own momentum is along the vertical, so w^2 = g / (L cos(angle)) as for a point.
  constexpr double kLength = 500.0;
  constexpr double kAngle = 0.6;
  constexpr double kMass = 2.0;
  constexpr double kInertia = 3e4;
  ArticulatedSystem system;
  Link link;
  link.joint.kind = JointKind::kBall;
  link.mass_kg = kMass;
  link.centre_of_mass_mm = {0.0, 0.0, -kLength};
  link.inertia_kg_mm2 = kInertia * Mat3::Identity();
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(kAngle, Vec3::UnitX()));
  link.position.resize(4);
  link.position << turn.w(), turn.x(), turn.y(), turn.z();
  const double w = std::sqrt(kGravity / (kLength * std::cos(kAngle)));
  link.velocity = turn.conjugate() * Vec3(0.0, 0.0, w);
  system.links = {link};
  const Tree tree(system);
  const Vec3 turned = tree.links[0].R * Vec3(tree.free.nudot);
  CHECK(turned.norm() <= 1e-12 * w * w);  // it keeps turning about the vertical
}

TEST_CASE("a slider on a slope accelerates by its part of gravity") {
  ArticulatedSystem system;
  Link link;
  link.joint = {JointKind::kSlider, Vec3(0.0, std::cos(0.3), -std::sin(0.3)), Vec3::Zero()};
  link.mass_kg = 3.0;
  system.links = {link};
  CHECK(Tree(system).free.nudot[0] == Approx(kGravity * std::sin(0.3)));
}

TEST_CASE("a free link falls and keeps its angular momentum") {
  Random random(16);
  ArticulatedSystem system;
  system.links = {random_link(random, JointKind::kFree, -1)};
  system.links[0].centre_of_mass_mm.setZero();
  Tree tree(system);
  const auto momentum = [&] {
    const Mat3& R = tree.links[0].R;
    return Vec3(R * system.links[0].inertia_kg_mm2 * R.transpose() *
                tree.links[0].velocity.tail<3>());
  };
  const Vec3 start = momentum();
  const Vec3 v = tree.state.nu.head<3>();
  for (int i = 0; i < 2000; ++i) tree.step(1e-4);
  check_close(momentum(), start, 1e-3);
  check_close(Vec3(tree.state.nu.head<3>()), Vec3(v + 0.2 * system.gravity_mm_s2), 1e-12);
}

TEST_CASE("two massless links make a universal joint") {
  // Pins about x and then y without inertia between them: a rod with a sphere at its end.
  ArticulatedSystem system;
  Link outer = pin_link(-1, 0.0, 0.0, 0.5);
  Link inner = pin_link(0, 0.0, 1.0, -0.3);
  inner.joint.axis = Vec3::UnitY();
  inner.centre_of_mass_mm = {0.0, 0.0, -700.0};
  system.links = {outer, inner};
  const Tree tree(system);
  // The bob, started from rest, accelerates by the part of gravity along its sphere.
  const Vec3 c = tree.links[1].arm(inner.centre_of_mass_mm);
  const Vec3 radial = c.normalized();
  const Vec3 g = system.gravity_mm_s2;
  check_close(acceleration_at(tree.links[1].velocity, tree.free.rates[1], c),
              Vec3(g - g.dot(radial) * radial), 1e-12);
}

TEST_CASE("joints that move nothing are noticed") {
  ArticulatedSystem system;
  system.links = {pin_link(-1, 0.0, 0.0, 0.0)};
  std::vector<LinkKinematics> links;
  std::vector<ArticulatedInertia> inertias;
  const auto is_regular = [&] {
    const ArticulatedState state = start_state(system);
    const CoordinateLayout layout = coordinate_layout(system);
    place_links(system, layout, state.q, links);
    move_links(system, layout, state.nu, links);
    return articulate(system, links, inertias);
  };
  CHECK_FALSE(is_regular());
  // A point mass below a ball joint has no inertia about the line between them.
  system.links[0].joint.kind = JointKind::kBall;
  system.links[0].position.resize(0);
  system.links[0].mass_kg = 1.0;
  system.links[0].centre_of_mass_mm = {100.0, 170.0, -30.0};
  CHECK_FALSE(is_regular());
  system.links[0].inertia_kg_mm2 = 10.0 * Mat3::Identity();
  CHECK(is_regular());
}
