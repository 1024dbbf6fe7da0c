#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/base/probability/stratified.hpp"
#include "grasp/decide/plan/error_model.hpp"
#include "grasp/decide/plan/success_field.hpp"
#include "grasp/decide/statistics/peaks.hpp"

namespace graspmap {

/// A cell that the placement may end up in, and with which probability.
struct CellMass {
  std::size_t cell = 0;
  double mass = 0.0;
};

/// The cells that a placement with an error may end up in, in the order of their numbers: of a
/// nominal placement mu, the mass of each is the product of the axes' masses in its bounds. What
/// they lack to 1 lies outside of the map (or in cells of less than 1e-12 along an axis).
std::vector<CellMass> cell_masses(const SuccessField& field, const ErrorMixture& error,
                                  const PlacementVector& nominal);

/// The weights of the trials of a cell in its own mean: the error's density where they were
/// intended, relative to its largest value in the cell. Trials are uniform in their cell, so that
/// the self-normalised mean of their outcomes estimates the mean over the error, given the cell.
/// Where the weights leave less than 5 effective trials, all trials of the cell weigh the same: the
/// error covers too little of the cell for its trials to resolve.
void trial_weights(const SuccessField& field, const ErrorMixture& error,
                   const PlacementVector& nominal, std::size_t cell, std::vector<double>& weights);

/// What a cell's estimate varies by, per trial: SuccessField::spread. That is about the
/// distributions of the run: under others, and with failed trials, `counts` themselves are asked,
/// with half a trial of either kind added.
StratumSpread outcome_spread(const SuccessField& field, const ErrorMixture& error, std::size_t cell,
                             const Stratum& counts);

/// The success probability of a nominal placement mu whose error has the density f:
///   P(mu) = integral of p(x) f(x - mu) dx,
/// p the success probability over the intended placement (with the noise of the sweep, if any; the
/// error comes on top of it).
struct ExpectedSuccess {
  double probability = 0.0;       ///< what is unknown counts as no success
  Interval interval;              ///< what is unknown counts once as no success, once as success
  double known_share = 0.0;       ///< of the error's mass: where there are trials
  double outside_share = 0.0;     ///< of the error's mass: beyond the map
  double effective_trials = 0.0;  ///< simple random trials of the same precision
  /// By outcome, of the error's mass. With what is unknown, all but `failed` sum to 1; `failed` is
  /// the share of failed trials, which the others leave out.
  std::array<double, kOutcomeCount> shares{};
  double design_effect = 1.0;  ///< of P
};

/// P(mu) from the trials, stratified by cell: the weight of a cell is the error's mass in it; its
/// trials count by trial_weights, with Kish's effective number n = (sum w)^2 / sum w^2 (Kish 1965,
/// "Survey Sampling"). Interval: spread_interval with what is believed of each cell
/// (SuccessField::spread). The design effect of P, pooled over its cells, divides the effective
/// numbers where the trials are nets. z: the interval's normal quantile.
ExpectedSuccess expected_success(const SuccessField& field, const ErrorMixture& error,
                                 const PlacementVector& nominal, double z = kZ95);

/// `probability` of the same, quickly: cells whose trials all came out alike need no weights.
double expected_success_probability(const SuccessField& field, const ErrorMixture& error,
                                    const PlacementVector& nominal);

/// The worlds of a mixture, each alone: what is unknown but constant is the same in all grasps.
std::vector<ErrorMixture> worlds_of(const ErrorMixture& error);

/// `probability` in each world of a mixture, estimated from the trials with its own weights.
std::vector<double> success_in_worlds(const SuccessField& field, const ErrorMixture& error,
                                      const PlacementVector& nominal);

/// What the successes in worlds lie between, in this share of the worlds.
Interval interval_of_worlds(const std::vector<double>& successes, double confidence);

/// The interval of a success, which holds the chance of the trials, with what differs between
/// worlds: two independent reasons move each end (Zou and Donner 2008, "Construction of confidence
/// limits about effect measures").
Interval with_worlds(const ExpectedSuccess& success, const Interval& of_worlds);

/// Placements on a grid: every combination of one value of each axis, x fastest.
struct PlacementGrid {
  std::array<std::vector<double>, 3> values;

  [[nodiscard]] std::size_t size() const { return node_count(shape()); }
  [[nodiscard]] GridShape shape() const {
    return {static_cast<int>(values[0].size()), static_cast<int>(values[1].size()),
            static_cast<int>(values[2].size())};
  }
  [[nodiscard]] PlacementVector at(std::size_t node) const;
};

/// expected_success_probability of all placements of a grid, for an error that is independent in
/// each coordinate: the weights of a trial are products of the axes' weights, which rows and
/// columns share. Equal to it to rounding.
std::vector<double> expected_success_on(const SuccessField& field, const PlacementError& error,
                                        const PlacementGrid& grid);

/// P(mu) for all placements of a grid, quickly, with the mean of each cell in place of its trials:
/// a separable convolution. A cell without trials counts as no success.
std::vector<double> screened_success(const SuccessField& field, const ErrorMixture& error,
                                     const PlacementGrid& grid);

}  // namespace graspmap
