#include "grasp/base/pictures/figure.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

namespace graspmap {
namespace {

using Lines = std::vector<std::string>;

TEST_CASE("a text's width grows with its letters and its font, by characters and not by bytes") {
  CHECK(text_width_px("", 10) == 0);
  CHECK(text_width_px("mm", 10) > text_width_px("ii", 10));
  CHECK(text_width_px("disc", 20) == Approx(2 * text_width_px("disc", 10)));
  CHECK(text_width_px("ää", 10) == Approx(2 * text_width_px("ä", 10)));
}

TEST_CASE("lines are broken at blanks, and each fits") {
  const std::string text = "right inside edge meets tooth_6, which slides up";
  const Lines lines = wrapped(text, 10, 120, 10);
  REQUIRE(lines.size() > 1);
  std::string joined;
  for (const std::string& line : lines) {
    CHECK(text_width_px(line, 10) <= 120);
    joined += (joined.empty() ? "" : " ") + line;
  }
  CHECK(joined == text);
  CHECK(wrapped(text, 10, 1000, 10) == Lines{text});
  CHECK(wrapped("", 10, 100, 1).empty());
}

TEST_CASE("what does not fit ends with an ellipsis") {
  const Lines lines = wrapped("one two three four five six seven", 10, 60, 2);
  REQUIRE(lines.size() == 2);
  CHECK_THAT(lines[1], Catch::EndsWith("…"));
  CHECK(text_width_px(lines[1], 10) <= 60);
  const Lines word = wrapped("äääääääääääääääääääääääää", 10, 60, 2);
  REQUIRE(word.size() == 1);
  CHECK_THAT(word[0], Catch::StartsWith("ä") && Catch::EndsWith("ä…"));
  CHECK(text_width_px(word[0], 10) <= 60);
}

TEST_CASE("balanced: as many lines as wrapped, of about equal length, with the same words") {
  const std::string text = "one two three four five six seven eight nine ten eleven";
  const double width = GENERATE(150.0, 250.0, 400.0, 1000.0);
  const auto lines = balanced(text, 20, width, 9);
  CHECK(lines.size() == wrapped(text, 20, width, 9).size());
  std::string joined;
  double longest = 0.0;
  for (const std::string& line : lines) {
    joined += (joined.empty() ? "" : " ") + line;
    longest = std::max(longest, text_width_px(line, 20));
  }
  CHECK(joined == text);
  CHECK(longest <= width);
  const double mean = text_width_px(text, 20) / static_cast<double>(lines.size());
  CHECK(longest <= mean + text_width_px("three ", 20));
  CHECK(balanced("one two three", 20, 60, 2) == wrapped("one two three", 20, 60, 2));
}

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
  // A range of some rounding errors, in which a tick and the next are one number.
  const double x = 3.0455410871650463;
  CHECK(axis_tick_step({x, std::nextafter(x, 4.0), 1}, 800) > 0.0);
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
