#include <catch2/catch.hpp>
#include <cmath>

#include "lab/articulated/link_kinematics.hpp"
#include "lab/articulated/simulate_articulated.hpp"
#include "tests/lab/articulated/articulated_systems.hpp"
#include "tests/support/keep_largest.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

Link bar(int parent, double length_of_parent_mm, double length_mm, double mass_kg, double angle) {
  Link link;
  link.parent = parent;
  link.joint.at_mm = {0.0, length_of_parent_mm, 0.0};
  link.mass_kg = mass_kg;
  link.centre_of_mass_mm = {0.0, 0.5 * length_mm, 0.0};
  const double I = mass_kg * length_mm * length_mm / 12.0;
  link.inertia_kg_mm2 = Vec3(I, 0.01 * I, I).asDiagonal();
  link.position = Eigen::VectorXd::Constant(1, angle);
  link.velocity = Eigen::VectorXd::Zero(1);
  return link;
}

/// A crank that turns about G's origin, a coupler, and a rocker whose end is held 500 mm beside it,
/// all pins about x, at rest; `angle` is the crank's.
ArticulatedSystem four_bar(double crank_mm, double coupler_mm, double rocker_mm, double angle) {
  // The joint of coupler and rocker is where their circles meet, on the lower side.
  const Eigen::Vector2d joint(crank_mm * std::cos(angle), crank_mm * std::sin(angle));
  const Eigen::Vector2d between = Eigen::Vector2d(500.0, 0.0) - joint;
  const double d = between.norm();
  const double along = (d * d + coupler_mm * coupler_mm - rocker_mm * rocker_mm) / (2.0 * d);
  const double across = std::sqrt(coupler_mm * coupler_mm - along * along);
  const Eigen::Vector2d unit = between / d;
  const Eigen::Vector2d coupler = along * unit + across * Eigen::Vector2d(unit.y(), -unit.x());
  const Eigen::Vector2d rocker = between - coupler;
  const double coupler_angle = std::atan2(coupler.y(), coupler.x());
  const double rocker_angle = std::atan2(rocker.y(), rocker.x());
  ArticulatedSystem system;
  system.links = {bar(-1, 0.0, crank_mm, 0.5, angle),
                  bar(0, crank_mm, coupler_mm, 1.0, coupler_angle - angle),
                  bar(1, coupler_mm, rocker_mm, 0.5, rocker_angle - coupler_angle)};
  system.closures = {{2, -1, {0.0, rocker_mm, 0.0}, {0.0, 500.0, 0.0}}};
  return system;
}

struct LoopRun {
  double worst_gap_mm = 0.0;
  double energy_drift_j = 0.0;
  double angle = 0.0;  // of the crank
};

LoopRun run_loop(const ArticulatedSystem& system, ArticulatedIntegrator integrator, double h,
                 double duration_s) {
  ArticulatedSettings settings;
  settings.integrator = integrator;
  ArticulatedStepper stepper(system, settings);
  const CoordinateLayout layout = coordinate_layout(system);
  std::vector<LinkKinematics> links;
  LoopRun seen;
  std::optional<double> start_j;
  const SceneRun run = run_steps<ArticulatedState, ArticulatedStep>(
      {h, duration_s, 0}, start_state(system),
      [&](const ArticulatedState& start, double step_s, ArticulatedStep& step) {
        stepper.step(start, step_s, step);
      },
      [&](const ArticulatedState& state, const ArticulatedStep*) {
        place_links(system, layout, state.q, links);
        move_links(system, layout, state.nu, links);
        for (const Closure& closure : system.closures) {
          keep_largest(seen.worst_gap_mm, closure_gap(closure, links).norm());
        }
        const double total = energy(system, links).total_j();
        if (!start_j) start_j = total;
        seen.energy_drift_j = total - *start_j;
        seen.angle = state.q[0];
        return true;
      });
  REQUIRE_FALSE(run.failure);
  return seen;
}

/// The angle of a parallelogram of cranks of 200 mm, by its one equation of motion.
double parallelogram_angle(double angle, double duration_s) {
  // Crank and rocker turn about their ends, the coupler moves without turning.
  const double inertia = 2.0 * 0.5 * 200.0 * 200.0 / 3.0 + 1.0 * 200.0 * 200.0;
  const double moment = (2.0 * 0.5 * 100.0 + 1.0 * 200.0) * 9810.0;
  constexpr int kSteps = 20000;
  const double h = duration_s / kSteps;
  const auto rate = [&](double q) { return -moment / inertia * std::cos(q); };
  double speed = 0.0;
  for (int i = 0; i < kSteps; ++i) {  // Stoermer-Verlet
    speed += 0.5 * h * rate(angle);
    angle += h * speed;
    speed += 0.5 * h * rate(angle);
  }
  return angle;
}

}  // namespace

TEST_CASE("a parallelogram moves as the one body that it is") {
  const ArticulatedSystem system = four_bar(200.0, 500.0, 200.0, -0.4);
  REQUIRE(worst_start_gap_mm(system) <= 1e-9);
  const double expected = parallelogram_angle(-0.4, 2.0);
  const auto error = [&](ArticulatedIntegrator integrator, double h) {
    return std::abs(run_loop(system, integrator, h, 2.0).angle - expected);
  };
  CHECK(error(ArticulatedIntegrator::kSemiImplicitEuler, 1e-3) <= 1e-2);
  CHECK(error(ArticulatedIntegrator::kMoreauMidpoint, 1e-3) <= 1e-4);
}

TEST_CASE("a four-bar linkage stays closed") {
  const ArticulatedSystem system = four_bar(150.0, 450.0, 300.0, 0.3);
  REQUIRE(worst_start_gap_mm(system) <= 1e-9);
  for (const auto integrator :
       {ArticulatedIntegrator::kSemiImplicitEuler, ArticulatedIntegrator::kMoreauMidpoint}) {
    CAPTURE(name(integrator));
    const LoopRun coarse = run_loop(system, integrator, 1e-3, 2.0);
    const LoopRun fine = run_loop(system, integrator, 5e-4, 2.0);
    CAPTURE(coarse.worst_gap_mm, fine.worst_gap_mm, coarse.energy_drift_j, fine.energy_drift_j);
    CHECK(coarse.worst_gap_mm <= 0.05);
    CHECK(fine.worst_gap_mm <= 0.3 * coarse.worst_gap_mm);  // of the order of h^2
    CHECK(std::abs(fine.energy_drift_j) <= 0.6 * std::abs(coarse.energy_drift_j));
  }
}

TEST_CASE("a loop of ball joints in space stays closed") {
  // Three bars of 300 mm from the ground back to the ground, pushed out of their plane.
  ArticulatedSystem system;
  for (int k = 0; k < 3; ++k) {
    Link link = bar(k - 1, k == 0 ? 0.0 : 300.0, 300.0, 1.0, 0.0);
    link.joint.kind = JointKind::kBall;
    const double turn = k == 0 ? -M_PI / 3.0 : M_PI / 3.0;
    link.position.resize(4);
    link.position << std::cos(0.5 * turn), std::sin(0.5 * turn), 0.0, 0.0;
    link.velocity = Eigen::VectorXd::Zero(3);
    system.links.push_back(link);
  }
  // Turned as a whole about the line between its ends.
  const double tilt = 0.8;
  const Eigen::Quaterniond first =
      Eigen::Quaterniond(Eigen::AngleAxisd(tilt, Vec3::UnitY())) *
      Eigen::Quaterniond(Eigen::AngleAxisd(-M_PI / 3.0, Vec3::UnitX()));
  system.links[0].position << first.w(), first.x(), first.y(), first.z();
  system.closures = {{2, -1, {0.0, 300.0, 0.0}, {0.0, 600.0, 0.0}}};
  REQUIRE(worst_start_gap_mm(system) <= 1e-9);
  const LoopRun coarse = run_loop(system, ArticulatedIntegrator::kSemiImplicitEuler, 1e-3, 1.0);
  const LoopRun fine = run_loop(system, ArticulatedIntegrator::kSemiImplicitEuler, 5e-4, 1.0);
  CAPTURE(coarse.worst_gap_mm, fine.worst_gap_mm, coarse.energy_drift_j, fine.energy_drift_j);
  CHECK(coarse.worst_gap_mm <= 0.1);
  CHECK(fine.worst_gap_mm <= 0.3 * coarse.worst_gap_mm);
  CHECK(std::abs(fine.energy_drift_j) <= 0.6 * std::abs(coarse.energy_drift_j));
}
