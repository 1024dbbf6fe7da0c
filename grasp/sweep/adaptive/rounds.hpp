#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grasp/sweep/adaptive/rule.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/success_map.hpp"
#include "grasp/sweep/trials/trial_range.hpp"

namespace graspmap {

/// The rounds of an adaptive run. Outcomes of trials are added in any order. From them follow the
/// round of the run, its missing trials and, at the end, the reason why the run stopped: when all
/// trials of a round are there, the rule decides about the next one. Trials keep the index that
/// they have in the complete run (cell = index mod cells), and a cell always has its first ones. So
/// the rounds and the trials are the same on any machines, however often a run is stopped and
/// resumed.
class AdaptiveRounds {
 public:
  /// Of a configuration with adaptive sampling.
  explicit AdaptiveRounds(const SweepConfig& config);

  /// Adds a trial. Each trial is added once.
  void add(std::int64_t index, Outcome outcome);

  /// The trials of the present round that are not there, in the order of the index; none when the
  /// run is over.
  [[nodiscard]] TrialRanges missing() const;
  [[nodiscard]] bool finished() const { return awaited_ == 0; }
  /// The rounds that are complete.
  [[nodiscard]] int rounds() const { return rounds_; }
  /// What was decided after the last of them; nothing before.
  [[nodiscard]] const std::optional<AdaptiveDecision>& decision() const { return decision_; }
  /// How many trials there were when the sweet spot was first known; nothing while it never was.
  [[nodiscard]] std::optional<std::int64_t> trials_when_known() const { return when_known_; }

 private:
  /// The outcomes of a cell's trials that are there, and what is awaited of it.
  struct CellTrials {
    std::vector<std::optional<Outcome>> outcomes;  ///< by the trial's place in the cell
    int counted = 0;                               ///< in the map of the complete rounds
    int wanted = 0;                                ///< by the end of the present round
  };

  void end_round();
  void want(std::size_t cell, int trials);
  [[nodiscard]] bool is_there(std::size_t cell, int trial) const;

  SweepConfig config_;
  std::vector<CellTrials> cells_;
  SuccessMap map_;  ///< the trials of the complete rounds
  std::int64_t awaited_ = 0;
  int rounds_ = 0;
  std::optional<AdaptiveDecision> decision_;
  std::optional<std::int64_t> when_known_;
};

}  // namespace graspmap
