#include "lab/planar/linear/linear_step.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "lab/planar/linear/linearise.hpp"
#include "lab/planar/linear/solve_linear_step.hpp"
#include "tests/support/random_piles.hpp"

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
