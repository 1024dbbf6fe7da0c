#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "grasp/base/probability/distribution.hpp"
#include "grasp/sweep/config/scenario_number.hpp"

namespace graspmap {

/// A number of the scenario that is drawn anew for each trial.
struct UncertainNumber {
  std::string key;  ///< as ScenarioNumber has it
  Distribution law;
  ScenarioNumber number;  ///< in the configuration's scenario
};

/// Random inputs that are not independent: a Gaussian copula.
struct CorrelatedInputs {
  std::vector<std::string> keys;  ///< of uncertain numbers, "friction.jaw", "friction.support",
                                  ///< "placement.noise.x_mm", ...; two or more, each once
  Eigen::MatrixXd correlation;    ///< of the normal scores; symmetric, positive definite, ones on
                                  ///< the diagonal
};

/// The scenario of a trial in which the uncertain numbers have these values, in their order.
/// `trial` is memory.
void set_uncertain_numbers(const Scenario& nominal, const std::vector<UncertainNumber>& numbers,
                           std::span<const double> values, Scenario& trial);

}  // namespace graspmap
