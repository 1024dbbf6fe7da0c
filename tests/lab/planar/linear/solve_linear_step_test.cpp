#include "lab/planar/linear/solve_linear_step.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "lab/planar/linear/linear_step.hpp"
#include "lab/planar/linear/linearise.hpp"
#include "tests/support/planar_scenes.hpp"
#include "tests/support/random_piles.hpp"

namespace graspmap {
namespace {

/// The step from a scene's start with the geometry there.
LinearStep first_step(const PlanarScene& scene, double h, double reach_mm) {
  const PlanarState start = start_state(scene);
  std::vector<ContactKey> keys;
  near_contacts(scene, start, reach_mm, keys);
  const StepPoint point = step_point(scene, start, h, Eigen::VectorXd::Zero(scene.velocities));
  return linearise(point, keys, GapTerm::kPosition, 26);
}

/// Four discs on each other that come down at `down`, and sideways at speeds that differ.
PlanarScene moving_stack(double down) {
  PlanarScene scene = testing::disc_stack(4);
  for (int i = 0; i < scene.velocities; ++i) {
    scene.start_velocity[i] = i % 3 == 1 ? -down : (i % 3 == 0 ? 300.0 * std::sin(1.0 + i) : 0.0);
  }
  return scene;
}

TEST_CASE("Lemke's method and the fixed point of convex programs agree", "[contact-lcp]") {
  const LinearStep step = first_step(moving_stack(GENERATE(0.0, 200.0, 400.0)), 0.02, 300.0);
  StepSolution by_lemke;
  StepSolution by_qp;
  int unknowns = 0;
  REQUIRE(solve_contact_lcp(step, FrictionLaw::kCoulomb, 1e-10, by_lemke, unknowns).status ==
          mcp::Status::kSolved);
  REQUIRE(solve_coulomb_by_qp(step, 1e-9, by_qp, unknowns).status == mcp::Status::kSolved);
  CHECK(solution_residual(step, by_lemke).value < 1e-10);
  CHECK((by_lemke.nu - by_qp.nu).cwiseAbs().maxCoeff() < 1e-4);
}

TEST_CASE("Lemke's method and the convex program agree on the optimisation variant",
          "[contact-lcp]") {
  const LinearStep step = first_step(moving_stack(GENERATE(0.0, 400.0, 3000.0)), 0.02, 300.0);
  StepSolution by_lemke;
  StepSolution by_qp;
  int unknowns = 0;
  REQUIRE(solve_contact_lcp(step, FrictionLaw::kOptimisation, 1e-10, by_lemke, unknowns).status ==
          mcp::Status::kSolved);
  REQUIRE(solve_contact_qp(step, 1e-10, by_qp, unknowns).status == mcp::Status::kSolved);
  CHECK((by_lemke.nu - by_qp.nu).cwiseAbs().maxCoeff() < 1e-5);
}

TEST_CASE("A residual names the contact that it is from", "[contact-lcp]") {
  const LinearStep step = first_step(testing::disc_stack(3), 0.02, 300.0);
  StepSolution solution;
  int unknowns = 0;
  REQUIRE(solve_contact_lcp(step, FrictionLaw::kCoulomb, 1e-10, solution, unknowns).status ==
          mcp::Status::kSolved);
  CHECK(unknowns >= step.velocities());
  solution.contacts[2].p_n = -0.5 * step.scales.impulse_mn_s;
  solution.contacts[2].p_t = 0.0;
  const SolutionResidual residual = solution_residual(step, solution);
  CHECK(residual.value >= 0.5);
  solution.contacts[2].p_n = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isinf(solution_residual(step, solution).value));
}

TEST_CASE("Redundant contacts leave the motion determined", "[contact-lcp]") {
  // A box that lands flat: four contacts of two bodies, and a wall on each side of it.
  const ConvexShape box = polygon({{-40.0, -25.0}, {40.0, -25.0}, {40.0, 25.0}, {-40.0, 25.0}});
  PlanarScene scene;
  scene.mu = 0.5;
  scene.bodies.push_back(testing::table_body());
  scene.bodies.push_back(testing::table_body());  // the same table once more
  testing::add_free_body(scene, box, 1.0, 800.0, {0.0, 25.0, 0.0}, {0.0, -100.0, 0.0});
  testing::add_free_body(scene, box, 1.0, 800.0, {0.0, 75.0, 0.0}, {0.0, -100.0, 0.0});
  const LinearStep step = first_step(scene, 0.01, 1.0);
  CHECK(step.contacts.size() >= 6);
  StepSolution solution;
  int unknowns = 0;
  REQUIRE(solve_contact_lcp(step, FrictionLaw::kCoulomb, 1e-10, solution, unknowns).status ==
          mcp::Status::kSolved);
  CHECK(solution.nu.cwiseAbs().maxCoeff() < 1e-9);
  double from_tables = 0.0;
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    // The tables come first in keys, and normals point out of the second body.
    if (step.contacts[i].key.body_a < 2) from_tables += solution.contacts[i].p_n;
  }
  CHECK(from_tables == Approx(2.0 * (100.0 + 98.1)).epsilon(1e-9));
}

TEST_CASE("The convex program holds soft layers and tables", "[contact-lcp]") {
  PlanarScene scene = testing::disc_on_table(Superellipse{1000.0, 1000.0, 2.0}, {-3.0, -1.0, 1.0});
  ContactLaw law{0, 1, 0.4, true, SoftLayer{1000.0, 5.0, 3.0}};
  scene.laws.push_back(law);
  scene.tables.push_back({1, 1.0, 1.0, 600.0, 3000.0});
  const LinearStep step = first_step(scene, 0.01, 100.0);
  REQUIRE(step.contacts.size() == 1);
  StepSolution by_lemke;
  StepSolution by_qp;
  int unknowns = 0;
  REQUIRE(solve_contact_lcp(step, FrictionLaw::kCoulomb, 1e-10, by_lemke, unknowns).status ==
          mcp::Status::kSolved);
  REQUIRE(solve_coulomb_by_qp(step, 1e-9, by_qp, unknowns).status == mcp::Status::kSolved);
  CHECK((by_lemke.nu - by_qp.nu).cwiseAbs().maxCoeff() < 1e-4);
  CHECK(by_lemke.contacts[0].p_core > 0.0);
  CHECK(by_lemke.contacts[0].p_n > by_lemke.contacts[0].p_core);
}

}  // namespace
}  // namespace graspmap

namespace graspmap {
namespace {

TEST_CASE("A linear step solved within the pattern of its solution gives the solution",
          "[step-pattern]") {
  // Against Lemke's method. Impulses need not be unique; velocities and residual are compared.
  const int seed = GENERATE(range(0, 20));
  const testing::RandomPile pile =
      testing::random_pile(testing::PileOf::kAll, static_cast<std::uint64_t>(seed));
  const PlanarScene& scene = pile.scene;
  const PlanarState start = start_state(scene);
  const double h = 0.1;  // long enough for bodies to meet
  const StepPoint point = step_point(scene, start, h, start.nu);
  const auto keys = candidate_contacts(scene, start, start, h, {});
  const LinearStep linear = linearise(point, keys, GapTerm::kPosition, 26);
  StepSolution solution;
  int unknowns = 0;
  REQUIRE(solve_linear_step(linear, 1e-10, solution, unknowns).status == mcp::Status::kSolved);
  const auto presses = [](const ContactImpulse& p) { return p.p_n > 0.0; };
  REQUIRE(std::any_of(solution.contacts.begin(), solution.contacts.end(), presses));
  StepSolution changed = solution;
  changed.nu.setZero();
  for (ContactImpulse& p : changed.contacts) {  // the same pattern
    p.p_n *= 1.5;
    p.p_t *= 1.5;
  }
  REQUIRE(solve_in_pattern(linear, changed));
  CHECK(solution_residual(linear, changed).value < 1e-9);
  CHECK((changed.nu - solution.nu).cwiseAbs().maxCoeff() < 1e-6);
}

}  // namespace
}  // namespace graspmap
