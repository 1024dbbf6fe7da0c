#include "lab/planar/linear/anitescu_hart.hpp"

#include <array>
#include <catch2/catch.hpp>

#include "tests/support/planar_scenes.hpp"

namespace graspmap {
namespace {

constexpr double kPi = std::numbers::pi;

/// The kinetic energy of a rolling polygon after a second, J.
double energy_after_a_second(int vertices, double h) {
  const PlanarScene scene =
      testing::disc_on_table(regular_polygon(vertices, 1000.0, -0.5 * kPi), {-3.0, 0.0, 3.0});
  const auto stepper = make_anitescu_hart({});
  double kinetic_j = 0.0;
  const auto observe = [&](const PlanarState& state, const PlanarStep* /*step*/) {
    kinetic_j = energy(scene, state).kinetic_j;
    return true;
  };
  CHECK(!simulate_scene(scene, *stepper, {h, 1.0, 0}, observe).failure);
  return kinetic_j;
}

TEST_CASE("A rolling polygon loses energy as in the first figure of the implicit paper",
          "[anitescu-hart]") {
  // Chakraborty et al. 2014, figure 1; numbers of an independent program with this linearisation.
  CHECK(energy_after_a_second(10, 0.01) == Approx(2.07).margin(0.005));
  CHECK(energy_after_a_second(50, 0.01) == Approx(5.24).margin(0.005));
  CHECK(energy_after_a_second(100, 0.01) == Approx(5.878).margin(0.0005));
  CHECK(energy_after_a_second(500, 0.01) == Approx(5.920).margin(0.0005));
  CHECK(energy_after_a_second(1000, 0.01) == Approx(5.920).margin(0.0005));
  CHECK(energy_after_a_second(1000, 0.005) == Approx(6.323).margin(0.0005));
  CHECK(energy_after_a_second(1000, 0.001) == Approx(6.658).margin(0.0005));
}

TEST_CASE("For small steps a rolling polygon loses what the rimless wheel does",
          "[anitescu-hart]") {
  // Each of its hits multiplies omega by (1 + 2 cos(2 pi/N))/3.
  const double law_j = 6.75 / std::pow(1.0 + 2.0 * kPi * 3.0 / (3.0 * 1000.0), 2);
  CHECK(law_j == Approx(6.6663).margin(5e-4));
  CHECK(energy_after_a_second(1000, 0.0005) == Approx(law_j).margin(0.006));
}

/// The largest overlap of the falling ellipse in each of four quarters of 20 s, m.
std::array<double, 4> overlaps_of_ellipse(PlanarStepper& stepper) {
  const PlanarScene scene = testing::falling_ellipse();
  std::array<double, 4> worst_m{};
  const auto observe = [&](const PlanarState& state, const PlanarStep* step) {
    if (step == nullptr) return true;
    const auto quarter = static_cast<std::size_t>((state.time_s - 1e-9) / 5.0);
    worst_m[quarter] = std::max(worst_m[quarter], 1e-3 * worst_overlap_mm(scene, state));
    return true;
  };
  CHECK(!simulate_scene(scene, stepper, {0.05, 20.0, 0}, observe).failure);
  return worst_m;
}

TEST_CASE("Stabilisation keeps the ellipse's overlap small", "[anitescu-hart]") {
  StepperSettings settings;
  settings.active_gap_mm = 300.0;
  const std::array stabilised = overlaps_of_ellipse(*make_anitescu_hart(settings));
  CHECK(stabilised[0] == Approx(0.278).margin(5e-4));
  CHECK(stabilised[1] == Approx(0.00248).margin(5e-6));
  CHECK(stabilised[2] == Approx(0.00250).margin(5e-6));
  CHECK(stabilised[3] == Approx(0.00251).margin(5e-6));

  const std::array drifting = overlaps_of_ellipse(*make_anitescu_hart_unstabilised(settings));
  CHECK(drifting[0] == Approx(0.369).margin(1e-3));
  CHECK(drifting[1] == Approx(0.486).margin(1e-3));
  CHECK(drifting[2] == Approx(0.607).margin(2e-3));
  CHECK(drifting[3] == Approx(0.707).margin(1e-3));
  CHECK(drifting[3] / stabilised[3] == Approx(281.0).margin(1.0));

  // It never slips, so that mu lambda = 0 and the optimisation variant is the same.
  const std::array convex = overlaps_of_ellipse(*make_anitescu_hart_convex(settings));
  for (std::size_t i = 0; i < 4; ++i) CHECK(convex[i] == Approx(stabilised[i]).epsilon(1e-6));
}

TEST_CASE("A stack of discs falls apart onto the table", "[anitescu-hart]") {
  StepperSettings settings;
  settings.active_gap_mm = 300.0;
  const auto stepper =
      GENERATE(0, 1) == 0 ? make_anitescu_hart(settings) : make_anitescu_hart_convex(settings);
  const PlanarScene scene = testing::disc_stack(4);
  PlanarState end;
  const auto observe = [&](const PlanarState& state, const PlanarStep* /*step*/) {
    end = state;
    return true;
  };
  const SceneRun run = simulate_scene(scene, *stepper, {0.05, 30.0, 0}, observe);
  CHECK(!run.failure);
  CHECK(run.totals.worst_overlap_mm < 1e-6);
  for (std::size_t i = 3; i < end.poses.size(); ++i) {
    CHECK(end.poses[i].y() == Approx(3000.0).margin(1e-6));
  }
}

TEST_CASE("A slipping contact of the optimisation variant lifts by mu lambda h",
          "[anitescu-hart]") {
  // Hart and Anitescu 2003, eq. (2.10) with equality: the first step from rest on the table.
  const PlanarScene scene =
      testing::disc_on_table(Superellipse{1000.0, 1000.0, 2.0}, {-3.0, 0.0, 0.0});
  PlanarStep step;
  make_anitescu_hart_convex({})->step(scene, start_state(scene), 0.01, step);
  REQUIRE(step.status == mcp::Status::kSolved);
  REQUIRE(step.contacts.size() == 1);
  const PlanarContact& contact = step.contacts[0];
  CHECK(contact.p_n > 0.0);
  CHECK(contact.slip_mm_s > 0.0);
  CHECK(contact.p_t == Approx(-0.4 * contact.p_n).epsilon(1e-6));
  CHECK(contact.at.gap_mm == Approx(0.4 * std::abs(contact.slip_mm_s) * 0.01).epsilon(1e-6));
}

}  // namespace
}  // namespace graspmap
