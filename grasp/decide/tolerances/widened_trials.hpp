#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "grasp/base/probability/proportions.hpp"
#include "grasp/base/probability/stratified.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"

namespace graspmap {

/// Where the gripper is sent and how exactly the robot gets there.
struct AimAndRobot {
  std::array<double, 3> at{};              ///< x (mm), y (mm), theta (rad)
  std::array<Distribution, 3> error = {};  ///< the robot's, independent; fixed at 0: exact
  bool fixed_angle = true;                 ///< the sweep has one angle only: it need not be told

  /// Of the error.
  [[nodiscard]] std::array<double, 3> standard_deviations() const;
};

/// The number that says how wide a distribution is.
enum class WidthMeasure {
  kHalfWidth,  ///< of a uniform distribution
  kSigma       ///< of others: the distribution's sigma, else the standard deviation
};

/// A random input of a grasp, whose distribution can be made wider and narrower.
struct ToleranceInput {
  std::string key;  ///< as in the configuration; "robot.x_mm", "robot.y_mm", "robot.theta_rad"
  Distribution distribution;
  WidthMeasure measure = WidthMeasure::kSigma;
  double width = 0.0;  ///< today's, in the unit of the key
  /// What the number can be at all: a wider distribution's draws beyond it become its ends.
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  std::string unit = {};  ///< of the number and its width: "mm"; "" without one

  /// The distribution whose width is `factor` times today's, with the same mean: widened(); for 0
  /// fixed.
  [[nodiscard]] Distribution distribution_of(double factor) const;
};

/// The inputs of a configuration whose distributions are not fixed, in the order of TrialDraw: its
/// uncertain numbers, friction, noise of the placement; last the robot's errors.
std::vector<ToleranceInput> tolerance_inputs(const SweepConfig& config, const AimAndRobot& aim);

/// An input of this distribution, whose number may have the values in `range`; one that must be
/// positive keeps at least a hundredth of the distribution's mean.
ToleranceInput tolerance_input(const std::string& key, const Distribution& distribution,
                               const NumberRange& range = kAnyNumber);

/// A width as it is printed: "±0.15 mm" or "σ 0.15 mm".
std::string width_text(const ToleranceInput& input, double width);

/// Grasps at one placement, drawn anew, under distributions that are wider or narrower than a
/// configuration's. A grasp is a pure function of the factors, a seed and its index; the random
/// numbers do not depend on the factors, so that grasps of two widths are pairs.
class WidenedTrials {
 public:
  /// `factors`: one for each of tolerance_inputs(config, aim).
  WidenedTrials(const SweepConfig& config, const AimAndRobot& aim, std::span<const double> factors);

  /// Simulates grasp `index`. A grasp whose numbers, under wider distributions than the
  /// configuration's, give no part or finger is blocked.
  Outcome run(std::uint64_t seed, std::uint64_t index, Workspace& workspace,
              SimulationResult& result) const;

  /// The same for a part of a lot (sample_at).
  Outcome run(std::uint64_t seed, const PartOfLot& part, Workspace& workspace,
              SimulationResult& result) const;

 private:
  /// `numbers`: the uncertain ones; the others follow them.
  Outcome simulate(TrialParameters parameters, std::vector<double> numbers, std::uint64_t seed,
                   std::uint64_t index, Workspace& workspace, SimulationResult& result) const;

  SweepConfig config_;  ///< with the distributions of these widths
  AimAndRobot aim_;
  std::vector<ToleranceInput> inputs_;  ///< as in the configuration
  std::vector<std::size_t> place_;      ///< of each input among all numbers of a grasp
};

/// Simulates the grasps first, ..., first + count - 1 of a sample under distributions whose widths
/// have these factors. Grasp k has the same random numbers under all widths.
using SimulateWidths = std::function<std::vector<PairSide>(std::span<const double> factors,
                                                           std::int64_t first, std::int64_t count)>;

/// A sample of grasps under various widths. Samples of fewer grasps are the first of larger ones,
/// and grasps that were simulated are kept.
class WidthSample {
 public:
  /// `most` grasps at most under each widths.
  WidthSample(SimulateWidths simulate, std::int64_t most);

  /// How all grasps of the sample come out.
  SampleCounts count(const std::vector<double>& factors);

  /// Whether the share of successes in the whole sample is at least `share`. A part of the sample
  /// (250, 500, 1000, ... grasps) decides where Wilson's interval at 3.5 standard deviations, wrong
  /// once in 2000 times, does not hold `share`.
  bool reaches(const std::vector<double>& factors, double share);

  /// By how much success is more frequent under `a` than under `b`, in pairs.
  Estimate difference(const std::vector<double>& a, const std::vector<double>& b, double z);

  /// The grasps that were simulated.
  [[nodiscard]] std::int64_t simulated() const { return simulated_; }

 private:
  const std::vector<PairSide>& outcomes(const std::vector<double>& factors, std::int64_t count);

  SimulateWidths simulate_;
  std::int64_t most_;
  std::int64_t simulated_ = 0;
  std::map<std::vector<double>, std::vector<PairSide>> outcomes_;
};

/// The share of successes among `trials` at which the lower end of Wilson's interval is
/// `probability` (it may be above 1): the score test's, p + z sqrt(p (1 - p) / n).
double share_for_confidence(double probability, std::int64_t trials, double z);

/// Simulates the grasps of a sample at a placement on several threads. `seed` is the sample's:
/// samples of different seeds are independent of each other and of the trials of a run. Ended early
/// by the thread's stop flag it throws AnalysisStopped. `config` must outlive the function.
SimulateWidths simulated_widths(const SweepConfig& config, const AimAndRobot& aim,
                                std::uint64_t seed, int threads);

}  // namespace graspmap
