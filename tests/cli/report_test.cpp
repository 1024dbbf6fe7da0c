#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/cli/program.hpp"

namespace graspmap::testing {
namespace {

using Catch::Contains;

void check_refused(Program& program, const std::vector<std::string>& args,
                   const std::string& message) {
  const ProgramResult result = program.run(args);
  INFO(message);
  CHECK(result.exit_code == 2);
  CHECK(count_lines(result.err) == 1);
  CHECK_THAT(result.err, Contains(message));
}

TEST_CASE("report writes one file, and run --report does at once") {
  Program program;
  const ProgramResult run = program.run(join(
      {"run", lock_piece(), "--no-plots", "--quiet", "--out", "run", "--report"}, small_sweep()));
  REQUIRE(run.exit_code == 0);
  CHECK_THAT(run.out, Contains("Report in run/report.html: "));
  const std::string first = program.text("run/report.html");
  CHECK_THAT(first, Catch::StartsWith("<!doctype html>") && Catch::EndsWith("</html>\n"));

  const ProgramResult again = program.run({"report", "run", "--out", "page.html", "--no-live"});
  CHECK(again.exit_code == 0);
  CHECK(again.err.empty());
  CHECK_THAT(again.out, Contains("Report in page.html: ") && !Contains("simulator"));
  CHECK_THAT(program.text("page.html"), !Contains("data-part=\"wasm\""));
  // What it is made of is the same each time.
  REQUIRE(program.run({"report", "run", "--out", "twice.html", "--no-live"}).exit_code == 0);
  CHECK(program.text("twice.html") == program.text("page.html"));

  CHECK_THAT(program.run({"report", "run", "--trials", "9", "--out", "page.html"}).out,
             Contains("9 of 18 trials are in the page, the first of each cell."));
}

TEST_CASE("report refuses what it cannot do, and writes nothing") {
  Program program;
  REQUIRE(
      program
          .run(join({"run", lock_piece(), "--no-plots", "--quiet", "--out", "run"}, small_sweep()))
          .exit_code == 0);
  check_refused(program, {"report"}, "RUNDIR is missing");
  check_refused(program, {"report", "nothing"}, "nothing");
  check_refused(program, {"report", "run", "--trials", "0"}, "--trials: '0'; must be");
  check_refused(program, {"report", "run", "--theta-rad", "1"}, "give --experiment FILE.csv");
  check_refused(program, {"report", "run", "--compare-trials", "500"},
                "give --experiment FILE.csv");
  check_refused(program, {"report", "run", "--columns", "x_mm=X"}, "give --experiment FILE.csv");
  check_refused(program, {"report", "run", "--experiment", "lab.csv"}, "lab.csv: cannot be read");
  std::ofstream(program.path("lab.csv")) << "# origin = measured\nx_mm,y_mm,success\n0,-10,1\n";
  check_refused(program, {"report", "run", "--experiment", "lab.csv", "--theta-rad", "1"},
                "--theta-rad 1: is not an angle of run");
  check_refused(program, {"report", "run", "--against", "other"}, "other");
  check_refused(program, {"report", "run", "--design", "other"}, "other/design.json");
  check_refused(program, {"report", "run", "--out", "no/such/folder/page.html"},
                "in a folder that is there");
  CHECK_FALSE(std::filesystem::exists(program.path("run/report.html")));
}

}  // namespace
}  // namespace graspmap::testing
