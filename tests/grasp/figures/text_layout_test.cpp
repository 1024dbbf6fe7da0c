#include "grasp/figures/text_layout.hpp"

#include <catch2/catch.hpp>

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

}  // namespace
}  // namespace graspmap
