#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/lab_plan/lab_experiments.hpp"
#include "grasp/decide/lab_plan/run_sheet.hpp"
#include "grasp/sweep/store/run_store.hpp"

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

/// A question to `lab-plan`.
struct LabQuestion {
  LabRequest request;
  PlacementChoice choice = PlacementChoice::kSpread;
  int trials_per_placement = 1;
  int sessions = 0;  ///< 0: friction varies from trial to trial
  std::uint64_t seed = 1;
  std::int64_t experiments = 1000;  ///< simulated for the power that is reported
};

/// What one way to choose placements needs.
struct LabAnswer {
  PlacementChoice choice = PlacementChoice::kSpread;
  LabDesign design;
  LabTrials search;                    ///< of a TrialsGoal its trials, without a step
  std::optional<LabScope> scope = {};  ///< of a TrialsGoal

  [[nodiscard]] const LabPower& checked() const { return search.steps.back(); }
  /// The placements of the trials that were found.
  [[nodiscard]] std::size_t placements() const;
};

struct LabPlan {
  std::string name;   ///< of the run
  std::string title;  ///< of its figures
  LabQuestion question;
  Pilot pilot;
  LabAnswer answer;
  std::optional<LabAnswer> other;  ///< the other way to choose, where there are two
  std::size_t cells = 0;           ///< of the map
};

/// What is going on, for whoever waits.
struct LabPlanWatcher {
  /// Before trials are simulated: how many, and how many there will be from now on; 0 before
  /// experiments are.
  std::function<void(std::int64_t trials, std::int64_t left)> simulates = [](std::int64_t,
                                                                             std::int64_t) {};
  /// After experiments were simulated.
  std::function<void(PlacementChoice, const LabPower&)> tried = [](PlacementChoice,
                                                                   const LabPower&) {};
};

/// How many trials of a design reach the goal, checked by simulated experiments that are judged as
/// `compare` judges them. A LabAnswer whose search found nothing says so. Throws ConfigError for a
/// change that the configuration cannot have; AnalysisStopped.
LabPlan make_lab_plan(const SweepConfig& config, const LabQuestion& question,
                      const SweepControl& control, const LabPlanWatcher& watcher);

/// The plan in words. Its search has found a number of trials.
std::string lab_plan_text(const LabPlan& plan);

/// lab_plan.json; docs/reference/formats.md says what is in it.
Object lab_plan_fields(const LabPlan& plan);

/// One line: why no number of trials reaches the goal.
std::string unreachable_text(const LabPlan& plan);

/// The goal and the number of trials, for the sheet's head and page.
std::string lab_plan_sentence(const LabPlan& plan);

/// lab_power: power against the number of trials. lab_placements: the map with the placements, and
/// how much a trial shows where.
std::vector<Figure> lab_plan_figures(const LabPlan& plan, const SweepConfig& config);

/// How many trials a laboratory needs, and where: what `graspmap lab-plan` and Run.lab_plan are
/// asked. fields() says what each means.
struct LabPlanRequest {
  std::optional<LabChange> detect;
  std::optional<double> agree_within_points;
  std::optional<Change> learn;
  std::optional<double> to_width;
  std::optional<std::int64_t> trials;
  double power = 0.8;
  PlacementChoice placements = PlacementChoice::kSpread;
  int sessions = 0;
  int trials_per_placement = 1;
  std::uint64_t seed = 1;
  std::int64_t experiments = 1000;
  int threads = 0;
  double confidence = 0.95;

  RequestFields fields();
};

/// The decision on a stored run. Throws RequestError; ConfigError where no number of trials reaches
/// the goal; AnalysisStopped.
LabPlan lab_plan_run(const RunStore& run, const LabPlanRequest& request,
                     const SweepControl& control, const LabPlanWatcher& watcher);

}  // namespace graspmap
