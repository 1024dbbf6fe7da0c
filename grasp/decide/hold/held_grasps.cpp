#include "grasp/decide/hold/held_grasps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/decide/statistics/weighted_sample.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/computed_columns.hpp"
#include "grasp/sweep/trials/success_conditions.hpp"

namespace graspmap {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kClosingForce = "gripper.closing_force_n";

/// The configuration with a rule of success that asks nothing of the hold.
SweepConfig without_hold_factor(SweepConfig config) {
  for (SuccessAlternative& rule : config.success) rule.hold_factor.reset();
  return config;
}

/// The stored trials: whether their closing succeeds, and their hold factors.
class Grasps {
 public:
  Grasps(const RunStore& run, const SweepConfig& config)
      : config_(config), samples_(read_trial_samples(run)) {
    rows_.reserve(samples_.size());
    run.for_each([&](const TrialRow& row) {
      if (rows_.size() < samples_.size()) rows_.push_back(row);
    });
    closes_.assign(rows_.size(), Outcome::kFailed);
    factors_.assign(rows_.size(), kNaN);
    judges_again_ = asks_for_hold(run.config().success);
  }

  /// Judges all trials; false when it was stopped.
  [[nodiscard]] bool judge(SweepControl control, const ShowTrials& show) {
    const SweepConfig closing = without_hold_factor(config_);
    TrialCounters counters;
    control.counters = &counters;
    const auto shown_while = shown(show, counters, std::ssize(rows_));
    return run_trials(std::ssize(rows_), control,
                      [&](std::int64_t i, Workspace& workspace, auto& result) {
                        const auto place = static_cast<std::size_t>(i);
                        const TrialRow& row = rows_[place];
                        closes_[place] = closing_of(closing, row, workspace, result);
                        factors_[place] = held_factor(config_, row);
                        return row.outcome;
                      }) == std::ssize(rows_);
  }

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] const TrialRow& row(std::size_t k) const { return rows_[k]; }
  [[nodiscard]] Outcome closing(std::size_t k) const { return closes_[k]; }
  [[nodiscard]] double factor(std::size_t k) const { return factors_[k]; }
  [[nodiscard]] const TrialSample& sample(std::size_t k) const { return samples_[k]; }

  /// Whether a closing that succeeds could not be judged further.
  [[nodiscard]] bool is_unknown(std::size_t k) const {
    return closes_[k] == Outcome::kSuccess && std::isnan(factors_[k]);
  }

  /// What becomes of a trial that has to be held with a safety factor.
  [[nodiscard]] Outcome lifted(std::size_t k, double least_factor) const {
    if (is_unknown(k)) return Outcome::kFailed;
    if (closes_[k] != Outcome::kSuccess || factors_[k] >= least_factor) return closes_[k];
    return Outcome::kWedged;
  }

  /// The field of outcome(k) of each trial.
  template <typename Function>
  [[nodiscard]] SuccessField field(const Function& outcome) {
    for (std::size_t k = 0; k < size(); ++k) samples_[k].outcome = outcome(k);
    return {config_.placement.axes(), samples_, config_.points};
  }

  [[nodiscard]] SuccessField closing_field() {
    return field([&](std::size_t k) { return is_unknown(k) ? Outcome::kFailed : closing(k); });
  }
  [[nodiscard]] SuccessField lifted_field(double least_factor) {
    return field([&](std::size_t k) { return lifted(k, least_factor); });
  }

 private:
  /// A trial that the hold factor alone may have kept from success has to be simulated again.
  [[nodiscard]] Outcome closing_of(const SweepConfig& closing, const TrialRow& row,
                                   Workspace& workspace, SimulationResult& result) const {
    const bool again =
        judges_again_ && (row.outcome == Outcome::kWedged || row.outcome == Outcome::kTimeout);
    return again ? run_trial(closing, row.index, workspace, result).outcome : row.outcome;
  }

  const SweepConfig& config_;
  std::vector<TrialSample> samples_;
  std::vector<TrialRow> rows_;
  std::vector<Outcome> closes_;
  std::vector<double> factors_;
  bool judges_again_ = false;
};

constexpr std::array kCellQuantiles = {0.05, 0.5};

std::vector<HeldCell> held_cells(const Grasps& grasps, const CellGrid& grid, double factor) {
  const auto count = static_cast<std::size_t>(grid.cell_count());
  std::vector<HeldCell> cells(count);
  std::vector<std::vector<double>> factors(count);
  for (std::size_t k = 0; k < grasps.size(); ++k) {
    const std::size_t c = grasps.sample(k).cell;
    if (grasps.lifted(k, factor) == Outcome::kFailed) continue;
    ++cells[c].trials;
    if (grasps.closing(k) != Outcome::kSuccess) continue;
    ++cells[c].close;
    cells[c].lifted += grasps.factor(k) >= factor ? 1 : 0;
    factors[c].push_back(grasps.factor(k));
  }
  for (std::size_t c = 0; c < count; ++c) {
    const auto size = static_cast<Eigen::Index>(factors[c].size());
    cells[c].factor_05 = cells[c].factor_50 = kNaN;
    if (size == 0) continue;
    const std::vector<double> found =
        weighted_quantiles(Eigen::Map<const Eigen::VectorXd>(factors[c].data(), size),
                           Eigen::VectorXd::Ones(size), kCellQuantiles);
    cells[c].factor_05 = found[0];
    cells[c].factor_50 = found[1];
  }
  return cells;
}

/// At the placement that is asked for.
class AtPlacement {
 public:
  AtPlacement(Grasps& grasps, const SweepConfig& config, HeldGrasps& held)
      : grasps_(grasps), config_(config), held_(held), z_(two_sided_z(held.question.confidence)) {}

  void find(const SuccessField& closing) {
    held_.closes = expected(closing);
    held_.lifted = at_force(1.0).lifted;
    find_quantiles(closing);
    find_forces();
    constexpr int kForces = 41;
    for (int k = 0; k < kForces; ++k) {
      held_.curve.push_back(at_force(std::pow(2.0, -2.0 + k / 10.0)));  // a quarter to four times
    }
  }

  /// Simulates the trials that count again, with the force found; false when it was stopped.
  [[nodiscard]] bool check(const SuccessField& closing, SweepControl control,
                           const ShowTrials& show) {
    const double times = *held_.force_n / held_.closing_force_n;
    std::vector<std::size_t> chosen;
    for (const auto& [cell, mass] :
         cell_masses(closing, held_.asked.error, *held_.asked.placement)) {
      for (const auto* trial = closing.begin(cell); trial != closing.end(cell); ++trial) {
        chosen.push_back(trial->source);
      }
    }
    SweepConfig stronger = without_hold_factor(config_);
    stronger.scenario.gripper.closing_force_n *= times;
    std::vector<Outcome> outcomes(grasps_.size(), Outcome::kFailed);
    TrialCounters counters;
    control.counters = &counters;
    const auto shown_while = shown(show, counters, std::ssize(chosen));
    const std::int64_t done = run_trials(
        std::ssize(chosen), control, [&](std::int64_t i, Workspace& workspace, auto& result) {
          const std::size_t k = chosen[static_cast<std::size_t>(i)];
          outcomes[k] = again(stronger, times, grasps_.row(k), workspace, result);
          return outcomes[k];
        });
    if (done < std::ssize(chosen)) return false;
    const SuccessField field = grasps_.field([&](std::size_t k) { return outcomes[k]; });
    held_.check = ForceCheck{{*held_.force_n, expected(field)}, done};
    return true;
  }

 private:
  [[nodiscard]] ExpectedSuccess expected(const SuccessField& field) const {
    const ErrorMixture& error = held_.asked.error;
    ExpectedSuccess p = expected_success(field, error, *held_.asked.placement, z_);
    if (error.worlds < 2) return p;
    const std::vector<double> worlds = success_in_worlds(field, error, *held_.asked.placement);
    p.interval = with_worlds(p, interval_of_worlds(worlds, held_.question.confidence));
    return p;
  }

  /// With a multiple of the closing force: factors are proportional to it.
  [[nodiscard]] AtForce at_force(double times) {
    return {times * held_.closing_force_n,
            expected(grasps_.lifted_field(held_.question.factor / times))};
  }

  void find_quantiles(const SuccessField& closing) {
    std::vector<double> factors;
    std::vector<double> shares;
    std::vector<double> weights;
    for (const auto& [cell, mass] :
         cell_masses(closing, held_.asked.error, *held_.asked.placement)) {
      trial_weights(closing, held_.asked.error, *held_.asked.placement, cell, weights);
      const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
      for (std::size_t k = 0; k < weights.size(); ++k) {
        const SuccessField::Trial& trial = closing.begin(cell)[k];
        if (trial.outcome != Outcome::kSuccess || !(all > 0.0)) continue;
        factors.push_back(grasps_.factor(trial.source));
        shares.push_back(mass * weights[k] / all);
        multiples_.insert(held_.question.factor / factors.back());
      }
    }
    multiples_.erase(multiples_.upper_bound(std::numeric_limits<double>::max()), multiples_.end());
    held_.quantiles.fill(kNaN);
    const auto size = static_cast<Eigen::Index>(factors.size());
    const Eigen::Map<const Eigen::VectorXd> values(factors.data(), size);
    const Eigen::Map<const Eigen::VectorXd> of_all(shares.data(), size);
    if (size == 0 || !(of_all.sum() > 0.0)) return;
    held_.shifts = (values.array() == 0.0).select(of_all, 0.0).sum() / of_all.sum();
    const std::vector<double> found = weighted_quantiles(values, of_all, kHoldQuantiles);
    std::copy(found.begin(), found.end(), held_.quantiles.begin());
  }

  /// The least force with which `reached` is true, which it stays for larger ones.
  template <typename Reached>
  [[nodiscard]] std::optional<double> least_force(const Reached& reached) {
    // Where success changes: each trial is held from its own multiple on.
    const std::vector<double> at(multiples_.begin(), multiples_.end());
    std::size_t low = 0;
    std::size_t high = at.size();
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (reached(at_force(at[middle] * kJustAbove).lifted)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    if (low == at.size()) return std::nullopt;
    return at[low] * kJustAbove * held_.closing_force_n;
  }

  void find_forces() {
    const double required = held_.question.required;
    held_.force_n =
        least_force([&](const ExpectedSuccess& p) { return p.probability >= required; });
    held_.sure_force_n =
        least_force([&](const ExpectedSuccess& p) { return p.interval.low >= required; });
  }

  [[nodiscard]] Outcome again(const SweepConfig& stronger, double times, const TrialRow& row,
                              Workspace& workspace, SimulationResult& result) const {
    std::vector<double> uncertain = sample_uncertain(stronger, row.index);
    for (std::size_t k = 0; k < uncertain.size(); ++k) {
      if (stronger.uncertain[k].key == kClosingForce) uncertain[k] *= times;
    }
    const TrialRow closed = run_trial(stronger, row.parameters, uncertain, workspace, result);
    if (closed.outcome != Outcome::kSuccess) return closed.outcome;
    DrawnScenario memory;
    const double factor =
        hold_factor_of(stronger, scenario_of(stronger, uncertain, memory), closed);
    if (std::isnan(factor)) return Outcome::kFailed;
    return factor >= held_.question.factor ? Outcome::kSuccess : Outcome::kWedged;
  }

  /// A force is rounded up: one that would just do, does.
  static constexpr double kJustAbove = 1.0 + 1e-9;

  Grasps& grasps_;
  const SweepConfig& config_;
  HeldGrasps& held_;
  double z_;
  std::set<double> multiples_;  ///< of the force, at which one more trial is held
};

}  // namespace

std::optional<HeldGrasps> held_grasps(const RunStore& run, const SweepConfig& config,
                                      const HoldQuestion& question, const PlacementOptions& at,
                                      const SweepControl& control, const ShowTrials& show) {
  Grasps grasps(run, config);
  if (!grasps.judge(control, show)) return std::nullopt;
  HeldGrasps held;
  held.rule = *config.hold;
  held.question = question;
  held.trials = grasps.size();
  const Gripper& gripper = config.scenario.gripper;
  held.closing_force_n = gripper.closing_force_n;
  held.force_is_uncertain =
      std::any_of(config.uncertain.begin(), config.uncertain.end(),
                  [](const UncertainNumber& number) { return number.key == kClosingForce; });
  held.gives_way = gripper.coupling == Coupling::kIndependent &&
                   held.rule.drives == HeldDrive::kGivesWay &&
                   held.rule.direction != HoldDirection::kUp;
  held.grid = config.placement;
  held.cells = held_cells(grasps, held.grid, question.factor);
  for (std::size_t k = 0; k < grasps.size(); ++k) held.unknown += grasps.is_unknown(k) ? 1 : 0;
  const SuccessField closing = grasps.closing_field();
  const SuccessField stored = grasps.field([&](std::size_t k) { return grasps.row(k).outcome; });
  held.asked = asked_placement(run, stored, at);
  if (!held.asked.placement) return held;
  AtPlacement here(grasps, config, held);
  here.find(closing);
  if (question.check && held.force_n && !here.check(closing, control, show)) return std::nullopt;
  return held;
}

}  // namespace graspmap
