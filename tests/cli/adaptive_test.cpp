#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/cli/runs.hpp"

// Adaptive runs as a user sees them.

namespace graspmap::testing {
namespace {

using Arguments = std::vector<std::string>;

/// A run on 9 cells with at most 30 trials in each: it takes some rounds and a part of its budget.
Arguments adaptive_run(const Arguments& more = {}) {
  return join(
      run_of(30, {"--set", "sweep.sampling=adaptive", "--set", "sweep.adaptive.most_trials=200",
                  "--set", "sweep.adaptive.round_trials=30"}),
      more);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST_CASE("an adaptive run says why it stopped and has the same trials on any threads") {
  Program program;
  const ProgramResult run = program.run(adaptive_run({"--out", "run", "--threads", "1"}));
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.out, Catch::Contains("\nStopped: the ") &&
                          Catch::Contains(" fewer than the complete run's 270.\n") &&
                          Catch::Contains("would put the sweet spot within 0.5 mm"));
  CHECK_THAT(run.err, Catch::Contains("of 200 trials)"));
  CHECK_THAT(program.text("run/summary.json"),
             Catch::Contains("\"complete\": true") && Catch::Contains("\"trials_asked\": 200") &&
                 Catch::Contains("\"complete_run_trials\": 270") &&
                 Catch::Contains("\"sweet_spot_confidence\": "));
  CHECK_THAT(first_line(program.text("run/map.csv")),
             Catch::EndsWith(",anytime_low,anytime_high,effective_trials"));
  const ProgramResult hash = program.run({"hash", "run"});
  CHECK(hash.err.empty());  // not taken for an incomplete run
  CHECK(program.run({"export", "run", "--out", "t.csv", "--quiet"}).err.empty());
  CHECK(program.run(adaptive_run({"--out", "threads", "--threads", "4"})).exit_code == 0);
  CHECK(digest(program, "threads") == hash.out);
  CHECK(program.text("threads/map.csv") == program.text("run/map.csv"));
  CHECK_THAT(program.run(adaptive_run({"--out", "run"})).err, Catch::Contains("a finished run"));
}

TEST_CASE("the trials of an adaptive run are some of those of the complete run") {
  Program program;
  CHECK(program.run(adaptive_run({"--out", "some"})).exit_code == 0);
  CHECK(program.run(run_of(30, {"--out", "all"})).exit_code == 0);
  const std::string some = program.text("some/trials.csv");
  const std::string all = program.text("all/trials.csv");
  CHECK(some.size() < all.size());
  std::size_t found = 0;
  for (std::size_t begin = 0; begin < some.size();) {
    const std::size_t end = some.find('\n', begin) + 1;
    if (all.find(some.substr(begin, end - begin)) != std::string::npos) ++found;
    begin = end;
  }
  CHECK(found == static_cast<std::size_t>(std::count(some.begin(), some.end(), '\n')));
}

TEST_CASE("an adaptive run with a larger budget goes on where it stopped") {
  Program program;
  const Arguments goal = {"--set", "sweep.adaptive.interval_width=0.01", "--quiet"};
  const auto with_budget = [&](const std::string& trials, const std::string& folder) {
    const Arguments more = {"--resume", "--out", folder, "--set",
                            "sweep.adaptive.most_trials=" + trials};
    const ProgramResult result = program.run(adaptive_run(join(goal, more)));
    CHECK(result.exit_code == 0);
    return result.out;
  };
  CHECK_THAT(with_budget("70", "run"), Catch::Contains("the budget of 70 trials is spent"));
  with_budget("120", "run");
  with_budget("120", "at_once");
  CHECK(digest(program, "run") == digest(program, "at_once"));
}

TEST_CASE("shards and merging are refused for adaptive runs") {
  Program program;
  const ProgramResult shard = program.run(adaptive_run({"--shard", "1/2"}));
  CHECK(shard.exit_code == 2);
  CHECK_THAT(shard.err, Catch::Contains("--shard: an adaptive run cannot be split"));
  CHECK(program.names().empty());
  CHECK(program.run(adaptive_run({"--out", "run"})).exit_code == 0);
  const ProgramResult merged = program.run({"merge", "out", "run"});
  CHECK(merged.exit_code == 2);
  CHECK_THAT(merged.err, Catch::Contains("is an adaptive run, which is complete on its own"));
}

}  // namespace
}  // namespace graspmap::testing
