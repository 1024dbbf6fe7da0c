#include "lab/planar/linear/linear_steppers.hpp"

#include <array>
#include <catch2/catch.hpp>

#include "lab/planar/steppers/make_stepper.hpp"
#include "tests/support/keep_largest.hpp"
#include "tests/support/planar_scenes.hpp"

namespace graspmap {
namespace {

using testing::falling_rod;

/// What happens to the falling rod: ends of steps, s.
struct RodEvents {
  double impact_s = 0.0;        ///< of the first step with a contact
  double full_contact_s = 0.0;  ///< of the first step with both
  double rest_s = 0.0;
  Vec3 pose = Vec3::Zero();
};

RodEvents drop_rod(PlanarStepper& stepper, double h) {
  RodEvents events;
  const auto observe = [&](const PlanarState& state, const PlanarStep* step) {
    int pressed = 0;
    if (step != nullptr) {
      for (const PlanarContact& contact : step->contacts) pressed += contact.p_n > 0.0 ? 1 : 0;
    }
    if (pressed > 0 && events.impact_s == 0.0) events.impact_s = state.time_s;
    if (pressed > 1 && events.full_contact_s == 0.0) events.full_contact_s = state.time_s;
    const bool rests = events.full_contact_s > 0.0 && state.nu.norm() < 1e-6;
    if (rests && events.rest_s == 0.0) events.rest_s = state.time_s;
    events.pose = state.poses[1];
    return true;
  };
  const SceneRun run = simulate_scene(falling_rod(), stepper, {h, 0.6, 0}, observe);
  CHECK(!run.failure);
  return events;
}

TEST_CASE("A rolling disc keeps rolling under Stewart and Trinkle's steppers",
          "[stewart-trinkle]") {
  const PlanarScene scene =
      testing::disc_on_table(Superellipse{1000.0, 1000.0, 2.0}, {-3.0, 0.0, 3.0});
  const auto stepper = GENERATE(0, 1) == 0 ? make_stewart_trinkle({}) : make_anitescu_potra({});
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

TEST_CASE("The falling rod lands and slaps down when the paper's does", "[stewart-trinkle]") {
  // Impact, full contact, rest: known to one step.
  struct Row {
    double h, impact_s, full_contact_s, rest_s;
  };
  const auto row = GENERATE(values<Row>({{0.01, 0.380, 0.560, 0.580},
                                         {0.005, 0.385, 0.550, 0.575},
                                         {0.0025, 0.385, 0.550, 0.570},
                                         {0.001, 0.386, 0.547, 0.568},
                                         {0.0005, 0.3855, 0.548, 0.567}}));
  const double one_step = row.h * (1.0 + 1e-6);
  const auto stepper = make_stewart_trinkle({});
  const RodEvents events = drop_rod(*stepper, row.h);
  CHECK(events.impact_s == Approx(row.impact_s).margin(one_step));
  CHECK(events.full_contact_s == Approx(row.full_contact_s).margin(one_step));
  CHECK(events.rest_s == Approx(row.rest_s).margin(one_step));
  // It has turned over, and lies on its sides.
  CHECK(events.pose.y() == Approx(50.0).margin(1e-9));
  CHECK(events.pose.z() == Approx(std::numbers::pi).margin(1e-9));
}

TEST_CASE("The impact of the rod is that of rigid bodies", "[stewart-trinkle]") {
  // The tip reaches the table after 0.385818 s; a sticking plastic impact about it leaves
  // w = 5.149, v = (-1.390, -0.613), and the rod comes to rest at x = -0.228.
  const auto stepper = make_stewart_trinkle({});
  const auto observe = [&](const PlanarState& state, const PlanarStep* /*step*/) {
    if (std::abs(state.time_s - 0.3870) > 1e-9) return true;
    CHECK(state.nu[0] == Approx(-1390.0).epsilon(0.01));
    CHECK(state.nu[1] == Approx(-613.0).epsilon(0.03));
    CHECK(state.nu[2] == Approx(5.149).epsilon(0.01));
    return false;
  };
  simulate_scene(falling_rod(), *stepper, {0.0001, 0.6, 0}, observe);
  const RodEvents events = drop_rod(*stepper, 0.0005);
  CHECK(events.impact_s == Approx(0.385818).margin(0.0005));
  CHECK(events.pose.x() == Approx(-228.0).margin(1.0));
}

TEST_CASE("The gap of the linearisation closes, and the true one by second order",
          "[stewart-trinkle]") {
  double overlaps[2] = {0.0, 0.0};
  for (const int i : {0, 1}) {
    const auto stepper = make_stewart_trinkle({});
    const double h = i == 0 ? 0.0025 : 0.0005;
    const SceneRun run =
        simulate_scene(falling_rod(), *stepper, {h, 0.6, 0},
                       [](const PlanarState& /*state*/, const PlanarStep*) { return true; });
    overlaps[i] = run.totals.worst_overlap_mm;
  }
  CHECK(overlaps[0] > 0.0);
  CHECK(overlaps[1] < overlaps[0] / 10.0);
}

/// The largest difference of two steppers' states at the ends of the same steps, mm, mm/s and rad.
double largest_difference(const PlanarScene& scene, PlanarStepper& left, PlanarStepper& right,
                          double h, double duration_s) {
  std::vector<PlanarState> states;
  const auto keep = [&](const PlanarState& state, const PlanarStep*) {
    states.push_back(state);
    return true;
  };
  CHECK(!simulate_scene(scene, left, {h, duration_s, 0}, keep).failure);
  std::size_t at = 0;
  double largest = 0.0;
  const auto compare = [&](const PlanarState& state, const PlanarStep*) {
    for (std::size_t i = 0; i < state.poses.size(); ++i) {
      const Vec3 apart = state.poses[i] - states[at].poses[i];
      testing::keep_largest(largest, apart.norm());
    }
    ++at;
    return true;
  };
  CHECK(!simulate_scene(scene, right, {h, duration_s, 0}, compare).failure);
  CHECK(at == states.size());
  return largest;
}

TEST_CASE("The fixed point of Stewart and Trinkle's step is the geometrically implicit step",
          "[stewart-trinkle]") {
  StepperSettings settings;
  settings.tolerance = 1e-12;
  const auto fixed_point = make_end_geometry_stepper(EndGeometry::kFrozen, settings);
  const auto implicit = make_end_geometry_stepper(EndGeometry::kNewton, settings);
  CHECK(largest_difference(falling_rod(), *fixed_point, *implicit, 0.0025, 0.6) < 1e-7);
  CHECK(largest_difference(testing::disc_stack(3), *fixed_point, *implicit, 0.02, 1.0) < 1e-6);
}

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
