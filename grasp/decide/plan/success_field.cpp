#include "grasp/decide/plan/success_field.hpp"

#include <cmath>

#include "geometry/assert.hpp"
#include "grasp/sweep/adaptive/cell_beliefs.hpp"

namespace graspmap {
namespace {

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

/// That of a cell whose trials came out differently: without bias of the variance.
StratumSpread spread_of_counts(const CellCounts& counts) {
  const auto n = static_cast<double>(counts.valid_trials());
  const double p = counts.success_probability();
  const double variance = p * (1 - p) * n / (n - 1);
  return {variance, variance * (1 - 2 * p)};
}

}  // namespace

SuccessField::CellTrials SuccessField::by_cell(const std::array<Axis, 3>& axes,
                                               const std::vector<TrialSample>& samples) {
  CellTrials of_cell(static_cast<std::size_t>(CellGrid{axes[0], axes[1], axes[2]}.cell_count()));
  for (std::size_t k = 0; k < samples.size(); ++k) {
    GRASPMAP_CHECK(samples[k].cell < of_cell.size());
    const IntendedPlacement& at = samples[k].intended;
    of_cell[samples[k].cell].push_back({{at.x_mm, at.y_mm, at.theta_rad}, samples[k].outcome, k});
  }
  return of_cell;
}

SuccessField::SuccessField(const std::array<Axis, 3>& axes, const std::vector<TrialSample>& samples,
                           SweepPoints points)
    : SuccessField(axes, by_cell(axes, samples)) {
  has_nets_ = points == SweepPoints::kSobol;
}

SuccessField::SuccessField(const std::array<Axis, 3>& axes, const CellTrials& of_cell)
    : axes_{axes[0], axes[1], angle_axis(axes[2])}, map_(axes[0], axes[1], axes[2]) {
  for (std::size_t c = 0; c < cells(); ++c) {
    first_.push_back(trials_.size());
    trials_.insert(trials_.end(), of_cell[c].begin(), of_cell[c].end());
    for (const Trial& trial : of_cell[c]) {
      ++map_.cells[c].by_outcome[static_cast<std::size_t>(trial.outcome)];
    }
  }
  first_.push_back(trials_.size());
  const std::vector<CellBelief> beliefs = believe(map_);
  for (std::size_t c = 0; c < cells(); ++c) {
    const std::int64_t successes = counts(c).count(Outcome::kSuccess);
    const bool came_out_alike = successes == 0 || successes == counts(c).valid_trials();
    spreads_.push_back(came_out_alike ? spread_of_belief(beliefs[c]) : spread_of_counts(counts(c)));
  }
}

SuccessField SuccessField::half(int which) const {
  GRASPMAP_CHECK(which == 0 || which == 1);
  CellTrials of_cell(cells());
  for (std::size_t c = 0; c < cells(); ++c) {
    for (std::size_t k = first_[c] + static_cast<std::size_t>(which); k < first_[c + 1]; k += 2) {
      of_cell[c].push_back(trials_[k]);
    }
  }
  return {axes_, of_cell};
}

}  // namespace graspmap
