#include "grasp/app/commands/progress.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

namespace graspmap {
namespace {

ProgressState state(std::int64_t successes, std::int64_t wedged, std::int64_t total, double s) {
  ProgressState state;
  state.counts.by_outcome[static_cast<std::size_t>(Outcome::kSuccess)] = successes;
  state.counts.by_outcome[static_cast<std::size_t>(Outcome::kWedged)] = wedged;
  state.total = total;
  state.elapsed_s = s;
  return state;
}

TEST_CASE("progress says share, rate, time left and the outcomes there are") {
  CHECK(progress_text(state(300, 200, 2000, 10)) ==
        " 25 % (500 of 2000 trials), 50 per second, 0:30 left: success 300, wedged 200");
  CHECK(progress_text(state(0, 1, 7201, 1)) ==
        "  0 % (1 of 7201 trials), 1 per second, 2:00:00 left: wedged 1");
}

TEST_CASE("trials that were there before are done, and no part of the rate") {
  ProgressState resumed = state(300, 200, 2000, 10);
  resumed.before = 400;
  CHECK(progress_text(resumed) ==
        " 25 % (500 of 2000 trials), 10 per second, 2:30 left: success 300, wedged 200");
  resumed.before = 500;
  CHECK(progress_text(resumed) == " 25 % (500 of 2000 trials): success 300, wedged 200");
}

TEST_CASE("nothing is promised before the first trial, nor left after the last") {
  CHECK(progress_text(state(0, 0, 2000, 3)) == "  0 % (0 of 2000 trials)");
  CHECK(progress_text(state(2000, 0, 2000, 4)) ==
        "100 % (2000 of 2000 trials), 500 per second: success 2000");
  CHECK(progress_text(state(0, 0, 0, 0)) == "100 % (0 of 0 trials)");
}

TEST_CASE("the bar fills in proportion") {
  const auto filled = [](const ProgressState& s) {
    const std::string bar = progress_bar(s, 200);
    return std::count(bar.begin(), bar.end(), '#');
  };
  const auto full = filled(state(100, 0, 100, 1));
  CHECK(filled(state(0, 0, 100, 1)) == 0);
  CHECK(2 * filled(state(50, 0, 100, 1)) == full);
  CHECK(full >= 10);
}

TEST_CASE("the bar's line says the same in short, and fits the terminal") {
  const ProgressState some = state(30, 20, 100, 10);
  CHECK_THAT(progress_bar(some, 200),
             Catch::EndsWith("]  50 %  50/100  5/s  0:10 left  success 30  wedged 20"));
  const std::size_t whole = progress_bar(some, 200).size();
  CHECK(progress_bar(some, whole) == progress_bar(some, 200));
  // A number that does not fit is left out, not cut to another number.
  CHECK_THAT(progress_bar(some, whole - 1), Catch::EndsWith("  success 30"));
  CHECK(progress_bar(some, 10).size() == 10);
}

TEST_CASE("a plain line is due at every tenth, or when 10 s have passed") {
  LinePacer pacer;
  CHECK_FALSE(pacer.is_due(state(0, 0, 100, 0.2)));
  CHECK_FALSE(pacer.is_due(state(9, 0, 100, 0.4)));
  CHECK(pacer.is_due(state(10, 0, 100, 0.6)));
  CHECK_FALSE(pacer.is_due(state(19, 0, 100, 0.8)));
  CHECK(pacer.is_due(state(35, 0, 100, 1.0)));
  CHECK_FALSE(pacer.is_due(state(35, 0, 100, 10.9)));
  CHECK(pacer.is_due(state(36, 0, 100, 11.0)));
  CHECK_FALSE(pacer.is_due(state(36, 0, 100, 20.9)));
}

TEST_CASE("the last state is shown even when a sweep is over at once") {
  TrialCounters counters;
  std::ostringstream out;
  {
    const ProgressReporter reporter(counters, 2, ProgressStyle::kLines, out);
    counters.add(Outcome::kSuccess);
    counters.add(Outcome::kMissed);
  }
  CHECK_THAT(out.str(), Catch::Contains("100 % (2 of 2 trials)"));
  CHECK_THAT(out.str(), Catch::EndsWith("success 1, missed 1\n"));
  CHECK(out.str().find('\r') == std::string::npos);
}

TEST_CASE("a bar overwrites its line and ends it") {
  TrialCounters counters;
  std::ostringstream out;
  { const ProgressReporter reporter(counters, 1, ProgressStyle::kBar, out); }
  CHECK_THAT(out.str(), Catch::StartsWith("\r["));
  CHECK_THAT(out.str(), Catch::EndsWith("\n"));
}

TEST_CASE("quiet shows nothing") {
  TrialCounters counters;
  std::ostringstream out;
  { const ProgressReporter reporter(counters, 1, ProgressStyle::kNone, out); }
  CHECK(out.str().empty());
  CHECK(progress_style(true) == ProgressStyle::kNone);
}

}  // namespace
}  // namespace graspmap
