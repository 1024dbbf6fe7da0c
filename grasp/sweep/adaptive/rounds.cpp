#include "grasp/sweep/adaptive/rounds.hpp"

namespace graspmap {

AdaptiveRounds::AdaptiveRounds(const SweepConfig& config)
    : config_(config),
      cells_(static_cast<std::size_t>(config.placement.cell_count())),
      map_(config.placement) {
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    want(cell, config.adaptive->first_trials);
  }
}

bool AdaptiveRounds::is_there(std::size_t cell, int trial) const {
  const auto& outcomes = cells_[cell].outcomes;
  const auto place = static_cast<std::size_t>(trial);
  return place < outcomes.size() && outcomes[place].has_value();
}

void AdaptiveRounds::want(std::size_t cell, int trials) {
  CellTrials& of_cell = cells_[cell];
  for (int k = of_cell.wanted; k < of_cell.wanted + trials; ++k) {
    if (!is_there(cell, k)) ++awaited_;
  }
  of_cell.wanted += trials;
}

void AdaptiveRounds::add(std::int64_t index, Outcome outcome) {
  const auto cells = static_cast<std::int64_t>(cells_.size());
  CellTrials& cell = cells_[static_cast<std::size_t>(index % cells)];
  const std::int64_t trial = index / cells;
  const auto place = static_cast<std::size_t>(trial);
  if (place >= cell.outcomes.size()) cell.outcomes.resize(place + 1);
  cell.outcomes[place] = outcome;
  if (trial >= cell.wanted) return;  // of a later round
  --awaited_;
  while (awaited_ == 0 && (!decision_ || decision_->state == AdaptiveState::kGoesOn)) end_round();
}

/// Counts the trials of the round and decides about the next one.
void AdaptiveRounds::end_round() {
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    CellTrials& trials = cells_[cell];
    for (; trials.counted < trials.wanted; ++trials.counted) {
      const Outcome outcome = *trials.outcomes[static_cast<std::size_t>(trials.counted)];
      ++map_.cells[cell].by_outcome[static_cast<std::size_t>(outcome)];
    }
  }
  ++rounds_;
  decision_ = decide(config_, map_);
  if (decision_->sweet_spot_known && !when_known_) when_known_ = map_.total().trials();
  for (const CellBatch& batch : decision_->batches) want(batch.cell, batch.trials);
}

TrialRanges AdaptiveRounds::missing() const {
  std::vector<TrialRange> ranges;
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    for (int k = cells_[cell].counted; k < cells_[cell].wanted; ++k) {
      if (is_there(cell, k)) continue;
      const auto index = static_cast<std::int64_t>(cell) +
                         static_cast<std::int64_t>(k) * static_cast<std::int64_t>(cells_.size());
      ranges.push_back({index, index + 1});
    }
  }
  return joined(std::move(ranges));
}

}  // namespace graspmap
