#include <catch2/catch.hpp>
#include <cmath>

#include "lab/articulated/simulate_articulated.hpp"
#include "tests/lab/articulated/articulated_systems.hpp"
#include "tests/lab/articulated/random_tree.hpp"
#include "tests/lab/articulated/tree.hpp"

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
