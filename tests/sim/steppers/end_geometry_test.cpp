#include "sim/steppers/end_geometry.hpp"

#include <array>
#include <catch2/catch.hpp>

#include "tests/support/planar_scenes.hpp"

namespace graspmap {
namespace {

bool go_on(const PlanarState& /*state*/, const PlanarStep* /*step*/) { return true; }

TEST_CASE("A rolling disc keeps its energy under the implicit stepper", "[end-geometry]") {
  // 000_14f00f4ae61b7d54.txt section 6.1: 6.75 J for ever.
  const PlanarScene scene =
      testing::disc_on_table(Superellipse{1000.0, 1000.0, 2.0}, {-3.0, 0.0, 3.0});
  const auto stepper = make_end_geometry_stepper(EndGeometry::kNewton, {});
  const auto observe = [&](const PlanarState& state, const PlanarStep* /*step*/) {
    CHECK(energy(scene, state).kinetic_j == Approx(6.75).margin(1e-6));
    CHECK(state.poses[1].x() == Approx(-3000.0 * state.time_s).margin(1e-3));
    return true;
  };
  const SceneRun run = simulate_scene(scene, *stepper, {0.01, 3.0, 0}, observe);
  CHECK(!run.failure);
  CHECK(run.totals.worst_overlap_mm < 1e-8);
}

TEST_CASE("A sliding disc comes to roll under the implicit stepper", "[end-geometry]") {
  // It slides for |v0|/(3 mu g) = 0.25484 s, then rolls at -2 m/s and 2 rad/s, with 3 J.
  const PlanarScene scene =
      testing::disc_on_table(Superellipse{1000.0, 1000.0, 2.0}, {-3.0, 0.0, 0.0});
  const auto stepper = make_end_geometry_stepper(EndGeometry::kNewton, {});
  const auto observe = [&](const PlanarState& state, const PlanarStep* step) {
    if (step == nullptr) return true;
    const double slip = step->contacts[0].slip_mm_s;  // of the table on the disc
    if (state.time_s < 0.2549) {
      CHECK(slip == Approx(3000.0 - 3.0 * 0.4 * 9810.0 * state.time_s).margin(1e-3));
    } else if (state.time_s > 0.2651) {
      CHECK(std::abs(slip) < 1e-5);
      CHECK(state.nu[0] == Approx(-2000.0).margin(1e-4));
      CHECK(state.nu[2] == Approx(2.0).margin(1e-7));
      CHECK(energy(scene, state).kinetic_j == Approx(3.0).margin(1e-6));
    }
    return true;
  };
  CHECK(!simulate_scene(scene, *stepper, {0.01, 0.6, 0}, observe).failure);
}

TEST_CASE("Steps with the geometry at their end do not overlap", "[end-geometry]") {
  const auto kind = GENERATE(EndGeometry::kNewton, EndGeometry::kFrozen);
  const auto stepper = make_end_geometry_stepper(kind, {});
  const PlanarScene scene = testing::mixed_pile();
  double before_j = 0.0;
  const auto observe = [&](const PlanarState& state, const PlanarStep* step) {
    const double now_j = energy(scene, state).total_j();
    if (step != nullptr) {
      // Backward Euler with plastic contacts only loses energy; up to rounding.
      CHECK(now_j <= before_j + 1e-7);
      for (const PlanarContact& contact : step->contacts) {
        CHECK(contact.at.gap_mm > -1e-8);
        CHECK(contact.p_n >= 0.0);
        CHECK(std::abs(contact.p_t) <= contact.mu * contact.p_n + 1e-6);
      }
    }
    before_j = now_j;
    CHECK(worst_overlap_mm(scene, state) < 1e-8);
    return true;
  };
  const SceneRun run = simulate_scene(scene, *stepper, {0.005, 0.6, 8}, observe);
  CHECK(!run.failure);
}

/// A scene with a step and a duration.
struct Drop {
  PlanarScene scene;
  double h = 0.0;
  double duration_s = 0.0;
};

TEST_CASE("The condensed step and the full complementarity problem have the same solutions",
          "[end-geometry]") {
  // 000_14f00f4ae61b7d54.txt propositions 1-4: the closest points as unknowns or as functions.
  const int number = GENERATE(0, 1, 2, 3);
  const std::array<Drop, 4> drops{
      Drop{testing::falling_rod(), 0.0025, 0.6}, Drop{testing::falling_ellipse(), 0.05, 5.0},
      Drop{testing::disc_stack(3), 0.02, 1.0}, Drop{testing::mixed_pile(), 0.005, 0.15}};
  const Drop& drop = drops[static_cast<std::size_t>(number)];
  StepperSettings settings;
  settings.tolerance = 1e-11;
  const auto condensed = make_stepper(StepperKind::kImplicit, settings);
  const auto full = make_stepper(StepperKind::kImplicitFull, settings);
  std::vector<PlanarState> states;
  const auto keep = [&](const PlanarState& state, const PlanarStep* /*step*/) {
    states.push_back(state);
    return true;
  };
  const SceneRunSettings run{drop.h, drop.duration_s, 0};
  REQUIRE(!simulate_scene(drop.scene, *condensed, run, keep).failure);
  std::size_t at = 0;
  double apart = 0.0;
  const auto compare = [&](const PlanarState& state, const PlanarStep* /*step*/) {
    for (std::size_t i = 0; i < state.poses.size(); ++i) {
      apart = std::max(apart, (state.poses[i] - states[at].poses[i]).cwiseAbs().maxCoeff());
    }
    ++at;
    return true;
  };
  REQUIRE(!simulate_scene(drop.scene, *full, run, compare).failure);
  CHECK(at == states.size());
  CHECK(apart < 1e-8);
}

TEST_CASE("The implicit stepper takes few iterations", "[end-geometry]") {
  const PlanarScene scene = testing::falling_ellipse();
  const auto newton = make_end_geometry_stepper(EndGeometry::kNewton, {});
  const auto frozen = make_end_geometry_stepper(EndGeometry::kFrozen, {});
  const SceneRun by_newton = simulate_scene(scene, *newton, {0.05, 5.0, 0}, go_on);
  const SceneRun by_frozen = simulate_scene(scene, *frozen, {0.05, 5.0, 0}, go_on);
  CHECK(!by_newton.failure);
  CHECK(!by_frozen.failure);
  CHECK(by_newton.totals.iterations < by_frozen.totals.iterations);
  CHECK(by_newton.totals.iterations < 4 * by_newton.totals.steps);
}

TEST_CASE("A step that does not converge says so", "[end-geometry]") {
  StepperSettings settings;
  settings.max_iterations = 1;
  const auto stepper = make_end_geometry_stepper(EndGeometry::kNewton, settings);
  const SceneRun run = simulate_scene(testing::falling_ellipse(), *stepper, {0.05, 5.0, 0}, go_on);
  REQUIRE(run.failure);
  CHECK(run.failure->status == mcp::Status::kIterationLimit);
  CHECK(run.failure->residual > 1e-10);
  CHECK(run.failure->step_s == Approx(0.05));
}

}  // namespace
}  // namespace graspmap
