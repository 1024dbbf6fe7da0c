#include "grasp/decide/plan/compared_placements.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace graspmap {

ComparedPlacements::ComparedPlacements(const SuccessField& field, const ErrorMixture& error,
                                       const PlacementVector& reference, double design_effect)
    : field_(field),
      error_(error),
      design_effect_(design_effect),
      reference_(field.cells()),
      alone_(field.cells()) {
  for (const CellMass& cell : cell_masses(field, error, reference)) {
    reference_[cell.cell] = share(cell, reference);
    alone_[cell.cell] = variance(cell.cell, reference_[cell.cell], {});
    all_alone_ += alone_[cell.cell];
  }
}

ComparedPlacements::Share ComparedPlacements::share(const CellMass& cell,
                                                    const PlacementVector& at) const {
  Share result{cell.mass, {}};
  const CellCounts& counts = field_.counts(cell.cell);
  const std::int64_t successes = counts.count(Outcome::kSuccess);
  if (successes == 0 || successes == counts.trials()) return result;
  trial_weights(field_, error_, at, cell.cell, result.weights);
  double sum = 0;
  for (std::size_t k = 0; k < result.weights.size(); ++k) {
    if (field_.begin(cell.cell)[k].outcome == Outcome::kFailed) result.weights[k] = 0;
    sum += result.weights[k];
  }
  if (!(sum > 0)) return {cell.mass, {}};
  for (double& weight : result.weights) weight /= sum;
  return result;
}

double ComparedPlacements::variance(std::size_t cell, const Share& a, const Share& b) const {
  const CellCounts& counts = field_.counts(cell);
  const auto valid = static_cast<double>(counts.valid_trials());
  if (valid == 0) return 0;
  double squares = 0;
  if (a.weights.empty() && b.weights.empty()) {
    squares = (a.mass - b.mass) * (a.mass - b.mass) / valid;
  } else {
    const auto of = [&](const Share& share, std::size_t k) {
      return share.weights.empty() ? share.mass / valid : share.mass * share.weights[k];
    };
    for (std::size_t k = 0; k < std::max(a.weights.size(), b.weights.size()); ++k) {
      const double apart = of(a, k) - of(b, k);
      squares += apart * apart;
    }
  }
  const auto successes = static_cast<double>(counts.count(Outcome::kSuccess));
  return outcome_spread(field_, error_, cell, {1.0, successes, valid}).variance * squares;
}

double ComparedPlacements::standard_error(const PlacementVector& at) const {
  double sum = all_alone_;
  for (const CellMass& cell : cell_masses(field_, error_, at)) {
    sum += variance(cell.cell, share(cell, at), reference_[cell.cell]) - alone_[cell.cell];
  }
  return std::sqrt(design_effect_ * std::max(sum, 0.0));
}

}  // namespace graspmap
