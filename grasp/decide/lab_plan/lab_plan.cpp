#include "grasp/decide/lab_plan/lab_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "grasp/base/probability/distribution.hpp"
#include "grasp/base/process/stop.hpp"

namespace graspmap {
namespace {

constexpr std::array<std::int64_t, 4> kSearchExperiments = {120, 200, 300, 400};
constexpr double kCloseEnough = 0.03;  ///< of the number of trials
constexpr double kMostFactor = 4.0;    ///< from one step to the next
constexpr double kNearRoot = 0.3;      ///< of the root of trials: how far a step counts
constexpr double kGuessExperiments = 10;
constexpr int kLastSteps = 7;
constexpr double kNearPower = 0.02;     ///< of what is asked
constexpr double kNearestPower = 0.01;  ///< nothing nearer is sought

std::int64_t within_limits(double trials) {
  const double rounded = std::isfinite(trials) ? std::ceil(trials - 1e-9) : 1e18;
  return static_cast<std::int64_t>(std::clamp(rounded, static_cast<double>(kLeastLabTrials),
                                              static_cast<double>(kMostLabTrials)));
}

class TrialSearch {
 public:
  TrialSearch(const LabRequest& request, const PowerFunction& power)
      : request_(request), power_(power) {}

  LabTrials run(double first_guess, std::int64_t experiments) {
    std::int64_t trials = within_limits(first_guess);
    for (const std::int64_t count : kSearchExperiments) {
      simulate(trials, count);
      if (is_hopeless()) return finished(trials);
      const std::int64_t next = next_trials(trials);
      const double closeness = std::max(1.0, kCloseEnough * static_cast<double>(trials));
      const bool is_close = static_cast<double>(std::abs(next - trials)) <= closeness;
      trials = next;
      if (is_close) break;
    }
    return refined(trials, experiments);
  }

 private:
  void simulate(std::int64_t trials, std::int64_t experiments) {
    result_.steps.push_back(power_(trials, experiments));
  }

  /// Steps with all experiments. One that comes near what is asked is followed by another one, and
  /// the nearer of both is taken. Where a single placement decides, the power jumps with the number
  /// of trials: then the range in which it passes what is asked is halved.
  LabTrials refined(std::int64_t trials, std::int64_t experiments) {
    std::int64_t too_few = kLeastLabTrials - 1;  // the most trials known not to be enough
    for (const LabPower& step : result_.steps) {
      if (is_too_weak(step)) too_few = std::max(too_few, step.trials);
    }
    std::optional<std::size_t> enough;  // the step with the fewest trials that are enough
    std::optional<std::size_t> near;
    for (int k = 0; k < kLastSteps; ++k) {
      simulate(trials, experiments);
      const double excess = excess_of(result_.steps.back());
      if (is_hopeless()) return finished(trials);
      if (near) {
        const bool is_nearer = std::abs(excess) < std::abs(excess_of(result_.steps[*near]));
        return is_nearer ? finished(trials) : finished_with(*near);
      }
      if (std::abs(excess) <= kNearPower) {
        const std::int64_t next = next_trials(trials);
        if (std::abs(excess) <= kNearestPower || next == trials) return finished(trials);
        near = result_.steps.size() - 1;
        trials = next;
        continue;
      }
      if (excess < 0) {
        too_few = std::max(too_few, trials);
      } else if (!enough || trials < result_.steps[*enough].trials) {
        enough = result_.steps.size() - 1;
      }
      const std::int64_t most = enough ? result_.steps[*enough].trials : kMostLabTrials + 1;
      if (most - too_few <= 1) break;
      trials = next_trials(trials);
      const bool both_known = enough && too_few >= kLeastLabTrials;
      if (both_known || trials <= too_few || trials >= most) trials = (too_few + most) / 2;
    }
    return finished_with(enough.value_or(near.value_or(result_.steps.size() - 1)));
  }

  [[nodiscard]] double excess_of(const LabPower& step) const {
    return step.power() - request_.power;
  }

  /// With this step as the last one.
  LabTrials finished_with(std::size_t step) {
    const auto chosen = result_.steps.begin() + static_cast<std::ptrdiff_t>(step);
    std::rotate(chosen, chosen + 1, result_.steps.end());
    return finished(result_.steps.back().trials);
  }

  /// Whether the power is below what is asked by more than chance explains.
  [[nodiscard]] bool is_too_weak(const LabPower& step) const {
    constexpr double kStandardErrors = 3;
    const double error =
        std::sqrt(request_.power * (1 - request_.power) / static_cast<double>(step.experiments));
    return step.power() < request_.power - kStandardErrors * error;
  }
  [[nodiscard]] bool is_hopeless() const {
    return result_.steps.back().trials == kMostLabTrials && is_too_weak(result_.steps.back());
  }

  LabTrials finished(std::int64_t trials) {
    result_.trials = trials;
    result_.found = !is_too_weak(result_.steps.back());
    return std::move(result_);
  }

  [[nodiscard]] std::int64_t next_trials(std::int64_t trials) const {
    const auto now = static_cast<double>(trials);
    const auto* learn = std::get_if<LearnGoal>(&request_.goal);
    double wanted = 0.0;
    if (learn != nullptr) {  // the share `power` of the intervals is narrow enough
      const LabPower& last = result_.steps.back();
      const double ratio = sample_quantile(last.widths, request_.power) / learn->width;
      wanted = static_cast<double>(last.trials) * ratio * ratio;
    } else {
      wanted = power_line(result_.steps, now, request_.confidence).trials_for(request_.power);
    }
    return within_limits(std::clamp(wanted, now / kMostFactor, now * kMostFactor));
  }

  const LabRequest& request_;
  const PowerFunction& power_;
  LabTrials result_;
};

}  // namespace

double PowerLine::power(double trials) const {
  return normal_cumulative(at_zero + slope * std::sqrt(trials));
}

double PowerLine::trials_for(double power) const {
  const double root = (normal_score(power) - at_zero) / slope;
  if (!(slope > 0)) return std::numeric_limits<double>::infinity();
  return root > 0 ? root * root : 0.0;
}

PowerLine power_line(const std::vector<LabPower>& steps, double trials, double confidence) {
  double w = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  const auto add = [&](double weight, double at, double value) {
    w += weight;
    x += weight * at;
    y += weight * value;
    xx += weight * at * at;
    xy += weight * at * value;
  };
  // Without any trials a test still finds what is not there, by its own error.
  add(kGuessExperiments, 0.0, normal_score(1 - confidence));
  for (const LabPower& step : steps) {
    const auto count = static_cast<double>(step.experiments);
    const double share = (static_cast<double>(step.reached) + 0.5) / (count + 1);
    const double z = normal_score(share);
    const double spread = normal_density(z);
    const double root = std::sqrt(static_cast<double>(step.trials));
    const double away = (root / std::sqrt(trials) - 1) / kNearRoot;
    const double weight = count * spread * spread / (share * (1 - share)) * std::exp(-away * away);
    add(weight, root, z);
  }
  const double slope = (w * xy - x * y) / (w * xx - x * x);
  return {(y - slope * x) / w, slope};
}

LabTrials search_trials(const LabRequest& request, double first_guess, std::int64_t experiments,
                        const PowerFunction& power) {
  return TrialSearch(request, power).run(first_guess, experiments);
}

namespace {

/// Experiments for the way of choosing that is only compared with.
constexpr std::int64_t kOtherExperiments = 300;
/// Experiments that estimate what a given number of trials can show.
constexpr std::int64_t kScopeExperiments = 200;
constexpr double kFirstLearnTrials = 100;
constexpr std::uint64_t kExperimentSeed = 404;
/// The effort of forecasts: for the way of choosing that was asked for, and for the other one.
constexpr double kWholeEffort = 1.0;
constexpr double kOtherEffort = 0.5;

class LabPlanner {
 public:
  LabPlanner(const SweepConfig& config, const LabQuestion& question, const SweepControl& control,
             const LabPlanWatcher& watcher)
      : config_(config), question_(question), control_(control), watcher_(watcher) {}

  LabPlan plan() {
    (void)lab_of(config_, question_.request.goal);  // a change that cannot be is found here
    LabPlan plan{config_.name, config_.name, question_, pilot(), {}, {}, 0};
    plan.cells =
        static_cast<std::size_t>(config_.placement.index(0, 0, config_.placement.theta_rad.cells));
    plan.answer = answer(plan.pilot, question_.choice, kWholeEffort, question_.experiments);
    if (has_informative_placements(question_.request.goal)) {
      const auto other = question_.choice == PlacementChoice::kSpread
                             ? PlacementChoice::kInformative
                             : PlacementChoice::kSpread;
      plan.other = answer(plan.pilot, other, kOtherEffort,
                          std::min(kOtherExperiments, question_.experiments));
    }
    return plan;
  }

 private:
  /// Reports trials that are simulated next.
  void simulates(std::int64_t trials) {
    watcher_.simulates(trials, left_);
    left_ -= trials;
  }

  Pilot pilot() {
    const LabGoal& goal = question_.request.goal;
    const std::int64_t trials = pilot_trials(goal);
    left_ = trials + forecast_trials(kMostPlacements, goal, kWholeEffort);
    if (has_informative_placements(goal)) {
      left_ += forecast_trials(kMostPlacements, goal, kOtherEffort);
    }
    simulates(trials);
    return run_pilot(config_, goal, question_.seed, control_);
  }

  LabAnswer answer(const Pilot& pilot, PlacementChoice choice, double effort,
                   std::int64_t experiments) {
    LabAnswer answer;
    answer.choice = choice;
    answer.design = {choose_placements(pilot, choice), question_.trials_per_placement,
                     question_.sessions};
    const LabGoal& goal = question_.request.goal;
    simulates(forecast_trials(answer.design.places.size(), goal, effort));
    const LabForecast made =
        forecast(config_, goal, answer.design, effort, question_.seed, control_);
    simulates(0);
    if (const auto* given = std::get_if<TrialsGoal>(&goal)) {
      answer.search = {true, given->trials, {}};
      answer.scope = simulate_scope(made, question_.request, given->trials, kScopeExperiments,
                                    question_.seed + kExperimentSeed, without_counters());
      if (answer.scope->experiments < kScopeExperiments) throw AnalysisStopped();
      return answer;
    }
    answer.search = search_trials(question_.request, first_guess(made), experiments,
                                  [&](std::int64_t trials, std::int64_t count) {
                                    return simulate(made, choice, trials, count);
                                  });
    return answer;
  }

  [[nodiscard]] double first_guess(const LabForecast& made) const {
    if (std::holds_alternative<LearnGoal>(question_.request.goal)) return kFirstLearnTrials;
    return approximate_trials(made, question_.request);
  }

  LabPower simulate(const LabForecast& made, PlacementChoice choice, std::int64_t trials,
                    std::int64_t count) {
    LabPower power =
        simulate_power(made, question_.request, trials, count,
                       question_.seed + kExperimentSeed + steps_++, without_counters());
    if (power.experiments < count) throw AnalysisStopped();
    watcher_.tried(choice, power);
    return power;
  }

  [[nodiscard]] SweepControl without_counters() const {
    SweepControl control = control_;
    control.counters = nullptr;
    return control;
  }

  const SweepConfig& config_;
  const LabQuestion& question_;
  const SweepControl& control_;
  const LabPlanWatcher& watcher_;
  std::uint64_t steps_ = 0;
  std::int64_t left_ = 0;  ///< trials that are still to be simulated
};

}  // namespace

std::size_t LabAnswer::placements() const {
  const auto each = static_cast<std::int64_t>(design.trials_per_placement);
  return std::min(static_cast<std::size_t>((search.trials + each - 1) / each),
                  design.places.size());
}

LabPlan make_lab_plan(const SweepConfig& config, const LabQuestion& question,
                      const SweepControl& control, const LabPlanWatcher& watcher) {
  return LabPlanner(config, question, control, watcher).plan();
}

}  // namespace graspmap
