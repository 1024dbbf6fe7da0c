#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "grasp/base/probability/random.hpp"
#include "grasp/decide/calibrate/friction_calibration.hpp"

/// A made-up grasp in closed form, for calibrations that cost nothing to simulate.

namespace graspmap {

/// A disc of 20 mm between two tips: it slides up where the friction is below the slope of the
/// disc at the tips, and is missed when they are too low, more so beside the middle.
inline Outcome made_up_grasp(const CalibrationTrial& trial) {
  // An uncertain number that is sought is another word for the size.
  const double size = trial.numbers.empty() ? trial.size : trial.numbers.front().value;
  const double s = -trial.y_mm / (20 * size);
  if (s >= 0.85 - 0.004 * std::abs(trial.x_mm) * std::abs(trial.x_mm)) return Outcome::kMissed;
  if (s <= 0) return Outcome::kWedged;
  const double slope = s / std::sqrt(1 - s * s);
  const double friction = trial.mu_jaw * (1 + 0.3 * trial.support_scale * trial.mu_support);
  return friction < slope ? Outcome::kSuccess : Outcome::kWedged;
}

inline std::vector<Outcome> made_up_grasps(std::span<const CalibrationTrial> trials) {
  std::vector<Outcome> outcomes;
  for (const CalibrationTrial& trial : trials) outcomes.push_back(made_up_grasp(trial));
  return outcomes;
}

/// What is true in a made-up laboratory.
struct MadeUpTruth {
  Distribution jaw;
  Distribution support = Fixed{0.3};
  double offset_x_mm = 0.0;
  double offset_y_mm = 0.0;
  double size = 1.0;
};

/// Single trials at random places of the map x from -8 to 8 mm, y from -20 to 0 mm.
inline std::vector<CalibrationCell> made_up_experiment(const MadeUpTruth& truth, int trials,
                                                       std::uint64_t seed) {
  std::vector<CalibrationCell> cells;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(trials); ++i) {
    const double x = -8 + 16 * uniform_open(seed, i, 0);
    const double y = -20 + 20 * uniform_open(seed, i, 1);
    CalibrationTrial trial;
    trial.x_mm = x + truth.offset_x_mm;
    trial.y_mm = y + truth.offset_y_mm;
    trial.mu_jaw = truth.jaw.quantile(uniform_open(seed, i, 2));
    trial.mu_support = truth.support.quantile(uniform_open(seed, i, 3));
    trial.size = truth.size;
    CalibrationCell cell;
    cell.experiment = {{x, x, y, y}, 1, made_up_grasp(trial) == Outcome::kSuccess ? 1 : 0};
    cells.push_back(cell);
  }
  return cells;
}

/// Jaw 0 to 0.7, support 0.05 to 0.8; distributions may reach beyond.
inline std::array<FrictionRange, 2> made_up_ranges() {
  return {FrictionRange{"friction.jaw", 0, 0.7, false},
          FrictionRange{"friction.support", 0.05, 0.8, false}};
}

}  // namespace graspmap
