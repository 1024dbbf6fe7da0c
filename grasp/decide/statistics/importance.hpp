#pragma once

#include <span>

namespace graspmap {

/// The number of trials of equal weight that would tell as much as weighted ones:
/// (sum w)^2 / sum w^2 (Kish 1965, "Survey Sampling"); 0 when all weights are 0.
double effective_sample_size(std::span<const double> weights);

/// k-hat: the shape of the generalised Pareto distribution that fits the largest of the weights, by
/// which Pareto smoothed importance sampling judges them (Vehtari, Simpson, Gelman, Yao, Gabry
/// 2024, "Pareto smoothed importance sampling"). Moments of the weights up to order 1/k exist:
/// beyond 0.7, averages with these weights are not to be trusted, whatever their effective number
/// says. The largest min(n/5, 3 sqrt(n)) of n weights are fitted as Zhang and Stephens do (2009, "A
/// new and efficient estimation method for the generalized Pareto distribution"), drawn a little
/// towards 0.5. -infinity when there is no tail: fewer than 5 of them, or all of them equal.
double pareto_tail_shape(std::span<const double> weights);

/// The largest k-hat of weights that can be used.
inline constexpr double kMostParetoShape = 0.7;

}  // namespace graspmap
