#include "grasp/base/pictures/script_parts.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace graspmap {
namespace {

TEST_CASE("tick_step: 1, 2 or 5 times a power of ten, the least that makes few enough intervals") {
  CHECK(tick_step(20, 10) == Approx(2));
  CHECK(tick_step(20, 5) == Approx(5));
  CHECK(tick_step(1, 10) == Approx(0.1));
  CHECK(tick_step(1, 1) == Approx(1));
  CHECK(tick_step(0.3, 10) == Approx(0.05));
  CHECK(tick_step(6.0001, 1) == Approx(10));
  CHECK(tick_step(1234, 10) == Approx(200));
}

TEST_CASE("tick_step: never more intervals than asked for, nor far fewer") {
  const double range = GENERATE(1e-4, 0.07, 0.5, 1.0, 3.0, 19.99, 20.0, 333.0);
  const double intervals = GENERATE(1.0, 2.5, 5.0, 10.0);
  const double made = range / tick_step(range, intervals);
  CHECK(made <= intervals * (1 + 1e-9));
  CHECK(made * 2.5 >= intervals * (1 - 1e-9));
}

TEST_CASE("axis_tick_step: labels have room") {
  CHECK(axis_tick_step({0, 10, 10}, 800) == Approx(1));
  const Axis fine{0, 1e-3, 1};  // 0.0001 is wider than 0.001
  const double pixels = GENERATE(100.0, 300.0, 800.0);
  const double step = axis_tick_step(fine, pixels);
  CHECK(tick_labels_width(0, 1e-3, step) < step / 1e-3 * pixels);
}

TEST_CASE("grouped: commas between thousands") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(100800) == "100,800");
  CHECK(grouped(1234567890) == "1,234,567,890");
}

TEST_CASE("short_mm: no noise of rounding, no minus zero") {
  CHECK(short_mm(-0.0) == "0");
  CHECK(short_mm(-4.4e-16) == "0");
  CHECK(short_mm(-11.0000000001) == "-11");
  CHECK(short_mm(2.0 / 3.0) == "0.6667");
}

TEST_CASE("fit_map: as large as the box allows, in proportion") {
  const MapPixels pixels = fit_map({0, 40, 4}, {0, 10, 2}, 800, 800);
  CHECK(pixels.width == Approx(800));
  CHECK(pixels.height == Approx(200));
  CHECK(fit_map({0, 1, 1}, {-20, 0, 20}, 800, 800).width == Approx(40));
}

}  // namespace
}  // namespace graspmap
