#include "grasp/base/probability/axis.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/random.hpp"

namespace graspmap {
namespace {

/// The cell of an axis that holds a value, found by looking at all of them.
std::optional<int> cell_by_looking(const Axis& axis, double value) {
  if (value == axis.max) return axis.cells - 1;
  for (int i = 0; i < axis.cells; ++i) {
    if (axis.cell_min(i) <= value && value < axis.cell_max(i)) return i;
  }
  return std::nullopt;
}

TEST_CASE("a placement is in the cell whose bounds are around it, next to the bounds too") {
  testing::Random random(6);
  for (int k = 0; k < 200; ++k) {
    const double min = random.uniform(-30, 30);
    const Axis axis{min, min + random.uniform(1e-3, 60), 1 + random.index(70)};
    for (int i = 0; i <= axis.cells; ++i) {
      const double bound = i < axis.cells ? axis.cell_min(i) : axis.max;
      for (const double value : {std::nextafter(bound, -1e9), bound, std::nextafter(bound, 1e9)}) {
        CHECK(axis.cell_at(value) == cell_by_looking(axis, value));
      }
    }
    const double value = random.uniform(-100, 100);
    CHECK(axis.cell_at(value) == cell_by_looking(axis, value));
  }
}

TEST_CASE("a bound belongs to the upper cell, the axis' ends to its own cells") {
  const Axis axis{-10, 10, 20};
  CHECK(axis.cell_at(0) == 10);
  CHECK(axis.cell_at(-10) == 0);
  CHECK(axis.cell_at(10) == 19);
  CHECK_FALSE(axis.cell_at(std::nextafter(10.0, 11.0)));
  CHECK_FALSE(axis.cell_at(-10.001));
  CHECK_FALSE(axis.cell_at(std::numeric_limits<double>::quiet_NaN()));
  CHECK_FALSE(axis.cell_at(std::numeric_limits<double>::infinity()));
}

TEST_CASE("one value is held by its only cell, other values by none") {
  const Axis axis = fixed_angle(0.25);
  CHECK(axis.is_fixed());
  CHECK(axis.cell_at(0.25) == 0);
  CHECK_FALSE(axis.cell_at(std::nextafter(0.25, 1.0)));
  CHECK(axis.nearest_cell(7) == 0);
  CHECK(axis.cell_center(0) == 0.25);
}

TEST_CASE("a value outside of an axis is nearest to the first or the last cell") {
  const Axis axis{-10, 10, 20};
  CHECK(axis.nearest_cell(-1e9) == 0);
  CHECK(axis.nearest_cell(0.5) == 10);
  CHECK(axis.nearest_cell(1e9) == 19);
}

TEST_CASE("a grid numbers its cells: x fastest, then y, then theta") {
  const CellGrid grid{{0, 1, 2}, {0, 1, 3}, {-1, 1, 4}};
  CHECK(grid.cell_count() == 24);
  CHECK(grid.index(1, 0) == 1);
  CHECK(grid.index(0, 1) == 2);
  CHECK(grid.index(0, 0, 1) == 6);
  for (std::size_t number = 0; number < 24; ++number) {
    const CellIndex cell = grid.cell(number);
    CHECK(grid.index(cell.x, cell.y, cell.theta) == number);
  }
}

}  // namespace
}  // namespace graspmap
