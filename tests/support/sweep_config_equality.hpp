#pragma once

#include <catch2/catch.hpp>
#include <optional>
#include <variant>
#include <vector>

#include "grasp/sweep/config/sweep_config.hpp"
#include "sim/closing/grasp_stepper.hpp"

/// Checks that two configurations are the same to the last bit, field by field.

namespace graspmap::testing {

inline void check_equal(const Axis& a, const Axis& b) {
  CHECK(a.min == b.min);
  CHECK(a.max == b.max);
  CHECK(a.cells == b.cells);
}

inline void check_equal(const OutlineLoop& a, const OutlineLoop& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    CHECK(a[k].begin_mm == b[k].begin_mm);
    CHECK(a[k].bulge == b[k].bulge);
    CHECK(a[k].name == b[k].name);
  }
}

inline void check_equal(const Outline& a, const Outline& b) {
  check_equal(a.outer, b.outer);
  REQUIRE(a.holes.size() == b.holes.size());
  for (std::size_t i = 0; i < a.holes.size(); ++i) check_equal(a.holes[i], b.holes[i]);
}

inline void check_equal(const std::optional<Outline>& a, const std::optional<Outline>& b) {
  REQUIRE(a.has_value() == b.has_value());
  if (a) check_equal(*a, *b);
}

inline void check_equal(const Part& a, const Part& b) {
  REQUIRE(a.pieces.size() == b.pieces.size());
  for (std::size_t i = 0; i < a.pieces.size(); ++i) {
    CHECK(a.pieces[i].name == b.pieces[i].name);
    CHECK(a.pieces[i].pose.position_mm == b.pieces[i].pose.position_mm);
    CHECK(a.pieces[i].pose.angle_rad == b.pieces[i].pose.angle_rad);
    CHECK(a.pieces[i].shape.a_mm == b.pieces[i].shape.a_mm);
    CHECK(a.pieces[i].shape.b_mm == b.pieces[i].shape.b_mm);
    CHECK(a.pieces[i].shape.exponent == b.pieces[i].shape.exponent);
    CHECK(a.pieces[i].friction_factor == b.pieces[i].friction_factor);
  }
  REQUIRE(a.outlines.size() == b.outlines.size());
  for (std::size_t i = 0; i < a.outlines.size(); ++i) {
    CHECK(a.outlines[i].name == b.outlines[i].name);
    CHECK(a.outlines[i].pose.position_mm == b.outlines[i].pose.position_mm);
    CHECK(a.outlines[i].pose.angle_rad == b.outlines[i].pose.angle_rad);
    check_equal(a.outlines[i].outline, b.outlines[i].outline);
    CHECK(a.outlines[i].friction_factor == b.outlines[i].friction_factor);
  }
}

inline void check_equal(const MassProperties& a, const MassProperties& b) {
  CHECK(a.mass_kg == b.mass_kg);
  CHECK(a.center_of_mass_P_mm == b.center_of_mass_P_mm);
  CHECK(a.inertia_kg_mm2 == b.inertia_kg_mm2);
}

inline void check_equal(const Gripper& a, const Gripper& b) {
  CHECK(a.jaw_mass_kg == b.jaw_mass_kg);
  CHECK(a.closing_force_n == b.closing_force_n);
  CHECK(a.closing_speed_mm_s == b.closing_speed_mm_s);
  CHECK(a.opening_mm == b.opening_mm);
  CHECK(a.coupling == b.coupling);
  check_equal(a.right_finger, b.right_finger);
  check_equal(a.left_finger, b.left_finger);
  check_equal(a.palm, b.palm);
  CHECK(a.offset_mm == b.offset_mm);
  CHECK(a.mu_right == b.mu_right);
  CHECK(a.mu_left == b.mu_left);
}

inline void check_equal(const SupportModel& a, const SupportModel& b) {
  REQUIRE(a.index() == b.index());
  if (const auto* ellipsoid = std::get_if<EllipsoidSupport>(&a)) {
    CHECK(ellipsoid->e_t == std::get<EllipsoidSupport>(b).e_t);
    CHECK(ellipsoid->e_o == std::get<EllipsoidSupport>(b).e_o);
    CHECK(ellipsoid->e_r_mm == std::get<EllipsoidSupport>(b).e_r_mm);
  } else if (const auto* tripod = std::get_if<TripodSupport>(&a)) {
    CHECK(tripod->radius_mm == std::get<TripodSupport>(b).radius_mm);
    CHECK(tripod->angles_rad == std::get<TripodSupport>(b).angles_rad);
  } else if (const auto* points = std::get_if<PointsSupport>(&a)) {
    const std::vector<SupportPoint>& others = std::get<PointsSupport>(b).points;
    REQUIRE(points->points.size() == others.size());
    for (std::size_t i = 0; i < others.size(); ++i) {
      CHECK(points->points[i].point_P_mm == others[i].point_P_mm);
      CHECK(points->points[i].load_share == others[i].load_share);
      CHECK(points->points[i].friction_factor == others[i].friction_factor);
    }
  } else if (const auto* matrix = std::get_if<PartEllipsoidSupport>(&a)) {
    CHECK(matrix->length_mm == std::get<PartEllipsoidSupport>(b).length_mm);
    CHECK(matrix->matrix == std::get<PartEllipsoidSupport>(b).matrix);
  } else {
    const auto& form = std::get<FourthOrderSupport>(a);
    CHECK(form.length_mm == std::get<FourthOrderSupport>(b).length_mm);
    CHECK(form.coefficients == std::get<FourthOrderSupport>(b).coefficients);
  }
}

inline void check_equal(const StopRule& a, const StopRule& b) {
  CHECK(a.stopped_speed_mm_s == b.stopped_speed_mm_s);
  CHECK(a.stopped_time_s == b.stopped_time_s);
  CHECK(a.closed_opening_mm == b.closed_opening_mm);
  CHECK(a.timeout_s == b.timeout_s);
  CHECK(a.contact_gap_mm == b.contact_gap_mm);
}

inline void check_equal(const PlacementSweep& a, const PlacementSweep& b) {
  check_equal(a.x_mm, b.x_mm);
  check_equal(a.y_mm, b.y_mm);
  CHECK(a.theta_rad.min == b.theta_rad.min);
  CHECK(a.theta_rad.max == b.theta_rad.max);
  CHECK(a.theta_rad.cells == b.theta_rad.cells);
  CHECK(a.noise_x_mm == b.noise_x_mm);
  CHECK(a.noise_y_mm == b.noise_y_mm);
  CHECK(a.noise_theta_rad == b.noise_theta_rad);
}

inline void check_equal(const AdaptiveSampling& a, const AdaptiveSampling& b) {
  CHECK(a.first_trials == b.first_trials);
  CHECK(a.round_trials == b.round_trials);
  CHECK(a.most_trials == b.most_trials);
  CHECK(a.goal == b.goal);
  CHECK(a.sweet_spot_within_mm == b.sweet_spot_within_mm);
  CHECK(a.confidence == b.confidence);
  CHECK(a.interval_width == b.interval_width);
}

inline void check_equal(const std::vector<TouchTarget>& a, const std::vector<TouchTarget>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].name == b[i].name);
    CHECK(a[i].features == b[i].features);
  }
}

inline void check_equal(const std::optional<Window>& a, const std::optional<Window>& b) {
  REQUIRE(a.has_value() == b.has_value());
  if (!a) return;
  CHECK(a->min == b->min);
  CHECK(a->max == b->max);
}

inline void check_equal(const SuccessAlternative& a, const SuccessAlternative& b) {
  check_equal(a.left, b.left);
  check_equal(a.right, b.right);
  check_equal(a.palm, b.palm);
  check_equal(a.x_mm, b.x_mm);
  check_equal(a.y_mm, b.y_mm);
  check_equal(a.theta_rad, b.theta_rad);
  CHECK(a.theta_period_rad == b.theta_period_rad);
  check_equal(a.opening_mm, b.opening_mm);
  CHECK(a.at_rest == b.at_rest);
}

inline void check_equal(const SweepConfig& a, const SweepConfig& b) {
  CHECK(a.name == b.name);
  check_equal(a.scenario.part, b.scenario.part);
  check_equal(a.scenario.drawn_part(), b.scenario.drawn_part());
  CHECK(a.scenario.part_offset_mm == b.scenario.part_offset_mm);
  check_equal(a.scenario.mass, b.scenario.mass);
  check_equal(a.scenario.gripper, b.scenario.gripper);
  check_equal(a.scenario.support, b.scenario.support);
  CHECK(a.scenario.gravity_mm_s2 == b.scenario.gravity_mm_s2);
  check_equal(a.scenario.stop, b.scenario.stop);
  CHECK(a.scenario.step_s == b.scenario.step_s);
  CHECK(a.scenario.tolerance_mm == b.scenario.tolerance_mm);
  CHECK(a.scenario.order == b.scenario.order);
  REQUIRE((a.scenario.other_stepper == nullptr) == (b.scenario.other_stepper == nullptr));
  if (a.scenario.other_stepper) {
    CHECK(a.scenario.other_stepper->settings() == b.scenario.other_stepper->settings());
  }
  REQUIRE(a.success.size() == b.success.size());
  for (std::size_t i = 0; i < a.success.size(); ++i) {
    check_equal(a.success[i], b.success[i]);
  }
  CHECK(a.mu_jaw == b.mu_jaw);
  CHECK(a.mu_support == b.mu_support);
  check_equal(a.placement, b.placement);
  REQUIRE(a.uncertain.size() == b.uncertain.size());
  for (std::size_t i = 0; i < a.uncertain.size(); ++i) {
    CHECK(a.uncertain[i].key == b.uncertain[i].key);
    CHECK(a.uncertain[i].law == b.uncertain[i].law);
  }
  REQUIRE(a.correlated.size() == b.correlated.size());
  for (std::size_t i = 0; i < a.correlated.size(); ++i) {
    CHECK(a.correlated[i].keys == b.correlated[i].keys);
    CHECK(a.correlated[i].correlation == b.correlated[i].correlation);
  }
  CHECK(a.trials_per_cell == b.trials_per_cell);
  REQUIRE(a.adaptive.has_value() == b.adaptive.has_value());
  if (a.adaptive) check_equal(*a.adaptive, *b.adaptive);
  CHECK(a.seed == b.seed);
  CHECK(a.sweet_spot_half_width_mm == b.sweet_spot_half_width_mm);
  CHECK(a.plateau_probability == b.plateau_probability);
}

}  // namespace graspmap::testing
