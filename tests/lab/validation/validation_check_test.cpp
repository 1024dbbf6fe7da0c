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
  CHECK(text.find("shown") != std::string::npos);
  CHECK(text.find("read off a plot") != std::string::npos);
  const std::string markdown = validation_markdown({example});
  CHECK(markdown.find("| time, s | 2 +- 0.1 | closed form | 2.5 | +0.5 | FAILS |") !=
        std::string::npos);
  CHECK(validation_json({example}).find("\"passed\": false") != std::string::npos);
  example.checks[0].obtained = 2.05;
  CHECK(example.passed());
  CHECK(validation_text({example}).find("FAILS") == std::string::npos);
}

TEST_CASE("a row that compares nothing is shown, and wrong only without a number") {
  CHECK(check(CheckRelation::kReported, 3.6, 3.7).verdict() == Verdict::kShown);
  CHECK(check(CheckRelation::kReported, 3.6, std::nan("")).verdict() == Verdict::kFails);
  CHECK(check(CheckRelation::kAtMost, 2.0, 1.0).verdict() == Verdict::kHeld);
  CHECK(check(CheckRelation::kAtMost, 2.0, 3.0).verdict() == Verdict::kFails);
}

TEST_CASE("a contradicted claim is not met, and fails when it is met after all") {
  const auto claim = [](double obtained) {
    return contradicted(check(CheckRelation::kAtMost, 1e-9, obtained), "nothing pushes it out");
  };
  CHECK(claim(0.11).verdict() == Verdict::kNotMet);
  CHECK(claim(0.11).passed());
  CHECK(claim(0.0).verdict() == Verdict::kFails);
  CHECK_FALSE(claim(0.0).passed());
  CHECK(claim(std::nan("")).verdict() == Verdict::kFails);
  ExampleReport example{"A9", "an example", "a paper", {claim(0.11)}};
  const std::string text = validation_text({example});
  CHECK(text.find("not met: nothing pushes it out") != std::string::npos);
  CHECK(validation_markdown({example}).find("| +0.11 | not met |") != std::string::npos);
  const std::string json = validation_json({example});
  CHECK(json.find("\"verdict\": \"not_met\"") != std::string::npos);
  CHECK(json.find("\"reason\": \"nothing pushes it out\"") != std::string::npos);
}

TEST_CASE("verdicts are counted apart") {
  const ValidationCheck held = check(CheckRelation::kAtMost, 2.0, 1.0);
  const ValidationCheck fails = check(CheckRelation::kAtMost, 2.0, 3.0);
  const ValidationCheck shown = check(CheckRelation::kReported, 2.0, 3.0);
  const ExampleReport one{"A8", "an example", "a paper", {held, shown, contradicted(fails, "so")}};
  const ExampleReport other{"A9", "another", "a paper", {held, held, contradicted(held, "so")}};
  const VerdictCounts counts = count_verdicts({one, other});
  CHECK(counts.held == 3);
  CHECK(counts.shown == 1);
  CHECK(counts.not_met == 1);
  CHECK(counts.failing == 1);
  CHECK(verdict_line(counts) == "3 held, 1 shown only, 1 not met for known reasons, 1 FAILS.");
  CHECK(verdict_line(count_verdicts({one})) ==
        "1 held, 1 shown only, 1 not met for known reasons.");
  const std::string json = validation_json({one, other});
  CHECK(json.find("\"held\": 3") != std::string::npos);
  CHECK(json.find("\"not_met\": 1") != std::string::npos);
}

TEST_CASE("computing times stand beside the printed ones and are no checks") {
  ExampleReport example{"A9", "an example", "a paper", {}};
  example.times = {{"a step", 2e-6, 0.02, "section 9"}, {"another", 3e-6, 0.0, "Fig. 9"}};
  CHECK(validation_markdown({example}).find("| a step | 0.002 ms | 20 ms | section 9 |") !=
        std::string::npos);
  CHECK(validation_text({example}).find("lost") != std::string::npos);
  CHECK(validation_json({example}).find("\"printed_s\": 0.02") != std::string::npos);
  CHECK(count_verdicts({example}).held == 0);
}

TEST_CASE("bars in a quantity do not split the cells of a Markdown table") {
  ExampleReport example{
      "A9", "an example", "a paper", {check(CheckRelation::kEquals, 2.0, 2.0, 0.1)}};
  example.checks[0].quantity = "|v|, m/s";
  CHECK(validation_markdown({example}).find("| \\|v\\|, m/s | 2") != std::string::npos);
}
