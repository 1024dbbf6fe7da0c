#include "grasp/sweep/adaptive/cell_beliefs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/base/probability/random.hpp"
#include "tests/support/maps.hpp"
#include "tests/support/soft_disc.hpp"

namespace graspmap {
namespace {

using testing::drawn_disc;
using testing::drawn_map;
using testing::kSide;
using testing::SoftDisc;

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

TEST_CASE("the interval of a plateau holds the truth as often as any confidence says",
          "[plateau_interval]") {
  // Counts of cells are few numbers: intervals hold more than they say, and never less.
  for (const double confidence : {0.5, 0.8, 0.9, 0.95}) {
    int held = 0;
    constexpr int kMaps = 60;
    for (std::uint64_t k = 1; k <= kMaps; ++k) {
      const SoftDisc disc = drawn_disc(k, 2 + 4 * uniform_open(k, 0, 3));
      const Interval interval = plateau_cells_interval(drawn_map(disc, k, 20, 60), 0.9, confidence);
      const double truth = disc.cells(0.9);
      held += interval.low <= truth && truth <= interval.high ? 1 : 0;
    }
    CAPTURE(confidence, held);
    CHECK(wilson_interval(held, kMaps, two_sided_z(0.999)).high > confidence);
  }
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

TEST_CASE("what is believed holds after any number of trials", "[plateau_interval]") {
  // The likelihood of a thousand mixed outcomes is too small for a double.
  const SuccessMap map = testing::map_of({0, 8, 4}, {0, 8, 4}, 10'000, [](double x, double) {
    return x < 2 ? 1.0 : x < 4 ? 0.951 : x < 6 ? 0.949 : 0.5;
  });
  const std::vector<CellBelief> beliefs = believe(map);
  for (const CellBelief& belief : beliefs) {
    double weights = 0;
    for (const BeliefPart& part : belief) weights += part.weight;
    CHECK(weights == Approx(1.0));
  }
  CHECK(belief_at_least(beliefs[map.index(3, 1, 0)], 0.48) > 0.999);
  CHECK(belief_at_least(beliefs[map.index(3, 1, 0)], 0.52) < 0.001);
  CHECK(belief_at_least(beliefs[map.index(1, 1, 0)], 0.951) == Approx(0.5).margin(0.1));
  const Interval cells = plateau_cells_interval(map, 0.95);
  CHECK(cells.low < 8);
  CHECK(cells.high > 8);
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
