#pragma once

#include <span>
#include <vector>

#include "grasp/decide/calibrate/calibration_data.hpp"

namespace graspmap {

/// What the counts of a cell are expected to be: beta-binomial.
struct CellPrediction {
  double probability = 0.0;
  double effective_trials = 0.0;  ///< that would tell as much of it
};

/// What is expected of each cell at each point of the unknowns.
class OutcomeModel {
 public:
  OutcomeModel() = default;
  virtual ~OutcomeModel() = default;
  OutcomeModel(const OutcomeModel&) = delete;
  OutcomeModel& operator=(const OutcomeModel&) = delete;

  /// Of each cell, in their order. May be called by several threads at once.
  [[nodiscard]] virtual std::vector<CellPrediction> predict(
      std::span<const double> point) const = 0;
  /// The log of the likelihood of the counts, but for the binomial coefficients, which no unknown
  /// changes. May be called by several threads at once.
  [[nodiscard]] virtual double log_likelihood(std::span<const double> point) const = 0;
};

/// The log of the beta-binomial probability of an experiment's counts, but for the binomial
/// coefficients, which no unknown changes.
double log_likelihood(const std::vector<CalibrationCell>& cells,
                      const std::vector<CellPrediction>& expected);

/// The same of some of the cells.
double log_likelihood(const std::vector<CalibrationCell>& cells,
                      const std::vector<CellPrediction>& expected,
                      std::span<const std::size_t> some);

}  // namespace graspmap
