#include "grasp/sweep/results/summary.hpp"

#include <catch2/catch.hpp>

namespace graspmap {
namespace {

SweepConfig config_of(int trials_per_cell) {
  SweepConfig config;
  config.name = "test";
  config.placement.x_mm = {0, 2, 2};
  config.placement.y_mm = {0, 1, 1};
  config.trials_per_cell = trials_per_cell;
  config.seed = 7;
  config.sweet_spot_half_width_mm = 0.5;
  return config;
}

TrialRow row(std::int64_t index, Outcome outcome) {
  TrialRow row;
  row.index = index;
  row.cell_x = static_cast<int>(index % 2);
  row.outcome = outcome;
  row.parameters = {-1.0 / 3.0, 0.1, 0, 1e-17, 0.25};
  row.statistics.steps = 10 + index;
  row.statistics.by_rung = {8 + index, 1, 0, 0, 1};
  row.statistics.worst_residual = 1e-12 * static_cast<double>(1 + index);
  row.statistics.worst_gap_mm = -1e-9 * static_cast<double>(1 + index);
  row.statistics.least_dissipation = index == 1 ? -0.5 : 0.0;
  return row;
}

RunSummary summary_of(const SweepConfig& config, const std::vector<TrialRow>& rows) {
  RunTotals totals(config);
  for (const TrialRow& r : rows) totals.add(r);
  return summarize(config, totals, config.trials());
}

TEST_CASE("a summary adds counts and keeps the worst values") {
  const std::vector<TrialRow> rows = {row(0, Outcome::kSuccess), row(1, Outcome::kFailed),
                                      row(2, Outcome::kSuccess), row(3, Outcome::kWedged)};
  const RunSummary summary = summary_of(config_of(2), rows);
  CHECK(summary.complete());
  CHECK(summary.statistics.steps == 46);
  CHECK(summary.statistics.by_rung == std::array<std::int64_t, kRungCount>{38, 4, 0, 0, 4});
  CHECK(summary.statistics.worst_residual == 4e-12);
  CHECK(summary.statistics.worst_gap_mm == -4e-9);
  CHECK(summary.statistics.least_dissipation == -0.5);
  CHECK(summary.totals.count(Outcome::kSuccess) == 2);
  CHECK(summary.plateau.cells == 1);
  REQUIRE(summary.failed.size() == 1);
  CHECK(summary.failed[0].index == 1);
  CHECK(summary.sweet_spot.x_mm == 0.5);
}

TEST_CASE("only the first few failed trials are listed, in whatever order they come") {
  std::vector<TrialRow> rows;
  for (int i = 0; i < 20; ++i) rows.push_back(row((i * 7 + 13) % 20, Outcome::kFailed));
  const RunSummary summary = summary_of(config_of(10), rows);
  CHECK(summary.failed.size() == 5);
  CHECK(summary.failed.back().index == 4);
  CHECK(summary.totals.count(Outcome::kFailed) == 20);
}

TEST_CASE("a replay line names the trial, and quotes a path that needs it") {
  CHECK(replay_line("graspmap", "outputs/a", 123456789012) ==
        "graspmap replay outputs/a 123456789012");
  CHECK(replay_line("graspmap", "it's here", 7) == "graspmap replay 'it'\\''s here' 7");
  CHECK(replay_line("graspmap-lab", "outputs/a", 7) == "graspmap-lab replay outputs/a 7");
}

TEST_CASE("failed trials are listed with the line that replays them") {
  const RunSummary summary =
      summary_of(config_of(1), {row(0, Outcome::kSuccess), row(1, Outcome::kFailed)});
  CHECK_THAT(summary_text(summary, {1, 1}, "out/a"),
             Catch::Contains("\n  graspmap replay out/a 1\n"));
  CHECK_THAT(json_document(summary_fields(summary, {1, 1}, "out/a")),
             Catch::Contains("\"replay\": \"graspmap replay out/a 1\""));
}

TEST_CASE("a summary says why trials failed, and nothing where none did") {
  const SweepConfig config = config_of(2);
  const int most = 3000000;
  REQUIRE(most_work(config.scenario) == most);
  TrialRow unsolved = row(0, Outcome::kFailed);
  TrialRow too_long = row(1, Outcome::kFailed);
  too_long.statistics.newton_iterations = most;
  TrialRow too_many_steps = row(2, Outcome::kFailed);
  too_many_steps.statistics.steps = most;
  unsolved.statistics.newton_iterations = most - 1;
  TrialRow long_success = row(3, Outcome::kSuccess);
  long_success.statistics.newton_iterations = most;
  const RunSummary summary = summary_of(config, {unsolved, too_long, too_many_steps, long_success});
  CHECK_THAT(summary_text(summary, {1, 1}, "out/a"),
             Catch::Contains("\nWhy trials failed\n"
                             "  a step could not be solved                        1\n"
                             "  more steps and iterations than a trial may have   2\n"));
  const std::string json = json_document(summary_fields(summary, {1, 1}, "out/a"));
  CHECK_THAT(json, Catch::Contains("\"step_not_solved\": 1") &&
                       Catch::Contains("\"too_much_work\": 2") &&
                       Catch::Contains("\"reason\": \"too_much_work\""));
  const RunSummary healthy = summary_of(config, {row(0, Outcome::kSuccess), long_success});
  CHECK_THAT(summary_text(healthy, {1, 1}, "out/a"), !Catch::Contains("failed\n  a"));
  CHECK_THAT(json_document(summary_fields(healthy, {1, 1}, "out/a")),
             !Catch::Contains("failed_reasons"));
}

TEST_CASE("summaries differ in \"timing\" only when only the timing differs") {
  const RunSummary summary =
      summary_of(config_of(1), {row(0, Outcome::kSuccess), row(1, Outcome::kFailed)});
  const std::string one = json_document(summary_fields(summary, {1.5, 1}, "run"));
  const std::string two = json_document(summary_fields(summary, {0.75, 8}, "run"));
  const std::size_t timing = one.find("\"timing\"");
  REQUIRE(timing != std::string::npos);
  CHECK(one.substr(0, timing) == two.substr(0, timing));
  CHECK(one != two);
  CHECK_THAT(one, Catch::Contains("\"complete\": true") && Catch::Contains("\"failed\": 1"));
}

TEST_CASE("a run with missing trials is not complete") {
  const RunSummary summary = summary_of(config_of(2), {row(0, Outcome::kSuccess)});
  CHECK_FALSE(summary.complete());
  CHECK_THAT(json_document(summary_fields(summary, {1, 1}, "run")),
             Catch::Contains("\"complete\": false") && Catch::Contains("\"trials_asked\": 4") &&
                 Catch::Contains("\"trials_done\": 1"));
  CHECK_THAT(summary_text(summary, {1, 1}, "run"), Catch::Contains("\n1 of 4 trials in 1.0 s"));
}

/// The rows, so often.
std::vector<TrialRow> repeated(const std::vector<TrialRow>& rows, int times) {
  std::vector<TrialRow> all;
  for (int k = 0; k < times; ++k) all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

TEST_CASE("the text begins with the answer: where, no, or too few trials") {
  const std::vector<TrialRow> rows = {row(0, Outcome::kSuccess), row(1, Outcome::kWedged)};
  const RunSummary good = summary_of(config_of(80), repeated(rows, 80));
  CHECK(good.answer == Answer::kYes);
  CHECK_THAT(
      summary_text(good, {1, 1}, "run"),
      Catch::StartsWith("Put the gripper at (0.5, 0.5) mm: in each cell within +-0.5 mm of it "
                        "at least\n100.0 % of the simulated grasps succeeded"));
  CHECK_THAT(json_document(summary_fields(good, {1, 1}, "run")),
             Catch::Contains("\"answer\": \"yes\""));

  // 73 successes of 73 are needed for an interval above 95 %.
  const RunSummary open = summary_of(config_of(2), repeated(rows, 2));
  CHECK(open.answer == Answer::kUnknown);
  CHECK_THAT(summary_text(open, {1, 1}, "run"),
             Catch::StartsWith("Too few trials to tell whether a placement succeeds reliably, in "
                               "95.0 % or more.\nSo far the best is (0.5, 0.5) mm: ") &&
                 Catch::Contains("\nTo know: graspmap run run/config.toml --out run "
                                 "--trials-per-cell 74\n"));

  const RunSummary bad =
      summary_of(config_of(1), {row(0, Outcome::kWedged), row(1, Outcome::kWedged)});
  CHECK(bad.answer == Answer::kNo);
  CHECK_THAT(summary_text(bad, {1, 1}, "run"),
             Catch::StartsWith("None of the 2 simulated grasps succeeded.\n"));
}

TEST_CASE("a run that has not tried all cells says neither yes nor no") {
  const std::vector<TrialRow> missed(2, row(0, Outcome::kMissed));
  CHECK(summary_of(config_of(80), missed).answer == Answer::kUnknown);
  const std::vector<TrialRow> held(80, row(0, Outcome::kSuccess));
  CHECK(summary_of(config_of(80), held).answer == Answer::kUnknown);
}

TEST_CASE("without a run folder there is no command that needs one") {
  const RunSummary failed =
      summary_of(config_of(1), {row(0, Outcome::kSuccess), row(1, Outcome::kFailed)});
  const RunSummary blocked =
      summary_of(config_of(1), {row(0, Outcome::kBlocked), row(1, Outcome::kBlocked)});
  const RunSummary open =
      summary_of(config_of(2), repeated({row(0, Outcome::kSuccess), row(1, Outcome::kWedged)}, 2));
  for (const RunSummary& summary : {failed, blocked, open}) {
    CHECK_THAT(summary_text(summary, {1, 1}, "run"), Catch::Contains("graspmap "));
    CHECK_THAT(summary_text(summary, {1, 1}, ""), !Catch::Contains("graspmap "));
    CHECK_THAT(json_document(summary_fields(summary, {1, 1}, "")), !Catch::Contains("replay"));
  }
  CHECK_THAT(summary_text(open, {1, 1}, ""),
             Catch::Contains("\nTo know: 74 trials in each cell (sweep.trials_per_cell).\n"));
}

TEST_CASE("a square that succeeds often, and not reliably, is a no") {
  std::vector<TrialRow> rows(9, row(0, Outcome::kSuccess));
  rows.push_back(row(0, Outcome::kWedged));
  rows.push_back(row(1, Outcome::kWedged));
  const RunSummary summary = summary_of(config_of(110), repeated(rows, 20));
  CHECK(summary.answer == Answer::kNo);
  CHECK_THAT(summary_text(summary, {1, 1}, "run"),
             Catch::StartsWith("No placement succeeds reliably, in 95.0 % or more. The best is\n"
                               "(0.5, 0.5) mm: in each cell within +-0.5 mm of it at least\n"
                               "90.0 % of the simulated grasps succeeded"));
}

TEST_CASE("the angle is told when there is more than one") {
  SweepConfig config = config_of(1);
  const auto rows = [](int count) {
    std::vector<TrialRow> made;
    for (int i = 0; i < count; ++i) {
      made.push_back(row(i, i >= 2 ? Outcome::kSuccess : Outcome::kWedged));
      made.back().cell_theta = i / 2;
    }
    return made;
  };
  const RunSummary one = summary_of(config, rows(2));
  CHECK_THAT(summary_text(one, {1, 1}, "run") + json_document(summary_fields(one, {1, 1}, "run")),
             !Catch::Contains("theta") && !Catch::Contains("rad"));

  config.placement.theta_rad = {-0.2, 0.6, 2};
  const RunSummary two = summary_of(config, repeated(rows(4), 80));
  CHECK_THAT(
      summary_text(two, {1, 1}, "run"),
      Catch::StartsWith("Put the gripper at (0.5, 0.5) mm, the part turned by 0.4 rad (22.9 "
                        "degrees):\nin each cell within +-0.5 mm of it, at angles within "
                        "+-0.2 rad of it, at least\n100.0 %") &&
          Catch::Contains("\n95.0 % success or more on 2 mm2 at the best angle, 0.4 rad "
                          "(22.9 degrees),\nand on 1 mm2 on average over the angles: 2 of 4 "
                          "cells,\nx from 0 to 2 mm, y from 0 to 1 mm, theta from 0.2 to 0.6 "
                          "rad.\n"));
  CHECK_THAT(json_document(summary_fields(two, {1, 1}, "run")),
             Catch::Contains("\"theta_rad\": 0.4") && Catch::Contains("\"mean_area_mm2\": 1,") &&
                 Catch::Contains("\"theta_min_rad\": 0.2"));
}

}  // namespace
}  // namespace graspmap
