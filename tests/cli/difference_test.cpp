#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "tests/cli/runs.hpp"

// graspmap difference and sensitivity: on runs of 9 cells.

namespace graspmap::testing {
namespace {

using Arguments = std::vector<std::string>;

void run_into(Program& program, const std::string& folder, int trials, const Arguments& more = {}) {
  const Arguments run = run_of(trials, join({"--quiet", "--out", folder}, more));
  REQUIRE(program.run(run).exit_code == 0);
}

/// Checks that a command is refused in one line that names something.
void check_refused(Program& program, const Arguments& args, const std::string& named) {
  CAPTURE(args);
  const ProgramResult result = program.run(args);
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, Catch::StartsWith("graspmap: error: ") && Catch::Contains(named));
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
}

}  // namespace

TEST_CASE("difference compares two runs") {
  Program program;
  run_into(program, "a", 12);
  run_into(program, "b", 12, {"--set", "friction.jaw.max=0.1"});
  run_into(program, "coarse", 2, {"--set", "placement.x_cells=2"});
  const ProgramResult result = program.run({"difference", "a", "b/"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Catch::Contains("friction.jaw.max: 0.35 in A, 0.1 in B") &&
                             Catch::Contains("108 pairs of trials"));
  CHECK(program.names("a/difference/b") == Arguments{"difference.csv", "difference.json",
                                                     "difference_maps.csv", "difference_maps.gp",
                                                     "difference_maps.png", "difference_maps.svg"});
  CHECK_THAT(program.text("a/difference/b/difference.json"), Catch::Contains("\"pairs\": 108"));
  CHECK(program.run({"difference", "a", "b", "--out", "c", "--no-plots"}).exit_code == 0);
  CHECK(program.names("c") == Arguments{"difference.csv", "difference.json"});
  CHECK(program.text("c/difference.csv") == program.text("a/difference/b/difference.csv"));

  check_refused(program, {"difference", "a", "coarse"}, "placement.x_cells (3 and 2)");
  check_refused(program, {"difference", "a", "none"}, "none");
  check_refused(program, {"difference", "a"}, "RUN_B is missing");
  check_refused(program, {"difference", "a", "b", "--false-discovery-rate", "2"},
                "must be a number > 0, at most 0.5");
  CHECK_FALSE(std::filesystem::exists(program.path("a/difference/coarse")));
}

TEST_CASE("sensitivity tells which uncertainty matters", "[slow]") {
  Program program;
  run_into(program, "a", 40, {"--set", "placement.y_min_mm=-7", "--set", "placement.y_max_mm=-1"});
  const ProgramResult result = program.run({"sensitivity", "a"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Catch::StartsWith("Where the gripper is put decides on this map") &&
                             !Catch::Contains("Tighten the position") &&
                             Catch::Contains("Besides the placement, what matters most is the ") &&
                             Catch::Contains("Fixed, so left out: angle, noise in x"));
  CHECK(program.names("a/sensitivity").size() == 10);
  const ProgramResult aimed = program.run({"sensitivity", "a", "--placement", "0,-4",
                                           "--position-sigma-mm", "1", "--out", "b", "--no-plots"});
  CHECK(aimed.exit_code == 0);
  CHECK_THAT(aimed.out, Catch::Contains("placements around (0, -4) mm, errors 1 and 1 mm"));
  CHECK(program.names("b") == Arguments{"sensitivity.csv", "sensitivity.json"});
  CHECK(program.text("b/sensitivity.csv") == program.text("a/sensitivity/sensitivity.csv"));

  // The command that it names runs; where all succeeds nothing is to be gained, and nothing wins.
  const std::vector<std::string> next = printed_commands(result.out);
  REQUIRE(next.size() == 1);
  CHECK(run_printed(program, next.front(), "--no-plots --quiet").exit_code == 0);
  run_into(program, "good", 40,
           {"--set", "placement.x_min_mm=-3", "--set", "placement.x_max_mm=3", "--set",
            "placement.y_min_mm=-13", "--set", "placement.y_max_mm=-9"});
  const ProgramResult good =
      program.run({"sensitivity", "good", "--placement", "0,-11", "--position-sigma-mm", "0.2",
                   "--halved-trials", "400", "--no-plots", "--quiet"});
  CHECK_THAT(good.out, Catch::StartsWith("Nothing ") &&
                           Catch::Contains("Nothing to gain: success") &&
                           !Catch::Contains("The most is gained"));

  check_refused(program, {"sensitivity", "a", "--placement", "0,-4"}, "belong together");
  check_refused(program, {"sensitivity", "a", "--placement", "0,4", "--position-sigma-mm", "1"},
                "--placement: y = 4 is outside of the map");
  check_refused(program, {"sensitivity", "a", "--placement", "0,-4,0", "--position-sigma-mm", "1"},
                "the sweep has one angle only");
  check_refused(program, {"sensitivity", "a", "--placement", "0,-4", "--position-sigma-mm", "1,-1"},
                "must be one or two numbers >= 0");
  check_refused(program, {"sensitivity", "none"}, "none");
}

TEST_CASE("sensitivity of a run with uncertain numbers simulates the value of tightening") {
  Program program;
  std::ifstream source(lock_piece());
  std::string config((std::istreambuf_iterator<char>(source)), {});
  config +=
      "[uncertain]\n\"gripper.closing_force_n\" = { distribution = \"uniform\", min = 8, max = "
      "12 }\n";
  std::ofstream(program.path("uncertain.toml")) << config;
  REQUIRE(program
              .run({"run", "uncertain.toml", "--quiet", "--no-plots", "--out", "u", "--set",
                    "placement.x_cells=2", "--set", "placement.y_cells=2", "--set",
                    "placement.y_min_mm=-7", "--set", "placement.y_max_mm=-1", "--set",
                    "sweep.trials_per_cell=60"})
              .exit_code == 0);
  const Arguments aimed = {"sensitivity",         "u",      "--placement",     "0,-4",
                           "--position-sigma-mm", "1",      "--halved-trials", "40",
                           "--no-plots",          "--quiet"};
  const ProgramResult result = program.run(aimed);
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out,
             Catch::Contains("40 simulated trials each, with the same random numbers") &&
                 Catch::Contains("\ngripper.closing_force_n "));
  CHECK(program.names("u/sensitivity") ==
        Arguments{"halved.csv", "sensitivity.csv", "sensitivity.json"});
  const std::string csv = program.text("u/sensitivity/halved.csv");
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 7);  // header, none, five inputs
  CHECK_THAT(csv, Catch::Contains("\nnone,,40,0,") &&
                      Catch::Contains("\ngripper.closing_force_n,gripper,40,0,"));
  const ProgramResult none =
      program.run({"sensitivity", "u", "--halved-trials", "0", "--out", "v", "--no-plots"});
  CHECK(none.exit_code == 0);
  CHECK(program.names("v") == Arguments{"sensitivity.csv", "sensitivity.json"});
  check_refused(program, {"sensitivity", "u", "--halved-trials", "-1"}, "--halved-trials");
}

}  // namespace graspmap::testing
