#pragma once

#include <array>
#include <string>
#include <vector>

#include "grasp/analysis/calibrate/calibration_model.hpp"
#include "grasp/statistics/interval.hpp"
#include "grasp/statistics/tempered_sampler.hpp"

namespace graspmap {

/// What became known of a number.
struct Learned {
  std::string name;           ///< "friction.jaw.min"
  std::size_t input = 0;      ///< 0 jaw, 1 support
  bool is_parameter = true;   ///< false: made of the parameters
  std::vector<double> draws;  ///< of the posterior
  double mean = 0.0;
  double sd = 0.0;
  double median = 0.0;
  Interval interval;  ///< of equal tails
  double prior_sd = 0.0;
  [[nodiscard]] double sd_ratio() const { return sd / prior_sd; }
  /// The experiment says little about it.
  [[nodiscard]] bool is_unknown() const { return sd_ratio() > 0.8; }
};

/// A cell as the posterior predicts it.
struct PredictedCell {
  double probability = 0.0;  ///< mean over the posterior
  Interval interval;         ///< of the probability, of equal tails
};

struct Calibration {
  LawFamily family = LawFamily::kUniform;
  std::array<FrictionRange, 2> ranges;
  std::vector<Learned> learned;  ///< of each coefficient that varies: two parameters, the mean
  std::vector<std::vector<double>> correlations;  ///< of the parameters, in their order
  std::array<Distribution, 2> mean_laws;          ///< with the posterior means of the parameters
  std::vector<PredictedCell> predicted;
  PosteriorDraws posterior;
  EmulatorBandwidths bandwidths;         ///< of the emulator
  double median_effective_trials = 0.0;  ///< behind a cell under the posterior's laws
  double deviance = 0.0;                 ///< mean over the posterior
  double expected_deviance = 0.0;        ///< of counts that the posterior predicts
  double p_value = 0.0;  ///< of such counts, how often they fit worse than the experiment's
};

/// The fewest effective trials behind the median cell for which a posterior is given.
inline constexpr double kLeastCalibrationTrials = 30.0;

/// The posterior of the laws of friction given an experiment; docs/explanation/statistics.md has
/// the formulas. A pure function of its arguments.
Calibration calibrate_friction(const CalibrationData& data, LawFamily family, double confidence,
                               const SamplerSettings& settings = {.draws = 2000});

}  // namespace graspmap
