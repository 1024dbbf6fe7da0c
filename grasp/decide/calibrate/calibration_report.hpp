#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/calibrate/friction_calibration.hpp"

namespace graspmap {

/// What `graspmap calibrate` tells: the same result as text, JSON, CSV and figures.

/// A calibration and what it was made of.
struct CalibrationReport {
  const SweepConfig& config;
  Experiment experiment;
  CalibrationData data;
  Calibration calibration;
  double confidence = 0.95;
  std::filesystem::path run = {};     ///< the run's store
  std::filesystem::path folder = {};  ///< where calibrate.json goes; empty: RUNDIR/calibrate
  std::string options = {};      ///< of the request that another calibration must have, too, each
                                 ///< after a space
  bool can_reweight = false;     ///< `graspmap reweight` has trials for the mean laws
  bool has_nuisances = false;    ///< more than friction was sought
  bool has_discrepancy = false;  ///< a field over the placements among it
};

/// Whether the experiment does not look like what the posterior predicts: p < 0.05.
inline bool is_misfit(const Calibration& calibration) { return calibration.fit.p_value() < 0.05; }

/// "jaw friction 0.050 to 0.200 and support friction 0.1 to 0.4": the laws with the posterior means
/// of their parameters.
std::string found_laws(const CalibrationReport& report);

/// The mean laws of the coefficients that were sought, as --set takes them.
std::vector<std::string> mean_settings(const CalibrationReport& report);

/// The laws, what they leave open, whether the experiment contradicts them, and how to go on.
std::string calibration_text(const CalibrationReport& report);

Object calibration_fields(const CalibrationReport& report);

/// A row for each parameter and for the mean of each coefficient.
Table parameters_table(const CalibrationReport& report);

/// A row for each draw of the posterior.
Table posterior_table(const CalibrationReport& report);

/// A row for each cell of the experiment: counts, and the predicted probability.
Table predicted_table(const CalibrationReport& report);

/// The experiment, what the posterior predicts, and the difference, on the run's cells.
Figure predicted_figure(const CalibrationReport& report);

/// The posterior of a calibration: a row for each two parameters (those of a coefficient together),
/// of their histograms, with the prior's density and the interval, and of the draws of both.
/// laws.gp draws laws.png and laws.svg from laws.csv, all in one folder. `title` is any text.
Figure posterior_figure(const Calibration& calibration, const std::string& title,
                        double confidence);

}  // namespace graspmap
