#pragma once

#include <span>

#include "grasp/base/probability/interval.hpp"

namespace graspmap {

/// A part of a population in which the success probability p is estimated by itself.
struct Stratum {
  double weight = 0.0;     ///< its share of the population, >= 0
  double successes = 0.0;  ///< counts, or effective ones of weighted trials; <= trials
  double trials = 0.0;
  double failed = 0.0;  ///< further trials that say nothing
};

/// P = sum_k weight_k p_k as the trials tell it.
struct StratifiedProbability {
  double estimate = 0.0;      ///< of the part of the population that has trials; NaN when none has
  Interval interval;          ///< of P; weight without trials counts once as 0, once as 1
  double known_weight = 0.0;  ///< the share of the population that has trials
  double effective_trials = 0.0;  ///< simple random trials that would tell as much
};

/// The probability of a population from its strata; their weights must not sum to more than 1, and
/// what is missing to 1 is weight without trials.
///
/// Estimate: sum w_k s_k/n_k. Interval: the score interval of a linear combination of binomial
/// proportions (Martin Andres, Alvarez Hernandez, Herranz Tejedor 2011, "Inferences about a linear
/// combination of proportions"; for one stratum it is Wilson's): all P0 with
///   (estimate - P0)^2 <= z^2 sum w_k^2 q_k (1 - q_k) / n_k,
/// q the maximum-likelihood probabilities among those with sum w_k q_k = P0. It neither collapses
/// where all trials succeed nor reaches beyond [0, 1]. Failed trials count once as successes, once
/// as no successes.
StratifiedProbability stratified_probability(std::span<const Stratum> strata, double z = kZ95);

/// How the outcome of one trial of a stratum varies, as far as it is believed.
struct StratumSpread {
  double variance = 0.0;  ///< p (1 - p)
  double third = 0.0;     ///< p (1 - p) (1 - 2 p), the third central moment
};

/// The interval of P when more is believed of each stratum than its own trials say (each has a
/// spread). The interval of stratified_probability supposes the worst: that all strata whose trials
/// all came out alike may have been lucky at once. Here V = sum w_k^2 v_k / n_k is the variance of
/// the estimate e, and as P moves away from e, V moves with it, along the direction that is the
/// likeliest (each p_k by w_k v_k / n_k over V), to second order:
///   V(P) = V + c (P - e) - g (P - e)^2,  c = sum w_k^3 third_k / n_k^2 / V,
///   g = sum w_k^4 v_k^2 / n_k^3 / V^2.
/// The interval holds all P with (e - P)^2 <= z^2 V(P); strata of nothing but successes do not vary
/// at the upper end, strata of none not at the lower one. With v = p (1 - p) and third of the
/// observed proportion it is Wilson's for one stratum (and for one stratum it always is). Failed
/// trials and weight without trials count as in stratified_probability.
Interval spread_interval(std::span<const Stratum> strata, std::span<const StratumSpread> spreads,
                         double z = kZ95);

}  // namespace graspmap
