#include "sim/steppers/stewart_trinkle.hpp"

#include <catch2/catch.hpp>

#include "tests/support/planar_scenes.hpp"

namespace graspmap {
namespace {

TEST_CASE("A rolling disc keeps rolling under Stewart and Trinkle's stepper", "[stewart-trinkle]") {
  const PlanarScene scene =
      testing::disc_on_table(Superellipse{1000.0, 1000.0, 2.0}, {-3.0, 0.0, 3.0});
  const auto stepper = make_stewart_trinkle({});
  const auto observe = [&](const PlanarState& state, const PlanarStep* step) {
    CHECK(energy(scene, state).kinetic_j == Approx(6.75).epsilon(1e-10));
    if (step != nullptr) {
      REQUIRE(step->contacts.size() == 1);
      CHECK(step->contacts[0].p_n == Approx(98.1).epsilon(1e-9));
      CHECK(std::abs(step->contacts[0].p_t) < 1e-7);
    }
    return true;
  };
  const SceneRun run = simulate_scene(scene, *stepper, {0.01, 0.5, 0}, observe);
  CHECK(!run.failure);
  CHECK(run.totals.steps == 50);
}

}  // namespace
}  // namespace graspmap
