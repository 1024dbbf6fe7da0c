#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "tests/cli/runs.hpp"
#include "tests/support/source_dir.hpp"

// Sweeps with a range of angles.

namespace graspmap::testing {
namespace {

using Arguments = std::vector<std::string>;

/// 3 x 2 cells at 3 angles, 2 trials each, without figures.
Arguments turned_run(const std::string& folder, const Arguments& more = {}) {
  const std::string config =
      (std::filesystem::path(testing::source_dir()) / "configs" / "lock_piece_angles.toml")
          .string();
  return join({"run", config, "--no-plots", "--quiet", "--out", folder, "--set",
               "placement.x_cells=3", "--set", "placement.y_cells=2", "--set",
               "placement.theta_cells=3", "--set", "sweep.trials_per_cell=2"},
              more);
}

TEST_CASE("a run at several angles is told, stored, resumed, exported, merged and replayed") {
  Program program;
  const ProgramResult result = program.run(turned_run("whole"));
  REQUIRE(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("theta from ") || Catch::StartsWith("No sweet spot"));
  CHECK_THAT(program.text("whole/config.toml"),
             Catch::Contains("\ntheta_min_rad = -0.5\ntheta_max_rad = 0.5\ntheta_cells = 3\n"));
  const std::string map = program.text("whole/map.csv");
  CHECK(std::count(map.begin(), map.end(), '\n') == 1 + 18);
  CHECK_THAT(map, Catch::Contains("\n2,1,2,"));

  // Extended, and joined from shards of other threads: the same trials.
  REQUIRE(program.run(turned_run("grown", {"--trials-per-cell", "1"})).exit_code == 0);
  REQUIRE(program
              .run({"run", "whole/config.toml", "--no-plots", "--quiet", "--out", "grown",
                    "--resume", "--trials-per-cell", "2"})
              .exit_code == 0);
  CHECK(digest(program, "grown") == digest(program, "whole"));
  for (const std::string shard : {"1/2", "2/2"}) {
    const std::string folder = "part" + shard.substr(0, 1);
    REQUIRE(program.run(turned_run(folder, {"--shard", shard, "--threads", "1"})).exit_code == 0);
  }
  REQUIRE(program.run({"merge", "merged", "part1", "part2", "--no-plots", "--quiet"}).exit_code ==
          0);
  CHECK(digest(program, "merged") == digest(program, "whole"));
  CHECK(program.text("merged/map.csv") == map);

  CHECK(program.run({"export", "merged", "--out", "trials.csv", "--quiet"}).exit_code == 0);
  CHECK(program.text("trials.csv") == program.text("whole/trials.csv"));
  CHECK_THAT(program.text("trials.csv"),
             Catch::Contains("\n17,2,1,2,") && Catch::Contains("\n18,0,0,0,"));

  const ProgramResult replay = program.run({"replay", "whole", "--cell", "9,-1,0.4"});
  CHECK(replay.exit_code == 0);
  CHECK_THAT(replay.out, Catch::StartsWith("trial 17 of whole: reproduced to the last bit"));
  CHECK_THAT(program.run({"replay", "whole", "--cell", "9,-1"}).out,
             Catch::StartsWith("trial 5 of whole: reproduced to the last bit"));
}

TEST_CASE("one angle and a range of them do not go together, and a trial has one") {
  Program program;
  const ProgramResult both = program.run({"run", lock_piece(), "--set", "placement.theta_cells=3"});
  CHECK(both.exit_code == 2);
  CHECK_THAT(both.err, Catch::Contains("placement.theta_rad: does not go with theta_cells"));
  Arguments trial = turned_run("none");
  trial = {"trial", trial[1], "--placement", "0,-11", "--mu-jaw", "0.2", "--mu-support", "0.3"};
  const ProgramResult no_angle = program.run(trial);
  CHECK(no_angle.exit_code == 2);
  CHECK_THAT(no_angle.err, Catch::Contains("angles from -0.5 to 0.5 rad: must be X,Y,THETA"));
  trial[3] = "0,-11,0.1";
  CHECK(program.run(trial).exit_code == 0);
  CHECK(program.names().empty());
}

}  // namespace
}  // namespace graspmap::testing
