#pragma once

#include <span>
#include <vector>

#include "grasp/decide/agreement/site_model.hpp"

/// Changes of the success at all placements alike: all odds p / (1 - p) are multiplied by a factor.

namespace graspmap {

/// The probabilities after the logarithms of all odds grew by `log_factor`.
std::vector<double> with_odds_multiplied(std::span<const SiteModel> models, double log_factor);

/// Their mean over the experiment's trials.
double mean_over_trials(std::span<const SiteModel> models, std::span<const double> probabilities);

/// The means over the experiment's trials that `successes` do not contradict: those at which
/// (successes / trials - mean)^2 <= z^2 widening sum n p (1 - p) / (sum n)^2, with the odds
/// multiplied alike. With equal probabilities and widening 1 it is Wilson's interval (1927).
Interval mean_success_interval(std::span<const SiteModel> models, double successes, double z,
                               double widening);

/// The log factor at which the mean is `mean`.
double log_factor_of_mean(std::span<const SiteModel> models, double mean);

}  // namespace graspmap
