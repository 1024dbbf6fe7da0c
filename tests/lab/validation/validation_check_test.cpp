#include "lab/validation/validation_check.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <iostream>
#include <limits>
#include <thread>

#include "lab/validation/examples.hpp"
#include "lab/validation/validation_context.hpp"
#include "tests/support/source_dir.hpp"

using namespace graspmap;

namespace {

ValidationCheck check(CheckRelation relation, double expected, double obtained,
                      double allowed = 0.0) {
  return {"time, s", expected, "closed form", obtained, allowed, relation};
}

ValidationCheck contradicted(ValidationCheck claim, const char* reason) {
  claim.contradiction = reason;
  return claim;
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

TEST_CASE("an example adds rows of each relation") {
  ExampleReport report{"A9", "an example", "a paper"};
  report.equals("time, s", 2.0, "closed form", 2.1, 0.11);
  report.at_most("steps", 3.0, "closed form", 3);
  report.at_least("steps", 4.0, "closed form", std::size_t{3}, "it stops early");
  report.shown("time, s", 2.0, "Table 1", 5.0, "another method");
  const auto verdict = [&](std::size_t row) { return report.checks.at(row).verdict(); };
  CHECK(verdict(0) == Verdict::kHeld);
  CHECK(verdict(1) == Verdict::kHeld);
  CHECK(verdict(2) == Verdict::kNotMet);
  CHECK(report.checks[2].contradiction == "it stops early");
  CHECK(verdict(3) == Verdict::kShown);
  CHECK(report.checks[3].note == "another method");
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

namespace {

ValidationContext context() {
  return {testing::source_dir() + "/configs/scenes",
          testing::source_dir() + "/configs/lock_piece.toml"};
}

}  // namespace

TEST_CASE("steppers that solve other equations are told apart") {
  const SceneFile rod = validation_scene(context(), "falling_rod", {"time.duration_s=0.5"});
  CHECK(stepper_disagreement(rod, StepperKind::kImplicit, StepperKind::kImplicit) == 0.0);
  CHECK(stepper_disagreement(rod, StepperKind::kImplicit, StepperKind::kStewartTrinkle) > 1e-4);
  CHECK(implicit_steppers_agree(rod).passed());
}

TEST_CASE("a run whose step was not solved fails its check") {
  SceneRun run;
  CHECK(all_steps_solved("run", run).passed());
  run.failure.emplace();
  CHECK_FALSE(all_steps_solved("run", run).passed());
}

TEST_CASE("the clock of steps keeps what an observer does out of the steps") {
  StepClock clock;
  StepClock of_all;  // is not told when the observer is done
  CHECK(clock.median_s() == 0.0);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));  // the observer
  clock.go_on();
  const double step_s = clock.step_s();
  CHECK(step_s >= 0.0);
  CHECK(of_all.step_s() >= step_s + 0.005);
  CHECK(clock.median_s() == step_s);
  CHECK(median({3.0, 1.0, 2.0}) == 2.0);
  CHECK(median({4.0, 1.0, 2.0, 3.0}) == 3.0);
}

TEST_CASE("the examples that take a moment hold") {
  for (const auto validate :
       {validate_rolling_disc, validate_sphere_on_plane, validate_sliding_cube,
        validate_falling_cube, validate_handled_cylinder, validate_ellipse}) {
    const ExampleReport report = validate(context());
    INFO(validation_text({report}));
    CHECK(report.passed());
    CHECK(report.checks.size() > 10);
  }
}

namespace {

SceneFile shaken_box(const std::vector<std::string>& overrides) {
  return validation_scene({testing::source_dir() + "/configs/scenes", ""}, "brazil_nut", overrides);
}

/// How the box is shaken, and which contacts count.
struct Shaking {
  double amplitude_m;
  double duration_s;
  double period_s;
  double margin_m;
};

std::vector<std::string> overrides_of(const Shaking& shaking, int seed) {
  std::vector<std::string> overrides{
      fmt::format("solver.active_gap_mm={}", 1e3 * shaking.margin_m)};
  for (const int body : {0, 1, 2}) {  // the floor and the walls
    overrides.push_back(
        fmt::format("body.{}.shake.amplitude_mm={}", body, 1e3 * shaking.amplitude_m));
    overrides.push_back(fmt::format("body.{}.shake.duration_s={}", body, shaking.duration_s));
    overrides.push_back(fmt::format("body.{}.shake.period_s={}", body, shaking.period_s));
  }
  for (const int body : {4, 5, 6}) {  // the small discs
    overrides.push_back(fmt::format("body.{}.grid.seed={}", body, 10 * seed + body));
  }
  return overrides;
}

}  // namespace

TEST_CASE("the large disc's rank, overlap and computing time are those of the run") {
  const NutRun seen = run_brazil_nut(shaken_box({"time.duration_s=1"}));
  REQUIRE_FALSE(seen.run.failure);
  CHECK(seen.rank.y.size() == 11);
  CHECK(seen.contacts.y.size() == 10);
  CHECK(seen.computing.y.size() == 10);
  CHECK(seen.best_rank < 0.3);  // it starts at the bottom
  CHECK(seen.worst_overlap_m < 1e-9);
  CHECK(seen.energy_ratio > 1.0);
  CHECK(seen.step_s > 0.0);
}

TEST_CASE("the large disc is on top from when it never sinks again") {
  NutRun seen;
  for (const double rank : {0.1, 0.9, 0.5, 0.8, 0.95}) {
    seen.rank.add(static_cast<double>(seen.rank.x.size()), rank);
  }
  CHECK(seen.on_top_from_s(0.8) == 3.0);
  CHECK(seen.on_top_from_s(0.96) == 4.0);
}

// Prints what docs/lab/validation.md says of other settings in E3:
// build/release/tests/lab_tests "settings of the Brazil nut"
TEST_CASE("settings of the Brazil nut", "[.long]") {
  std::cout << "| shaking | margin/m | seed | share below at the end | on top from/s | largest "
               "overlap/m |"
               " energy | s a step |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Shaking& shaking :
       {Shaking{3.0, 1.0, 2.5, 2.0}, Shaking{3.0, 1.0, 2.5, 1.5}, Shaking{2.0, 1.0, 2.5, 1.5},
        Shaking{2.0, 1.0, 2.0, 1.5}, Shaking{4.0, 1.0, 2.5, 1.5}, Shaking{3.0, 2.0, 3.5, 1.5},
        Shaking{3.0, 1.0, 2.5, 0.3}, Shaking{2.0, 1.0, 2.0, 0.3}}) {
    for (const int seed : {1, 2, 3}) {
      const NutRun seen = run_brazil_nut(shaken_box(overrides_of(shaking, seed)));
      std::cout << fmt::format(
                       "| {:g} m in {:g} s of {:g} s | {:g} | {} | {:.2f}{} | {} | {:.2g} | {:.2f} "
                       "| {:.2g} |\n",
                       shaking.amplitude_m, shaking.duration_s, shaking.period_s, shaking.margin_m,
                       seed, seen.end_rank(), seen.run.failure ? " (a step not solved)" : "",
                       seen.end_rank() < 0.8 ? "-" : fmt::format("{:.1f}", seen.on_top_from_s(0.8)),
                       seen.worst_overlap_m, seen.energy_ratio, seen.step_s)
                << std::flush;
      CHECK_FALSE(seen.run.failure);
    }
  }
}
