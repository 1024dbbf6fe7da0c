#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "grasp/base/probability/proportions.hpp"

namespace graspmap {
namespace {

using IntervalFunction = std::function<Interval(std::int64_t, std::int64_t)>;

bool holds(const Interval& interval, double p) { return interval.low <= p && p <= interval.high; }

/// The exact probability that the interval misses p after one of the first `most` trials: of
/// someone who stops at the first miss, the nastiest rule there is. By going through all paths at
/// once.
double probability_of_a_miss(const IntervalFunction& interval, double p, int most) {
  std::vector<double> reached{1.0};  // by the number of successes, never missed so far
  double missed = 0;
  for (int n = 1; n <= most; ++n) {
    std::vector<double> next(reached.size() + 1, 0.0);
    for (std::size_t s = 0; s < reached.size(); ++s) {
      next[s] += reached[s] * (1 - p);
      next[s + 1] += reached[s] * p;
    }
    for (std::size_t s = 0; s < next.size(); ++s) {
      if (holds(interval(static_cast<std::int64_t>(s), n), p)) continue;
      missed += next[s];
      next[s] = 0;
    }
    reached = next;
  }
  return missed;
}

TEST_CASE("the anytime interval misses in at most 5 % of runs that stop as soon as it does") {
  const IntervalFunction anytime = [](std::int64_t s, std::int64_t n) {
    return anytime_interval(s, n);
  };
  const IntervalFunction wilson = [](std::int64_t s, std::int64_t n) {
    return wilson_interval(s, n);
  };
  for (const double p : {0.02, 0.2, 0.5, 0.7, 0.95, 0.99}) {
    CAPTURE(p);
    const double missed = probability_of_a_miss(anytime, p, 60);
    CHECK(missed <= 0.05);
    CHECK(missed > 0);
    CHECK(probability_of_a_miss(wilson, p, 60) > 0.1);  // what the rule does to a fixed-n interval
  }
}

TEST_CASE("the anytime interval is where the mixture's likelihood ratio reaches 20") {
  // 1 of 2: B(3/2, 3/2) / B(1/2, 1/2) = 1/8, so p (1 - p) = 1/160.
  const double low = 0.5 - std::sqrt(0.25 - 1.0 / 160);
  CHECK(anytime_interval(1, 2).low == Approx(low).epsilon(1e-12));
  CHECK(anytime_interval(1, 2).high == Approx(1 - low).epsilon(1e-12));
  // All of 2: B(5/2, 1/2) / B(1/2, 1/2) = 3/8, so p^2 = 3/160.
  CHECK(anytime_interval(2, 2).low == Approx(std::sqrt(3.0 / 160)).epsilon(1e-12));
  CHECK(anytime_interval(2, 2).high == 1.0);
  CHECK(anytime_interval(0, 2).low == 0.0);
  CHECK(anytime_interval(0, 2).high == Approx(1 - std::sqrt(3.0 / 160)).epsilon(1e-12));
  CHECK(anytime_interval(0, 0).low == 0.0);
  CHECK(anytime_interval(0, 0).high == 1.0);
}

TEST_CASE(
    "the anytime interval holds the estimate, is wider than Wilson's and narrows with trials") {
  for (const std::int64_t n : {1, 7, 100, 10'000}) {
    for (const std::int64_t s : {std::int64_t{0}, n / 3, n}) {
      const Interval anytime = anytime_interval(s, n);
      const Interval wilson = wilson_interval(s, n);
      CHECK(anytime.low <= wilson.low);
      CHECK(anytime.high >= wilson.high);
      const Interval later = anytime_interval(10 * s, 10 * n);
      CHECK(later.high - later.low < anytime.high - anytime.low);
    }
  }
}

TEST_CASE("failed trials widen the anytime interval as successes and as no successes") {
  const Interval interval = anytime_interval(SampleCounts{5, 8, 2});
  CHECK(interval.low == anytime_interval(5, 10).low);
  CHECK(interval.high == anytime_interval(7, 10).high);
}

}  // namespace
}  // namespace graspmap
