#include <Eigen/SparseLU>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <ctime>
#include <limits>

#include "lab/articulated/simulate_articulated.hpp"
#include "lab/spatial/stewart_trinkle.hpp"
#include "tests/lab/articulated/articulated_systems.hpp"
#include "tests/support/spatial_scenes.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kStep_s = 1e-4;

/// A chain that hangs from the ground at 45 degrees, its last ball on a floor or (`touches` false)
/// in the air.
ArticulatedSystem hanging_chain(int links, bool touches) {
  ArticulatedSystem system = pendulum_chain(links, 1.0);
  system.self_contact = false;
  system.restitution = 0.0;
  const double tip_mm = -1000.0 * links * std::sqrt(0.5) - 250.0;
  system.obstacles = {{"floor", {0.0, 0.0, touches ? tip_mm : tip_mm - 1e6}, Vec3::UnitZ()}};
  return system;
}

/// The same chain as bodies with absolute coordinates, and its state.
struct FreeChain {
  SpatialScene scene;
  SpatialState start;
  std::vector<SpatialLinearContact> contacts;
};
FreeChain free_chain(const ArticulatedSystem& system, bool touches) {
  FreeChain chain;
  const CoordinateLayout layout = coordinate_layout(system);
  const ArticulatedState state = start_state(system);
  std::vector<LinkKinematics> links;
  place_links(system, layout, state.q, links);
  move_links(system, layout, state.nu, links);
  chain.scene.bodies = {ground()};
  chain.scene.bodies[0].pose.position_mm = system.obstacles[0].point_mm;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Link& link = system.links[k];
    SpatialBody body =
        uniform("link", Sphere{250.0}, link.mass_kg, links[k].to_world(link.centre_of_mass_mm));
    body.pose.orientation = Eigen::Quaterniond(links[k].R);
    body.velocity = links[k].velocity;
    body.velocity.head<3>() = velocity_at(links[k].velocity, links[k].arm(link.centre_of_mass_mm));
    chain.scene.bodies.push_back(body);
    const auto pose = [&](std::size_t i) { return chain.scene.bodies[i].pose; };
    chain.scene.joints.push_back(joint_at(SpatialJointKind::kRevolute, static_cast<int>(k + 1),
                                          pose(k + 1), static_cast<int>(k), pose(k),
                                          links[k].origin_mm, Vec3::UnitX()));
  }
  chain.scene.friction.mu = system.mu;
  chain.start = start_state(chain.scene);
  if (touches) {
    const std::vector<PointPair> points{{0, static_cast<int>(links.size()), 0}};
    chain.contacts = linear_contacts(chain.scene, chain.start.poses, points, {Vec3::UnitX()});
  }
  return chain;
}

ContactSolverSettings contact_solver() {
  ContactSolverSettings settings;
  settings.solver = ContactSolver::kMlcpLemke;
  return settings;
}

Eigen::VectorXd step_in_minimal_coordinates(ArticulatedStepper& stepper,
                                            const ArticulatedState& start) {
  ArticulatedStep step;
  stepper.step(start, kStep_s, step);
  REQUIRE(step.status == mcp::Status::kSolved);
  return step.end.nu;
}

/// Absolute coordinates, all constraints in one dense mixed LCP.
std::vector<Twist> step_dense(const FreeChain& chain) {
  const FreeBodies free = free_bodies(chain.scene, chain.start, kStep_s);
  const std::vector<Twist> still(chain.scene.bodies.size(), Twist::Zero());
  const LinearContactStep step(free, chain.contacts, still, chain.start.poses, kStep_s,
                               SpatialGapTerm::kPosition, chain.scene.joints);
  SpatialStepperSettings settings;
  settings.directions = 4;
  const ContactSpaceSolution solution = step.solve(settings);
  REQUIRE(solution.status == mcp::Status::kSolved);
  return step.velocities(solution.p);
}

/// Absolute coordinates, joints eliminated by a sparse factorisation of [M J^T; J 0]: what is left
/// is a contact problem as small as that of minimal coordinates.
Eigen::VectorXd step_sparse(const FreeChain& chain) {
  const FreeBodies free = free_bodies(chain.scene, chain.start, kStep_s);
  const auto bodies = static_cast<int>(chain.scene.bodies.size()) - 1;
  const int size = 6 * bodies + 5 * static_cast<int>(chain.scene.joints.size());
  if (size < 1) return {};
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::MatrixXd rhs = Eigen::MatrixXd::Zero(size, 1 + 3 * std::ssize(chain.contacts));
  const auto add = [&](int row, int column, double value) {
    if (value != 0.0) entries.emplace_back(row, column, value);
  };
  for (int i = 0; i < bodies; ++i) {
    const auto body = static_cast<std::size_t>(i + 1);
    const Mat3 I = inertia_in_world(chain.scene.bodies[body], chain.start.poses[body]);
    const Twist& v = free.velocities[body];
    const double m = chain.scene.bodies[body].mass_kg;
    for (int a = 0; a < 3; ++a) {
      add(6 * i + a, 6 * i + a, m);
      for (int b = 0; b < 3; ++b) add(6 * i + 3 + a, 6 * i + 3 + b, I(a, b));
    }
    rhs.col(0).segment<3>(6 * i) = m * v.head<3>();
    rhs.col(0).segment<3>(6 * i + 3) = I * v.tail<3>();
  }
  int row = 6 * bodies;
  for (const SpatialJoint& joint : chain.scene.joints) {
    const auto pose = [&](int body) { return chain.start.poses[static_cast<std::size_t>(body)]; };
    const JointEquations equations(joint, pose(joint.body_a), pose(joint.body_b));
    for (const int side : {0, 1}) {
      const int body = (side == 0 ? joint.body_a : joint.body_b) - 1;
      if (body < 0) continue;
      for (int a = 0; a < equations.size(); ++a) {
        for (int b = 0; b < 6; ++b) {
          add(row + a, 6 * body + b, equations.rows(side)(a, b));
          add(6 * body + b, row + a, equations.rows(side)(a, b));
        }
      }
    }
    rhs.col(0).segment(row, equations.size()) = -equations.theta() / kStep_s;
    row += equations.size();
  }
  ContactSpace space;
  space.mu = Eigen::VectorXd::Constant(std::ssize(chain.contacts), chain.scene.friction.mu);
  space.angle_rad = Eigen::VectorXd::Zero(space.mu.size());
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rhs.cols() - 1, size);
  for (std::size_t k = 0; k < chain.contacts.size(); ++k) {
    const SpatialLinearContact& contact = chain.contacts[k];
    const int body = contact.pair.body_b - 1;  // A is the ground
    const Vec3 r = contact.at.on_b_mm - chain.start.poses[std::size_t(body + 1)].position_mm;
    int c = 3 * static_cast<int>(k);
    for (const Vec3& axis : {contact.at.normal, contact.t, contact.o}) {
      J.block<1, 3>(c, 6 * body) = -axis.transpose();
      J.block<1, 3>(c++, 6 * body + 3) = -r.cross(axis).transpose();
    }
  }
  rhs.rightCols(J.rows()) = J.transpose();
  Eigen::SparseMatrix<double> K(size, size);
  K.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> factors(K);
  REQUIRE(factors.info() == Eigen::Success);
  const Eigen::MatrixXd solved = factors.solve(rhs);
  if (chain.contacts.empty()) return solved.col(0);
  space.R = J * solved.rightCols(J.rows());
  space.u_free = J * solved.col(0);
  for (std::size_t k = 0; k < chain.contacts.size(); ++k) {
    space.u_free[3 * static_cast<Eigen::Index>(k)] += chain.contacts[k].at.gap_mm / kStep_s;
  }
  const ContactSpaceSolution solution = solve_contact_space(space, contact_solver());
  REQUIRE(solution.status == mcp::Status::kSolved);
  return solved.col(0) + solved.rightCols(J.rows()) * solution.p;
}

/// Processor time of a call, s: the least mean of three batches of at least 20 ms; of a call that
/// takes more than 2 s that of one.
template <typename Call>
double seconds(Call call) {
  double least = std::numeric_limits<double>::infinity();
  for (int batch = 0; batch < 3; ++batch) {
    const std::clock_t begin = std::clock();
    double spent = 0.0;
    int calls = 0;
    for (; spent < 0.02; ++calls) {
      call();
      spent = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    }
    least = std::min(least, spent / calls);
    if (least > 2.0) break;
  }
  return least;
}

}  // namespace

TEST_CASE("relative and absolute coordinates give a chain the same step") {
  for (const bool touches : {false, true}) {
    CAPTURE(touches);
    const ArticulatedSystem system = hanging_chain(6, touches);
    ArticulatedSettings settings;
    settings.contact = contact_solver();
    ArticulatedStepper stepper(system, settings);
    const Eigen::VectorXd nu = step_in_minimal_coordinates(stepper, start_state(system));
    const FreeChain chain = free_chain(system, touches);
    const std::vector<Twist> dense = step_dense(chain);
    const Eigen::VectorXd sparse = step_sparse(chain);
    double below = 0.0;
    for (std::size_t k = 0; k < 6; ++k) {
      // Joints are held to first order: J(q) v+ = 0 here, J v+ + h Jdot v = ... there.
      const double rate = dense[k + 1][3] - below;
      CHECK(rate == Approx(nu[static_cast<Eigen::Index>(k)]).margin(2e-3));
      CHECK(sparse[6 * static_cast<Eigen::Index>(k) + 3] == Approx(dense[k + 1][3]).margin(1e-7));
      below = dense[k + 1][3];
    }
  }
}

TEST_CASE("the cost of relative against absolute coordinates on chains", "[.long]") {
  std::printf("links, contacts, unknowns MC, RC, us a step: MC, RC sparse, RC dense; over MC\n");
  for (const bool touches : {false, true}) {
    for (const int links : {2, 5, 10, 20, 50, 100, 200}) {
      const ArticulatedSystem system = hanging_chain(links, touches);
      ArticulatedSettings settings;
      settings.contact = contact_solver();
      ArticulatedStepper stepper(system, settings);
      const ArticulatedState start = start_state(system);
      const FreeChain chain = free_chain(system, touches);
      const double minimal = seconds([&] { step_in_minimal_coordinates(stepper, start); });
      const double sparse = seconds([&] { step_sparse(chain); });
      const double dense = seconds([&] { step_dense(chain); });
      const int contact = touches ? 6 : 0;
      std::printf("| %d | %d | %d | %d | %.1f | %.1f | %.0f | %.1f | %.0f |\n", links,
                  touches ? 1 : 0, contact, 5 * links + contact, 1e6 * minimal, 1e6 * sparse,
                  1e6 * dense, sparse / minimal, dense / minimal);
      std::fflush(stdout);
    }
  }
}
