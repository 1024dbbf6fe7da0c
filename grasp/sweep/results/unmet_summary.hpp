#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/success_conditions.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// A condition of the success rule, and the trials that did not meet it.
struct UnmetCount {
  std::string key;     ///< as of an UnmetCondition
  std::string wanted;  ///< the same
  std::int64_t trials = 0;
  /// What was touched in its place, the most frequent first; nothing for a window.
  std::vector<std::pair<std::string, std::int64_t>> found = {};
  std::optional<Interval> middle_half = {};  ///< quartiles of what a window does not contain
};

/// What one trial shows.
struct TrialVerdict {
  std::vector<UnmetCondition> unmet;
  bool holds_exchanged = false;  ///< with left and right exchanged in [[success]]
};

/// Why grasps of a run are no success though the jaws stopped, or time ran out, with the part
/// between them: among trials that were wedged or timed out.
struct UnmetSummary {
  std::int64_t trials = 0;  ///< that ended so
  std::int64_t looked_at = 0;
  std::vector<UnmetCount> conditions = {};  ///< the most frequent first; a trial may lack several
  std::int64_t exchanged = 0;  ///< would succeed with left and right exchanged in [[success]]
  std::vector<std::pair<std::int64_t, TrialVerdict>> seen = {};  ///< what was looked at, by index
};

/// Simulates up to `most` of these trials again, spread evenly over the run, and says which
/// conditions they lack; `totals` are the store's. Nothing of a run that this program simulates
/// otherwise: of another engine or time-stepper. A pure function of the stored trials.
std::optional<UnmetSummary> count_unmet(const RunStore& store, const CellCounts& totals,
                                        std::int64_t most = 1000);

/// Whether a trial ended so: the part between the jaws, and no success.
bool is_held_without_success(Outcome outcome);
/// Whether this program simulates the run's trials as they were.
bool can_simulate_again(const RunStore& store);

/// Simulates trials of a run again.
std::vector<TrialVerdict> verdicts(const SweepConfig& config,
                                   const std::vector<std::int64_t>& trials);

/// For a person: a table of the most frequent ones; "" without any.
std::string unmet_text(const UnmetSummary& summary);

/// "left should touch tooth_1", "theta_rad should be -0.01 to 0.01".
std::string condition_text(const UnmetCount& condition);

}  // namespace graspmap
