#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "grasp/decide/lab_plan/lab_experiments.hpp"

namespace graspmap {

/// Simulates so many experiments of so many trials.
using PowerFunction = std::function<LabPower(std::int64_t trials, std::int64_t experiments)>;

/// The least and the most trials of a plan.
inline constexpr std::int64_t kLeastLabTrials = 8;
inline constexpr std::int64_t kMostLabTrials = 5'000;

/// The number of trials that a goal takes.
struct LabTrials {
  bool found = false;  ///< false: the power stays below what is asked, with kMostLabTrials too
  std::int64_t trials = 0;
  std::vector<LabPower>
      steps;  ///< the search, in its order; the last is of `trials`, or of the most
};

/// Seeks the number of trials whose power is request.power, from a first guess on. Each step
/// simulates experiments; between the steps the power's normal quantile is taken as linear in the
/// root of the number of trials (as it is for a test with a normal statistic), or for a LearnGoal
/// the width as proportional to one over the root. The last steps have `experiments` experiments;
/// the search ends with a power within 2 points of what is asked, or where one trial fewer is not
/// enough.
LabTrials search_trials(const LabRequest& request, double first_guess, std::int64_t experiments,
                        const PowerFunction& power);

/// A line through normal quantiles of powers over roots of trials, by weighted least squares.
struct PowerLine {
  double at_zero = 0.0;
  double slope = 0.0;

  [[nodiscard]] double power(double trials) const;
  /// Infinite where the line never reaches it.
  [[nodiscard]] double trials_for(double power) const;
};

/// The line through what was simulated, near `trials` above all.
PowerLine power_line(const std::vector<LabPower>& steps, double trials, double confidence);

}  // namespace graspmap
