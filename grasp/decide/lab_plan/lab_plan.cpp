#include "grasp/decide/lab_plan/lab_plan.hpp"

#include <algorithm>

namespace graspmap {
namespace {

/// Experiments for the way of choosing that is only compared with.
constexpr std::int64_t kOtherExperiments = 300;
constexpr double kFirstLearnTrials = 100;
constexpr std::uint64_t kExperimentSeed = 404;

/// Somebody stopped the simulation.
struct Stopped {};

class LabPlanner {
 public:
  LabPlanner(const SweepConfig& config, const LabQuestion& question, const ForecastEffort& effort,
             const SweepControl& control, const LabPlanWatcher& watcher)
      : config_(config),
        question_(question),
        effort_(effort),
        control_(control),
        watcher_(watcher) {}

  LabPlan plan() {
    (void)lab_of(config_, question_.request.goal);  // a change that cannot be is found here
    LabPlan plan{config_.name, question_, pilot(), {}, {}};
    plan.answer = answer(plan.pilot, question_.choice, effort_, question_.experiments);
    if (question_.compare_choices && has_informative_placements(question_.request.goal)) {
      const auto other = question_.choice == PlacementChoice::kSpread
                             ? PlacementChoice::kInformative
                             : PlacementChoice::kSpread;
      plan.other = answer(plan.pilot, other, half(effort_),
                          std::min(kOtherExperiments, question_.experiments));
    }
    return plan;
  }

 private:
  Pilot pilot() {
    watcher_.simulates(pilot_trials(effort_.pilot_trials_per_place));
    auto pilot = run_pilot(config_, question_.request.goal, effort_.pilot_trials_per_place,
                           question_.seed, control_);
    if (!pilot) throw Stopped{};
    return std::move(*pilot);
  }

  /// For the way of choosing that is only compared with.
  static ForecastEffort half(const ForecastEffort& effort) {
    return {(effort.models + 1) / 2, effort.lab_trials / 2, effort.pilot_trials_per_place};
  }

  LabAnswer answer(const Pilot& pilot, PlacementChoice choice, const ForecastEffort& effort,
                   std::int64_t experiments) {
    LabAnswer answer;
    answer.choice = choice;
    answer.design = {choose_placements(pilot, choice), question_.trials_per_placement,
                     question_.sessions};
    watcher_.simulates(forecast_trials(answer.design, effort));
    const auto made =
        forecast(config_, question_.request.goal, answer.design, effort, question_.seed, control_);
    if (!made) throw Stopped{};
    watcher_.simulates(0);
    answer.search = search_trials(question_.request, first_guess(*made), experiments,
                                  [&](std::int64_t trials, std::int64_t count) {
                                    return simulate(*made, choice, trials, count);
                                  });
    return answer;
  }

  [[nodiscard]] double first_guess(const LabForecast& made) const {
    if (std::holds_alternative<LearnGoal>(question_.request.goal)) return kFirstLearnTrials;
    return approximate_trials(made, question_.request);
  }

  LabPower simulate(const LabForecast& made, PlacementChoice choice, std::int64_t trials,
                    std::int64_t count) {
    SweepControl control = control_;
    control.counters = nullptr;
    LabPower power = simulate_power(made, question_.request, trials, count,
                                    question_.seed + kExperimentSeed + steps_++, control);
    if (power.experiments < count) throw Stopped{};
    watcher_.tried(choice, power);
    return power;
  }

  const SweepConfig& config_;
  const LabQuestion& question_;
  const ForecastEffort& effort_;
  const SweepControl& control_;
  const LabPlanWatcher& watcher_;
  std::uint64_t steps_ = 0;
};

}  // namespace

std::size_t LabAnswer::placements() const {
  const auto each = static_cast<std::int64_t>(design.trials_per_placement);
  return std::min(static_cast<std::size_t>((search.trials + each - 1) / each),
                  design.places.size());
}

bool has_informative_placements(const LabGoal& goal) {
  if (const auto* learn = std::get_if<LearnGoal>(&goal)) return learn->change != Change::kLevel;
  return std::holds_alternative<DetectGoal>(goal);
}

std::optional<LabPlan> make_lab_plan(const SweepConfig& config, const LabQuestion& question,
                                     const ForecastEffort& effort, const SweepControl& control,
                                     const LabPlanWatcher& watcher) {
  try {
    return LabPlanner(config, question, effort, control, watcher).plan();
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

}  // namespace graspmap
