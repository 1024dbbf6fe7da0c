#include "grasp/decide/lab_plan/lab_goal.hpp"

#include <catch2/catch.hpp>

#include "tests/support/config_error.hpp"
#include "tests/support/source_dir.hpp"

namespace graspmap::testing {
namespace {

using Catch::Matchers::Contains;

SweepConfig quick_lock_piece() {
  return read_sweep_config(testing::source_dir() + "/configs/lock_piece_quick.toml", {});
}

}  // namespace

TEST_CASE("lab change: what is typed becomes a change, or one line says why not") {
  for (const LabDifference difference : kLabDifferences) {
    const LabChange change = parse_lab_change(std::string(key(difference)) + "=-0.25");
    CHECK(change.difference == difference);
    CHECK(change.amount == -0.25);
  }
  const auto error = [](const char* text) {
    return config_error([&] { (void)parse_lab_change(text); });
  };
  CHECK_THAT(error("jaw_friction"), Contains("must be KEY=NUMBER"));
  CHECK_THAT(error("friction=0.1"),
             Contains("'friction' is no change; must be one of jaw_friction"));
  CHECK_THAT(error("size_mm=0"), Contains("'0' must be a number other than 0"));
  CHECK_THAT(error("size_mm=1mm"), Contains("'1mm' must be a number"));
}

TEST_CASE("lab change: friction distributions are shifted, and are not negative") {
  const SweepConfig config = quick_lock_piece();
  const ChangedLab lab = changed_lab(config, {LabDifference::kJawFriction, 0.05});
  CHECK(lab.config.mu_jaw.quantile(0.25) == Approx(config.mu_jaw.quantile(0.25) + 0.05));
  CHECK(lab.config.mu_support.quantile(0.25) == config.mu_support.quantile(0.25));
  CHECK_THAT(config_error([&] {
               (void)changed_lab(config, {LabDifference::kJawFriction, -0.06});
             }),
             Contains("would reach down to -0.01"));
  SweepConfig normal = config;
  normal.mu_support = TruncatedNormal{0.1, 0.05, 0.0, 1.0};
  const ChangedLab lower = changed_lab(normal, {LabDifference::kSupportFriction, -0.05});
  CHECK(lower.config.mu_support.quantile(1e-9) >= 0.0);
  CHECK(lower.config.mu_support.as<TruncatedNormal>()->mean == Approx(0.05));
}

TEST_CASE("lab change: the robot is off, the part is turned") {
  const SweepConfig config = quick_lock_piece();
  CHECK(changed_lab(config, {LabDifference::kShiftX, 0.5}).offset.x_mm == 0.5);
  CHECK(changed_lab(config, {LabDifference::kShiftY, -0.5}).offset.y_mm == -0.5);
  CHECK(changed_lab(config, {LabDifference::kTurn, 0.1}).offset.theta_rad == 0.1);
}

TEST_CASE("lab change: a larger part is the same part, drawn larger") {
  const SweepConfig config = quick_lock_piece();
  const Scenario& small = config.scenario;
  const Scenario large = changed_lab(config, {LabDifference::kSizePercent, 10}).config.scenario;
  CHECK(bounding_radius_mm(large.part, Vec2::Zero()) ==
        Approx(1.1 * bounding_radius_mm(small.part, Vec2::Zero())));
  CHECK(large.mass.mass_kg == Approx(1.21 * small.mass.mass_kg));
  CHECK(large.mass.inertia_kg_mm2 == Approx(1.4641 * small.mass.inertia_kg_mm2));
  CHECK(std::get<EllipsoidSupport>(large.support).e_r_mm ==
        Approx(1.1 * std::get<EllipsoidSupport>(small.support).e_r_mm));
  const Scenario by_mm = changed_lab(config, {LabDifference::kSizeMm, -1}).config.scenario;
  CHECK(2 * bounding_radius_mm(by_mm.part, Vec2::Zero()) ==
        Approx(2 * bounding_radius_mm(small.part, Vec2::Zero()) - 1));
  CHECK_THAT(config_error([&] {
               (void)changed_lab(config, {LabDifference::kSizeMm, -100});
             }),
             Contains("nothing would be left of the part"));
}

TEST_CASE("lab change: outlines grow with their holes and places") {
  SweepConfig config = quick_lock_piece();
  const auto corner = [](double x, double y) { return OutlineElement{{x, y}, 0.0, ""}; };
  const Outline square{{corner(0, 0), corner(4, 0), corner(4, 4), corner(0, 4)},
                       {{corner(1, 1), corner(1, 2), corner(2, 2)}}};
  config.scenario.part.outlines.push_back({"plate", square, {{10, 0}, 0.0}});
  const Scenario large = changed_lab(config, {LabDifference::kSizePercent, 50}).config.scenario;
  const OutlinePiece& plate = large.part.outlines.back();
  CHECK(plate.outline.outer[2].begin_mm == Vec2(6, 6));
  CHECK(plate.outline.holes[0][1].begin_mm == Vec2(1.5, 3));
  CHECK(plate.pose.position_mm == Vec2(15, 0));
}

}  // namespace graspmap::testing
