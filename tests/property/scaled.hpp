#pragma once

#include <utility>

#include "sim/closing/length_unit.hpp"

/// A trial with all lengths times a factor, and all else such that the motion is the same: times
/// and masses stay; speeds, accelerations and forces go with the lengths.

namespace graspmap::testing {

inline Scenario scaled(Scenario scenario, double factor) {
  scale_lengths(factor, scenario);
  return scenario;
}

inline TrialParameters scaled(TrialParameters trial, double factor) {
  trial.placement_x_mm *= factor;
  trial.placement_y_mm *= factor;
  return trial;
}

}  // namespace graspmap::testing
