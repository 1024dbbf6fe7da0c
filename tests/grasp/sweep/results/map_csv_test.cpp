#include "grasp/sweep/results/map_csv.hpp"

#include <catch2/catch.hpp>

#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

const std::string kHeader =
    "cell_x,cell_y,cell_theta,x_min_mm,x_max_mm,y_min_mm,y_max_mm,theta_min_rad,theta_max_rad,"
    "trials,success,wedged,missed,timeout,blocked,failed,success_probability,wilson_low,"
    "wilson_high\n";

SuccessMap sample_map(const Axis& theta) {
  SuccessMap map({-0.1, 0.7, 3}, {-20, -18.5, 2}, theta);
  for (int cell = 0; cell < 6 * theta.cells; ++cell) {
    for (int k = 0; k < 3 * cell; ++k) {
      map.add({cell % 3, cell / 3 % 2, cell / 6},
              kOutcomes[static_cast<std::size_t>(k * k + cell) % kOutcomeCount]);
    }
  }
  return map;
}

TEST_CASE("a map is read back as it was written, bounds to the last bit") {
  const testing::TemporaryFolder folder;
  const auto theta =
      GENERATE(fixed_angle(0), fixed_angle(-1.0 / 3), Axis{0, 0.1, 1}, Axis{-0.1, 0.7, 3});
  const SuccessMap map = sample_map(theta);
  const SuccessMap back = read_map_csv(folder.write("map.csv", map_csv(map)));
  CHECK(back.x_mm.min == map.x_mm.min);
  CHECK(back.x_mm.max == map.x_mm.max);
  CHECK(back.x_mm.cells == 3);
  CHECK(back.y_mm.min == map.y_mm.min);
  CHECK(back.y_mm.max == map.y_mm.max);
  CHECK(back.y_mm.cells == 2);
  CHECK(back.theta_rad.min == theta.min);
  CHECK(back.theta_rad.max == theta.max);
  CHECK(back.theta_rad.cells == theta.cells);
  for (std::size_t k = 0; k < map.cells.size(); ++k) {
    CHECK(back.cells[k].by_outcome == map.cells[k].by_outcome);
  }
  CHECK(map_csv(back) == map_csv(map));
}

TEST_CASE("the map of an adaptive run has anytime intervals too") {
  SuccessMap map({0, 2, 2}, {0, 1, 1});
  map.add(0, 0, Outcome::kSuccess);
  const std::string text = map_csv(map, MapIntervals::kWilsonAndAnytime);
  CHECK_THAT(text, Catch::Contains(",wilson_low,wilson_high,anytime_low,anytime_high\n0,0,"));
  CHECK_THAT(text, Catch::EndsWith("\n1,0,0,1,2,0,1,0,0,0,0,0,0,0,0,0,nan,0,1,0,1\n"));
  const testing::TemporaryFolder folder;
  CHECK(map_csv(read_map_csv(folder.write("map.csv", text))) == map_csv(map));
}

TEST_CASE("map.csv has the documented columns and one row per cell") {
  SuccessMap map({0, 2, 2}, {0, 1, 1});
  map.add(0, 0, Outcome::kSuccess);
  const std::string text = map_csv(map);
  CHECK_THAT(text, Catch::StartsWith(kHeader + "0,0,0,0,1,0,1,0,0,1,1,0,0,0,0,0,1,"));
  CHECK_THAT(text, Catch::EndsWith("\n1,0,0,1,2,0,1,0,0,0,0,0,0,0,0,0,nan,0,1\n"));
}

TEST_CASE("rows may come in any order") {
  const testing::TemporaryFolder folder;
  const auto file = folder.write("map.csv", kHeader +
                                                "1,0,0,1,2,0,1,0,0,3,3,0,0,0,0,0,1,0,1\n"
                                                "0,0,0,0,1,0,1,0,0,2,0,2,0,0,0,0,0,0,1\n");
  const SuccessMap map = read_map_csv(file);
  CHECK(map.at(0, 0).count(Outcome::kWedged) == 2);
  CHECK(map.at(1, 0).count(Outcome::kSuccess) == 3);
  CHECK(map.x_mm.max == 2);
}

TEST_CASE("a broken map.csv is refused with line and column") {
  const testing::TemporaryFolder folder;
  const auto reading = [&](const std::string& rows) {
    return [&folder, text = kHeader + rows] { read_map_csv(folder.write("map.csv", text)); };
  };
  const std::string good = "0,0,0,0,1,0,1,0,0,2,2,0,0,0,0,0,1,0,1\n";
  CHECK_NOTHROW(reading(good)());
  CHECK_THROWS_AS(reading("")(), ConfigError);
  CHECK_THROWS_WITH(reading(good + good)(), Catch::Contains(":3: cell_x: "));
  CHECK_THROWS_WITH(reading("0,0,0,0,1,0,1,0,0,3,2,0,0,0,0,0,1,0,1\n")(),
                    Catch::Contains(":2: trials: not the sum"));
  CHECK_THROWS_WITH(reading("0,0,0,0,1,0,1,0,0,1,2,-1,0,0,0,0,1,0,1\n")(),
                    Catch::Contains(":2: wedged: negative"));
  CHECK_THROWS_WITH(reading("-1,0,0,0,1,0,1,0,0,2,2,0,0,0,0,0,1,0,1\n")(),
                    Catch::Contains(":2: cell_x: "));
  CHECK_THROWS_WITH(reading("0,0,0,1,1,0,1,0,0,2,2,0,0,0,0,0,1,0,1\n")(),
                    Catch::Contains(":2: x_min_mm: "));
  CHECK_THROWS_WITH(reading("1,0,0,1,2,0,1,0,0,2,2,0,0,0,0,0,1,0,1\n")(),
                    Catch::Contains("1 rows"));
  const std::string turned = "0,0,1,0,1,0,1,0.5,1,2,2,0,0,0,0,0,1,0,1\n";
  CHECK_THROWS_WITH(reading(turned)(), Catch::Contains("1 rows; must have 2 for 1 x 1 x 2 cells"));
  CHECK_THROWS_WITH(reading(good + "0,0,1,0,1,0,1,0,0,2,2,0,0,0,0,0,1,0,1\n")(),
                    Catch::Contains(":2: theta_min_rad: the cells have no width"));
  CHECK_NOTHROW(reading("0,0,0,0,1,0,1,0,0.5,2,2,0,0,0,0,0,1,0,1\n" + turned)());
  CHECK_THROWS_WITH(reading("0,0,0,0,1,0,1,0,0,2,x,0,0,0,0,0,1,0,1\n")(),
                    Catch::Contains(":2: success: "));
}

}  // namespace
}  // namespace graspmap
