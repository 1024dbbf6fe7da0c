#pragma once

#include "sim/closing/simulate.hpp"

namespace graspmap {

/// The result of one try of a step.
struct StepReport {
  bool converged = false;
  Rung rung = Rung::kWarm;
  int iterations = 0;
  double residual = 0.0;         ///< largest scaled residual
  double smallest_gap_mm = 0.0;  ///< over all pairs
  double dissipation = 0.0;      ///< least of any contact's or support element's, mN mm
  double total_dissipation = 0.0;
  double largest_turn_rad = 0.0;  ///< of the normal of a contact that carries an impulse; with a
                                  ///< tolerance 0
  double velocity_change_mm_s = 0.0;  ///< of the part; likewise
  /// Kinetic energy that no force has given: see tolerances::kMostEnergyGain.
  bool gains_energy = false;
  double opening_mm = 0.0;         ///< at the end of a step that converged
  double position_error_mm = 0.0;  ///< of the part's boundary, estimated: PositionError; 0
                                   ///< without a tolerance
  /// Of a step of second order that is off by more than the tolerance: the estimate if it were of
  /// first order, mm.
  double first_order_error_mm = 0.0;
  /// How fast the gap of a contact still closes that closed in the step, mm/s; without a tolerance
  /// 0.
  double landing_speed_mm_s = 0.0;
};

}  // namespace graspmap
