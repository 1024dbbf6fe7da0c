#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "grasp/base/probability/stratified.hpp"
#include "grasp/decide/statistics/compared_cells.hpp"

using namespace graspmap;

namespace {

PairTable table(int both, int only_a, int only_b, int neither) {
  using enum PairSide;
  PairTable t;
  for (int k = 0; k < both; ++k) t.add(kSuccess, kSuccess);
  for (int k = 0; k < only_a; ++k) t.add(kSuccess, kNoSuccess);
  for (int k = 0; k < only_b; ++k) t.add(kNoSuccess, kSuccess);
  for (int k = 0; k < neither; ++k) t.add(kNoSuccess, kNoSuccess);
  return t;
}

Estimate one_stratum(const PairTable& t) {
  return paired_difference(std::vector<PairedStratum>{{1.0, t}});
}

/// Tango's statistic of "the difference is d" (1998): the constrained maximum of the likelihood by
/// his quadratic equation for the probability of `only_b`.
double tango_z(double only_a, double only_b, double n, double d) {
  const double b = (2 * n + only_b - only_a) * d - only_a - only_b;
  const double c = -only_b * d * (1 - d);
  const double q = (std::sqrt(b * b - 8 * n * c) - b) / (4 * n);
  return (only_a - only_b - n * d) / std::sqrt(n * (2 * q + d * (1 - d)));
}

/// The probability that the interval for n pairs holds the truth.
double coverage(int n, double a, double b) {
  double covered = 0;
  for (int k = 0; k <= n; ++k) {
    const double p_k = boost::math::pdf(boost::math::binomial(n, a + b), k);
    if (p_k < 1e-9) continue;
    for (int i = 0; i <= k; ++i) {
      const Interval interval = one_stratum(table(n - k, i, k - i, 0)).interval;
      const bool holds = interval.low <= a - b + 1e-9 && a - b <= interval.high + 1e-9;
      if (holds) covered += p_k * boost::math::pdf(boost::math::binomial(k, a / (a + b)), i);
    }
  }
  return covered;
}

}  // namespace

TEST_CASE("paired intervals of published tables", "[statistics]") {
  // Bentur et al. (2009), Cavo et al. (2012), with Tango's intervals in Fagerland, Lydersen and
  // Laake (2014), "Recommended tests and confidence intervals for paired binomial proportions".
  const Estimate bentur = one_stratum(table(1, 1, 7, 12));
  CHECK(bentur.value == Approx(-6.0 / 21));
  CHECK(bentur.interval.low == Approx(-0.517).margin(0.0005));
  CHECK(bentur.interval.high == Approx(-0.026).margin(0.0005));
  CHECK(mcnemar_p_value(1, 7) == Approx(0.0703125));
}

TEST_CASE("the ends of a paired interval are where Tango's test changes its mind", "[statistics]") {
  for (const auto& [a, b, n] : {std::tuple{40, 20, 160}, {0, 3, 30}, {5, 0, 5}, {1, 9, 12}}) {
    const Interval i = one_stratum(table(n - a - b, a, b, 0)).interval;
    CAPTURE(a, b, n, i.low, i.high);
    if (i.low > -1) CHECK(tango_z(a, b, n, i.low) == Approx(kZ95).epsilon(1e-5));
    if (i.high < 1) CHECK(tango_z(a, b, n, i.high) == Approx(-kZ95).epsilon(1e-5));
  }
}

TEST_CASE("pairs that never differ leave an interval around 0", "[statistics]") {
  const Interval i = one_stratum(table(200, 0, 0, 52)).interval;
  CHECK(i.high == Approx(kZ95 * kZ95 / (252 + kZ95 * kZ95)));
  CHECK(i.low == Approx(-i.high));
  CHECK(one_stratum(table(0, 9, 0, 0)).interval.high == 1.0);
  CHECK(one_stratum(table(0, 0, 9, 0)).interval.low == -1.0);
}

TEST_CASE("paired differences are covered as often as promised", "[statistics]") {
  // Exact, by going through all tables.
  CHECK(coverage(20, 0.2, 0.1) == Approx(0.95).margin(0.02));
  CHECK(coverage(40, 0.05, 0.05) == Approx(0.95).margin(0.025));
  CHECK(coverage(40, 0.3, 0.02) == Approx(0.95).margin(0.02));
}

TEST_CASE("strata that are all alike are one sample of pairs", "[statistics]") {
  const Interval one = one_stratum(table(20, 12, 4, 24)).interval;
  const PairTable quarter = table(5, 3, 1, 6);
  const std::vector<PairedStratum> four(4, PairedStratum{0.25, quarter});
  const Estimate d = paired_difference(four);
  CHECK(d.value == Approx(8.0 / 60));
  CHECK(d.interval.low == Approx(one.low).margin(1e-9));
  CHECK(d.interval.high == Approx(one.high).margin(1e-9));
}

TEST_CASE("weight without pairs may differ either way", "[statistics]") {
  const PairTable pairs = table(20, 12, 4, 24);
  const Interval known = one_stratum(pairs).interval;
  const Estimate d = paired_difference(std::vector<PairedStratum>{{0.9, pairs}});
  CHECK(d.value == Approx(8.0 / 60));
  CHECK(d.interval.low == Approx(0.9 * known.low - 0.1));
  CHECK(d.interval.high == Approx(0.9 * known.high + 0.1));
  CHECK(std::isnan(paired_difference(std::vector<PairedStratum>{{1.0, {}}}).value));
}

TEST_CASE("failed trials count once for A and once for B", "[statistics]") {
  using enum PairSide;
  PairTable t = table(10, 4, 2, 8);
  t.add(kFailed, kSuccess);
  t.add(kNoSuccess, kFailed);
  t.add(kFailed, kFailed);
  CHECK(t.failed() == 3);
  CHECK(t.decided() == PairCounts{10, 4, 2, 8});
  CHECK(t.lowest() == PairCounts{10, 4, 5, 8});
  CHECK(t.highest() == PairCounts{11, 5, 2, 9});
  const Estimate d = one_stratum(t);
  CHECK(d.value == Approx(2.0 / 24));
  CHECK(d.interval.low == one_stratum(table(10, 4, 5, 8)).interval.low);
  CHECK(d.interval.high == one_stratum(table(11, 5, 2, 9)).interval.high);
}

TEST_CASE("McNemar's p-value is a binomial tail on both sides", "[statistics]") {
  CHECK(mcnemar_p_value(0, 0) == 1.0);
  CHECK(mcnemar_p_value(3, 3) == 1.0);
  CHECK(mcnemar_p_value(0, 6) == Approx(2.0 / 64));
  CHECK(mcnemar_p_value(6, 0) == Approx(2.0 / 64));
  CHECK(mcnemar_p_value(2, 8) == Approx(2.0 * (1 + 10 + 45) / 1024));
}

TEST_CASE("what pairing is worth", "[statistics]") {
  // pA = 0.6, pB = 0.5; independent: 0.24 + 0.25; in pairs: 0.1 + 0.0 - 0.01.
  const std::vector<PairedStratum> strata{{1.0, table(50, 10, 0, 40)}};
  CHECK(pairing_gain(strata) == Approx(0.49 / 0.09));
  CHECK(std::isinf(pairing_gain(std::vector<PairedStratum>{{1.0, table(5, 0, 0, 5)}})));
  CHECK(std::isnan(pairing_gain(std::vector<PairedStratum>{{1.0, table(5, 0, 0, 0)}})));
}

TEST_CASE("the ends of an unpaired interval are where Mee's test changes its mind",
          "[statistics]") {
  // 56/70 against 48/80, the example of Newcombe (1998): Mee's interval is 0.0533 to 0.3377
  // to three digits, and his hybrid one 0.0524 to 0.3339.
  const std::vector<UnpairedStratum> strata{{1.0, {56, 70, 0}, {48, 80, 0}}};
  const Estimate d = unpaired_difference(strata);
  CHECK(d.value == Approx(0.2));
  CHECK(d.interval.low == Approx(0.0533).margin(0.001));
  CHECK(d.interval.high == Approx(0.3377).margin(0.003));
  for (const double end : {d.interval.low, d.interval.high}) {
    double likeliest = -INFINITY;
    double variance = 0;
    for (double b = 1e-5; b < 1; b += 1e-5) {
      const double a = b + end;
      if (!(a > 0 && a < 1)) continue;
      const double log_likelihood =
          56 * std::log(a) + 14 * std::log(1 - a) + 48 * std::log(b) + 32 * std::log(1 - b);
      if (log_likelihood < likeliest) continue;
      likeliest = log_likelihood;
      variance = a * (1 - a) / 70 + b * (1 - b) / 80;
    }
    CHECK(std::abs(0.2 - end) / std::sqrt(variance) == Approx(kZ95).epsilon(1e-3));
  }
}

TEST_CASE("failed trials widen an unpaired interval", "[statistics]") {
  const std::vector<UnpairedStratum> without{{1.0, {8, 10, 0}, {5, 10, 0}}};
  const std::vector<UnpairedStratum> with{{1.0, {8, 10, 1}, {5, 10, 1}}};
  const Interval narrow = unpaired_difference(without).interval;
  const Interval wide = unpaired_difference(with).interval;
  CHECK(wide.low < narrow.low);
  CHECK(wide.high > narrow.high);
  const std::vector<UnpairedStratum> worst{{1.0, {8, 11, 0}, {6, 11, 0}}};
  CHECK(wide.low == Approx(unpaired_difference(worst).interval.low));
}
