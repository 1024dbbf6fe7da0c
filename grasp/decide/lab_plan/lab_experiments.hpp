#pragma once

#include <cstdint>
#include <vector>

#include "grasp/decide/agreement/predicted_sites.hpp"
#include "grasp/decide/lab_plan/lab_design.hpp"
#include "grasp/decide/lab_plan/lab_goal.hpp"

namespace graspmap {

/// A design with what the run's model predicts at its placements, and what the laboratory will see
/// there: simulated trials of other seeds.
struct LabForecast {
  LabDesign design;
  std::vector<std::size_t> groups;  ///< of the placements: where places are told apart
  /// As compare may simulate them: more than one, since their chance decides, too.
  std::vector<Predictions> models;
  Predictions lab;
  std::array<double, kChangeCount> steps = {};
};

/// What came of simulated experiments.
struct LabPower {
  std::int64_t trials = 0;  ///< of each experiment
  std::int64_t experiments = 0;
  std::int64_t reached = 0;    ///< experiments that reached the goal
  std::vector<double> widths;  ///< of a LearnGoal: the interval's width in each experiment
  std::int64_t covered = 0;    ///< of a LearnGoal: intervals that held the true value, 0

  [[nodiscard]] double power() const {
    return static_cast<double>(reached) / static_cast<double>(experiments);
  }
};

/// Simulates experiments of `trials` trials: draws each trial's end from the forecast's
/// probabilities of the laboratory, judges the experiment as `compare` does, and counts how many
/// reach the goal. Experiments of other `seed`s are independent. On all threads; a pure function of
/// its arguments but `control`. Fewer experiments when the control's flag stopped it.
LabPower simulate_power(const LabForecast& forecast, const LabRequest& request, std::int64_t trials,
                        std::int64_t experiments, std::uint64_t seed, const SweepControl& control);

/// About how many trials a DetectGoal or AgreeGoal takes (normal approximation, without sessions).
double approximate_trials(const LabForecast& forecast, const LabRequest& request);

}  // namespace graspmap
