#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "grasp/sweep/adaptive/cell_beliefs.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/success_map.hpp"
#include "grasp/sweep/trials/trial_range.hpp"

namespace graspmap {

/// Where the sweet spot of the complete run will be, estimated from an incomplete one.
struct SweetSpotForecast {
  /// The most probable one (the one with the highest confidence; of equal ones the one that is
  /// itself more probable, then the first). Its probability and interval are those of the trials
  /// so far. Not found when the complete run will have none.
  SweetSpot spot;
  /// The probability that the complete run puts it within sweep.adaptive.sweet_spot_within_mm of
  /// here, in the same cell of angles.
  double confidence = 0.0;
  /// For each cell: the share of the variance of the sweet spot's place that one would be rid of if
  /// one knew whether the cell is going to be worse than the sweet spot's worst cell. 0 for cells
  /// of which chance alone would show as much.
  std::vector<double> influence;
};

/// From a thousand draws of the complete run (fewer on maps of more than 40,000 cells).
SweetSpotForecast forecast_sweet_spot(const SweepConfig& config, const SuccessMap& map,
                                      const std::vector<CellBelief>& beliefs);

/// What a run might come out as if it were completed, all trials in all cells: several possible
/// outcomes, drawn at random as the beliefs have it (from the posterior predictive distribution:
/// what is there stays, and the successes among the trials to come are beta-binomial). The draws
/// belong to seed, cell and their number: the same map gives the same draws.
class CompleteRuns {
 public:
  /// `trials_per_cell` is not less than any cell has.
  CompleteRuns(const SuccessMap& map, const std::vector<CellBelief>& beliefs, int trials_per_cell,
               std::uint64_t seed, int draws);

  [[nodiscard]] int draws() const { return draws_; }
  /// The successes of a cell in a draw.
  [[nodiscard]] int successes(int draw, std::size_t cell) const {
    return successes_[place(draw, cell)];
  }
  /// The valid trials of a cell, the same in all draws: trials to come do not fail.
  [[nodiscard]] int valid_trials(std::size_t cell) const { return valid_trials_[cell]; }
  /// The success probability of a cell as the map of a draw shows it.
  [[nodiscard]] double probability(int draw, std::size_t cell) const {
    return static_cast<double>(successes(draw, cell)) / static_cast<double>(valid_trials(cell));
  }

 private:
  [[nodiscard]] std::size_t place(int draw, std::size_t cell) const {
    return static_cast<std::size_t>(draw) * valid_trials_.size() + cell;
  }

  int draws_;
  std::vector<int> valid_trials_;
  std::vector<std::uint16_t> successes_;
};

/// The probability of 0, 1, ..., at most `trials` cases that are no success among so many trials to
/// come; they sum to 1.
std::vector<double> others_to_come(const CellBelief& belief, int trials);

/// Whether an adaptive run continues, or why not.
enum class AdaptiveState {
  kGoesOn,
  kGoalReached,
  kBudgetSpent,
  kAllRun  ///< all trials in all cells: the run is the complete run
};

/// More trials for a cell: those that follow the ones it has.
struct CellBatch {
  std::size_t cell = 0;
  int trials = 0;

  friend bool operator==(const CellBatch&, const CellBatch&) = default;
};

/// What the rule makes of the trials after a round.
struct AdaptiveDecision {
  AdaptiveState state = AdaptiveState::kGoesOn;
  /// Not made between the rounds of an allocated run, which does not ask for it.
  std::optional<SweetSpotForecast> forecast;
  bool sweet_spot_known = false;
  /// Cells of which it is not known on which side of the plateau's edge they lie, and of these the
  /// ones whose interval is wider than asked for.
  std::int64_t edge_cells = 0;
  std::int64_t wide_cells = 0;
  double standard_error = 0.0;     ///< mean_standard_error of the map
  std::vector<CellBatch> batches;  ///< the next round, most urgent first; none when it is over
};

/// In what proportion trials in the cells make their mean standard error small (Neyman 1934, for a
/// mean of standard errors): with n trials a cell of success probability p has sqrt(p (1 - p) / n),
/// so n goes as (p (1 - p))^(1/3): its mean over what is believed of p, by each part's
/// B(a + 1/3, b + 1/3) / B(a, b).
std::vector<double> map_weights(const std::vector<CellBelief>& beliefs);

/// How many trials each cell should have of `total`, given a pilot: each at least what it has, at
/// most `most`, in proportion to `weights` (> 0). Numbers above the pilot's are powers of two, at
/// which nets are best and alike cells have as many (or `most`). More in total is no less in any
/// cell. The sum is `total` at most; it falls short by the rounding.
std::vector<int> allocated_trials(const SuccessMap& pilot, const std::vector<double>& weights,
                                  std::int64_t total, int most);

/// Decides what an adaptive run does after a round, from nothing but the configuration and the
/// trials of the rounds so far: all cells have sweep.adaptive.first_trials or more.
///
/// The sweet spot is known when its forecast has the confidence asked for. A cell is on the edge
/// while neither p >= plateau_probability nor p < plateau_probability is believed with that
/// confidence. The goal is reached when the sweet spot is known, or no cell on the edge has a
/// Wilson interval wider than interval_width, or either, or both.
///
/// The next round goes to the cells with most influence on where the sweet spot will be, and to the
/// cells on the edge with the widest intervals; half of it to each where both are asked for and
/// neither is done. A cell gets half as many trials as it has, at least first_trials: so it is
/// looked at a few times only. Cells inside and outside get none. A round has about round_trials;
/// the last one ends with the budget, and is the beginning of what it would be with a larger one.
///
/// With the goals kMap and kPlan there is one more round: all that the budget has left, by
/// allocated_trials with map_weights or aim_weights; or, with a standard error to be reached, each
/// round has as many trials as there were before it.
AdaptiveDecision decide(const SweepConfig& config, const SuccessMap& map);

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
  /// Where the complete run's sweet spot will be, estimated from the complete rounds, one or more.
  [[nodiscard]] SweetSpotForecast forecast() const;
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
  [[nodiscard]] std::int64_t index_of(std::size_t cell, int trial) const;

  SweepConfig config_;
  std::vector<CellTrials> cells_;
  SuccessMap map_;  ///< the trials of the complete rounds
  std::int64_t awaited_ = 0;
  int rounds_ = 0;
  std::optional<AdaptiveDecision> decision_;
  std::optional<std::int64_t> when_known_;
};

}  // namespace graspmap
