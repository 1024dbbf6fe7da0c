#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {
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

  // A slice without tied candidates is none, even in their middle.
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
