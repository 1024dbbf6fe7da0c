#include <catch2/catch.hpp>

#include "tests/cli/program.hpp"
#include "tests/support/held_squares.hpp"

namespace graspmap::testing {
namespace {

using Arguments = std::vector<std::string>;

void write_squares(const Program& program, const std::string& text) {
  REQUIRE(program.folder().write("squares.toml", text) == program.path("squares.toml"));
}

/// Runs the squares into the folder `run`.
void run_squares(Program& program, const std::string& hold, const std::string& success = "") {
  write_squares(program, held_squares(hold, success));
  REQUIRE(program.run({"run", "squares.toml", "--no-plots", "--quiet", "--out", "run"}).exit_code ==
          0);
}

TEST_CASE("hold tells how often the part is held and leaves its files") {
  Program program;
  run_squares(program, "acceleration_m_s2 = 2\n");
  CHECK_THAT(program.text("run/trials.csv"), Catch::Contains(",worst_residual,hold_factor\n"));
  const ProgramResult result =
      program.run({"hold", "run", "--factor", "10", "--quiet", "--placement", "0,14"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out,
             Catch::StartsWith("Lifted with 2 m/s², the part is held with safety factor 10\n") &&
                 Catch::Contains("\nFor 99 % a jaw must press with ") &&
                 Catch::Contains("\nSimulated again with ") &&
                 Catch::Contains("Files in run/hold: hold.json, hold.csv"));
  CHECK(program.names("run/hold") ==
        Arguments{"hold.csv", "hold.json", "hold_force.csv", "hold_force.gp", "hold_force.png",
                  "hold_force.svg", "hold_map.csv", "hold_map.gp", "hold_map.png", "hold_map.svg"});
  // The same again, byte for byte, on one thread.
  REQUIRE(program
              .run({"hold", "run", "--factor", "10", "--quiet", "--placement", "0,14", "--threads",
                    "1", "--no-plots", "--out", "again"})
              .exit_code == 0);
  CHECK(program.text("again/hold.json") == program.text("run/hold/hold.json"));
  CHECK(program.text("again/hold.csv") == program.text("run/hold/hold.csv"));
}

TEST_CASE("a trial tells what the hand can do with the part") {
  Program program;
  write_squares(program, held_squares("acceleration_m_s2 = 2\n"));
  const ProgramResult result = program.run(
      {"trial", "squares.toml", "--placement", "0,14", "--mu-jaw", "0.2", "--mu-support", "0.3"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out,
             Catch::Contains("In the hand\n  lifted with 2 m/s²: safety factor 8.467") &&
                 Catch::Contains("it bears 4 N vertically"));
}

TEST_CASE("a grasp that is not held well enough is no success, and the run says why") {
  Program program;
  write_squares(program, held_squares("", "hold_factor = 10\n"));
  const ProgramResult result =
      program.run({"run", "squares.toml", "--no-plots", "--quiet", "--out", "run"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("hold_factor should be at least 10"));
}

TEST_CASE("what is wrong with a hold is told in one line") {
  Program program;
  run_squares(program, "");
  const auto error = [&](Arguments arguments) {
    arguments.insert(arguments.begin(), {"hold", "run", "--no-plots"});
    const ProgramResult result = program.run(arguments);
    CHECK(result.exit_code == 2);
    CHECK(count_lines(result.err) == 1);
    return result.err;
  };
  CHECK_THAT(error({"--set", "gripper.opening_mm=20"}), Catch::Contains("must be a key of [hold]"));
  CHECK_THAT(error({"--set", "hold.speed=20"}), Catch::Contains("hold.speed: unknown key"));
  CHECK_THAT(error({"--factor", "0"}), Catch::Contains("--factor: '0'; must be a number > 0"));
  CHECK_THAT(error({"--placement", "50,0"}), Catch::Contains("is outside of the map"));
  CHECK_FALSE(std::filesystem::exists(program.path("run/hold")));
}

}  // namespace
}  // namespace graspmap::testing
