#pragma once

#include <cstdint>
#include <vector>

namespace graspmap {

/// Shares of trials: their confidence intervals, the distributions of counts, and whether two
/// samples of trials succeed equally often.

/// A confidence interval of a probability.
struct Interval {
  double low = 0.0;
  double high = 1.0;
};

/// The share of `whole` >= 0 things that `part` of them are; 0 of none.
inline double share_of(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

/// The two-sided 95 % quantile of the standard normal distribution.
inline constexpr double kZ95 = 1.959963984540054;

/// The z with P(|Z| <= z) = confidence for a standard normal Z; negative for confidence < 0.
double two_sided_z(double confidence);

/// The Wilson score interval (Wilson 1927) for `successes` of `trials` at normal quantile z
/// (1.96: 95 %); [0, 1] for no trials.
Interval wilson_interval(std::int64_t successes, std::int64_t trials, double z = kZ95);

/// The same for weighted trials: `successes` = `trials` times the weighted mean, `trials` their
/// effective number, both >= 0.
Interval weighted_wilson_interval(double successes, double trials, double z = kZ95);

/// Trials of one kind.
struct SampleCounts {
  std::int64_t successes = 0;
  std::int64_t trials = 0;  ///< without the failed ones
  std::int64_t failed = 0;  ///< further trials that say nothing

  /// NaN without trials.
  [[nodiscard]] double probability() const {
    return static_cast<double>(successes) / static_cast<double>(trials);
  }
  /// The same; 0 without trials.
  [[nodiscard]] double share() const { return share_of(successes, trials); }
  /// Wilson's interval. Failed trials count once as successes, once as no successes, and it reaches
  /// from the lower end to the upper one.
  [[nodiscard]] Interval interval(double z = kZ95) const;
};

/// A confidence sequence of a success probability p: the intervals after 1, 2, 3, ... trials hold p
/// all at once with probability 0.95 or more. So the interval may be looked at after every
/// trial, and the trials ended for whatever reason, their outcomes included: the price is that it
/// is wider than Wilson's.
///
/// It has all p with M_n(p) < 1 / (1 - 0.95), where after s successes and f others
///   M_n(p) = B(s + 1/2, f + 1/2) / B(1/2, 1/2) / (p^s (1 - p)^f)
/// is the likelihood of p's rivals, weighted by Beta(1/2, 1/2), over that of p. For the true p it
/// is a martingale of mean 1 whatever p is, which by Ville's inequality ever reaches 1 / a with
/// probability a or less (Robbins 1970, "Statistical methods related to the law of the iterated
/// logarithm"; Howard, Ramdas, McAuliffe, Sekhon 2021, "Time-uniform, nonparametric, nonasymptotic
/// confidence sequences"). [0, 1] for no trials.
Interval anytime_interval(std::int64_t successes, std::int64_t trials);

/// The same of counts, with their failed trials as SampleCounts::interval has them.
Interval anytime_interval(const SampleCounts& counts);

/// The probabilities of a count as a table, to sum and to draw from. What is less probable than
/// 1e-300 times the likeliest count is left out.
class CountDistribution {
 public:
  /// The successes of `trials` trials that succeed with this probability each, trials >= 0.
  static CountDistribution binomial(std::int64_t trials, double probability);

  /// The marked ones in a sample drawn without replacement from `all` of which `marked` are marked,
  /// 0 <= marked, sample <= all.
  static CountDistribution hypergeometric(std::int64_t marked, std::int64_t sample,
                                          std::int64_t all);

  /// The counts in the table are first() to last().
  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] std::int64_t last() const {
    return first_ + static_cast<std::int64_t>(probabilities_.size()) - 1;
  }
  /// 0 outside of the table.
  [[nodiscard]] double probability(std::int64_t count) const;

  /// The smallest count that is not exceeded with a probability of at least u, 0 < u < 1: for
  /// uniform u, a draw.
  [[nodiscard]] std::int64_t quantile(double u) const;

 private:
  CountDistribution() = default;
  template <typename Ratio>
  void fill(std::int64_t low, std::int64_t mode, std::int64_t high, double at_mode,
            const Ratio& ratio);

  std::int64_t first_ = 0;
  std::vector<double> probabilities_;
  std::vector<double> cumulative_;
};

enum class FailedTrials { kNoSuccess, kSuccess };

/// The counts with the failed trials taken as `failed` says.
SampleCounts decided(const SampleCounts& counts, FailedTrials failed);

/// Fisher's exact test (1935), two-sided: the probability, given the margins of the table, of all
/// tables that are not more probable than this one. Failed trials count once as successes, once as
/// no successes, and the larger p-value is returned. NaN when one of the two has no trials.
double fisher_exact_p_value(const SampleCounts& a, const SampleCounts& b);

/// A share, or a difference of shares, and its interval.
struct Estimate {
  double value = 0.0;
  Interval interval;
};

/// The interval of a - b for independent a and b: Newcombe (1998, "Interval estimation for the
/// difference between independent proportions", method 10), with the intervals of a and b [l, u]:
///   a - b - sqrt((a - l_a)^2 + (u_b - b)^2)  to  a - b + sqrt((u_a - a)^2 + (b - l_b)^2).
Interval newcombe_interval(const Estimate& a, const Estimate& b);

/// The deviance of a count from what is expected, 2 sum O ln(O / E) over successes and others.
double binomial_deviance(double successes, double expected, double trials);

/// The deviance of "both succeed with one probability" from the two samples (likelihood-ratio
/// statistic G^2, Wilks 1938): 2 sum O ln(O / E) over the four counts O, E = what one common
/// probability expects. Failed trials are not looked at.
double two_sample_deviance(const SampleCounts& a, const SampleCounts& b);

}  // namespace graspmap
