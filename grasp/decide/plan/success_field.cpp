#include "grasp/decide/plan/success_field.hpp"

#include "grasp/sweep/adaptive/cell_beliefs.hpp"

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

/// The means of p (1 - p) and p (1 - p) (1 - 2 p) over what is believed of p: moments of Betas.
StratumSpread spread_of_belief(const CellBelief& belief) {
  StratumSpread spread;
  for (const auto& [weight, a, b] : belief) {
    const double n = a + b;
    const double variance = a * b / (n * (n + 1));
    const double times_p = variance * (a + 1) / (n + 2);  // the mean of p^2 (1 - p)
    spread.variance += weight * variance;
    spread.third += weight * (variance - 2 * times_p);
  }
  return spread;
}

/// Of a cell whose trials came out differently: without bias of the variance.
StratumSpread spread_of_counts(const CellCounts& counts) {
  const auto n = static_cast<double>(counts.valid_trials());
  const double p = counts.success_probability();
  const double variance = p * (1 - p) * n / (n - 1);
  return {variance, variance * (1 - 2 * p)};
}

bool came_out_differently(const CellCounts& counts) {
  const std::int64_t successes = counts.count(Outcome::kSuccess);
  return successes > 0 && successes < counts.valid_trials();
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
  believe_cells();
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
  result.believe_cells();
  return result;
}

void SuccessField::believe_cells() {
  SuccessMap map(axes_[0], axes_[1], axes_[2]);
  map.cells = counts_;
  const std::vector<CellBelief> beliefs = believe(map);
  for (std::size_t c = 0; c < cells(); ++c) {
    spreads_.push_back(came_out_differently(counts_[c]) ? spread_of_counts(counts_[c])
                                                        : spread_of_belief(beliefs[c]));
  }
}

}  // namespace graspmap
