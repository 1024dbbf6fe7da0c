#include "grasp/sweep/trials/success_map.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace graspmap {
namespace {

TEST_CASE("the Wilson bounds solve the score equation (s/n - p)^2 = z^2 p (1 - p) / n") {
  const double z = GENERATE(1.0, 1.959963984540054, 3.0);
  const std::int64_t n = GENERATE(1, 2, 10, 252, 100800);
  const std::int64_t s = GENERATE_COPY(std::int64_t{0}, n / 3, n / 2, n - 1, n);
  const Interval interval = wilson_interval(s, n, z);
  const double p_hat = static_cast<double>(s) / static_cast<double>(n);
  for (const double p : {interval.low, interval.high}) {
    const double left = (p_hat - p) * (p_hat - p);
    const double right = z * z * p * (1 - p) / static_cast<double>(n);
    CHECK(left == Approx(right).margin(1e-15));
  }
  CHECK(interval.low <= p_hat);
  CHECK(interval.high >= p_hat);
  CHECK(interval.low < interval.high);
}

TEST_CASE("the Wilson interval at the ends is exactly 0 or 1, and everything without trials") {
  CHECK(wilson_interval(0, 252).low == 0.0);
  CHECK(wilson_interval(252, 252).high == 1.0);
  CHECK(wilson_interval(252, 252).low == Approx(0.985).margin(5e-4));
  CHECK(wilson_interval(0, 0).low == 0.0);
  CHECK(wilson_interval(0, 0).high == 1.0);
}

TEST_CASE("failed trials count as trials but not against success") {
  SuccessMap map({0, 1, 1}, {0, 1, 1});
  for (const Outcome outcome : {Outcome::kSuccess, Outcome::kSuccess, Outcome::kWedged,
                                Outcome::kBlocked, Outcome::kFailed}) {
    map.add(0, 0, outcome);
  }
  const CellCounts& cell = map.at(0, 0);
  CHECK(cell.trials() == 5);
  CHECK(cell.valid_trials() == 4);
  CHECK(cell.success_probability() == 0.5);
  CHECK(cell.success_interval().low == wilson_interval(2, 5).low);
  CHECK(cell.success_interval().high == wilson_interval(3, 5).high);
}

TEST_CASE("a cell without valid trials has no success probability") {
  SuccessMap map({0, 1, 1}, {0, 1, 1});
  CHECK(std::isnan(map.at(0, 0).success_probability()));
  map.add(0, 0, Outcome::kFailed);
  CHECK(std::isnan(map.at(0, 0).success_probability()));
}

TEST_CASE("counts go to their cell, x fastest, and add up to the total") {
  SuccessMap map({-1, 1, 2}, {0, 3, 3});
  map.add(1, 0, Outcome::kSuccess);
  map.add(0, 2, Outcome::kMissed);
  map.add(0, 2, Outcome::kMissed);
  CHECK(map.cells.size() == 6);
  CHECK(map.cells[1].count(Outcome::kSuccess) == 1);
  CHECK(map.cells[4].count(Outcome::kMissed) == 2);
  CHECK(map.total().count(Outcome::kSuccess) == 1);
  CHECK(map.total().count(Outcome::kMissed) == 2);
  CHECK(map.total().trials() == 3);
}

}  // namespace

TEST_CASE("failed trials widen the interval: once as success and once as no success",
          "[success_map]") {
  CellCounts cell;
  cell.by_outcome[static_cast<std::size_t>(Outcome::kSuccess)] = 8;
  cell.by_outcome[static_cast<std::size_t>(Outcome::kWedged)] = 2;
  cell.by_outcome[static_cast<std::size_t>(Outcome::kFailed)] = 3;
  CHECK(cell.success_probability() == Approx(0.8));
  CHECK(cell.success_interval().low == wilson_interval(8, 13).low);
  CHECK(cell.success_interval().high == wilson_interval(11, 13).high);
}

TEST_CASE("the quantile of a confidence", "[success_map]") {
  CHECK(two_sided_z(0.95) == Approx(kZ95).epsilon(1e-12));
  CHECK(two_sided_z(0.9) == Approx(1.6448536269514722).epsilon(1e-12));
}

}  // namespace graspmap
