#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "grasp/base/probability/distribution.hpp"

/// Points of a calibration's random inputs, drawn in rounds, and weights that make them stand for
/// other laws.

namespace graspmap {

/// A round of points: each from one of several products of laws, in turn, plus noise.
struct ProposalRound {
  std::vector<std::vector<Distribution>> laws;  ///< of each product: a law for each input
  std::vector<double> noise;                    ///< of each input: its standard deviation, > 0
};

/// Which inputs are reflected at 0, for none is negative.
using NonNegative = std::vector<bool>;

/// Points `first` to `first + count` of a round: a row each, of Halton's sequence shifted at
/// random (Cranley, Patterson 1976) and of Philox with this seed.
Eigen::ArrayXXd draw_points(const ProposalRound& round, const NonNegative& non_negative,
                            Eigen::Index first, Eigen::Index count, std::uint64_t seed);

/// Number `index` of Halton's sequence for the k-th prime as base, shifted: in (0, 1).
double shifted_halton(std::uint64_t index, std::size_t k, std::uint64_t seed);

/// The density with which a point of all rounds together is drawn: the mixture of the rounds, with
/// their shares of all points (deterministic mixture weights: Owen, Zhou 2000).
Eigen::ArrayXd mixture_density(std::span<const ProposalRound> rounds,
                               std::span<const double> shares, const NonNegative& non_negative,
                               const Eigen::ArrayXXd& points);

/// Points with the density that they were drawn with, as weights_for reads them.
struct DesignPoints {
  DesignPoints() = default;
  DesignPoints(const Eigen::ArrayXXd& points, const Eigen::ArrayXd& density);

  Eigen::ArrayXXf values;          ///< a row each
  Eigen::ArrayXf inverse_density;  ///< but for a factor that all have
};

/// Weights of points that make their mean an expectation under other laws.
struct PointWeights {
  std::vector<Eigen::Index> points;  ///< those with a weight
  Eigen::VectorXf values;            ///< of these; sum 1; some may be negative
  double effective_points = 0.0;     ///< 1 / sum of squares; 0: no point is near
};

/// The weights of points for a product of laws: importance weights for the laws smoothed with these
/// bandwidths, calibrated to the laws' own means and variances (Deville, Saerndal 1992, the
/// generalised regression estimator): what the kernel adds to a law's spread is taken off, so that
/// a probability that is quadratic in the inputs, without products of them, has no bias.
PointWeights weights_for(const DesignPoints& design, std::span<const Distribution> laws,
                         std::span<const double> bandwidths);

}  // namespace graspmap
