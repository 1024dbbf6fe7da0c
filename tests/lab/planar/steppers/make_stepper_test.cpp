#include "lab/planar/steppers/make_stepper.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <utility>

#include "lab/planar/full/implicit_full.hpp"
#include "lab/planar/linear/linearise.hpp"
#include "tests/support/keep_largest.hpp"
#include "tests/support/random_piles.hpp"

namespace graspmap {
namespace {

bool go_on(const PlanarState& /*state*/, const PlanarStep* /*step*/) { return true; }

TEST_CASE("A rolling disc keeps its energy under the implicit stepper", "[end-geometry]") {
  // Chakraborty et al. 2014, section 6.1: 6.75 J for ever.
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
  // Chakraborty et al. 2014, propositions 1-4: the closest points as unknowns or as functions.
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
      testing::keep_largest(apart, (state.poses[i] - states[at].poses[i]).norm());
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

TEST_CASE("a planar step that cannot be solved is given up when it is stopped",
          "[end-geometry][slow]") {
  for (const bool is_full : {false, true}) {
    int asked = 0;
    StepperSettings settings;
    settings.tolerance = 0.0;
    settings.is_stopped = [&] { return ++asked > 3; };
    const auto stepper = is_full ? make_implicit_full(settings)
                                 : make_end_geometry_stepper(EndGeometry::kNewton, settings);
    SceneRunSettings run_settings{0.5, 5.0, 8, settings.is_stopped};
    const SceneRun run = simulate_scene(testing::mixed_pile(), *stepper, run_settings, go_on);
    CHECK_FALSE(run.failure);
    CHECK(run.totals.steps == 0);
    CHECK(asked > 3);
    CHECK(asked < 20);
  }
}

/// What a run of the implicit stepper shows: no step above the tolerance is accepted.
void check_run(const PlanarScene& scene, double h, double duration_s, int max_halvings) {
  const auto stepper = make_end_geometry_stepper(EndGeometry::kNewton, {});
  double overlap_mm = 0.0;
  const auto observe = [&](const PlanarState& state, const PlanarStep* /*step*/) {
    testing::keep_largest(overlap_mm, worst_overlap_mm(scene, state));
    return true;
  };
  const SceneRun run = simulate_scene(scene, *stepper, {h, duration_s, max_halvings}, observe);
  CHECK(!run.failure);
  CHECK(run.totals.worst_residual <= 1e-10);
  CHECK(overlap_mm < 1e-8);
}

TEST_CASE("A superellipse comes to rest on its flat side and on another one", "[end-geometry]") {
  // The closest points hang on the last bits of the angles there, not those of the full problem.
  PlanarScene scene;
  scene.mu = 0.3;
  scene.bodies.push_back(testing::table_body());
  const Superellipse block{35.0, 22.0, 6.0};
  testing::add_free_body(scene, block, 0.3, 170.0, {0.0, 24.0, 0.05}, {50.0, 0.0, 0.0});
  testing::add_free_body(scene, block, 0.3, 170.0, {3.0, 70.0, -0.05}, {40.0, 0.0, 0.0});
  check_run(scene, 0.005, 0.5, 0);
}

TEST_CASE("Random piles under the implicit stepper", "[end-geometry][slow]") {
  using testing::PileOf;
  const auto kind = GENERATE(PileOf::kDiscs, PileOf::kEllipses, PileOf::kPolygons, PileOf::kRods);
  const testing::RandomPile pile = testing::random_pile(kind, 2);
  check_run(pile.scene, pile.h, 0.4, 8);
}

TEST_CASE("Where forces turn too fast for Lemke's method Newton's goes on in the pattern",
          "[end-geometry]") {
  // At 0.192 s in the first pile every linear step with geometric terms ends in a ray; without them
  // the iteration gains a quarter of the residual a time. Without Newton's steps in the pattern
  // none of these runs reaches its end: the first one stops at 0.192 s.
  const auto [seed, duration_s] =
      GENERATE(std::pair(2, 0.2), std::pair(32, 0.25), std::pair(37, 0.25));
  const testing::RandomPile pile =
      testing::random_pile(testing::PileOf::kRods, static_cast<std::uint64_t>(seed));
  check_run(pile.scene, pile.h, duration_s, 0);
}

TEST_CASE("A disc rolls a kilometre up without a larger residual", "[end-geometry]") {
  // Heights are known to 1e-10 mm there, 4e-10 of what a step moves: rounding leaves the gap open
  // by more than the tolerance, and is taken out of it, contact by contact.
  PlanarScene scene = testing::disc_on_table(Superellipse{1000.0, 1000.0, 2.0}, {-3.0, 0.0, 0.0});
  for (PlanarBody& body : scene.bodies) body.pose.y() += 1e6;
  check_run(scene, 1e-4, 0.02, 0);
}

TEST_CASE("The rounding taken out of a gap is that of the poses and no more", "[end-geometry]") {
  PlanarScene scene = testing::disc_on_table(Superellipse{50.0, 30.0, 2.0}, {0.0, 0.0, 0.0});
  scene.bodies[1].pose = {700.0, 30.0, 0.3};
  const PlanarState start = start_state(scene);
  const double h = 0.001;
  const StepPoint point = step_point(scene, start, h, start.nu);
  const ContactKey key{0, 0, 1, 0, {}};
  const LinearStep linear = linearise(point, {key}, GapTerm::kPosition, 26);
  const double rounding_mm = h * linear.contacts[0].rounding;
  const double gap_mm = contact_at(scene, start, key).gap_mm;
  double moved_mm = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    PlanarState moved = start;
    double& coordinate = moved.poses[1][axis];
    coordinate = std::nextafter(coordinate, 1e9);
    moved_mm += std::abs(contact_at(scene, moved, key).gap_mm - gap_mm);
  }
  CHECK(moved_mm > 0.0);
  CHECK(moved_mm < rounding_mm);
  CHECK(rounding_mm < 1e-12);
}

}  // namespace
}  // namespace graspmap
