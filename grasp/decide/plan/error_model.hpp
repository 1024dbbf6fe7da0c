#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "grasp/base/probability/distribution.hpp"
#include "grasp/decide/plan/posterior_draws.hpp"
#include "grasp/decide/plan/success_field.hpp"
#include "grasp/sweep/config/robot_error.hpp"

namespace graspmap {

/// How far x, y and theta of the placement that is reached are off the nominal one (mm, rad),
/// independent of each other: normal or uniform about 0, or fixed: not at all, within what the map
/// resolves, which is the cell that holds it, uniform.
using PlacementError = std::array<Distribution, 3>;

/// A normal error; exact for sigma 0.
Distribution normal_error(double sigma);
/// A uniform error in +-half_width; exact for 0.
Distribution uniform_error(double half_width);

/// P(low <= error <= high). Not for an exact one.
double error_mass(const Distribution& error, double low, double high);

/// The logarithm of the error's density, relative to its largest value: 0 for an exact one.
double log_relative_density(const Distribution& error, double offset);

/// One of several equally probable things that an error may be: independent in each coordinate,
/// around a place off the nominal placement.
struct ErrorComponent {
  PlacementVector shift{};
  PlacementError spread{};
  std::size_t world = 0;  ///< what is unknown but constant: components of one world share it
  std::size_t draw = 0;   ///< place in ErrorMixture::draw_weights; without them it does not count
};

/// The error of a placement as a mixture: correlated coordinates, an unknown offset, a spread known
/// from few repeats and unknown distributions of friction are all averages over errors that are
/// simple.
struct ErrorMixture {
  /// An error that is independent in each coordinate.
  ErrorMixture(const PlacementError& error)  // NOLINT(google-explicit-constructor): is one
      : components{{{}, error}}, overall(error) {}
  ErrorMixture(const Distribution& x, const Distribution& y, const Distribution& theta)
      : ErrorMixture(PlacementError{x, y, theta}) {}
  /// No error.
  ErrorMixture() : ErrorMixture(PlacementError{}) {}

  std::vector<ErrorComponent> components;
  PlacementError overall;  ///< of each coordinate, with what is unknown: for grids and drawings
  std::size_t worlds = 1;
  /// What the trials count under the distributions of each draw, by SuccessField::Trial::source.
  std::vector<std::vector<double>> draw_weights;

  /// Nothing but an error that is independent in each coordinate.
  [[nodiscard]] bool is_simple() const { return components.size() == 1 && draw_weights.empty(); }
};

/// An error that a device adds: x (mm), y (mm), theta (rad). Its first three members add up.
struct ErrorPart {
  using Matrix = DeviceError::Matrix;

  /// Covariance of what is normal and differs from grasp to grasp. Rows of zeros: exact.
  Matrix covariance{};
  PlacementVector half_width{};           ///< of what is uniform; 0: exact
  std::vector<PlacementVector> measured;  ///< equally probable deviations
  /// The covariance is that of so many repeat measurements, whose mean was taken out.
  std::optional<std::int64_t> repeats;
  /// Standard deviations of what is unknown but the same in all grasps.
  PlacementVector offset_sigma{};
};

/// What is known of how far the gripper is off: the robot's error, and independent of it that of
/// what locates the part.
struct ErrorModel : ErrorPart {
  std::optional<ErrorPart> camera;
  /// Draws of a calibration's posterior, if any.
  std::vector<PosteriorDraw> draws;

  /// Independent coordinates, nothing unknown: a single component.
  [[nodiscard]] bool is_simple() const;
  /// The same without what is unknown but constant.
  [[nodiscard]] ErrorModel random_part() const;
};

/// Whether the model has a spread in a coordinate: a draw's noise does not count there.
bool has_spread(const ErrorModel& model, std::size_t coordinate);

/// The mixture with no spread narrower than the normal or uniform one of these standard deviations,
/// in the coordinates that are not exact.
ErrorMixture widened(ErrorMixture mixture, const PlacementVector& least_sigma);

/// An error as a person gives it.
ErrorModel error_model(const RobotError& error);

/// The worlds that a mixture has when something is unknown but constant.
inline constexpr std::size_t kWorlds = 64;

/// How many components a mixture has: all by which worlds differ, or as few as give the mean over
/// all worlds, for searches.
enum class Grain { kFine, kCoarse };

/// The model as a mixture.
///
/// Worlds: kWorlds equally probable ones when an offset, the spread (repeats) or distributions are
/// unknown, else one. Each has its own
/// - spread S: the covariance C or, known from n repeats, a draw of its posterior under Jeffreys'
///   prior: S^-1 ~ Wishart(C^-1 / (n - 1), n - 1) (Bartlett 1933, "On the theory of statistical
///   regression"); each coordinate's own chi-squared when C has no correlations (Gelman et al.
///   2013, "Bayesian Data Analysis", section 3.6). Averaged over it the error is Student's.
/// - offset: normal with offset_sigma; plus, after n repeats, what is unknown of their mean,
///   normal with S / n; plus that of the world's draw of a calibration.
/// - distributions: those of that draw.
/// With a camera the spreads add, and the offsets.
/// The draws are a Latin hypercube (McKay, Beckman, Conover 1979) with fixed random numbers; those
/// of offsets are mirrored and have exact covariances. Components of a world: one, or where S has
/// correlations 64 (8 with several worlds): with D a diagonal such that S - D is positive, S = D +
/// U U^T, an error is U t + e, t standard normal (equal shares of a Latin hypercube), e independent
/// with variances D. C must be positive semidefinite. Where errors of an axis are normal and
/// uniform, the widest of them is the component's, exactly, and the others are shifts, from 256 (8
/// with several worlds) shares of a Latin hypercube. Measured deviations are a component each, with
/// a normal around it whose standard deviation is Scott's (1992, "Multivariate Density
/// Estimation"), s n^(-1 / (d + 4)) in d coordinates, s the smaller of the standard deviation and
/// IQR / 1.349: outliers keep their weight, and widen no others. In a coarse mixture each of
/// several worlds has 16 of them, by a Latin hypercube over all worlds.
ErrorMixture make_mixture(const ErrorModel& model, Grain grain = Grain::kFine);

}  // namespace graspmap
