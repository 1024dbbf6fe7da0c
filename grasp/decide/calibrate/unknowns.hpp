#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grasp/base/probability/distribution.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// The distributions of a friction coefficient among which a calibration seeks.

/// The kind of distribution from which an experiment's friction is taken to be drawn.
enum class FrictionFamily {
  kUniform,  ///< mean +- width / 2, of unknown mean and width
  kNormal    ///< truncated normal of unknown mean and sigma
};

/// The word for a family: "uniform", "normal".
const char* name(FrictionFamily family);

/// Where the distribution of a friction coefficient is sought.
struct FrictionRange {
  std::string key;  ///< "friction.jaw"
  double low = 0.0;
  double high = 0.0;
  /// Whether all of a distribution lies in the range, as it must where only stored trials are
  /// known; else its mean does, and the distribution may reach beyond, but not below 0.
  bool holds_all = true;
  [[nodiscard]] bool is_fixed() const { return !(low < high); }
};

/// The distribution that belongs to two numbers in [0, 1], uniform in them a priori. A fixed
/// coefficient stays so. Let R = high - low.
///
/// Where all of the distribution lies in the range, a uniform one has width = R (1 - sqrt(1 - u2))
/// and mean = low + width / 2 + (R - width) u1, so that (mean, width) is uniform over its triangle;
/// a normal one has mean = low + R u1 and sigma = R u2 / 2, and is truncated to the range.
///
/// Else the middle, or mean, is low + R u1. Friction varies by a share of its mean: the width, or
/// sqrt(12) sigma, over the mean is half-Cauchy (Polson and Scott 2012) with scale 1/2, up to 4.
/// The distribution is cut off at 0, so that one from 0 on has a probability of its own.
Distribution distribution_at(FrictionFamily family, const FrictionRange& range, double u1,
                             double u2);

/// A fixed, normal or truncated normal distribution with normal noise of this standard deviation; a
/// truncated one keeps its bounds.
Distribution blurred(const Distribution& distribution, double noise);

/// The density at z of a draw of the distribution plus noise of standard deviation `noise` > 0:
/// what a kernel makes of the distribution, which is of a family, fixed or normal. The noise of a
/// uniform distribution is logistic, which gives a closed form for every width down to 0: with h =
/// noise sqrt(3) / pi, x = (z - mean) / h and d = width / (2 h) it is sinh(d) / (width (cosh(x) +
/// cosh(d))). Other distributions are blurred().
double smoothed_density(const Distribution& distribution, double noise, double z);

/// What a calibration seeks: the distributions of friction and, if asked, what else may differ
/// between the laboratory and the configuration.

/// What may differ from trial to trial, or from the configuration.
enum class SoughtInput {
  kMuJaw,
  kMuSupport,
  kOffsetX,       ///< of the placement, mm
  kOffsetY,       ///< mm
  kOffsetTheta,   ///< rad
  kSupportScale,  ///< of the support's e_r, or of the radius of its tripod
  kSize,          ///< of the part, about its origin
  kNumber         ///< an uncertain number of the configuration
};

/// All but kNumber.
inline constexpr std::size_t kCommonInputs = 7;

/// A value of each input.
struct InputValues {
  std::array<double, kCommonInputs> common{};  ///< by SoughtInput
  std::vector<double> numbers = {};            ///< by Nuisances::numbers
};

/// An uncertain number of the configuration that is sought: the same in all trials or, where its
/// distribution has lots, normal about the unknown value of the one lot of the experiment.
struct SoughtNumber {
  std::string key;
  std::size_t place = 0;  ///< in SweepConfig::uncertain
  double low = 0.0;       ///< what the prior allows
  double high = 0.0;
  double part_sigma = 0.0;  ///< of parts of a lot
  double least = 0.0;       ///< of any trial: the ends of the number's distribution
  double most = 0.0;
};

/// The number with this place, sought within its distribution: within three sigmas of a normal one
/// or, with lots, three lot_sigmas, else between its quantiles 0.001 and 0.999.
SoughtNumber sought_number(const SweepConfig& config, std::size_t place);

/// What is sought besides friction, with the prior's bounds.
struct Nuisances {
  bool offset = false;   ///< x, y and theta: the robot is off by as much in all trials
  bool noise = false;    ///< of x and y, and of theta: normal, drawn for each trial
  bool support = false;  ///< e_r
  bool size = false;
  std::vector<SoughtNumber> numbers = {};
  bool discrepancy = false;  ///< a smooth field on the logit scale, DiscrepancyModel; comes last
  double most_offset_mm = 2.0;
  double most_offset_rad = 0.05;
  double most_noise_mm = 1.0;    ///< sigma
  double most_noise_rad = 0.05;  ///< sigma
  double most_support_factor = 2.0;
  double most_size_change = 0.05;
  double e_r_mm = 1.0;               ///< the configuration's, to report the posterior in mm
  std::string support_name = "e_r";  ///< "radius" of a tripod
};

/// A number that is reported.
struct Unknown {
  std::string name;          ///< "friction.jaw.mean"
  bool is_parameter = true;  ///< false: made of the parameters
  double low = 0.0;          ///< what the prior allows
  double high = 0.0;
  bool low_is_physical = false;  ///< no smaller value exists: a width or a coefficient of 0
};

/// The unknown numbers of a calibration. A point has a number in [0, 1] for each parameter, uniform
/// a priori.
class Unknowns {
 public:
  Unknowns(FrictionFamily family, const std::array<FrictionRange, 2>& ranges,
           const Nuisances& nuisances = {});

  [[nodiscard]] FrictionFamily family() const { return family_; }
  [[nodiscard]] const std::array<FrictionRange, 2>& ranges() const { return ranges_; }
  [[nodiscard]] const Nuisances& nuisances() const { return nuisances_; }
  /// How many numbers a point has.
  [[nodiscard]] int dimension() const { return dimension_; }
  /// Point `index` of those that are drawn from the prior with this seed.
  [[nodiscard]] std::vector<double> prior_point(std::uint64_t seed, std::uint64_t index) const;
  /// What is reported: parameters, and what is made of them.
  [[nodiscard]] const std::vector<Unknown>& reported() const { return reported_; }
  /// The reported numbers at a point.
  [[nodiscard]] std::vector<double> values(std::span<const double> point) const;
  /// The distribution of friction of jaw or support at a point.
  [[nodiscard]] Distribution friction_distribution(std::span<const double> point,
                                                   std::size_t which) const;

  /// The inputs that are not the same in all trials at all points.
  [[nodiscard]] const std::vector<SoughtInput>& inputs() const { return inputs_; }
  /// The distributions of these inputs at a point.
  [[nodiscard]] std::vector<Distribution> distributions(std::span<const double> point) const;
  /// The distributions of friction at a point, and what the other inputs may be a priori, as one
  /// distribution each.
  [[nodiscard]] std::vector<Distribution> prior_distributions(std::span<const double> point) const;
  /// Values with those of `inputs()` in their places, the others as configured.
  [[nodiscard]] InputValues with(std::span<const double> values) const;

 private:
  /// Of those coefficients that are not fixed.
  [[nodiscard]] std::vector<Distribution> friction_distributions(
      std::span<const double> point) const;
  void add_friction(std::size_t which);
  void add_parameter(const std::string& name, double low, double high, bool low_is_physical);

  FrictionFamily family_;
  std::array<FrictionRange, 2> ranges_;
  Nuisances nuisances_;
  int dimension_ = 0;
  std::vector<Unknown> reported_;
  std::vector<SoughtInput> inputs_;
  std::array<std::size_t, 2> friction_at_{};  ///< the first of the two numbers in a point
  std::size_t offset_at_ = 0;
  std::size_t noise_at_ = 0;
  std::size_t support_at_ = 0;
  std::size_t size_at_ = 0;
  std::size_t numbers_at_ = 0;  ///< the first of them
};

}  // namespace graspmap
