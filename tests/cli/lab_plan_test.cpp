#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/cli/runs.hpp"

namespace graspmap::testing {
namespace {

using Catch::Matchers::Contains;

/// The one line of a command line that cannot be run.
std::string problem(Program& program, const std::vector<std::string>& more) {
  std::vector<std::string> args = {"lab-plan", "run"};
  args.insert(args.end(), more.begin(), more.end());
  const ProgramResult result = program.run(args);
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  return result.err;
}

}  // namespace

TEST_CASE("lab-plan says in one line what is wrong with a question") {
  Program program;
  REQUIRE(program.run(run_of(1, {"--quiet", "--out", "run"})).exit_code == 0);
  CHECK_THAT(problem(program, {}), Contains("must have one goal: --detect CHANGE"));
  CHECK_THAT(problem(program, {"--detect", "size_mm=1", "--agree-within", "5"}),
             Contains("must have one goal"));
  CHECK_THAT(problem(program, {"--detect", "size=1"}),
             Contains("'size' is no change; must be one of jaw_friction, support_friction"));
  CHECK_THAT(problem(program, {"--detect", "jaw_friction=-0.2"}),
             Contains("friction is not negative"));
  CHECK_THAT(problem(program, {"--learn", "shift_x_mm"}), Contains("--learn needs --to-width W"));
  CHECK_THAT(problem(program, {"--learn", "size_mm", "--to-width", "1"}),
             Contains("'size_mm'; must be one of level, shift_x_mm"));
  CHECK_THAT(problem(program, {"--agree-within", "5", "--to-width", "1"}),
             Contains("--to-width belongs to --learn"));
  CHECK_THAT(problem(program, {"--agree-within", "0"}), Contains("percentage points > 0"));
  CHECK_THAT(problem(program, {"--agree-within", "5", "--power", "80"}),
             Contains("--power: '80'; must be a number from 0.5 to 0.99"));
  CHECK_THAT(problem(program, {"--agree-within", "5", "--placements", "informative"}),
             Contains("not for this goal"));
  CHECK_THAT(problem(program, {"--detect", "size_mm=1", "--placements", "even"}),
             Contains("must be spread or informative"));
  CHECK_THAT(problem(program, {"--detect", "size_mm=1", "--sessions", "0"}),
             Contains("--sessions: '0'; must be a whole number from 1"));
  CHECK(program.names("run/lab_plan").empty());
}

TEST_CASE("lab-plan --help teaches") {
  Program program;
  const ProgramResult help = program.run({"lab-plan", "--help"});
  CHECK(help.exit_code == 0);
  CHECK_THAT(help.out, Contains("--detect CHANGE") && Contains("run_sheet.csv") &&
                           Contains("graspmap lab-plan outputs/lock_piece --agree-within 5"));
}

}  // namespace graspmap::testing
