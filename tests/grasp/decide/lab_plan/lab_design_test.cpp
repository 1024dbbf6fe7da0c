#include "grasp/decide/lab_plan/lab_design.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

namespace graspmap::testing {
namespace {

const CellGrid kMap{{-10, 10, 20}, {-20, 0, 20}};

bool same(const IntendedPlacement& a, const IntendedPlacement& b) {
  return a.x_mm == b.x_mm && a.y_mm == b.y_mm && a.theta_rad == b.theta_rad;
}

}  // namespace

TEST_CASE("lab design: the first placements are even, however many are taken") {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto places = even_placements(kMap, 400, seed);
    for (const std::size_t count : {16U, 64U, 400U}) {
      std::array<int, 16> in_block{};
      for (std::size_t k = 0; k < count; ++k) {
        const int i = std::min(static_cast<int>((places[k].x_mm + 10) / 5), 3);
        const int j = std::min(static_cast<int>((places[k].y_mm + 20) / 5), 3);
        ++in_block[static_cast<std::size_t>(4 * j + i)];
      }
      const double mean = static_cast<double>(count) / 16;
      const auto [least, most] = std::minmax_element(in_block.begin(), in_block.end());
      CHECK(*least >= std::floor(0.7 * mean));
      CHECK(*most <= std::ceil(1.3 * mean) + 1);
    }
  }
}

TEST_CASE("lab design: placements are on the map, in hundredths of a millimetre") {
  const CellGrid map{{-1.005, 1.005, 3}, {5, 5, 1}, {-0.1, 0.1, 4}};
  const auto places = even_placements(map, 300, 7);
  for (const IntendedPlacement& at : places) {
    CHECK(map.x_mm.contains(at.x_mm));
    CHECK(at.y_mm == 5);
    CHECK(map.theta_rad.contains(at.theta_rad));
    CHECK(std::abs(at.x_mm * 100 - std::round(at.x_mm * 100)) < 1e-9);
  }
  CHECK(same(even_placements(map, 10, 7)[9], places[9]));
  CHECK_FALSE(same(even_placements(map, 10, 8)[9], places[9]));
}

TEST_CASE("lab design: every fifth informative placement is one of the others") {
  std::vector<double> information(100, 0.01);
  for (std::size_t k = 50; k < 90; ++k) information[k] = 1.0;
  const auto chosen = informative_placements(information, 20);
  REQUIRE(chosen.size() == 20);
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    CHECK((information[chosen[k]] == 1.0) == (k % 5 != 4));
  }
  CHECK(std::set<std::size_t>(chosen.begin(), chosen.end()).size() == 20);
}

TEST_CASE("lab design: informative placements end with the good ones") {
  std::vector<double> information(100, 0.0);
  for (std::size_t k = 0; k < 8; ++k) information[10 * k] = 1.0;
  const auto chosen = informative_placements(information, 50);
  const auto good = std::count_if(chosen.begin(), chosen.end(),
                                  [&](std::size_t k) { return information[k] == 1.0; });
  CHECK(good == 8);
  CHECK(chosen.size() == 9);
  CHECK(informative_placements(std::vector<double>(30, 0.0), 10) ==
        std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("lab design: repeated placements, and sessions that each have all of the map") {
  LabDesign design{even_placements(kMap, 5, 1), 2, 3};
  CHECK(design.place_of(0) == 0);
  CHECK(design.place_of(1) == 0);
  CHECK(design.place_of(9) == 4);
  CHECK(design.place_of(10) == 0);
  CHECK(design.session_of(4) == 1);
  design.sessions = 0;
  CHECK(design.session_of(4) == 0);
}

}  // namespace graspmap::testing
