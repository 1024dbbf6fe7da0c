#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"

/// What a run says first: yes with the placement, no with the reason, or that it cannot tell; and
/// the doubts about a configuration.

namespace graspmap::testing {
namespace {

std::vector<std::string> quick_run(const std::vector<std::string>& overrides,
                                   const std::vector<std::string>& more = {}) {
  std::vector<std::string> args = {
      "run", kConfigs + "/lock_piece_quick.toml", "--no-plots", "--quiet", "--out", "run"};
  for (const std::string& assignment : overrides) args.insert(args.end(), {"--set", assignment});
  return join(args, more);
}

/// The words after "graspmap" in the line of a text that begins with `label`.
std::vector<std::string> printed_command(const std::string& text, const std::string& label) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(label)) continue;
    std::istringstream words(line.substr(label.size()));
    std::vector<std::string> command;
    for (std::string word; words >> word;) command.push_back(word);
    REQUIRE(command.size() > 1);
    REQUIRE(command.front() == "graspmap");
    command.erase(command.begin());
    return command;
  }
  FAIL("no line begins with " << label << " in\n" << text);
  return {};
}

TEST_CASE("where a placement succeeds reliably the run says where") {
  Program program;
  const ProgramResult result = program.run(quick_run({}));
  CHECK_THAT(result.out, Catch::StartsWith("Put the gripper at (-1, -11) mm: in each cell"));
  CHECK_THAT(result.out, Catch::Contains("\nWhy a part that the jaws hold is no success (") &&
                             Catch::Contains(" %  left should touch tooth_1, and touches "));
  CHECK(result.err.empty());
}

TEST_CASE("where nothing succeeds reliably the run says no, and why") {
  Program program;
  const ProgramResult result =
      program.run(quick_run({"friction.jaw=0.9", "sweep.trials_per_cell=10"}));
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::StartsWith("No placement succeeds reliably, in 95.0 % or more.") &&
                             Catch::Contains("\nWhat is missing most often: "));
  const ProgramResult replay = program.run(printed_command(result.out, "To see one: "));
  CHECK(replay.exit_code == 0);
  CHECK_THAT(replay.out, Catch::Contains("\nwedged after ") && Catch::Contains("\n  no success: "));
}

TEST_CASE("a run whose grasps all miss says so") {
  Program program;
  const ProgramResult result =
      program.run(quick_run({"placement.y_min_mm=-80", "placement.y_max_mm=-60"}));
  CHECK_THAT(result.out,
             Catch::StartsWith(
                 "None of the 2000 simulated grasps succeeded.\n100.0 % miss: at the end the part "
                 "is not between the jaws.\n"));
}

TEST_CASE("fingers that are exchanged in [[success]] are noticed") {
  Program program;
  const ProgramResult result =
      program.run(quick_run({"success.0.left=[\"tooth_6\"]", "success.0.right=[\"tooth_1\"]"}));
  CHECK_THAT(result.out,
             Catch::StartsWith(
                 "None of the 2000 simulated grasps succeeded.\nAre left and right exchanged in "
                 "[[success]]? The other way round "));
}

TEST_CASE("with too few trials the run says how many tell, and that command does") {
  Program program;
  const ProgramResult result = program.run(quick_run({"sweep.trials_per_cell=2"}));
  CHECK_THAT(result.out, Catch::StartsWith("Too few trials to tell whether a placement succeeds "
                                           "reliably, in 95.0 % or more.\nSo far the best is ("));
  const ProgramResult more = program.run(printed_command(result.out, "To know: "));
  CHECK(more.exit_code == 0);
  CHECK_THAT(more.out, Catch::StartsWith("Put the gripper at "));
}

TEST_CASE("a doubtful number is a warning, and with --strict an error that writes nothing") {
  Program program;
  const std::vector<std::string> slip = {"gripper.closing_force_n=0.01", "sweep.trials_per_cell=1"};
  const ProgramResult refused = program.run(quick_run(slip, {"--strict"}));
  CHECK(refused.exit_code == 2);
  CHECK(count_lines(refused.err) == 2);
  CHECK_THAT(refused.err,
             Catch::Contains("lock_piece_quick.toml: gripper.closing_force_n: is 0.01; the table "
                             "holds the part with about "));
  CHECK(program.names().empty());

  const ProgramResult warned = program.run(quick_run(slip));
  CHECK(warned.exit_code == 0);
  CHECK(count_lines(warned.err) == 2);
  CHECK_THAT(warned.err, Catch::StartsWith("graspmap: warning: "));
}

}  // namespace
}  // namespace graspmap::testing
