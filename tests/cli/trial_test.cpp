#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/cli/program.hpp"

namespace graspmap::testing {
namespace {

using Names = std::vector<std::string>;

std::vector<std::string> one_trial(const std::string& placement,
                                   const std::vector<std::string>& more = {}) {
  return join(
      {"trial", lock_piece(), "--placement", placement, "--mu-jaw", "0.2", "--mu-support", "0.3"},
      more);
}

TEST_CASE("a trial in the sweet spot is told to succeed by the outermost teeth") {
  Program program;
  const ProgramResult result = program.run(one_trial("0.3,-11"));
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Catch::StartsWith("success after ") && Catch::Contains("tooth_1") &&
                             Catch::Contains("tooth_6") && Catch::Contains("contact begins"));
  CHECK(program.names().empty());
}

TEST_CASE("placements may be negative, and may have an angle") {
  Program program;
  const ProgramResult result = program.run(one_trial("-3,-11,-0.05", {"--json"}));
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("\"x_mm\": -3,") && Catch::Contains("\"y_mm\": -11,") &&
                             Catch::Contains("\"theta_rad\": -0.05,"));
}

TEST_CASE("the angle is the configuration's when it is left out") {
  Program program;
  const ProgramResult result =
      program.run(one_trial("0,-11", {"--json", "--set", "placement.theta_rad=0.125"}));
  CHECK_THAT(result.out, Catch::Contains("\"theta_rad\": 0.125,"));
}

TEST_CASE("another support model needs the keys of the old one to be taken away") {
  Program program;
  const ProgramResult left = program.run(one_trial("0.3,-11", {"--set", "support.model=tripod"}));
  CHECK(left.exit_code == 2);
  for (const std::string key : {"support.e_t", "support.e_o", "support.e_r_mm"}) {
    CHECK_THAT(left.err, Catch::Contains(": " + key +
                                         ": for support.model = \"ellipsoid\" only; must be left "
                                         "out (--set " +
                                         key + "= takes it away)\n"));
  }
  CHECK(count_lines(left.err) == 3);
  const ProgramResult taken = program.run(
      one_trial("0.3,-11", {"--set", "support.model=tripod", "--set", "support.e_t=", "--set",
                            "support.e_o=", "--set", "support.e_r_mm="}));
  CHECK(taken.exit_code == 0);
  CHECK_THAT(taken.out, Catch::StartsWith("success after "));
}

TEST_CASE("the trajectory is written as a table") {
  Program program;
  CHECK(program.run(one_trial("0.3,-11", {"--out", "path.csv"})).exit_code == 0);
  CHECK(program.names() == Names{"path.csv"});
  CHECK_THAT(program.text("path.csv"), Catch::StartsWith("time_s,part_x_mm,part_y_mm,"));
  CHECK(count_lines(program.text("path.csv")) > 10);
}

TEST_CASE("a trial is drawn, with friction on average where none is given") {
  Program program;
  const auto [file, beginning] = GENERATE(table<std::string, std::string>({
      {"a.svg", "<?xml"},
      {"a.png", "\x89PNG"},
      {"a.gif", "GIF89a"},
      {"a.csv", "time_s,"},
  }));
  const ProgramResult result = program.run(
      {"trial", lock_piece(), "--placement", "0,-11", "--mu-jaw", "0.15", "--out", file});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::StartsWith("success after ") &&
                             Catch::Contains("Friction: jaws 0.15, table 0.3; what is not given "
                                             "is the mean of its distribution.\n"));
  CHECK_THAT(program.text(file), Catch::StartsWith(beginning));
  CHECK(program.names() == Names{file});
}

TEST_CASE("a trajectory that cannot be written is an error and leaves nothing") {
  Program program;
  CHECK(program.run(one_trial("0.3,-11", {"--out", "none/path.csv"})).exit_code == 2);
  program.file_size_limit = 1000;
  const ProgramResult result = program.run(one_trial("0.3,-11", {"--out", "path.csv"}));
  CHECK(result.exit_code == 1);
  CHECK_THAT(result.err, Catch::Contains("path.csv") && Catch::Contains("File too large"));
  CHECK(program.names().empty());
}

TEST_CASE("what is no trial is one line that names the option, and exit code 2") {
  Program program;
  std::ofstream(program.path("t.csv")) << "x_mm,y_mm,theta_rad,mu_jaw,mu_support\n";
  const std::string config = lock_piece();
  const auto [args, named] = GENERATE_COPY(table<Names, std::string>({
      {{"trial", config}, "--placement"},
      {{"trial", config, "--mu-jaw", "0.1", "--mu-support", "0.1"}, "--placement"},
      {one_trial("0"), "--placement"},
      {one_trial("0,0,0,0"), "--placement"},
      {one_trial("0,x"), "--placement"},
      {one_trial("0,inf"), "--placement"},
      {one_trial("0,0", {"--out", "r.txt"}), "--out"},
      {one_trial("0,0", {"--trials", "t.csv", "--out", "r.csv"}), "--placement"},
      {{"trial", config, "--placement", "0,0", "--mu-jaw", "-1", "--mu-support", "0"}, "--mu-jaw"},
      {{"trial", config, "--placement", "0,0", "--mu-jaw", "1", "--mu-support", "nan"},
       "--mu-support"},
      {{"trial", config, "--trials", "t.csv"}, "--out"},
      {{"trial", config, "--trials", "t.csv", "--out", "t.csv"}, "--out"},
      {{"trial", config, "--trials", "none.csv", "--out", "r.csv"}, "none.csv"},
  }));
  CAPTURE(args);
  const ProgramResult result = program.run(args);
  CHECK(result.exit_code == 2);
  CHECK(count_lines(result.err) == 1);
  CHECK_THAT(result.err, Catch::StartsWith("graspmap: error: ") && Catch::Contains(named));
  CHECK(program.names() == Names{"t.csv"});
}

TEST_CASE("a trial of a sweep, replayed with all its digits, ends the same") {
  Program program;
  REQUIRE(program.run(join({"run", lock_piece(), "--no-plots", "--out", "run"}, small_sweep()))
              .exit_code == 0);
  // trials.csv has the columns of --trials, and some of the result's, which are renamed.
  std::string trials = program.text("run/trials.csv");
  const std::string header = trials.substr(0, trials.find('\n'));
  std::string renamed = header;
  const std::size_t outcome = renamed.find("outcome");
  for (std::size_t at = outcome; at != std::string::npos; at = renamed.find(',', at + 5)) {
    renamed.insert(at == outcome ? at : at + 1, "was_");
  }
  trials.replace(0, header.size(), renamed);
  std::ofstream(program.path("again.csv")) << trials;

  REQUIRE(program.run({"trial", "run/config.toml", "--trials", "again.csv", "--out", "result.csv"})
              .exit_code == 0);
  std::istringstream rows(program.text("result.csv"));
  std::string row;
  std::getline(rows, row);
  int count = 0;
  for (; std::getline(rows, row); ++count) {
    Names fields;
    std::istringstream stream(row);
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    // outcome, end_time_s, pose and jaws: columns 9-15 of trials.csv, 18-24 of the result.
    for (std::size_t k = 9; k < 16; ++k) CHECK(fields[k] == fields[k + 9]);
  }
  CHECK(count == 18);
}

TEST_CASE("results of many trials are the same for any number of threads") {
  Program program;
  std::ofstream file(program.path("t.csv"));
  file << "x_mm,y_mm,theta_rad,mu_jaw,mu_support\n";
  for (int i = -4; i <= 4; ++i) file << i << "," << -9.5 + 0.5 * i << ",0.01,0.15,0.3\n";
  file.close();
  for (const char* threads : {"1", "2", "8"}) {
    CHECK(program
              .run({"trial", lock_piece(), "--trials", "t.csv", "--threads", threads, "--quiet",
                    "--out", threads})
              .exit_code == 0);
  }
  CHECK(count_lines(program.text("1")) == 10);
  CHECK(program.text("2") == program.text("1"));
  CHECK(program.text("8") == program.text("1"));
}

TEST_CASE("a bad file of trials is one line with file, line and column, and nothing is written") {
  Program program;
  const std::string good = "x_mm,y_mm,theta_rad,mu_jaw,mu_support\n0,-11,0,0.2,0.3\n";
  const auto [text, named] = GENERATE_COPY(table<std::string, std::string>({
      {"x_mm,y_mm,mu_jaw,mu_support\n0,-11,0.2,0.3\n", "t.csv:1: theta_rad: "},
      {good + "0,-11,0,high,0.3\n", "t.csv:3: mu_jaw: "},
      {good + "0,-11,0,0.2,-0.3\n", "t.csv:3: mu_support: "},
      {good + "0,-11,0,0.2\n", "t.csv:3: "},
      {"", "t.csv:1: "},
      {"outcome,x_mm,y_mm,theta_rad,mu_jaw,mu_support\n", "t.csv:1: outcome: "},
  }));
  std::ofstream(program.path("t.csv")) << text;
  const ProgramResult result =
      program.run({"trial", lock_piece(), "--trials", "t.csv", "--out", "r.csv"});
  CAPTURE(text);
  CHECK(result.exit_code == 2);
  CHECK(count_lines(result.err) == 1);
  CHECK_THAT(result.err, Catch::StartsWith("graspmap: error: ") && Catch::Contains(named));
  CHECK(program.names() == Names{"t.csv"});
}

TEST_CASE("results that cannot be written are exit code 1 and leave the old file") {
  Program program;
  std::ofstream(program.path("t.csv"))
      << "x_mm,y_mm,theta_rad,mu_jaw,mu_support\n0,-11,0,0.2,0.3\n";
  std::ofstream(program.path("r.csv")) << "old";
  program.file_size_limit = 10;
  const ProgramResult result =
      program.run({"trial", lock_piece(), "--trials", "t.csv", "--out", "r.csv", "--quiet"});
  CHECK(result.exit_code == 1);
  CHECK(program.text("r.csv") == "old");
  CHECK(program.names() == Names{"r.csv", "t.csv"});
}

}  // namespace
}  // namespace graspmap::testing
