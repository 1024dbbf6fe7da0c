#include "grasp/sweep/trials/success_map.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/decide/compare/map_numbers.hpp"

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

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

ProbabilityGrid grid_of(const Axis& x, const Axis& y,
                        const std::function<double(double, double)>& p) {
  ProbabilityGrid grid{x, y, {}};
  for (int j = 0; j < y.cells; ++j) {
    for (int i = 0; i < x.cells; ++i) {
      grid.values.push_back(p(x.cell_center(i), y.cell_center(j)));
    }
  }
  return grid;
}

/// A plateau for -4 <= y <= 2; p falls to 0 over 8 mm behind it and over 4 mm in front of it.
double slopes(double /*x_mm*/, double y_mm) {
  const double p = y_mm > 0 ? 1 - (y_mm - 2) / 8 : 1 - (-4 - y_mm) / 4;
  return std::clamp(p, 0.0, 1.0);
}

/// A row of cells of 1 mm at x = 0, 1, 2 ... with these probabilities.
ProbabilityGrid row_of(const std::vector<double>& values) {
  const auto n = static_cast<int>(values.size());
  return {{-0.5, n - 0.5, n}, {-0.5, 0.5, 1}, values};
}

SharedCell cell_at(std::size_t place, const SampleCounts& run, const SampleCounts& experiment) {
  return {{}, place, run, {run.probability(), {}}, experiment};
}

const MapNumber& number(const MapNumbers& numbers, const std::string& key) {
  return *std::find_if(numbers.numbers.begin(), numbers.numbers.end(),
                       [&](const MapNumber& n) { return n.key == key; });
}

/// The probability of at most `most` successes of n trials.
double share_up_to(int n, double p, double most) {
  double sum = 0;
  for (int k = 0; k <= most; ++k) {
    sum += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)) *
           std::pow(p, k) * std::pow(1 - p, n - k);
  }
  return sum;
}

/// The probability that the difference of two such numbers is at most `most`.
double share_of_differences(int n, double p, double most) {
  double sum = 0;
  for (int k = 0; k <= n; ++k) {
    const double exactly = share_up_to(n, p, k) - share_up_to(n, p, k - 1);
    sum += exactly * share_up_to(n, p, k + most);
  }
  return sum;
}

bool holds(const Interval& interval, double value) {
  return std::isnan(value) || (interval.low <= value && value <= interval.high);
}

/// A map with a soft edge, a run of 60 trials and an experiment of 12 in each cell.
std::vector<SharedCell> drawn_cells(std::uint64_t seed) {
  std::vector<SharedCell> cells;
  for (std::size_t place = 0; place < 100; ++place) {
    const double x = static_cast<double>(place % 10) - 4.5;
    const double y = static_cast<double>(place / 10) - 4.5;
    const double p = std::clamp((5.5 - std::hypot(x, y)) / 3, 0.0, 1.0);
    const auto draw = [&](std::int64_t trials, std::uint32_t which) {
      return SampleCounts{
          CountDistribution::binomial(trials, p).quantile(uniform_open(seed, place, which)),
          trials};
    };
    cells.push_back(cell_at(place, draw(60, 0), draw(12, 1)));
  }
  return cells;
}

}  // namespace

TEST_CASE("drop-offs and low areas of linear slopes", "[map_shape]") {
  const ProbabilityGrid map = grid_of({-2, 2, 4}, {-10, 10, 40}, slopes);
  const SideShape behind = side_shape(map, 0, 0, Side::kBehind);
  CHECK(behind.drop_off_mm == Approx(6.4));  // 0.9 at 2.8, 0.1 at 9.2
  CHECK(behind.low_begins_mm == Approx(6));
  CHECK(behind.low_extent_mm == Approx(4));  // to the map's edge
  const SideShape front = side_shape(map, 0.3, -2, Side::kFront);
  CHECK(front.drop_off_mm == Approx(3.2));
  CHECK(front.low_begins_mm == Approx(4));
  CHECK(front.low_extent_mm == Approx(4));
  for (const Side side : {Side::kLeft, Side::kRight}) {
    const SideShape none = side_shape(map, 0, 0, side);
    CHECK(std::isnan(none.drop_off_mm));
    CHECK(std::isnan(none.low_begins_mm));
    CHECK(std::isnan(none.low_extent_mm));
  }
}

TEST_CASE("the same slopes along x", "[map_shape]") {
  const ProbabilityGrid map =
      grid_of({-10, 10, 40}, {-2, 2, 4}, [](double x, double y) { return slopes(y, x); });
  CHECK(side_shape(map, 0, 0, Side::kRight).drop_off_mm == Approx(6.4));
  CHECK(side_shape(map, 0, 0, Side::kLeft).drop_off_mm == Approx(3.2));
}

TEST_CASE("a drop-off between two cells and a valley", "[map_shape]") {
  const SideShape step = side_shape(row_of({1, 1, 0, 0}), 0, 0, Side::kRight);
  CHECK(step.drop_off_mm == Approx(0.8));
  CHECK(step.low_begins_mm == Approx(1.5));
  CHECK(step.low_extent_mm == Approx(2));
  const SideShape valley = side_shape(row_of({1, 1, 0, 0, 1, 0}), 0, 0, Side::kRight);
  CHECK(valley.low_begins_mm == Approx(1.5));
  CHECK(valley.low_extent_mm == Approx(2));
  // It reaches 0.1 only after it has risen again.
  CHECK(side_shape(row_of({1, 0.6, 0.95, 0.1, 0.0}), 0, 0, Side::kRight).drop_off_mm ==
        Approx(3 - 0.25));
}

TEST_CASE("a line that begins low or ends early has no drop-off", "[map_shape]") {
  CHECK(std::isnan(side_shape(row_of({0.8, 0.5, 0}), 0, 0, Side::kRight).drop_off_mm));
  CHECK(std::isnan(side_shape(row_of({1, 1, 0.3}), 0, 0, Side::kRight).drop_off_mm));
  const SideShape cut = side_shape(row_of({1, 0.2, kUnknown, 0}), 0, 0, Side::kRight);
  CHECK(std::isnan(cut.drop_off_mm));
  CHECK(cut.low_begins_mm == Approx(0.625));
  CHECK(cut.low_extent_mm == Approx(1.5 - 0.625));
  CHECK(side_shape(row_of({0.2, 0.3}), 0, 0, Side::kRight).low_begins_mm == 0);
}

TEST_CASE("a line on a border of cells takes their mean, or the one that is known", "[map_shape]") {
  ProbabilityGrid map{{-1, 1, 2}, {0, 3, 3}, {1, 1, 0.8, 0.6, 0, 0}};
  CHECK(side_shape(map, 0, 0, Side::kBehind).drop_off_mm ==
        Approx(1 + 6.0 / 7 - 1.0 / 3).epsilon(1e-9));  // 1, 0.7, 0
  map.values[3] = kUnknown;                            // 1, 0.8, 0
  CHECK(side_shape(map, 0, 0, Side::kBehind).drop_off_mm ==
        Approx(1 + 7.0 / 8 - 0.5).epsilon(1e-9));
  CHECK(std::isnan(side_shape(map, 5, 0, Side::kBehind).low_begins_mm));
}

TEST_CASE("areas of plateaus and what they have in common", "[map_shape]") {
  const ProbabilityGrid a{{0, 4, 2}, {0, 2, 2}, {1, 0.95, 0.2, kUnknown}};
  const ProbabilityGrid b{{0, 4, 2}, {0, 2, 2}, {0.97, 0.9, 0.99, 1}};
  CHECK(plateau_area_mm2(a, 0.95) == 4);
  CHECK(plateau_area_mm2(b, 0.95) == 6);
  CHECK(plateau_overlap(a, b, 0.95) == Approx(1.0 / 3));
  CHECK(std::isnan(plateau_overlap(a, b, 1.1)));
}

TEST_CASE("numbers of two equal maps", "[map_shape]") {
  std::vector<SharedCell> cells;
  for (std::size_t k = 0; k < 16; ++k) cells.push_back(cell_at(k, {50, 50}, {50, 50}));
  cells[3].run = cells[3].experiment = {0, 50};
  const MapNumbers numbers = map_numbers({cells, {{0, 4, 4}, {0, 4, 4}}, 0.95, 1.0, 0.95, 20, 1});
  CHECK(numbers.cells == 16);
  CHECK(number(numbers, "plateau_area_mm2").run.value == 15);
  CHECK(number(numbers, "plateau_area_mm2").difference.value == 0);
  CHECK(numbers.plateau_overlap.value == 1);
  CHECK(numbers.displacement_mm.value == 0);
  // All came out alike in each cell: nothing varies by chance. That a cell with 50 of 50 successes
  // has p < 0.95 is believed with 2 %.
  CHECK(number(numbers, "plateau_area_mm2").run.interval.low >= 13);
  CHECK(number(numbers, "plateau_area_mm2").by_chance.low == 0);
  CHECK(number(numbers, "plateau_area_mm2").by_chance.high == 0);
  CHECK(numbers.overlap_by_chance.low == 1);
}

TEST_CASE("the bootstrap has the quantiles of its distribution", "[map_shape]") {
  // A cell of 5/11 belongs to the plateau p >= 0.5 in a replicate with probability q.
  constexpr int kCells = 100;
  double q = 0;
  for (int k = 6; k <= 11; ++k) {
    q += std::exp(std::lgamma(12) - std::lgamma(k + 1) - std::lgamma(12 - k)) *
         std::pow(5.0 / 11, k) * std::pow(6.0 / 11, 11 - k);
  }
  std::vector<SharedCell> cells;
  for (std::size_t k = 0; k < kCells; ++k) cells.push_back(cell_at(k, {5, 11}, {5, 11}));
  const MapNumbers numbers =
      map_numbers({cells, {{0, 10, 10}, {0, 10, 10}}, 0.5, 3.0, 0.95, 500, 1});
  const MapNumber& area = number(numbers, "plateau_area_mm2");
  CHECK(area.run.value == 0);
  // By chance the difference is that of two counts that are binomial(kCells, q). The level of a
  // quantile of 500 replicates has a standard error of 0.007.
  const double error = 3 * 0.007;
  CHECK(share_of_differences(kCells, q, area.by_chance.high) > 0.975 - error);
  CHECK(share_of_differences(kCells, q, area.by_chance.high - 1) < 0.975 + error);
  CHECK(share_of_differences(kCells, q, area.by_chance.low) > 0.025 - error);
  CHECK(share_of_differences(kCells, q, area.by_chance.low - 1) < 0.025 + error);
  // Chance makes differences of twice that variance.
  const double sigma = std::sqrt(2 * kCells * q * (1 - q));
  CHECK(area.by_chance.low == Approx(-1.96 * sigma).epsilon(0.15));
  CHECK(area.by_chance.high == Approx(1.96 * sigma).epsilon(0.15));
  CHECK(area.difference.interval.low == -area.by_chance.high);
}

TEST_CASE("cells with few trials are unknown and failed trials widen", "[map_shape]") {
  std::vector<SharedCell> cells;
  for (std::size_t k = 0; k < 4; ++k) cells.push_back(cell_at(k, {45, 50}, {9, 10}));
  cells[1].experiment = {9, 9};
  const MapNumbersInput input{cells, {{0, 2, 2}, {0, 2, 2}}, 0.9, 0.5, 0.95, 400, 1};
  const MapNumbers few = map_numbers(input);
  CHECK(few.cells == 3);
  CHECK(number(few, "plateau_area_mm2").run.value == 3);
  CHECK(number(few, "plateau_area_mm2").run.interval.low == 1);
  cells[0].run.failed = cells[2].run.failed = cells[3].run.failed = 500;
  const Interval wide = number(map_numbers(input), "plateau_area_mm2").run.interval;
  CHECK(wide.low == 0);   // 45 of 550
  CHECK(wide.high == 3);  // 545 of 550
}

TEST_CASE("each interval of two maps holds its own number", "[map_shape]") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const std::vector<SharedCell> cells = drawn_cells(seed);
    const MapNumbers found =
        map_numbers({cells, {{-5, 5, 10}, {-5, 5, 10}}, 0.9, 1.5, 0.95, 60, seed});
    for (const MapNumber& n : found.numbers) {
      CAPTURE(seed, n.key, n.run.value, n.experiment.value);
      CHECK(holds(n.run.interval, n.run.value));
      CHECK(holds(n.experiment.interval, n.experiment.value));
      CHECK(holds(n.difference.interval, n.difference.value));
    }
    CHECK(holds(found.plateau_overlap.interval, found.plateau_overlap.value));
    CHECK(found.plateau_overlap.interval.high <= 1);
    CHECK(holds(found.displacement_mm.interval, found.displacement_mm.value));
    CHECK(found.displacement_mm.interval.low >= 0);
  }
}

namespace {

constexpr int kTrials = 20;

/// Gives a cell `successes` of kTrials.
void fill(SuccessMap& map, const CellIndex& cell, int successes) {
  for (int k = 0; k < kTrials; ++k) {
    map.add(cell, k < successes ? Outcome::kSuccess : Outcome::kWedged);
  }
}
void fill(SuccessMap& map, int i, int j, int successes) { fill(map, {i, j, 0}, successes); }

SuccessMap uniform_map(const Axis& x, const Axis& y, int successes) {
  SuccessMap map(x, y);
  for (int j = 0; j < y.cells; ++j) {
    for (int i = 0; i < x.cells; ++i) fill(map, i, j, successes);
  }
  return map;
}

/// The lowest probability of the cells whose centres lie in the square around (x, y).
double lowest_around(const SuccessMap& map, double x_mm, double y_mm, double half_width_mm) {
  double lowest = 2.0;
  for (int j = 0; j < map.y_mm.cells; ++j) {
    for (int i = 0; i < map.x_mm.cells; ++i) {
      const bool inside = std::abs(map.x_mm.cell_center(i) - x_mm) < half_width_mm &&
                          std::abs(map.y_mm.cell_center(j) - y_mm) < half_width_mm;
      if (inside) lowest = std::min(lowest, map.at(i, j).success_probability());
    }
  }
  return lowest;
}

TEST_CASE("the sweet spot is no worse than any grid node whose square lies on the map") {
  std::mt19937 generator(7);
  std::uniform_int_distribution<int> successes(0, kTrials);
  for (int round = 0; round < 20; ++round) {
    SuccessMap map({-5, 5, 10}, {-9, 0, 9});
    for (int j = 0; j < 9; ++j) {
      for (int i = 0; i < 10; ++i) fill(map, i, j, successes(generator));
    }
    const SweetSpot spot = find_sweet_spot(map, 2);
    REQUIRE(spot.found);
    CHECK(spot.lowest_probability == lowest_around(map, spot.x_mm, spot.y_mm, 2));
    for (int y = -7; y <= -2; ++y) {
      for (int x = -3; x <= 3; ++x) {
        CHECK(lowest_around(map, x, y, 2) <= spot.lowest_probability);
      }
    }
  }
}

TEST_CASE("the one square without a bad cell is found") {
  SuccessMap map = uniform_map({-10, 10, 20}, {-20, 0, 20}, 10);
  for (int j = 6; j < 12; ++j) {
    for (int i = 3; i < 9; ++i) fill(map, i, j, kTrials);  // 30 of 40
  }
  const SweetSpot spot = find_sweet_spot(map, 3);
  REQUIRE(spot.found);
  CHECK(spot.x_mm == -4);
  CHECK(spot.y_mm == -11);
  CHECK(spot.half_width_mm == 3);
  CHECK(spot.lowest_probability == 0.75);
  CHECK(spot.lowest_interval.low == wilson_interval(30, 40).low);
  CHECK(spot.lowest_interval.high == wilson_interval(30, 40).high);
}

TEST_CASE("ties go to the middle of the tied placements") {
  const SweetSpot middle = find_sweet_spot(uniform_map({-10, 10, 20}, {-20, 0, 20}, kTrials), 3);
  CHECK(middle.x_mm == 0);
  CHECK(middle.y_mm == -10);

  // An odd number of cells: the two middle candidates are as close, and the same |x| away.
  const SweetSpot off = find_sweet_spot(uniform_map({-3, 4, 7}, {0, 2, 2}, kTrials), 1);
  CHECK(off.x_mm == 0);  // candidates -2 ... 3, mean 0.5: 0 has the smaller |x|
}

TEST_CASE("cells need not be squares of 1 mm") {
  SuccessMap map = uniform_map({0, 8, 4}, {0, 4, 8}, 5);
  for (int j = 2; j < 6; ++j) fill(map, 1, j, kTrials);
  const SweetSpot spot = find_sweet_spot(map, 1);  // one cell of 2 mm by four of 0.5 mm
  REQUIRE(spot.found);
  CHECK(spot.x_mm == 3);
  CHECK(spot.y_mm == 2);
}

TEST_CASE("a square narrower than a cell is one cell") {
  SuccessMap map = uniform_map({0, 4, 4}, {0, 4, 4}, 5);
  fill(map, 2, 1, kTrials);
  const SweetSpot spot = find_sweet_spot(map, 0.1);
  REQUIRE(spot.found);
  CHECK(spot.x_mm == 2.5);
  CHECK(spot.y_mm == 1.5);
}

TEST_CASE("squares with a cell without valid trials are no candidates") {
  SuccessMap map({0, 4, 4}, {0, 2, 2});
  for (int j = 0; j < 2; ++j) {
    for (const int i : {0, 1, 3}) fill(map, i, j, i == 3 ? kTrials : 0);
  }
  map.add(2, 0, Outcome::kFailed);
  const SweetSpot spot = find_sweet_spot(map, 1);
  REQUIRE(spot.found);
  CHECK(spot.x_mm == 1);
  CHECK(spot.lowest_probability == 0);
}

TEST_CASE("no sweet spot: the square does not fit, or there are no trials") {
  CHECK_FALSE(find_sweet_spot(uniform_map({0, 4, 4}, {0, 4, 4}, kTrials), 3).found);
  CHECK_FALSE(find_sweet_spot(uniform_map({0, 4, 4}, {0, 4, 4}, kTrials), 1e300).found);
  CHECK_FALSE(find_sweet_spot(SuccessMap({0, 4, 4}, {0, 4, 4}), 1).found);
  CHECK_FALSE(find_sweet_spot(SuccessMap(), 1).found);
}

TEST_CASE("the plateau's cells, area and extent") {
  SuccessMap map = uniform_map({-4, 4, 4}, {-3, 0, 6}, 10);
  fill(map, 1, 2, 20);  // 30 of 40
  fill(map, 2, 4, 20);
  const Plateau plateau = find_plateau(map, 0.75);
  CHECK(plateau.cells == 2);
  CHECK(plateau.area_mm2 == Approx(2 * 2 * 0.5));
  CHECK(plateau.x_min_mm == -2);
  CHECK(plateau.x_max_mm == 2);
  CHECK(plateau.y_min_mm == -2);
  CHECK(plateau.y_max_mm == -0.5);
}

/// 6 x 5 cells of 1 mm at `theta`, `successes` in all of them.
SuccessMap turned_map(const Axis& theta, int successes) {
  SuccessMap map({-3, 3, 6}, {-5, 0, 5}, theta);
  for (int cell = 0; cell < 30 * theta.cells; ++cell) {
    fill(map, {cell % 6, cell / 6 % 5, cell / 30}, successes);
  }
  return map;
}

TEST_CASE("the sweet spot is that of the best slice") {
  std::mt19937 generator(11);
  std::uniform_int_distribution<int> successes(0, kTrials);
  for (int round = 0; round < 20; ++round) {
    SuccessMap map({-3, 3, 6}, {-5, 0, 5}, {-0.4, 0.8, 3});
    for (int cell = 0; cell < 90; ++cell) {
      fill(map, {cell % 6, cell / 6 % 5, cell / 30}, successes(generator));
    }
    const SweetSpot spot = find_sweet_spot(map, 1);
    REQUIRE(spot.found);
    CHECK(spot.theta_rad == map.theta_rad.cell_center(spot.cell_theta));
    for (int k = 0; k < 3; ++k) {
      const SweetSpot of_slice = find_sweet_spot(map.slice(k), 1);
      CHECK(of_slice.lowest_probability <= spot.lowest_probability);
      if (k != spot.cell_theta) continue;
      CHECK(of_slice.x_mm == spot.x_mm);
      CHECK(of_slice.y_mm == spot.y_mm);
      CHECK(of_slice.lowest_probability == spot.lowest_probability);
      CHECK(of_slice.lowest_interval.low == spot.lowest_interval.low);
      CHECK(of_slice.theta_rad == Approx(spot.theta_rad).margin(1e-15));
    }
  }
}

TEST_CASE("ties go to the middle of the tied angles, then to the middle of that slice") {
  const SweetSpot middle = find_sweet_spot(turned_map({0, 1, 5}, kTrials), 1);
  CHECK(middle.cell_theta == 2);
  CHECK((middle.x_mm == 0 && (middle.y_mm == -2 || middle.y_mm == -3)));

  // Of two middle slices the one of smaller |theta|; of equal ones the first.
  CHECK(find_sweet_spot(turned_map({-0.9, 0.3, 4}, kTrials), 1).cell_theta == 2);
  CHECK(find_sweet_spot(turned_map({-0.3, 0.9, 4}, kTrials), 1).cell_theta == 1);
  CHECK(find_sweet_spot(turned_map({-1, 1, 2}, kTrials), 1).cell_theta == 0);

  // A slice without tied candidates is not chosen, even in their middle.
  SuccessMap two = turned_map({-1.5, 1.5, 3}, 5);
  for (int cell = 0; cell < 30; ++cell) {
    fill(two, {cell % 6, cell / 6, 0}, kTrials);
    fill(two, {cell % 6, cell / 6, 2}, kTrials);
  }
  const SweetSpot outer = find_sweet_spot(two, 1);
  CHECK(outer.cell_theta == 0);
  CHECK(outer.theta_rad == -1);
  CHECK(outer.lowest_probability == 0.625);  // 25 of 40

  // One tied candidate more shifts the mean to its side.
  SuccessMap shifted = turned_map({-1, 1, 2}, 5);
  for (const CellIndex& cell : {CellIndex{0, 0, 0}, {4, 1, 1}, {5, 1, 1}}) fill(shifted, cell, 20);
  const SweetSpot spot = find_sweet_spot(shifted, 0.5);
  CHECK(spot.cell_theta == 1);
  CHECK(spot.x_mm == 1.5);
}

TEST_CASE("the plateau of several angles: the best angle, the mean, and all extents") {
  SuccessMap map = turned_map({-0.3, 0.9, 4}, 10);
  for (const CellIndex& cell : {CellIndex{1, 2, 1}, {2, 2, 1}, {4, 0, 1}, {0, 4, 2}}) {
    fill(map, cell, 20);  // 30 of 40
  }
  const Plateau plateau = find_plateau(map, 0.75);
  CHECK(plateau.cells == 4);
  CHECK(plateau.area_mm2 == 3);
  CHECK(plateau.theta_rad == map.theta_rad.cell_center(1));
  CHECK(plateau.mean_area_mm2 == 1);
  CHECK((plateau.x_min_mm == -3 && plateau.x_max_mm == 2));
  CHECK((plateau.y_min_mm == -5 && plateau.y_max_mm == 0));
  CHECK(plateau.theta_min_rad == map.theta_rad.cell_min(1));
  CHECK(plateau.theta_max_rad == map.theta_rad.cell_max(2));
  const Plateau of_slice = find_plateau(map.slice(1), 0.75);
  CHECK(of_slice.area_mm2 == plateau.area_mm2);
  CHECK(of_slice.mean_area_mm2 == plateau.area_mm2);
}

TEST_CASE("an empty plateau has no area, and cells without trials do not belong to one") {
  CHECK(find_plateau(uniform_map({0, 4, 4}, {0, 4, 4}, 10), 0.75).cells == 0);
  CHECK(find_plateau(SuccessMap({0, 4, 4}, {0, 4, 4}), 0.0).cells == 0);
  CHECK(find_plateau(SuccessMap({0, 4, 4}, {0, 4, 4}), 0.0).area_mm2 == 0.0);
}

}  // namespace

}  // namespace graspmap
