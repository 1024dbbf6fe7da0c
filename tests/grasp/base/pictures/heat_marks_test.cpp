#include <catch2/catch.hpp>
#include <cmath>

#include "grasp/base/pictures/heat_layout.hpp"
#include "tests/support/maps.hpp"

namespace graspmap {
namespace {

using testing::map_of;

/// The border of the cells with success probability >= `probability`.
std::vector<Points> plateau_outline(const SuccessMap& map, double probability) {
  return cells_border(map.x_mm, map.y_mm, [&](int i, int j) {
    return map.at(i, j).success_probability() >= probability;
  });
}

double length(const std::vector<Points>& outline) {
  double sum = 0.0;
  for (const Points& line : outline) {
    sum += (line[1] - line[0]).lpNorm<1>();
  }
  return sum;
}

/// The area inside, by Green's theorem over the vertical lines, cell by cell: the map knows on
/// which side the inside is.
double area(const std::vector<Points>& outline, const SuccessMap& map, double probability) {
  double sum = 0.0;
  for (const Points& line : outline) {
    if (line[0].x() != line[1].x()) continue;
    const double size = map.y_mm.cell_size();
    const auto i = std::lround((line[0].x() - map.x_mm.min) / map.x_mm.cell_size());
    const auto end = std::lround((line[1].y() - map.y_mm.min) / size);
    for (auto j = std::lround((line[0].y() - map.y_mm.min) / size); j < end; ++j) {
      const bool inside_is_right =
          i < map.x_mm.cells &&
          map.at(static_cast<int>(i), static_cast<int>(j)).success_probability() >= probability;
      sum += (inside_is_right ? -1.0 : 1.0) * line[0].x() * size;
    }
  }
  return sum;
}

TEST_CASE("plateau_outline: one rectangle has four lines") {
  const SuccessMap map = map_of({-2, 2, 4}, {0, 6, 3}, 10, [](double x, double y) {
    return std::abs(x) < 1 && y > 2 ? 1.0 : 0.5;
  });
  const std::vector<Points> outline = plateau_outline(map, 0.95);
  REQUIRE(outline.size() == 4);
  CHECK(length(outline) == Approx(2 * (2 + 4)));
  CHECK(area(outline, map, 0.95) == Approx(2 * 4));
}

TEST_CASE("plateau_outline: any plateau encloses the area that find_plateau counts") {
  const auto pattern = [](double x, double y) {
    return 0.5 + 0.5 * std::sin(3.1 * x + 0.7) * std::cos(2.3 * y);
  };
  const SuccessMap map = map_of({-3, 4, 14}, {-2, 1, 9}, 100, pattern);
  const double threshold = GENERATE(0.2, 0.5, 0.8);
  CHECK(area(plateau_outline(map, threshold), map, threshold) ==
        Approx(find_plateau(map, threshold).area_mm2));
}

TEST_CASE("plateau_outline: nothing without a plateau, the whole map's edge when all is plateau") {
  const SuccessMap none = map_of({0, 3, 3}, {0, 2, 2}, 10, [](double, double) { return 0.9; });
  CHECK(plateau_outline(none, 0.95).empty());
  const SuccessMap all = map_of({0, 3, 3}, {0, 2, 2}, 10, [](double, double) { return 1.0; });
  CHECK(plateau_outline(all, 0.95).size() == 4);
  CHECK(length(plateau_outline(all, 0.95)) == Approx(10.0));
}

TEST_CASE("plateau_outline: cells without trials are outside") {
  SuccessMap map({0, 2, 2}, {0, 1, 1});
  testing::add_trials(map, 0, 0, Outcome::kSuccess, 5);
  testing::add_trials(map, 1, 0, Outcome::kFailed, 5);
  CHECK(length(plateau_outline(map, 0.0)) == Approx(4.0));
}

}  // namespace
}  // namespace graspmap
