#pragma once

#include <string>
#include <vector>

#include "grasp/analysis/calibrate/friction_calibration.hpp"
#include "grasp/figures/figure.hpp"

/// What `graspmap calibrate` tells: the same result as text, JSON, CSV and figures.

namespace graspmap {

/// A calibration and what it was made of.
struct CalibrationReport {
  const SweepConfig& config;
  const Experiment& experiment;
  const CalibrationData& data;
  const Calibration& calibration;
  double confidence = 0.95;
  std::string run;  ///< the run's folder, as a person names it
};

/// The laws, what they leave open, whether they explain the experiment, and how to go on.
std::string calibration_text(const CalibrationReport& report);

std::string calibration_json(const CalibrationReport& report);

/// A row for each parameter and for the mean of each coefficient.
std::string parameters_csv(const CalibrationReport& report);

/// A row for each draw of the posterior.
std::string posterior_csv(const CalibrationReport& report);

/// A row for each cell of the experiment: counts, and the predicted probability.
std::string predicted_csv(const CalibrationReport& report);

/// The experiment, what the posterior predicts, and the difference, on the run's cells.
Figure predicted_figure(const CalibrationReport& report);

}  // namespace graspmap
