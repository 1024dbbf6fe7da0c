#pragma once

#include <cstdio>
#include <numbers>
#include <string>

#include "geometry/mass_properties.hpp"
#include "sim/closing/simulate.hpp"
#include "tests/support/parts.hpp"
#include "tests/support/random.hpp"

namespace graspmap::testing {

/// The scenario with steps of second order, which are sized by their error.
inline Scenario of_second_order(Scenario scenario, double tolerance_mm = 0.01,
                                double step_s = 0.032) {
  scenario.order = 2;
  scenario.step_s = step_s;
  scenario.tolerance_mm = tolerance_mm;
  return scenario;
}

/// Three support points, one of them on P's y axis.
inline TripodSupport tripod(double radius_mm) {
  constexpr double kDegree = std::numbers::pi / 180.0;
  return {radius_mm, {90.0 * kDegree, 210.0 * kDegree, 330.0 * kDegree}};
}

/// The lock-piece experiment with the physical model's parameters.
inline Scenario lock_piece_scenario() {
  constexpr double kRadius = 20.75;
  Scenario scenario;
  scenario.part = lock_piece();
  scenario.mass = {0.05, {0.0, 0.0}, 0.5 * 0.05 * kRadius * kRadius};
  scenario.support = EllipsoidSupport{1.0, 1.0, 2.0 * kRadius / 3.0};
  return scenario;
}

/// The same on three points.
inline Scenario lock_piece_on_tripod() {
  Scenario scenario = lock_piece_scenario();
  scenario.support = tripod(2.0 * 20.75 / 3.0);
  return scenario;
}

/// A disc of 50 g, alone.
inline Scenario disc_scenario(double radius_mm) {
  Scenario scenario;
  scenario.part = Part{{{"disc", {radius_mm, radius_mm, 2.0}, {}}}};
  scenario.mass = {0.05, {0.0, 0.0}, 0.5 * 0.05 * radius_mm * radius_mm};
  scenario.support = EllipsoidSupport{1.0, 1.0, 2.0 * radius_mm / 3.0};
  scenario.gripper.opening_mm = 2.0 * radius_mm + 22.0;
  return scenario;
}

/// A part of 5 mm aluminium, with mass and friction ellipsoid from its area, in a gripper that is
/// wide enough for placements up to `margin_mm` from the centre.
inline Scenario plate_scenario(const Part& part, double margin_mm) {
  Scenario scenario;
  scenario.part = part;
  scenario.mass = mass_properties(part, 2.7e-6, 5.0);
  const Vec2& center = scenario.mass.center_of_mass_P_mm;
  scenario.support = EllipsoidSupport{1.0, 1.0, mean_radius_mm(part, center)};
  scenario.gripper.opening_mm = 2.0 * (bounding_radius_mm(part, {0.0, 0.0}) + margin_mm);
  return scenario;
}

/// A rounded bar or square: one superellipse.
inline Scenario bar_scenario(double a_mm, double b_mm, double exponent) {
  return plate_scenario(Part{{{"bar", {a_mm, b_mm, exponent}, {}}}}, 10.0);
}

/// A part with a centre of mass that is not its origin and exponents other than 2 and 4.
inline Scenario lopsided_scenario() {
  return plate_scenario(Part{{{"body", {9.0, 14.0, 3.0}, {{4.0, -3.0}, 0.4}},
                              {"arm", {16.0, 3.0, 8.0}, {{-8.0, 6.0}, -0.7}},
                              {"knob", {5.0, 5.0, 2.0}, {{-19.0, 15.0}, 0.0}}}},
                        10.0);
}

/// A trial without a turn.
inline TrialParameters placed_at(double x_mm, double y_mm, double mu_jaw, double mu_support) {
  TrialParameters trial;
  trial.placement_x_mm = x_mm;
  trial.placement_y_mm = y_mm;
  trial.mu_jaw = mu_jaw;
  trial.mu_support = mu_support;
  return trial;
}

/// A placement and frictions as the published sweep draws them.
inline TrialParameters lock_piece_trial(Random& random) {
  TrialParameters trial;
  trial.placement_x_mm = random.uniform(-10.0, 10.0);
  trial.placement_y_mm = random.uniform(-20.0, 0.0);
  trial.mu_jaw = random.uniform(0.05, 0.35);
  trial.mu_support = random.uniform(0.10, 0.50);
  return trial;
}

/// One simulation with a workspace of its own.
inline SimulationResult run(const Scenario& scenario, const TrialParameters& trial,
                            const StepObserver* observer = nullptr) {
  Workspace workspace;
  SimulationResult result;
  simulate(scenario, trial, workspace, result, observer);
  return result;
}

/// What to type to see a trial again, for a failing test's message.
inline std::string describe(const TrialParameters& trial) {
  const auto word = [](const char* key, double number) {
    char text[64];
    std::snprintf(text, sizeof text, "%s%.17g", key, number);
    return std::string(text);
  };
  return word("x=", trial.placement_x_mm) + word(" y=", trial.placement_y_mm) +
         word(" theta=", trial.theta_rad) + word(" mu_jaw=", trial.mu_jaw) +
         word(" mu_support=", trial.mu_support);
}

/// A disc above the fingertips' middle that one fingertip pushes aside and up.
inline TrialParameters pushed_disc_trial() {
  TrialParameters trial;
  trial.placement_x_mm = 3.0;
  trial.placement_y_mm = -15.0;
  trial.mu_jaw = 0.2;
  trial.mu_support = 0.3;
  return trial;
}

}  // namespace graspmap::testing
