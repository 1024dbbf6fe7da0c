#include "grasp/analysis/plan/success_field.hpp"

namespace graspmap {
namespace {

/// Where the trials of each cell begin in a table that is sorted by cell; one more for the end.
std::vector<std::size_t> first_trials(const std::vector<CellCounts>& counts) {
  std::vector<std::size_t> first{0};
  first.reserve(counts.size() + 1);
  for (const CellCounts& cell : counts) {
    first.push_back(first.back() + static_cast<std::size_t>(cell.trials()));
  }
  return first;
}

void count(CellCounts& counts, Outcome outcome) {
  ++counts.by_outcome[static_cast<std::size_t>(outcome)];
}

}  // namespace

SuccessField::SuccessField(const std::array<Axis, 3>& axes, const std::vector<TrialSample>& samples)
    : axes_(axes) {
  counts_.resize(static_cast<std::size_t>(axes[0].cells) * static_cast<std::size_t>(axes[1].cells) *
                 static_cast<std::size_t>(axes[2].cells));
  for (const TrialSample& sample : samples) count(counts_[sample.cell], sample.outcome);
  first_ = first_trials(counts_);
  trials_.resize(samples.size());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const IntendedPlacement& intended = samples[k].intended;
    trials_[next[samples[k].cell]++] = {
        {intended.x_mm, intended.y_mm, intended.theta_rad}, samples[k].outcome, k};
  }
}

SuccessField SuccessField::half(int which) const {
  SuccessField result;
  result.axes_ = axes_;
  result.counts_.resize(cells());
  for (std::size_t c = 0; c < cells(); ++c) {
    for (std::size_t k = first_[c] + static_cast<std::size_t>(which); k < first_[c + 1]; k += 2) {
      result.trials_.push_back(trials_[k]);
      count(result.counts_[c], trials_[k].outcome);
    }
  }
  result.first_ = first_trials(result.counts_);
  return result;
}

}  // namespace graspmap
