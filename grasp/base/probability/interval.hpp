#pragma once

#include <cstdint>

namespace graspmap {

/// A confidence interval of a probability.
struct Interval {
  double low = 0.0;
  double high = 1.0;
};

/// The two-sided 95 % quantile of the standard normal distribution.
inline constexpr double kZ95 = 1.959963984540054;

/// The z with P(|Z| <= z) = confidence for a standard normal Z, 0 < confidence < 1.
double two_sided_z(double confidence);

/// The Wilson score interval (Wilson 1927) for `successes` of `trials` at normal quantile z
/// (1.96: 95 %); [0, 1] for no trials.
Interval wilson_interval(std::int64_t successes, std::int64_t trials, double z = kZ95);

/// The same for weighted trials: `successes` = `trials` times the weighted mean, `trials` their
/// effective number, both >= 0.
Interval weighted_wilson_interval(double successes, double trials, double z = kZ95);

/// Wilson's interval where `failed` further trials say nothing: they count once as successes, once
/// as no successes, and the interval reaches from the lower end to the upper one.
Interval wilson_interval_with_failed(std::int64_t successes, std::int64_t trials,
                                     std::int64_t failed, double z = kZ95);

}  // namespace graspmap
