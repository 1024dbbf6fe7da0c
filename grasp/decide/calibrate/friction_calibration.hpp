#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/probability/proportions.hpp"
#include "grasp/decide/calibrate/adaptive_simulation.hpp"
#include "grasp/decide/calibrate/discrepancy.hpp"
#include "grasp/decide/calibrate/stored_model.hpp"
#include "grasp/decide/statistics/tempered_sampler.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// What became known of a number.
struct Learned : Unknown {
  std::vector<double> draws;  ///< of the posterior
  double mean = 0.0;
  double sd = 0.0;
  double median = 0.0;
  Interval interval;         ///< the shortest one, see shortest_interval; of what is unknown, all
                             ///< that the prior allows
  bool touches_low = false;  ///< the interval reaches the prior's bound, and that is not physical
  bool touches_high = false;
  double prior_sd = 0.0;
  std::vector<double> prior_draws;
  [[nodiscard]] double sd_ratio() const { return sd / prior_sd; }
  /// The experiment says little about it.
  [[nodiscard]] bool is_unknown() const { return sd_ratio() > 0.8; }
};

/// A cell as the posterior predicts it.
struct PredictedCell {
  double probability = 0.0;  ///< mean over the posterior
  Interval interval;         ///< of the probability, of equal tails
  double discrepancy = 0.0;  ///< mean over the posterior, on the logit scale
};

/// Where the predictions of a calibration come from.
enum class PredictionSource { kStored, kSimulated };

struct Calibration {
  FrictionFamily family = FrictionFamily::kUniform;
  PredictionSource source = PredictionSource::kStored;
  std::vector<Learned> learned;                    ///< as Unknowns::reported
  std::vector<std::vector<double>> correlations;   ///< of the parameters, in their order
  std::array<Distribution, 2> mean_distributions;  ///< with the posterior means of the parameters
  std::vector<PredictedCell> predicted;
  PosteriorDraws posterior;
  FitCheck fit;
  KernelWidths kernel;                   ///< of the model of stored trials
  double median_effective_trials = 0.0;  ///< behind a cell under the posterior's distributions
  int rounds = 0;                        ///< of simulated trials
  std::int64_t simulated_trials = 0;
};

/// The number with this name; throws std::logic_error without one.
const Learned& find_learned(const Calibration& calibration, const std::string& name);

/// The fewest effective trials behind the median cell for which a posterior is given.
inline constexpr double kLeastCalibrationTrials = 30.0;

/// The posterior of the distributions of friction given an experiment, from the stored trials of a
/// run; docs/explanation/statistics.md has the formulas. A pure function of its arguments.
Calibration calibrate_friction(const CalibrationData& data, FrictionFamily family,
                               double confidence,
                               const SamplerSettings& settings = {.draws = 2000});

/// The same from trials that are simulated at the experiment's placements, and of whatever else is
/// unknown. A pure function of its arguments.
Calibration calibrate_by_simulation(const std::vector<CalibrationCell>& cells,
                                    const Unknowns& unknowns, const NoiseDistributions& noise,
                                    const TrialSimulator& simulate, double confidence,
                                    const AdaptiveSettings& adaptive = {},
                                    const SamplerSettings& settings = {.draws = 1000, .moves = 4});

/// An interval, and the bounds of the prior that it reaches.
struct ShortestInterval {
  Interval interval;
  bool touches_low = false;
  bool touches_high = false;
};

/// The shortest interval that holds a share of draws from a density on [low, high] (Chen, Shao
/// 1999): the highest density when that has one peak. Where the density does not fall towards a
/// bound, the interval begins at the bound: intervals of equal tails leave out a width of 0 even
/// if it is the likeliest. The density beside a bound is that of the nearest twentieth of the
/// draws' range; it is compared with the density that the interval's ends have.
ShortestInterval shortest_interval(std::vector<double> draws, double share, double low,
                                   double high);

/// What `graspmap calibrate` reports: the same result as text, JSON, CSV and figures.

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
  bool can_reweight = false;     ///< `graspmap reweight` has trials for the mean distributions
  bool has_discrepancy = false;  ///< a field over the placements was sought
  std::string range_options;     ///< " --jaw-range 0,0.7", as they were given; or ""
  int slice = 0;                 ///< of the run's angles: the experiment's
};

/// Whether the experiment does not look like what the posterior predicts: p < 0.05.
inline bool is_misfit(const Calibration& calibration) { return calibration.fit.p_value() < 0.05; }

/// "jaw friction 0.050 to 0.200 and support friction 0.1 to 0.4": the distributions with the
/// posterior means of their parameters.
std::string found_friction(const CalibrationReport& report);

/// The mean distributions of the coefficients that were sought, as --set takes them.
std::vector<std::string> mean_settings(const CalibrationReport& report);

/// The distributions, what they leave open, whether the experiment contradicts them, and how to go
/// on.
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

/// The friction behind an experiment: what `graspmap calibrate` and Run.calibrate are asked.
/// fields() says what each means.
struct CalibrateRequest {
  FrictionFamily family = FrictionFamily::kUniform;
  std::optional<double> theta_rad;
  bool simulate = false;
  std::vector<std::string> with;
  std::vector<std::string> columns;
  std::optional<std::array<double, 2>> jaw_range;
  std::optional<std::array<double, 2>> support_range;
  int threads = 0;
  double confidence = 0.95;

  RequestFields fields();
};

/// The decision on a stored run, which must live as long as what is found. Throws RequestError,
/// also when no distribution that is sought can give the experiment; ConfigError.
CalibrationReport calibrate_run(const RunStore& run, const std::filesystem::path& experiment,
                                const CalibrateRequest& request, const ShowTrials& show = {});

}  // namespace graspmap
