#include "grasp/base/probability/stratified.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "grasp/base/probability/random.hpp"

using namespace graspmap;

namespace {

Interval interval_of(const std::vector<Stratum>& strata, double z = kZ95) {
  return stratified_probability(strata, z).interval;
}

/// The number of successes of n trials with probability p: reproducible draws of a simulation.
double binomial_draw(double p, int n, std::uint64_t experiment, std::uint32_t& draw) {
  int successes = 0;
  for (int k = 0; k < n; ++k) successes += uniform_open(7, experiment, draw++) < p ? 1 : 0;
  return successes;
}

/// How often the interval covers the truth, strata with the probabilities p and n trials each.
double coverage(const std::vector<double>& weights, const std::vector<double>& p, int n) {
  double truth = 0;
  for (std::size_t k = 0; k < p.size(); ++k) truth += weights[k] * p[k];
  constexpr int kExperiments = 4000;
  int covered = 0;
  for (std::uint64_t e = 0; e < kExperiments; ++e) {
    std::uint32_t draw = 0;
    std::vector<Stratum> strata;
    for (std::size_t k = 0; k < p.size(); ++k) {
      strata.push_back({weights[k], binomial_draw(p[k], n, e, draw), static_cast<double>(n)});
    }
    const Interval i = interval_of(strata);
    covered += i.low <= truth + 1e-12 && truth <= i.high + 1e-12 ? 1 : 0;
  }
  return static_cast<double>(covered) / kExperiments;
}

}  // namespace

TEST_CASE("one stratum gives Wilson's interval", "[statistics]") {
  for (const auto& [s, n] : {std::pair{0.0, 10.0}, {1.0, 10.0}, {7.5, 30.25}, {252.0, 252.0}}) {
    const Interval expected = weighted_wilson_interval(s, n);
    const Interval i = interval_of({{1.0, s, n}});
    CHECK(i.low == Approx(expected.low).margin(1e-9));
    CHECK(i.high == Approx(expected.high).margin(1e-9));
  }
}

TEST_CASE("strata that are all alike are one sample", "[statistics]") {
  const Interval expected = weighted_wilson_interval(36, 40);
  const Interval i = interval_of({{0.25, 9, 10}, {0.25, 9, 10}, {0.25, 9, 10}, {0.25, 9, 10}});
  CHECK(i.low == Approx(expected.low).margin(1e-9));
  CHECK(i.high == Approx(expected.high).margin(1e-9));
}

TEST_CASE("the interval's ends are where the score test changes its mind", "[statistics]") {
  // Two strata: P0 = 0.6 q_1 + 0.4 q_2; the constrained maximum is found by trying q_1.
  const std::vector<Stratum> strata = {{0.6, 18, 20}, {0.4, 3, 15}};
  const double best = 0.6 * 18 / 20 + 0.4 * 3 / 15;
  for (const double p0 : {interval_of(strata).low, interval_of(strata).high}) {
    double likeliest = -INFINITY;
    double variance = 0;
    for (double q1 = 1e-6; q1 < 1; q1 += 1e-6) {
      const double q2 = (p0 - 0.6 * q1) / 0.4;
      if (!(q2 > 0 && q2 < 1)) continue;
      const double log_likelihood =
          18 * std::log(q1) + 2 * std::log(1 - q1) + 3 * std::log(q2) + 12 * std::log(1 - q2);
      if (log_likelihood < likeliest) continue;
      likeliest = log_likelihood;
      variance = 0.36 * q1 * (1 - q1) / 20 + 0.16 * q2 * (1 - q2) / 15;
    }
    CHECK(std::abs(best - p0) / std::sqrt(variance) == Approx(kZ95).epsilon(1e-4));
  }
}

TEST_CASE("where all trials succeed rounding does not close the interval", "[statistics]") {
  // Effective numbers of weighted trials are no whole numbers. The lower end: the strata with the
  // smallest n_k / w_k give way first; it lies below that of all trials as one sample.
  for (std::uint64_t e = 0; e < 100; ++e) {
    std::vector<Stratum> strata;
    double trials = 0;
    for (std::uint32_t k = 0; k < 30; ++k) {
      const double n = 20 + 10 * uniform_open(3, e, k);
      strata.push_back({1.0 / 30, n, n});
      trials += n;
    }
    const Interval i = interval_of(strata);
    CAPTURE(e);
    CHECK(i.high == 1.0);
    CHECK(
        i.low <
        wilson_interval(static_cast<std::int64_t>(trials), static_cast<std::int64_t>(trials)).low +
            1e-4);
    CHECK(i.low > 0.98);
  }
}

TEST_CASE("strata are covered as often as promised", "[statistics]") {
  CHECK(coverage({0.25, 0.25, 0.25, 0.25}, {0.1, 0.5, 0.9, 0.95}, 15) ==
        Approx(0.95).margin(0.015));
  CHECK(coverage({0.7, 0.2, 0.1}, {0.98, 0.7, 0.2}, 40) == Approx(0.95).margin(0.02));
  // Next to the end as Wilson's interval, which covers p = 0.99 in 91.1 % of samples of 50.
  CHECK(coverage({0.5, 0.3, 0.2}, {0.99, 1.0, 1.0}, 50) > 0.90);
}

TEST_CASE("many strata of few trials are covered as often as promised", "[statistics]") {
  // Each alone would be likeliest to be sure of its outcome.
  std::vector<double> p;
  for (int k = 0; k < 50; ++k) p.push_back(0.02 * k + 0.01);
  const std::vector<double> weights(p.size(), 1.0 / static_cast<double>(p.size()));
  for (const int trials : {1, 2, 4, 7}) CHECK(coverage(weights, p, trials) >= 0.94);
}

TEST_CASE("weight without trials counts once as failure and once as success", "[statistics]") {
  const StratifiedProbability p = stratified_probability(std::vector<Stratum>{{0.8, 50, 50}});
  CHECK(p.known_weight == Approx(0.8));
  CHECK(p.estimate == Approx(1.0));
  CHECK(p.interval.low == Approx(0.8 * wilson_interval(50, 50).low));
  CHECK(p.interval.high == 1.0);
  const StratifiedProbability none = stratified_probability(std::vector<Stratum>{{0.2, 0, 50}});
  CHECK(none.interval.low == 0.0);
  CHECK(none.interval.high == Approx(0.8 + 0.2 * wilson_interval(0, 50).high));
}

TEST_CASE("nothing known is everything possible", "[statistics]") {
  const StratifiedProbability p = stratified_probability(std::vector<Stratum>{{1.0, 0, 0}});
  CHECK(std::isnan(p.estimate));
  CHECK(p.interval.low == 0.0);
  CHECK(p.interval.high == 1.0);
  CHECK(p.effective_trials == 0.0);
}

TEST_CASE("failed trials widen the interval of strata on both sides", "[statistics]") {
  const Interval without = interval_of({{0.5, 8, 10}, {0.5, 5, 10}});
  const Interval with = interval_of({{0.5, 8, 10, 2}, {0.5, 5, 10}});
  CHECK(with.low < without.low);
  CHECK(with.high > without.high);
  CHECK(with.low == interval_of({{0.5, 8, 12}, {0.5, 5, 10}}).low);
  CHECK(with.high == interval_of({{0.5, 10, 12}, {0.5, 5, 10}}).high);
}

TEST_CASE("effective trials of equal and of unequal weights", "[statistics]") {
  const std::vector<Stratum> equal = {{0.5, 1, 10}, {0.5, 1, 10}};
  CHECK(stratified_probability(equal).effective_trials == Approx(20));
  const std::vector<Stratum> unequal = {{0.9, 1, 10}, {0.1, 1, 10}};
  CHECK(stratified_probability(unequal).effective_trials == Approx(10 / 0.82));
}

TEST_CASE("with the spread of the observed proportion an interval of beliefs is Wilson's",
          "[statistics]") {
  for (const auto& [s, n] : {std::pair{3.0, 20.0}, {17.0, 20.0}, {40.0, 80.0}}) {
    CAPTURE(s, n);
    const double p = s / n;
    const std::vector<Stratum> strata = {{1.0, s, n}, {0.0, 5, 10}};
    const std::vector<StratumSpread> spreads = {{p * (1 - p), p * (1 - p) * (1 - 2 * p)}, {1, 0}};
    const Interval found = spread_interval(strata, spreads);
    const Interval wilson =
        wilson_interval(static_cast<std::int64_t>(s), static_cast<std::int64_t>(n));
    CHECK(found.low == Approx(wilson.low).margin(1e-9));
    CHECK(found.high == Approx(wilson.high).margin(1e-9));
  }
}

TEST_CASE("sure strata do not widen an interval of beliefs and unknown weight does",
          "[statistics]") {
  std::vector<Stratum> strata(41, {0.02, 4, 4});
  strata[0] = {0.1, 50, 100};
  std::vector<StratumSpread> spreads(41, {1e-9, -1e-9});
  spreads[0] = {0.25, 0.0};
  const Interval narrow = spread_interval(strata, spreads);  // 0.1 of unknown weight
  CHECK(narrow.low == Approx(0.85 - kZ95 * 0.1 * 0.05).margin(5e-4));
  CHECK(narrow.high == Approx(0.95 + kZ95 * 0.1 * 0.05).margin(5e-4));
  CHECK(narrow.low > stratified_probability(strata).interval.low);
  strata[0].failed = 100;
  const Interval failed = spread_interval(strata, spreads);
  CHECK(failed.low < 0.825 - 0.005);  // 50 of 200
  CHECK(failed.high > 0.975);
}
