#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "grasp/base/probability/distribution.hpp"
#include "grasp/decide/calibrate/outcome_model.hpp"
#include "grasp/decide/calibrate/unknowns.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

/// Points of a calibration's random inputs, drawn in rounds, and weights that make them stand for
/// other distributions.

/// A round of points: each from one of several products of distributions, in turn, plus noise.
struct ProposalRound {
  std::vector<std::vector<Distribution>>
      distributions;          ///< of each product: a distribution for each input
  std::vector<double> noise;  ///< of each input: its standard deviation, > 0
};

/// Which inputs are reflected at 0: those that cannot be negative.
using NonNegative = std::vector<bool>;

/// Points `first` to `first + count` of a round: a row each, of Halton's sequence shifted at
/// random (Cranley, Patterson 1976) and of Philox with this seed.
Eigen::ArrayXXd draw_points(const ProposalRound& round, const NonNegative& non_negative,
                            Eigen::Index first, Eigen::Index count, std::uint64_t seed);

/// The density with which a point of all rounds together is drawn: the mixture of the rounds, with
/// their shares of all points (deterministic mixture weights: Owen, Zhou 2000).
Eigen::ArrayXd mixture_density(std::span<const ProposalRound> rounds,
                               std::span<const double> shares, const NonNegative& non_negative,
                               const Eigen::ArrayXXd& points);

/// Nodes at which a distribution is integrated, with the density that they were drawn with, and the
/// points at which trials are simulated: a node has the outcomes of its point. As weights_for reads
/// them.
struct DesignPoints {
  DesignPoints() = default;
  /// The points themselves are the nodes.
  DesignPoints(const Eigen::ArrayXXd& points, const Eigen::ArrayXd& density);
  /// Each node has the nearest of `points`, inputs measured in `units`.
  DesignPoints(const Eigen::ArrayXXd& nodes, const Eigen::ArrayXd& density,
               const Eigen::ArrayXXd& points, const std::vector<double>& units);

  Eigen::ArrayXXf values;            ///< of the nodes, a row each, by their first input
  Eigen::ArrayXf inverse_density;    ///< up to a factor that all have
  std::vector<Eigen::Index> points;  ///< of the nodes
  Eigen::Index point_count = 0;

 private:
  void set_nodes(const Eigen::ArrayXXd& nodes, const Eigen::ArrayXd& density,
                 const std::vector<Eigen::Index>& of_nodes);
};

/// Weights of points that make their mean an expectation under other distributions.
struct PointWeights {
  std::vector<Eigen::Index> points;  ///< those with a weight
  Eigen::VectorXf values;            ///< of these; sum 1; some may be negative
  double effective_points = 0.0;     ///< 1 / sum of squares; 0: no point is near
};

/// The weights of points for a product of distributions: importance weights for the distributions
/// smoothed with these bandwidths, calibrated to the distributions' own means and variances
/// (Deville, Saerndal 1992, the generalised regression estimator): what the kernel adds to a
/// distribution's spread is taken off, so that a probability that is quadratic in the inputs,
/// without products of them, has no bias.
PointWeights weights_for(const DesignPoints& design, std::span<const Distribution> distributions,
                         std::span<const double> bandwidths);

/// The value of an uncertain number in a trial, by its place in SweepConfig::uncertain.
struct PlacedNumber {
  std::size_t place = 0;
  double value = 0.0;
};

/// A trial to simulate.
struct CalibrationTrial {
  double x_mm = 0.0;  ///< where the gripper is, with offset and noise
  double y_mm = 0.0;
  double theta_rad = 0.0;
  double mu_jaw = 0.0;
  double mu_support = 0.0;
  double support_scale = 1.0;  ///< of e_r
  double size = 1.0;           ///< of the part
  std::uint64_t index = 0;     ///< of the draws of the configuration's uncertain numbers
  std::vector<PlacedNumber> numbers = {};  ///< those that are sought, in place of the draws
};

/// Simulates trials: an outcome for each.
using TrialSimulator =
    std::function<std::vector<Outcome>(std::span<const CalibrationTrial> trials)>;

/// The noise of a configuration's placements: x, y (mm) and theta (rad).
using NoiseDistributions = std::array<Distribution, 3>;

/// What trials simulated at the placements of an experiment say of each cell. All cells of a group
/// share the points of the random inputs (common random numbers), so that one set of weights gives
/// all their probabilities: p = F s(t), F the outcomes by cell and point.
class SimulatedModel final : public OutcomeModel {
 public:
  /// Cells are dealt to `groups` groups, each with points of its own. `cells` and `unknowns` must
  /// live as long as the model.
  SimulatedModel(const std::vector<CalibrationCell>& cells, const Unknowns& unknowns, int groups,
                 const NoiseDistributions& noise);

  /// Simulates `points` points of a round for each cell, and takes the round's spread as the
  /// measure of the bandwidths. Cells whose outcomes were all alike in the last round, if that had
  /// at least `enough` points, are not simulated: they stay so. Returns the number of trials
  /// simulated.
  std::int64_t add_round(const ProposalRound& round, Eigen::Index points, Eigen::Index enough,
                         const TrialSimulator& simulate);

  /// Whether nodes between the points have the outcomes of the nearest one. With many inputs no
  /// point is near, and a kernel about the points themselves does better.
  [[nodiscard]] bool has_nodes() const { return non_negative_.size() <= 2; }
  [[nodiscard]] const std::vector<double>& bandwidths() const { return bandwidths_; }
  /// The standard deviation of each input in the last round.
  [[nodiscard]] const std::vector<double>& spreads() const { return spreads_; }
  /// Widens the bandwidths, at most fourfold, until at the median of these points of the unknowns
  /// `least` points are effective: with many unknowns, each distribution has few points near it.
  void widen(std::span<const std::vector<double>> points, double least);
  [[nodiscard]] std::vector<CellPrediction> predict(std::span<const double> point) const override;
  /// The same for distributions of the inputs in place of a point's.
  [[nodiscard]] std::vector<CellPrediction> predict_under(
      std::span<const Distribution> distributions) const;
  /// The points of the inputs that the first group of cells shares.
  [[nodiscard]] const Eigen::ArrayXXd& points() const { return groups_.front().points; }
  /// The weights of these points for a point of the unknowns.
  [[nodiscard]] PointWeights weights(std::span<const double> point) const {
    return weights_for(groups_.front().design, unknowns_.distributions(point), bandwidths_);
  }
  /// The effective points behind a probability at a point: the least of the groups.
  [[nodiscard]] double effective_points(std::span<const double> point) const;

 private:
  struct Group {
    std::vector<std::size_t> cells;
    Eigen::ArrayXXd points;
    DesignPoints design;       ///< the same with their density
    Eigen::MatrixXf outcomes;  ///< of a cell in each row: 1 success, 0 none, 0.5 failed
    Eigen::ArrayXd shares;     ///< of successes in each row
  };
  [[nodiscard]] bool is_settled(const Group& group, std::size_t row, Eigen::Index enough) const;
  [[nodiscard]] CalibrationTrial trial(std::size_t cell, const InputValues& inputs,
                                       std::uint64_t index) const;
  [[nodiscard]] Eigen::ArrayXXd drawn_nodes(const Group& group) const;
  void set_bandwidths(const Eigen::ArrayXXd& points);
  void set_densities();

  const Unknowns& unknowns_;
  NoiseDistributions noise_;
  NonNegative non_negative_;
  std::vector<Group> groups_;
  std::vector<ProposalRound> rounds_;
  std::vector<double> round_points_;  ///< of each group
  std::vector<double> spreads_;
  std::vector<double> bandwidths_;
};

}  // namespace graspmap
