#include "grasp/sweep/results/unmet_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "grasp/base/io/number_text.hpp"
#include "grasp/sweep/trials/success_conditions.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kMostConditions = 5;  ///< in a table
constexpr std::size_t kMostFound = 3;       ///< of what was touched in its place

/// Up to `most` of `count` numbered things, spread evenly: those whose multiple of the golden
/// ratio has a small fraction. Every n-th would always meet the same cells of the map.
bool is_chosen(std::int64_t number, std::int64_t count, std::int64_t most) {
  constexpr double kGolden = 0.6180339887498949;
  const double turns = kGolden * static_cast<double>(number);
  return (turns - std::floor(turns)) * static_cast<double>(count) < static_cast<double>(most);
}

std::vector<std::int64_t> chosen_trials(const RunStore& store, std::int64_t count,
                                        std::int64_t most) {
  std::vector<std::int64_t> chosen;
  std::int64_t number = 0;
  store.for_each([&](const TrialRow& row) {
    if (!is_held_without_success(row.outcome) || std::ssize(chosen) == most) return;
    if (is_chosen(number++, count, most)) chosen.push_back(row.index);
  });
  return chosen;
}

std::vector<SuccessAlternative> exchanged(std::vector<SuccessAlternative> success) {
  for (SuccessAlternative& rule : success) std::swap(rule.left, rule.right);
  return success;
}

}  // namespace

bool is_held_without_success(Outcome outcome) {
  return outcome == Outcome::kWedged || outcome == Outcome::kTimeout;
}

bool can_simulate_again(const RunStore& store) {
  return store.engine() == kEngine && !store.config().scenario.other_stepper;
}

std::vector<TrialVerdict> verdicts(const SweepConfig& config,
                                   const std::vector<std::int64_t>& trials) {
  const std::vector<SuccessAlternative> other = exchanged(config.success);
  std::vector<TrialVerdict> all(trials.size());
  run_trials(std::ssize(trials), {}, [&](std::int64_t i, Workspace& workspace, auto& result) {
    const auto place = static_cast<std::size_t>(i);
    const TrialRow row = run_trial(config, trials[place], workspace, result);
    DrawnScenario memory;
    const double hold_factor = asked_hold_factor(
        config, scenario_of(config, sample_uncertain(config, trials[place]), memory), row);
    all[place].unmet =
        unmet_conditions(config.success, config.scenario.part, result, row.final_pose, hold_factor);
    all[place].holds_exchanged =
        std::any_of(other.begin(), other.end(), [&](const SuccessAlternative& rule) {
          return holds(rule, result, row.final_pose, hold_factor);
        });
    return row.outcome;
  });
  return all;
}

namespace {

/// The trials that lack one condition.
struct Lacking {
  std::int64_t trials = 0;
  std::map<std::string, std::int64_t> found;
  std::vector<double> values;
};

UnmetCount counted(const std::string& key, const std::string& wanted, Lacking lacking) {
  UnmetCount count{key, wanted, lacking.trials};
  std::vector<double>& values = lacking.values;
  if (!values.empty()) {
    std::sort(values.begin(), values.end());
    count.middle_half = {values[values.size() / 4], values[3 * values.size() / 4]};
    return count;
  }
  count.found.assign(lacking.found.begin(), lacking.found.end());
  std::stable_sort(count.found.begin(), count.found.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return count;
}

/// ", and touches tooth_3 (61 %), tooth_2 (20 %)", or where half of the numbers lie.
std::string found_text(const UnmetCount& condition) {
  if (condition.middle_half) {
    return fmt::format(", and is {:.3g} to {:.3g} in half of them", condition.middle_half->low,
                       condition.middle_half->high);
  }
  if (!is_touch(condition.key)) return "";
  std::string text;
  for (std::size_t k = 0; k < std::min(kMostFound, condition.found.size()); ++k) {
    const auto& [what, trials] = condition.found[k];
    text += fmt::format("{}{} ({})", k == 0 ? ", and touches " : ", ", what,
                        percent(share_of(trials, condition.trials), 0));
  }
  return text;
}

}  // namespace

std::optional<UnmetSummary> count_unmet(const RunStore& store, const CellCounts& totals,
                                        std::int64_t most) {
  const SweepConfig& config = store.config();
  if (!can_simulate_again(store)) return std::nullopt;
  UnmetSummary summary;
  summary.trials = totals.count(Outcome::kWedged) + totals.count(Outcome::kTimeout);
  const std::vector<std::int64_t> trials = chosen_trials(store, summary.trials, most);
  summary.looked_at = std::ssize(trials);
  std::map<std::pair<std::string, std::string>, Lacking> by_condition;
  std::vector<TrialVerdict> told = verdicts(config, trials);
  for (std::size_t k = 0; k < trials.size(); ++k) {
    summary.seen.emplace_back(trials[k], std::move(told[k]));
    const TrialVerdict& verdict = summary.seen.back().second;
    summary.exchanged += verdict.holds_exchanged;
    for (const UnmetCondition& unmet : verdict.unmet) {
      Lacking& lacking = by_condition[{unmet.key, unmet.wanted}];
      ++lacking.trials;
      ++lacking.found[unmet.found];
      if (unmet.value) lacking.values.push_back(*unmet.value);
    }
  }
  for (auto& [condition, lacking] : by_condition) {
    summary.conditions.push_back(counted(condition.first, condition.second, std::move(lacking)));
  }
  std::stable_sort(summary.conditions.begin(), summary.conditions.end(),
                   [](const auto& a, const auto& b) { return a.trials > b.trials; });
  return summary;
}

std::string condition_text(const UnmetCount& condition) {
  const std::string& key = condition.key;
  if (key == "held") return "both jaws should touch the part";
  if (key == "at_rest") return "the part should be at rest";
  return fmt::format("{} should {} {}", key, is_touch(key) ? "touch" : "be", condition.wanted);
}

std::string unmet_text(const UnmetSummary& summary) {
  if (summary.conditions.empty()) return "";
  std::string text =
      fmt::format("\nWhy a part that the jaws hold is no success ({} of {} such trials)\n",
                  summary.looked_at, summary.trials);
  for (std::size_t k = 0; k < std::min(kMostConditions, summary.conditions.size()); ++k) {
    const UnmetCount& condition = summary.conditions[k];
    text += fmt::format("  {:>7}  {}{}\n", percent(share_of(condition.trials, summary.looked_at)),
                        condition_text(condition), found_text(condition));
  }
  return text;
}

}  // namespace graspmap
