#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/decide/plan/success_field.hpp"
#include "grasp/sweep/results/summary.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

/// A run that grows while a page shows it. Workers simulate trials, each with a run of its own of
/// the same configuration; one run takes the trials of all, and answers. The trials are those of
/// `graspmap run` with the same configuration, to the last bit.
class PageRun {
 public:
  /// `file` is where the run is stored, and must not be there; in a browser, empty.
  PageRun(const SweepConfig& config, const std::filesystem::path& file);

  [[nodiscard]] const RunStore& store() const { return store_; }

  /// The trials that are to be taken next: all that are missing, of an adaptive run those of its
  /// round. None when the run is complete.
  [[nodiscard]] TrialRanges missing() const;
  /// The records (TrialRecord) of trials, one behind the other. Does not take them.
  [[nodiscard]] std::string simulate(TrialRange trials);
  /// Takes the trials of records, in any order, each trial once. Throws RequestError for other
  /// bytes.
  void take(std::string_view records);
  /// The same of outcomes, a byte each (kOutcomes), of the trials of ranges in their order: what a
  /// report holds. What was drawn for a trial follows from its index; how it ended besides is not
  /// known (NaN). What needs that, `graspmap pose` for one, cannot be asked of such a run.
  void take_outcomes(const TrialRanges& trials, std::string_view outcomes);
  /// Takes those trials of another run that this one has too: what differs changes no trial, as the
  /// robot's error, or is the number of trials in each cell. Else takes none.
  void keep(const PageRun& other);
  /// From now on there are `trials_per_cell` trials in each cell, not fewer than before. Throws
  /// RequestError.
  void extend(int trials_per_cell);

  /// What the trials show by now. As the page of a report has it: "facts", "map", "summary",
  /// "trials", "reasons". Besides: "config", the configuration resolved; "answer", JSON of what one
  /// wants to know first; "text", what `graspmap run` prints; "trials_csv"; "digest";
  /// "finger.dxf" and "finger.svg", the right finger. Throws RequestError for another name.
  [[nodiscard]] std::string part(std::string_view name) const;

  /// Success over the placement, by the trials so far. Throws RequestError without trials.
  [[nodiscard]] const SuccessField& field() const;
  /// Throws RequestError when it is not known how all trials ended.
  void need_ends() const;

 private:
  void take_rows(std::vector<TrialRow>& rows);
  void forget();
  [[nodiscard]] const RunSummary& quick_summary() const;
  [[nodiscard]] const RunSummary& whole_summary() const;

  RunStore store_;
  RunTotals totals_;
  Workspace workspace_;
  SimulationResult result_;
  mutable std::optional<RunSummary> quick_;  ///< of the trials by now; nothing simulated again
  mutable std::optional<RunSummary> whole_;  ///< of the trials by now
  mutable std::optional<SuccessField> field_;
  bool ends_known_ = true;
};

}  // namespace graspmap
