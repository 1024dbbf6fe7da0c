#include "grasp/base/probability/paired_difference.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "grasp/base/probability/largest_accepted.hpp"

namespace graspmap {
namespace {

/// A stratum with its pairs as numbers: those for A alone, for B alone, and the others.
struct Sample {
  double weight;
  double only_a;
  double only_b;
  double same;

  [[nodiscard]] double pairs() const { return only_a + only_b + same; }
};

Sample sample(double weight, const PairCounts& counts) {
  return {weight, static_cast<double>(counts.only_a), static_cast<double>(counts.only_b),
          static_cast<double>(counts.both + counts.neither)};
}

/// The strata that have pairs, as `read` counts them.
std::vector<Sample> samples(std::span<const PairedStratum> strata,
                            PairCounts (PairTable::*read)() const) {
  std::vector<Sample> list;
  for (const PairedStratum& s : strata) {
    const PairCounts counts = (s.pairs.*read)();
    if (counts.pairs() > 0 && s.weight > 0) list.push_back(sample(s.weight, counts));
  }
  return list;
}

double sum_of_weights(const std::vector<Sample>& list) {
  double sum = 0;
  for (const Sample& s : list) sum += s.weight;
  return sum;
}

double mean(const std::vector<Sample>& list) {
  double sum = 0;
  for (const Sample& s : list) sum += s.weight * (s.only_a - s.only_b) / s.pairs();
  return sum;
}

/// count / divisor, where no count needs no divisor.
double share(double count, double divisor) { return count > 0 ? count / divisor : 0.0; }

/// Probabilities of the two ways in which a pair can differ.
struct Discordance {
  double a;
  double b;

  [[nodiscard]] double difference() const { return a - b; }
  /// Of one pair's difference.
  [[nodiscard]] double variance() const { return a + b - (a - b) * (a - b); }
};

/// The probabilities that maximise the likelihood less lambda w (a - b), lambda >= 0:
///   a = only_a / (mu + t), b = only_b / (mu - t), same / mu for the rest; t = lambda w,
/// with mu >= t such that they sum to 1. Where even mu = t leaves something, that is b's: the
/// likelihood does not mind as only_b is 0 then.
Discordance constrained(const Sample& s, double lambda) {
  const double t = lambda * s.weight;
  const auto sum = [&](double mu) {
    return share(s.only_a, mu + t) + share(s.only_b, mu - t) + share(s.same, mu);
  };
  if (s.only_b == 0 && t > 0 && sum(t) <= 1) {
    return {share(s.only_a, 2 * t), 1 - sum(t)};
  }
  double low = t;
  double high = t + s.pairs();
  for (int k = 0; k < 100 && high > low * (1 + 1e-15); ++k) {
    const double middle = low + (high - low) / 2;
    (sum(middle) > 1 ? low : high) = middle;
  }
  return {share(s.only_a, high + t), share(s.only_b, high - t)};
}

struct EstimateMoments {
  double mean = 0.0;
  double variance = 0.0;
};

/// Mean and variance of the estimate where the truth is what lambda makes of it.
EstimateMoments moments_at(const std::vector<Sample>& list, double lambda) {
  EstimateMoments moments;
  for (const Sample& s : list) {
    const Discordance q = constrained(s, lambda);
    moments.mean += s.weight * q.difference();
    moments.variance += s.weight * s.weight * q.variance() / s.pairs();
  }
  return moments;
}

bool is_rejected(const std::vector<Sample>& list, double best, double z, double lambda) {
  const EstimateMoments truth = moments_at(list, lambda);
  return (best - truth.mean) * (best - truth.mean) > z * z * truth.variance;
}

/// The lowest D0 that is not rejected. D0 falls as lambda grows.
double lower_end(const std::vector<Sample>& list, double z) {
  const double best = mean(list);
  const double least = -sum_of_weights(list);
  if (best <= least) return least;
  const auto rejected = [&](double lambda) { return is_rejected(list, best, z, lambda); };
  return moments_at(list, largest_accepted(rejected, 1e-12)).mean;
}

/// The same samples with A and B exchanged.
std::vector<Sample> mirrored(std::vector<Sample> list) {
  for (Sample& s : list) std::swap(s.only_a, s.only_b);
  return list;
}

/// The mean over the strata with pairs in which neither trial failed.
double estimate(const std::vector<Sample>& decided) {
  if (decided.empty()) return std::numeric_limits<double>::quiet_NaN();
  return mean(decided) / sum_of_weights(decided);
}

}  // namespace

double PairCounts::difference() const {
  if (pairs() == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(only_a - only_b) / static_cast<double>(pairs());
}

PairCounts PairTable::decided() const {
  using enum PairSide;
  return {at(kSuccess, kSuccess), at(kSuccess, kNoSuccess), at(kNoSuccess, kSuccess),
          at(kNoSuccess, kNoSuccess)};
}

/// All pairs, with a failed trial of A taken as `a`, one of B as `b`.
PairCounts PairTable::with_failed(PairSide a, PairSide b) const {
  using enum PairSide;
  PairTable table;
  for (const PairSide was_a : {kSuccess, kNoSuccess, kFailed}) {
    for (const PairSide was_b : {kSuccess, kNoSuccess, kFailed}) {
      const PairSide as_a = was_a == kFailed ? a : was_a;
      const PairSide as_b = was_b == kFailed ? b : was_b;
      table.counts_[index(as_a)][index(as_b)] += at(was_a, was_b);
    }
  }
  return table.decided();
}

PairCounts PairTable::lowest() const {
  return with_failed(PairSide::kNoSuccess, PairSide::kSuccess);
}

PairCounts PairTable::highest() const {
  return with_failed(PairSide::kSuccess, PairSide::kNoSuccess);
}

PairTable& PairTable::operator+=(const PairTable& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    for (std::size_t j = 0; j < counts_[i].size(); ++j) counts_[i][j] += other.counts_[i][j];
  }
  return *this;
}

Difference paired_difference(std::span<const PairedStratum> strata, double z) {
  const std::vector<Sample> lowest = samples(strata, &PairTable::lowest);
  const std::vector<Sample> highest = samples(strata, &PairTable::highest);
  const double unknown = 1 - sum_of_weights(lowest);
  Difference result;
  result.estimate = estimate(samples(strata, &PairTable::decided));
  if (lowest.empty()) return result;
  result.interval.low = std::clamp(lower_end(lowest, z) - unknown, -1.0, 1.0);
  result.interval.high = std::clamp(-lower_end(mirrored(highest), z) + unknown, -1.0, 1.0);
  return result;
}

double mcnemar_p_value(std::int64_t only_a, std::int64_t only_b) {
  const std::int64_t n = only_a + only_b;
  if (n == 0) return 1.0;
  const boost::math::binomial_distribution<double> fair(static_cast<double>(n), 0.5);
  return std::min(1.0, 2 * boost::math::cdf(fair, static_cast<double>(std::min(only_a, only_b))));
}

double pairing_gain(std::span<const PairedStratum> strata) {
  double paired = 0;
  double independent = 0;
  for (const PairedStratum& s : strata) {
    const PairCounts c = s.pairs.decided();
    if (c.pairs() == 0) continue;
    const auto n = static_cast<double>(c.pairs());
    const double a = static_cast<double>(c.only_a) / n;
    const double b = static_cast<double>(c.only_b) / n;
    const double p_a = static_cast<double>(c.both + c.only_a) / n;
    const double p_b = static_cast<double>(c.both + c.only_b) / n;
    paired += s.weight * s.weight * Discordance{a, b}.variance() / n;
    independent += s.weight * s.weight * (p_a * (1 - p_a) + p_b * (1 - p_b)) / n;
  }
  return independent / paired;
}

}  // namespace graspmap
