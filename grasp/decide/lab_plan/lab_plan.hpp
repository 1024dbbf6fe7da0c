#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grasp/decide/lab_plan/lab_forecast.hpp"
#include "grasp/decide/lab_plan/lab_search.hpp"

namespace graspmap {

/// A question to `lab-plan`.
struct LabQuestion {
  LabRequest request;
  PlacementChoice choice = PlacementChoice::kSpread;
  int trials_per_placement = 1;
  int sessions = 0;  ///< 0: friction varies from trial to trial
  std::uint64_t seed = 1;
  std::int64_t experiments = 1000;  ///< simulated for the power that is reported
  bool compare_choices = true;      ///< whether to find what the other choice needs, too
};

/// What one way to choose placements needs.
struct LabAnswer {
  PlacementChoice choice = PlacementChoice::kSpread;
  LabDesign design;
  LabTrials search;

  [[nodiscard]] const LabPower& checked() const { return search.steps.back(); }
  /// The placements of the trials that were found.
  [[nodiscard]] std::size_t placements() const;
};

struct LabPlan {
  std::string name;  ///< of the run
  LabQuestion question;
  Pilot pilot;
  LabAnswer answer;
  std::optional<LabAnswer> other;  ///< the other way to choose, where there are two
};

/// What is going on, for who waits.
struct LabPlanWatcher {
  /// Before trials are simulated: how many; 0 before experiments are.
  std::function<void(std::int64_t trials)> simulates = [](std::int64_t) {};
  /// After experiments were simulated.
  std::function<void(PlacementChoice, const LabPower&)> tried = [](PlacementChoice,
                                                                   const LabPower&) {};
};

/// How many trials of a design reach the goal, checked by simulated experiments that are judged as
/// `compare` judges them. A LabAnswer whose search found nothing says so. Nothing when it was
/// stopped. Throws ConfigError for a change that the configuration cannot have.
std::optional<LabPlan> make_lab_plan(const SweepConfig& config, const LabQuestion& question,
                                     const ForecastEffort& effort, const SweepControl& control,
                                     const LabPlanWatcher& watcher);

/// Whether there is more than one way to choose placements: not to show agreement, which must be
/// shown all over the map, and not for the level.
bool has_informative_placements(const LabGoal& goal);

}  // namespace graspmap
