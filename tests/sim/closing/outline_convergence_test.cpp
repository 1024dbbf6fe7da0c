/// Corners as limits of fillets, and arcs as limits of chords.

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/support/drawn_scenes.hpp"
#include "tests/support/outline_shapes.hpp"
#include "tests/support/within.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// The poses at the end of a few grasps with the same parts and fingers.
using Poses = std::vector<Vec3>;

Poses ends_of(const Scenario& scenario, const std::vector<TrialParameters>& trials) {
  Poses poses;
  for (const TrialParameters& trial : trials) {
    const SimulationResult result = run(scenario, trial);
    CHECK(result.end == EndReason::kStopped);
    poses.push_back(result.final_state.part_pose);
  }
  return poses;
}

/// The largest difference of any coordinate, with 10 mm for a radian.
double difference(const Poses& a, const Poses& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const Vec3 d = a[k] - b[k];
    largest = std::max({largest, std::abs(d[0]), std::abs(d[1]), 10.0 * std::abs(d[2])});
  }
  return largest;
}

TrialParameters at(double x_mm, double y_mm, double theta_rad, double mu_jaw) {
  TrialParameters trial;
  trial.placement_x_mm = x_mm;
  trial.placement_y_mm = y_mm;
  trial.theta_rad = theta_rad;
  trial.mu_jaw = mu_jaw;
  trial.mu_support = 0.3;
  return trial;
}

/// Only the shape differs.
Scenario with_mass_of(Scenario scenario, const Scenario& other) {
  scenario.mass = other.mass;
  scenario.support = other.support;
  scenario.gripper.opening_mm = other.gripper.opening_mm;
  return scenario;
}

/// The slope of log(error) over log(size).
double order(const std::vector<double>& sizes, const std::vector<double>& errors) {
  double xx = 0.0;
  double xy = 0.0;
  double x_mean = 0.0;
  double y_mean = 0.0;
  const auto n = static_cast<double>(sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    x_mean += std::log(sizes[k]) / n;
    y_mean += std::log(errors[k]) / n;
  }
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const double x = std::log(sizes[k]) - x_mean;
    xx += x * x;
    xy += x * (std::log(errors[k]) - y_mean);
  }
  return xy / xx;
}

const std::vector<Vec2> kTrapezium{{-9, -6}, {9, -6}, {6, 7}, {-7, 7}};

/// The circle as n chords, its corners on it: the first chord is level at its top.
OutlineLoop chords(double radius_mm, int n) {
  std::vector<Vec2> points;
  for (int k = 0; k < n; ++k) {
    const double angle = 0.5 * std::numbers::pi + 2.0 * std::numbers::pi * (k + 0.5) / n;
    points.push_back(radius_mm * Vec2(std::cos(angle), std::sin(angle)));
  }
  return polygon_loop(points);
}

}  // namespace

TEST_CASE("a small fillet becomes the corner: the end pose differs in proportion to its radius") {
  const Scenario sharp = drawn_scenario(rounded_chain(kTrapezium, 0.0));
  // Wedged on corners, and one that slides along a fingertip before it is held.
  const std::vector<TrialParameters> trials{at(0.2, 40.0, 0.9, 0.9), at(-0.5, 40.0, 0.6, 0.8),
                                            at(0.0, 4.0, 2.2, 0.8)};
  const Poses limit = ends_of(sharp, trials);
  const std::vector<double> radii{0.4, 0.2, 0.1, 0.05, 0.025, 0.0125};
  std::vector<double> errors;
  for (const double radius : radii) {
    const Scenario scenario =
        with_mass_of(drawn_scenario(rounded_chain(kTrapezium, radius)), sharp);
    errors.push_back(difference(ends_of(scenario, trials), limit));
    INFO("radius " << radius << ", error " << errors.back());
    CHECK(errors.back() <= 2.0 * radius);
  }
  CHECK(order(radii, errors) == within(1.0, 0.1));
  const Scenario tiny = with_mass_of(drawn_scenario(rounded_chain(kTrapezium, 2e-6)), sharp);
  CHECK(difference(ends_of(tiny, trials), limit) <= 1e-5);
}

TEST_CASE("a fingertip's small radius becomes the corner, to first order") {
  Scenario sharp = drawn_scenario(rectangle_loop(16.0, 20.0));
  set_fingers(sharp.gripper, square_finger());
  const std::vector<TrialParameters> trials{at(0.1, -4.0, 0.5, 0.9), at(0.3, 3.0, 0.7, 0.9)};
  const Poses limit = ends_of(sharp, trials);
  const std::vector<double> radii{0.4, 0.2, 0.1, 0.05, 0.025};
  std::vector<double> errors;
  for (const double radius : radii) {
    Scenario scenario = sharp;
    set_fingers(scenario.gripper, round_tip_finger(radius));
    errors.push_back(difference(ends_of(scenario, trials), limit));
    INFO("radius " << radius << ", error " << errors.back());
    CHECK(errors.back() <= 2.0 * radius);
  }
  CHECK(order(radii, errors) == within(1.0, 0.1));
}

TEST_CASE("more and more chords become the arc") {
  constexpr double kRadius = 12.0;
  const Scenario exact = drawn_scenario(circle_loop({0, 0}, kRadius));
  // Gripped at its diameter: the opening is off by the sagitta, 1 - cos(pi / n) of the diameter.
  for (const int n : {8, 16, 32, 64, 128, 256}) {
    const Scenario scenario = with_mass_of(drawn_scenario(chords(kRadius, n)), exact);
    const SimulationResult result = run(scenario, at(0.5, 40.0, 0.0, 0.05));
    INFO(n << " chords");
    CHECK(result.end == EndReason::kStopped);
    const double opening = result.final_state.jaw_right_mm - result.final_state.jaw_left_mm;
    const double least = 2.0 * kRadius * std::cos(std::numbers::pi / n);
    CHECK(opening >= least - 1e-8);
    CHECK(opening <= 2.0 * kRadius + 1e-8);
  }
  // Squeezed below its centre, held by friction: the heights of the ends converge.
  const std::vector<TrialParameters> trials{at(0.3, -3.0, 0.1, 0.5), at(-0.4, -5.0, 0.2, 0.7)};
  const Poses limit = ends_of(exact, trials);
  std::vector<double> errors;
  for (const int n : {8, 16, 32, 64, 128, 256}) {
    const Scenario scenario = with_mass_of(drawn_scenario(chords(kRadius, n)), exact);
    errors.push_back(difference(ends_of(scenario, trials), limit));
    UNSCOPED_INFO(n << " chords: " << errors.back());
  }
  CHECK(errors.back() <= 0.02);
  CHECK(errors.back() <= 0.1 * errors.front());
}
