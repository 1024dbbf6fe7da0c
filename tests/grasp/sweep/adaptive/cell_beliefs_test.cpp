#include "grasp/sweep/adaptive/cell_beliefs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/base/probability/random.hpp"
#include "tests/support/maps.hpp"

namespace graspmap {
namespace {

const Axis kSide{0, 14, 14};

/// A true map: its probability falls from 1 to 0 over `edge_mm` around a disc.
struct SoftDisc {
  double x_mm = 7.0;
  double y_mm = 7.0;
  double edge_mm = 2.0;

  [[nodiscard]] double probability(int i, int j) const {
    const double from = std::hypot(kSide.cell_center(i) - x_mm, kSide.cell_center(j) - y_mm);
    return std::clamp((4.2 + edge_mm / 2 - from) / edge_mm, 0.0, 1.0);
  }

  [[nodiscard]] double cells(double threshold) const {
    double cells = 0;
    for (int j = 0; j < 14; ++j) {
      for (int i = 0; i < 14; ++i) cells += probability(i, j) >= threshold ? 1 : 0;
    }
    return cells;
  }
};

/// Somewhere near the middle, so that the cells' probabilities differ from map to map.
SoftDisc drawn_disc(std::uint64_t seed, double edge_mm) {
  return {6.5 + uniform_open(seed, 0, 1), 6.5 + uniform_open(seed, 0, 2), edge_mm};
}

/// Fresh trials of a disc; a third of the cells may have more of them.
SuccessMap drawn_map(const SoftDisc& disc, std::uint64_t seed, int trials, int more_in_some = 0) {
  SuccessMap map(kSide, kSide);
  for (std::size_t c = 0; c < map.cells.size(); ++c) {
    const double p = disc.probability(static_cast<int>(c) % 14, static_cast<int>(c) / 14);
    const int n = trials + (c % 3 == 0 ? more_in_some : 0);
    const auto s = CountDistribution::binomial(n, p).quantile(uniform_open(seed, c, 0));
    map.cells[c].by_outcome[static_cast<std::size_t>(Outcome::kSuccess)] = s;
    map.cells[c].by_outcome[static_cast<std::size_t>(Outcome::kWedged)] = n - s;
  }
  return map;
}

double cells_of(const SuccessMap& map, double threshold) {
  return static_cast<double>(find_plateau(map, threshold).cells);
}

struct Coverage {
  int held = 0;
  double bias = 0.0;
  double width = 0.0;
};

/// What the 95 % interval covers, over fresh discs with fresh trials each.
Coverage coverage(double edge_mm, int trials, double threshold, int maps) {
  Coverage result;
  for (int k = 0; k < maps; ++k) {
    const auto seed = static_cast<std::uint64_t>(1 + k);
    const SoftDisc disc = drawn_disc(seed, edge_mm);
    const SuccessMap map = drawn_map(disc, seed, trials);
    const Interval interval = plateau_cells_interval(map, threshold);
    const double truth = disc.cells(threshold);
    result.held += interval.low <= truth && truth <= interval.high ? 1 : 0;
    result.bias += (cells_of(map, threshold) - truth) / maps;
    result.width += (interval.high - interval.low) / maps;
  }
  return result;
}

TEST_CASE("the interval of a plateau holds its estimate on any map", "[plateau_interval]") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    for (const int trials : {1, 3, 10, 60}) {
      for (const double threshold : {0.0, 0.5, 0.9, 1.0}) {
        CAPTURE(seed, trials, threshold);
        const SuccessMap map = drawn_map({}, seed, trials, trials);
        const Interval interval = plateau_cells_interval(map, threshold);
        const double estimate = cells_of(map, threshold);
        CHECK(interval.low <= estimate);
        CHECK(interval.high >= estimate);
        CHECK(interval.low >= 0);
        CHECK(interval.high <= 196);
      }
    }
  }
}

TEST_CASE("the interval of a plateau holds the truth, also where its estimate is biased",
          "[plateau_interval]") {
  const Coverage few = coverage(3, 10, 0.9, 40);
  CHECK(few.bias > 1.5);
  CHECK(few.held >= 36);
  CHECK(few.width < 15);
  const Coverage many = coverage(3, 100, 0.9, 20);
  CHECK(many.held >= 18);
  CHECK(many.width < 6);
}

TEST_CASE("coverage of the interval of a plateau", "[.long][plateau_interval]") {
  constexpr int kMaps = 100;
  std::string table = "edge mm, threshold, trials: held of 100, bias, width (cells)\n";
  for (const double edge : {1.0, 3.0, 6.0}) {
    for (const double threshold : {0.5, 0.9, 0.95}) {
      for (const int trials : {5, 10, 20, 50, 250}) {
        const Coverage c = coverage(edge, trials, threshold, kMaps);
        CHECK(c.held >= 0.85 * kMaps);
        table += fmt::format("{} {} {}: {} {:+.1f} {:.1f}\n", edge, threshold, trials, c.held,
                             c.bias, c.width);
      }
    }
  }
  WARN(table);
}

TEST_CASE("the area of a plateau has its interval, and failed trials widen it",
          "[plateau_interval]") {
  SuccessMap map = testing::map_of({0, 8, 4}, {0, 8, 4}, 200,
                                   [](double x, double) { return x < 4 ? 1.0 : 0.0; });
  const Interval area = plateau_area_interval(map, 0.95);
  CHECK(area.low == 32);
  CHECK(area.high == 32);
  for (CellCounts& cell : map.cells) {
    cell.by_outcome[static_cast<std::size_t>(Outcome::kFailed)] = 8000;
  }
  const Interval wide = plateau_area_interval(map, 0.95);
  CHECK(wide.low == 0);
  CHECK(wide.high == 64);
}

TEST_CASE("cells without trials do not count", "[plateau_interval]") {
  SuccessMap map(kSide, kSide);
  CHECK(plateau_cells_interval(map, 0.9).high == 0);
  testing::add_trials(map, 3, 3, Outcome::kSuccess, 3);
  const Interval one = plateau_cells_interval(map, 0.9);
  CHECK(one.low >= 0);
  CHECK(one.high == 1);
}

}  // namespace
}  // namespace graspmap
