#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "grasp/decide/plan/error_mixture.hpp"
#include "grasp/decide/plan/posterior_laws.hpp"

namespace graspmap {

/// What is known of how far the robot is off: x (mm), y (mm), theta (rad).
struct ErrorModel {
  using Matrix = std::array<std::array<double, 3>, 3>;

  /// Of the part that differs from grasp to grasp. Rows of zeros: exact.
  Matrix covariance{};
  /// The covariance is that of so many repeat measurements, whose mean was taken out.
  std::optional<std::int64_t> repeats;
  /// Standard deviations of what is unknown but the same in all grasps.
  PlacementVector offset_sigma{};
  /// Draws of a calibration's posterior, if any.
  std::vector<PosteriorDraw> draws;

  /// Independent coordinates, nothing unknown.
  [[nodiscard]] bool is_simple() const;
};

/// The worlds that a mixture has when something is unknown but constant.
inline constexpr std::size_t kWorlds = 64;

/// The model as a mixture.
///
/// Worlds: kWorlds equally probable ones when an offset, the spread (repeats) or laws are unknown,
/// else one. Each has its own
/// - spread S: the covariance C or, known from n repeats, a draw of its posterior under Jeffreys'
///   prior: S^-1 ~ Wishart(C^-1 / (n - 1), n - 1) (Bartlett 1933, "On the theory of statistical
///   regression"); each coordinate's own chi-squared when C has no correlations (Gelman et al.
///   2013, "Bayesian Data Analysis", section 3.6). Averaged over it the error is Student's.
/// - offset: normal with offset_sigma; plus, after n repeats, what is unknown of their mean,
///   normal with S / n; plus that of the world's draw of a calibration.
/// - laws: those of that draw.
/// The draws are a Latin hypercube (McKay, Beckman, Conover 1979) with fixed random numbers; those
/// of offsets are mirrored and have exact covariances. Components of a world: one, or where S has
/// correlations 64 (8 with several worlds): with D a diagonal such that S - D is positive, S = D +
/// U U^T, an error is U t + e, t standard normal (equal shares of a Latin hypercube), e independent
/// with variances D. C must be positive semidefinite.
ErrorMixture make_mixture(const ErrorModel& model);

}  // namespace graspmap
