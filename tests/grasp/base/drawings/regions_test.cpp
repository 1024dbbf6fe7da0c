#include "grasp/base/drawings/regions.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <random>

#include "tests/support/outline_shapes.hpp"

using namespace graspmap;

namespace {

std::vector<std::vector<OutlineCurve>> chains_of(const std::vector<OutlineLoop>& loops) {
  std::vector<std::vector<OutlineCurve>> chains;
  for (const OutlineLoop& loop : loops) chains.push_back(outline_curves(loop));
  return chains;
}

}  // namespace

TEST_CASE("chains apart, and within each other, do not cross") {
  CHECK_FALSE(first_crossing(
      chains_of({rectangle_loop(10, 6), circle_loop({0, 0}, 2), circle_loop({20, 0}, 3)})));
  CHECK_FALSE(first_crossing({}));
}

TEST_CASE("a crossing of two chains is found where it is") {
  const auto found = first_crossing(chains_of({rectangle_loop(10, 6), circle_loop({5, 0}, 2.5)}));
  REQUIRE(found);
  CHECK(found->a.chain != found->b.chain);
  CHECK(std::abs(found->point_mm.x()) == Approx(5));
  CHECK(std::abs(found->point_mm.y()) == Approx(2.5));
}

TEST_CASE("a chain that crosses itself is found") {
  const auto found = first_crossing(chains_of({polygon_loop({{0, 0}, {9, 9}, {9, 0}, {0, 9}})}));
  REQUIRE(found);
  CHECK((found->point_mm - Vec2(4.5, 4.5)).norm() < 1e-12);
}

TEST_CASE("a scribble of 50,000 lines is refused at once") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> at(0, 100);
  std::vector<Vec2> points;
  for (int k = 0; k < 50'000; ++k) points.emplace_back(at(random), at(random));
  const auto chains = chains_of({polygon_loop(points)});
  const auto begin = std::chrono::steady_clock::now();
  CHECK(first_crossing(chains));
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
}
