#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "grasp/analysis/compare/experiment.hpp"
#include "grasp/config/sweep_config.hpp"
#include "grasp/statistics/interval.hpp"
#include "grasp/statistics/success_emulator.hpp"
#include "grasp/statistics/tempered_sampler.hpp"
#include "grasp/store/trial_samples.hpp"

namespace graspmap {

/// The kind of law from which an experiment's friction is taken to be drawn.
enum class LawFamily {
  kUniform,  ///< between two unknown bounds
  kNormal    ///< truncated normal of unknown mean and sigma on what the run covers
};

/// The word for a family: "uniform", "normal".
const char* name(LawFamily family);

/// What a run covers of a friction coefficient: where its law is sought.
struct FrictionRange {
  std::string key;  ///< "friction.jaw"
  double low = 0.0;
  double high = 0.0;
  [[nodiscard]] bool is_fixed() const { return !(low < high); }
};

/// The law that belongs to two numbers in [0, 1], uniform in them a priori.
/// Uniform: max = low + R sqrt(u1), min = low + (max - low) u2: (min, max) is uniform over
/// low <= min < max <= high, with R = high - low. Normal: mean = low + R u1, sigma = R u2 / 2. A
/// fixed coefficient stays so.
Distribution law_at(LawFamily family, const FrictionRange& range, double u1, double u2);

/// The mean of the draws of a law of a family.
double mean_of_law(const Distribution& law);

/// The cells of an experiment that the stored trials say something of.
struct CalibrationCell {
  ExperimentCell experiment;
  std::int64_t stored_trials = 0;  ///< without the failed ones
  std::int64_t stored_failed = 0;
};

/// What is compared with what.
struct CalibrationData {
  std::vector<CalibrationCell> cells;
  std::vector<EmulatorTrial> trials;    ///< stored ones in these cells that did not fail
  std::array<FrictionRange, 2> ranges;  ///< jaw, support
  std::int64_t experiment_trials = 0;   ///< in these cells
  std::int64_t left_out = 0;            ///< trials of the experiment in other cells
};

/// The fewest stored trials in a cell of the experiment that is used.
inline constexpr std::int64_t kLeastStoredTrials = 10;

/// Puts stored trials, by their intended placement, into the cells of the experiment; single trials
/// of the experiment are first counted in the run's cells. `slice` is the cell of angles of the
/// run.
CalibrationData calibration_data(const SweepConfig& config, const std::vector<TrialSample>& samples,
                                 const Experiment& experiment, int slice);

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

/// A cell as the posterior foretells it.
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
  double expected_deviance = 0.0;        ///< of counts that the posterior foretells
  double p_value = 0.0;  ///< of such counts, how often they fit worse than the experiment's
};

/// The fewest effective trials behind the median cell for which a posterior is given.
inline constexpr double kLeastCalibrationTrials = 30.0;

/// The posterior of the laws of friction given an experiment; docs/explanation/statistics.md has
/// the formulas. A pure function of its arguments.
Calibration calibrate_friction(const CalibrationData& data, LawFamily family, double confidence,
                               const SamplerSettings& settings = {.draws = 2000});

}  // namespace graspmap
