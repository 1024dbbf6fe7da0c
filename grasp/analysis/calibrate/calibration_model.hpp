#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "grasp/analysis/calibrate/calibration_data.hpp"
#include "grasp/statistics/distribution.hpp"

/// The laws of friction among which a calibration seeks, and what each makes of the experiment.

namespace graspmap {

/// The kind of law from which an experiment's friction is taken to be drawn.
enum class LawFamily {
  kUniform,  ///< between two unknown bounds
  kNormal    ///< truncated normal of unknown mean and sigma on what the run covers
};

/// The word for a family: "uniform", "normal".
const char* name(LawFamily family);

/// The law that belongs to two numbers in [0, 1], uniform in them a priori.
/// Uniform: max = low + R sqrt(u1), min = low + (max - low) u2: (min, max) is uniform over
/// low <= min < max <= high, with R = high - low. Normal: mean = low + R u1, sigma = R u2 / 2. A
/// fixed coefficient stays so.
Distribution law_at(LawFamily family, const FrictionRange& range, double u1, double u2);

/// The mean of the draws of a law of a family.
double mean_of_law(const Distribution& law);

/// What the counts of a cell are expected to be: beta-binomial.
struct CellPrediction {
  double probability = 0.0;
  double effective_trials = 0.0;  ///< that tell as much of it as the stored ones
};

/// The laws of both coefficients, and what they make likely. A point has two numbers in [0, 1] for
/// each coefficient that is not fixed, see law_at. `data` must live as long as the model.
class CalibrationModel {
 public:
  /// Learned from `trials`, some of those in `data`.
  CalibrationModel(const CalibrationData& data, std::span<const EmulatorTrial> trials,
                   LawFamily family, std::optional<EmulatorBandwidths> bandwidths = {});

  [[nodiscard]] const EmulatorBandwidths& bandwidths() const { return emulator_.bandwidths(); }
  /// How many numbers a point has.
  [[nodiscard]] int dimension() const;
  /// Of jaw and support.
  [[nodiscard]] std::array<Distribution, 2> laws(std::span<const double> point) const;
  [[nodiscard]] std::vector<CellPrediction> predict(std::span<const double> point) const;
  /// The share of the stored trials that is effective under the laws at a point.
  [[nodiscard]] double efficiency(std::span<const double> point) const;
  [[nodiscard]] double log_likelihood(std::span<const double> point) const;

 private:
  /// The shares of the emulator's bins of both inputs.
  [[nodiscard]] std::array<std::vector<double>, 2> shares(std::span<const double> point) const;

  const CalibrationData& data_;
  LawFamily family_;
  SuccessEmulator emulator_;
  /// Half a trial: the probability that is taken for certain failure, 1 minus it for success.
  std::vector<double> floor_;
  std::vector<double> failed_squared_;
};

}  // namespace graspmap
