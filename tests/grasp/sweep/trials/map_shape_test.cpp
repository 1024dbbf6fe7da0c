#include "grasp/sweep/trials/map_shape.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>

#include "grasp/base/probability/count_distribution.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/decide/compare/map_numbers.hpp"

using namespace graspmap;

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
