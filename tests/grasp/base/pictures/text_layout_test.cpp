#include "grasp/base/pictures/text_layout.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
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

}  // namespace
}  // namespace graspmap
