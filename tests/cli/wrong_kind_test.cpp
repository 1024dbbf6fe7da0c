#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

#include "tests/cli/program.hpp"
#include "tests/cli/runs.hpp"
#include "tests/support/source_dir.hpp"

// Files of a wrong kind as a user gives them: what they are, in one line.

namespace graspmap::testing {
namespace {

using Arguments = std::vector<std::string>;

void check_wrong_kind(const ProgramResult& result, const std::string& says) {
  CHECK(result.exit_code == 2);
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  CHECK_THAT(result.err, Catch::Contains(says));
}

TEST_CASE("commands say what a file is that is of another kind") {
  Program program;
  REQUIRE(program.run(run_of(1, {"--out", "run"})).exit_code == 0);
  std::ofstream(program.path("image.png")) << "\x89PNG\r\n";
  std::ofstream(program.path("table.csv")) << "x_mm,y_mm\n1,2\n";
  const std::string scene = testing::source_dir() + "/configs/scenes/box_stack.toml";
  const Arguments trial = {"--placement", "0,-11", "--mu-jaw", "0.2", "--mu-support", "0.3"};
  const std::string store = "run/run.sqlite: is an SQLite database, as the run.sqlite of a run; ";
  check_wrong_kind(program.run({"run", "run/run.sqlite", "--out", "o"}),
                   store + "give a TOML file");
  check_wrong_kind(program.run({"calibrate", "run", "run/run.sqlite"}), store + "give a CSV file");
  check_wrong_kind(program.run(join({"trial", "table.csv"}, trial)),
                   "table.csv: is a CSV table; give a TOML file");
  check_wrong_kind(program.run({"run", "run", "--out", "o"}), "run: is a folder; give a TOML file");
  check_wrong_kind(program.run({"run", scene, "--out", "o"}),
                   "body: this is a scene, for "
                   "graspmap-lab simulate; ");
  check_wrong_kind(program.run({"plot", "image.png"}),
                   "image.png: is a PNG image; must be the folder of a run");
  check_wrong_kind(program.run({"compare", "run", "image.png"}), "image.png: is a PNG image; ");
  check_wrong_kind(program.run({"calibrate", "run", lock_piece()}),
                   ": is a TOML file; give a CSV file");
  CHECK(program.names("o").empty());
}

}  // namespace
}  // namespace graspmap::testing
