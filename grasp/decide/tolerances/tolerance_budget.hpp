#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/tolerances/grades.hpp"
#include "grasp/decide/tolerances/widened_trials.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// What a budget of tolerances is to reach.
struct BudgetQuestion {
  AimAndRobot aim;
  double required = 0.95;      ///< probability of success
  double confidence = 0.95;    ///< of the intervals
  std::int64_t trials = 4000;  ///< grasps for each set in the search
  std::int64_t check_trials = 20'000;
  std::uint64_t seed = 1;
};

/// A width of each tolerance, what they cost, and how often a grasp succeeds.
struct PricedSet {
  std::vector<double> widths;                ///< of each tolerance of the cost file
  std::vector<std::optional<double>> costs;  ///< nothing where today's width is not offered
  SampleCounts success;                      ///< of the check
  Interval interval;

  /// The sum; nothing when one is not known.
  [[nodiscard]] std::optional<double> cost() const;
};

/// The answer.
struct ToleranceBudget {
  std::string name;   ///< of the sweep
  std::string title;  ///< of the run
  BudgetQuestion question;
  std::vector<ToleranceInput> inputs;
  CostFile costs;
  PricedSet today;
  bool found = false;              ///< false: no set reaches what is required
  PricedSet chosen;                ///< the cheapest that does, or the narrowest of all
  std::optional<PricedSet> equal;  ///< the same amount of money for each tolerance
  Estimate gain;                   ///< success of `chosen` minus today's, in pairs
  /// What success loses when one tolerance alone stays as it is, where its width is not today's.
  std::vector<std::optional<Estimate>> worth;
  bool proven = false;         ///< every cheaper set fell short in the search
  std::size_t sets = 0;        ///< that are offered; 0 with power laws
  std::size_t tried = 0;       ///< sets that were simulated in the search
  std::int64_t simulated = 0;  ///< grasps in all
};

/// Samples of grasps by their seeds; they are independent of each other.
using SampleOfSeed = std::function<SimulateWidths(std::uint64_t seed)>;

/// Shares a budget: the cheapest widths with which a grasp succeeds as often as required, all other
/// inputs as they are today.
///
/// The search (cheapest_grades) compares all sets on one sample; power laws are searched on a
/// geometric ladder of widths, which is then refined around the best set, three widths of each, to
/// steps of less than 5 %. A sample of another seed then checks the set: when fewer succeed than
/// required, the search is repeated, up to twice, with a requirement that is higher by what was
/// missing and a standard error. What is reported are the successes in the last check. `show` gets
/// the share of the work that is done; it may be empty.
ToleranceBudget share_budget(const std::vector<ToleranceInput>& inputs, const CostFile& costs,
                             const BudgetQuestion& question, const SampleOfSeed& sample,
                             const std::function<void(double)>& show = {});

/// For a person: the answer in words, then a table.
std::string budget_text(const ToleranceBudget& budget);
/// tolerances.json.
Object budget_fields(const ToleranceBudget& budget);
/// tolerances.csv: a row for each tolerance.
Table budget_table(const ToleranceBudget& budget);
/// tolerance_widths.gp draws tolerance_widths.png and .svg from tolerance_widths.csv.
Figure budget_figure(const ToleranceBudget& budget);

/// Which tolerances to tighten: what `graspmap tolerances` and Run.tolerances are asked. fields()
/// says what each means.
struct TolerancesRequest {
  std::vector<double> placement;
  std::optional<double> required_probability;
  std::string costs;
  std::optional<std::array<double, 2>> position_sigma_mm;
  std::optional<double> angle_sigma_rad;
  std::int64_t trials = 4000;
  std::int64_t check_trials = 20'000;
  std::uint64_t seed = 1;
  int threads = 0;
  double confidence = 0.95;

  RequestFields fields();
};

/// The decision on a stored run. `show` gets the share of the work that is done; it may be
/// empty. Throws RequestError, ConfigError.
ToleranceBudget tolerances_run(const RunStore& run, const TolerancesRequest& request,
                               const std::function<void(double)>& show = {});

}  // namespace graspmap
