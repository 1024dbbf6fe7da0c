#include "lab/validation/validation_check.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace graspmap;

namespace {

ValidationCheck check(CheckRelation relation, double expected, double obtained,
                      double allowed = 0.0) {
  return {"time, s", expected, "closed form", obtained, allowed, relation};
}

}  // namespace

TEST_CASE("a check passes only when its relation holds") {
  CHECK(check(CheckRelation::kEquals, 2.0, 2.1, 0.11).passed());
  CHECK_FALSE(check(CheckRelation::kEquals, 2.0, 2.1, 0.09).passed());
  CHECK_FALSE(check(CheckRelation::kEquals, 2.0, 1.8, 0.1).passed());
  CHECK(check(CheckRelation::kAtMost, 1e-6, 1e-7).passed());
  CHECK_FALSE(check(CheckRelation::kAtMost, 1e-6, 1e-5).passed());
  CHECK(check(CheckRelation::kAtLeast, 100.0, 281.0).passed());
  CHECK_FALSE(check(CheckRelation::kAtLeast, 100.0, 99.0).passed());
  CHECK(check(CheckRelation::kReported, 3.6, 3.7).passed());
}

TEST_CASE("what is not a number never passes") {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_FALSE(check(CheckRelation::kEquals, 2.0, nan, 1.0).passed());
  CHECK_FALSE(check(CheckRelation::kAtMost, 2.0, nan).passed());
  CHECK_FALSE(check(CheckRelation::kAtLeast, 2.0, nan).passed());
  CHECK_FALSE(check(CheckRelation::kAtMost, 1e-8, infinity).passed());
}

TEST_CASE("tables show what is expected and obtained with the verdict and the notes") {
  ExampleReport example{
      "A9", "an example", "a paper", {check(CheckRelation::kEquals, 2.0, 2.5, 0.1)}};
  CHECK_FALSE(example.passed());
  example.checks.push_back(check(CheckRelation::kReported, 3.6, 3.7));
  example.checks.back().note = "read off a plot";
  const std::string text = validation_text({example});
  CHECK(text.find("A9  an example  (a paper)") != std::string::npos);
  CHECK(text.find("FAILS") != std::string::npos);
  CHECK(text.find("see note") != std::string::npos);
  CHECK(text.find("read off a plot") != std::string::npos);
  const std::string markdown = validation_markdown({example});
  CHECK(markdown.find("| time, s | 2 +- 0.1 | closed form | 2.5 | +0.5 | FAILS |") !=
        std::string::npos);
  CHECK(validation_json({example}).find("\"passed\": false") != std::string::npos);
  example.checks[0].obtained = 2.05;
  CHECK(example.passed());
  CHECK(validation_text({example}).find("FAILS") == std::string::npos);
}

TEST_CASE("bars in a quantity do not split the cells of a Markdown table") {
  ExampleReport example{
      "A9", "an example", "a paper", {check(CheckRelation::kEquals, 2.0, 2.0, 0.1)}};
  example.checks[0].quantity = "|v|, m/s";
  CHECK(validation_markdown({example}).find("| \\|v\\|, m/s | 2") != std::string::npos);
}
