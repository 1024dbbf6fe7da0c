#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

#include "tests/cli/program.hpp"

namespace graspmap::testing {
namespace {

/// True for an error message of one line that names the program.
bool is_one_line(const std::string& text) {
  return text.starts_with("graspmap: error: ") && std::count(text.begin(), text.end(), '\n') == 1 &&
         text.ends_with('\n');
}

TEST_CASE("help names every command and teaches with an example") {
  Program program;
  const std::string flag = GENERATE("--help", "-h");
  const ProgramResult result = program.run({flag});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  for (const char* command : {"graspmap run", "graspmap merge", "graspmap hash", "graspmap export",
                              "graspmap plot", "graspmap compare", "graspmap trial", "--version"}) {
    CHECK_THAT(result.out, Catch::Contains(command));
  }
}

TEST_CASE("each command's help has its options and an example") {
  Program program;
  const std::string command =
      GENERATE("run", "merge", "hash", "export", "plot", "compare", "trial");
  const ProgramResult result = program.run({command, "--help"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Catch::StartsWith("Usage: graspmap " + command));
  CHECK_THAT(result.out, Catch::Contains("Examples:\n  graspmap " + command));
}

TEST_CASE("the version has a number, a commit, and what it was built with") {
  Program program;
  const ProgramResult result = program.run({"--version"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Matches("graspmap [0-9]+\\.[0-9]+\\.[0-9]+ "
                                        "\\(([0-9a-f]{40}(-modified)?|unknown)\\), "
                                        "(without MPI|Open MPI v.*)\n"
                                        "built with (GNU|Clang) [0-9.]+, [A-Z][A-Za-z]+"
                                        "(, AVX2)?(, (address|thread) sanitizer)?\n"
                                        "(from a source archive outside of git: .*\n)?"));
}

TEST_CASE("a command that works as one process is refused as several, by the first of them") {
  Program program;
  program.environment = {{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "3"}};
  const ProgramResult first = program.run({"plot", "run"});
  CHECK(first.exit_code == 2);
  CHECK_THAT(first.err, Catch::Contains("begun as 3 MPI processes"));
  program.environment["OMPI_COMM_WORLD_RANK"] = "1";
  const ProgramResult second = program.run({"plot", "run"});
  CHECK(second.exit_code == 0);
  CHECK(second.err.empty());
  program.environment = {{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}};
  CHECK_THAT(program.run({"plot", "run"}).err, !Catch::Contains("MPI"));
}

TEST_CASE("without a command the help goes to standard error") {
  Program program;
  const ProgramResult result = program.run({});
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, Catch::Contains("Commands:"));
}

TEST_CASE("what is no command line is one line that says so, and exit code 2") {
  Program program;
  const auto [args, named] = GENERATE(table<std::vector<std::string>, std::string>({
      {{"fly"}, "fly"},
      {{"--fly"}, "--fly"},
      {{"run"}, "CONFIG"},
      {{"plot"}, "RUNDIR"},
      {{"hash"}, "RUNDIR"},
      {{"hash", "a", "b"}, "one RUNDIR is enough"},
      {{"hash", "none"}, "none"},
      {{"hash", "a", "--fly"}, "--fly"},
      {{"merge"}, "OUT"},
      {{"merge", "out"}, "SHARD"},
      {{"merge", "out", "none"}, "none"},
      {{"trial"}, "CONFIG"},
      {{"run", "a.toml", "--fly"}, "--fly"},
      {{"run", "a.toml", "-f"}, "-f"},
      {{"run", "a.toml", "b.toml"}, "b.toml"},
      {{"run", "a.toml", "--out"}, "--out"},
      {{"run", "a.toml", "--out", ""}, "--out is empty"},
      {{"run", ""}, "CONFIG is empty"},
      {{"merge", "out", ""}, "SHARD... is empty"},
      {{"run", lock_piece(), "--out", "--quiet"}, "--out: '--quiet'; must be a value"},
      {{"run", lock_piece(), "--set", "--quiet"}, "--set: '--quiet'; must be a value"},
      {{"trial", lock_piece(), "--placement", "0,-11", "--out", "no/a.svg"},
       "--out: 'no/a.svg'; must be in a folder that is there; 'no' is not"},
      {{"grippers", "--draw", "no/a.svg"}, "--draw: 'no/a.svg'; must be in a folder that is there"},
      {{"trial", lock_piece(), "--placement", "0,-11", "--out", "/"},
       "must be a file; it is a folder"},
      {{"run", "a.toml", "--threads", "0"}, "--threads"},
      {{"run", "a.toml", "--threads", "many"}, "--threads"},
      {{"run", "a.toml", "--threads", "1", "--threads", "2"}, "--threads"},
      {{"run", "none.toml"}, "none.toml"},
      {{"trial", "none.toml", "--placement", "0,0", "--mu-jaw", "0", "--mu-support", "0"},
       "none.toml"},
      {{"plot", "none"}, "none"},
  }));
  CAPTURE(args);
  const ProgramResult result = program.run(args);
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK(is_one_line(result.err));
  CHECK_THAT(result.err, Catch::Contains(named));
  CHECK(program.names().empty());
}

TEST_CASE("a number that no unit makes sense of is refused before anything is done") {
  Program program;
  const std::string pushes = kConfigs + "/pushes/simulated_tripod.csv";
  const auto [args, option] = GENERATE_COPY(table<std::vector<std::string>, std::string>({
      {{"sequence", lock_piece(), "--push-mm", "1e300"}, "push-mm"},
      {{"sequence", lock_piece(), "--box-mm", "1,1e300"}, "box-mm"},
      {{"init", "--shape", "disc", "--size-mm", "1e-300"}, "size-mm"},
      {{"init", "--shape", "disc", "--size-mm", "1e300"}, "size-mm"},
      {{"trial", lock_piece(), "--placement", "1e300,0"}, "placement"},
      {{"fit-support", pushes, "--center", "1e300,0"}, "center"},
      {{"fit-support", pushes, "--weight-n", "-1e6"}, "weight-n"},
      {{"detections", pushes, "--truth", "0,0,1e9"}, "truth"},
  }));
  CAPTURE(args);
  const ProgramResult result = program.run(args);
  CHECK(result.exit_code == 2);
  CHECK(is_one_line(result.err));
  CHECK_THAT(result.err, Catch::Contains("--" + option + ": '") &&
                             Catch::Contains("must be 0, or from 1e-12 to 100000 in size"));
  CHECK(program.names().empty());
}

TEST_CASE("an output where a file is in place of a folder is refused, and the file stays") {
  Program program;
  std::ofstream(program.path("outputs")) << "mine";
  const auto [args, named] = GENERATE(table<std::vector<std::string>, std::string>({
      {{"run", lock_piece()}, "outputs/lock_piece: cannot be created: there is a file"},
      {{"run", lock_piece(), "--out", "outputs"},
       "--out: 'outputs'; must be a folder; 'outputs' is a file"},
      {{"run", lock_piece(), "--out", "outputs/a/b"}, "'outputs' is a file"},
      {{"trial", lock_piece(), "--placement", "0,-11", "--out", "outputs/a.svg"},
       "'outputs' is a file"},
      {{"examples", "--out", "outputs/a"}, "'outputs' is a file"},
  }));
  CAPTURE(args);
  const ProgramResult result = program.run(args);
  CHECK(result.exit_code == 2);
  CHECK(is_one_line(result.err));
  CHECK_THAT(result.err, Catch::Contains(named));
  CHECK(program.text("outputs") == "mine");
}

TEST_CASE("an output that cannot be written is an error") {
  Program program;
  program.file_size_limit = 16;
  const ProgramResult result = program.run({"--help"});
  CHECK(result.exit_code == 1);
}

TEST_CASE("commands that moved to graspmap-lab answer with one line that names it") {
  Program program;
  const std::string command = GENERATE("simulate", "validate", "study-steppers");
  const ProgramResult result = program.run({command, "anything", "--at-all"});
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK(result.err == "graspmap: error: " + command +
                          " is a command of another program: graspmap-lab " + command + "\n");
}

TEST_CASE("a command that is misspelt gets the one that was meant") {
  Program program;
  const ProgramResult result = program.run({"sensitivty", "r"});
  CHECK(result.exit_code == 2);
  CHECK(result.err ==
        "graspmap: error: unknown command 'sensitivty'; did you mean sensitivity? (graspmap "
        "--help)\n");
  CHECK_THAT(program.run({"simulte"}).err, Catch::Contains("did you mean simulate?"));
  CHECK_THAT(program.run({"xyzzy"}).err, !Catch::Contains("did you mean"));
  CHECK_THAT(program.run({"rnu"}).err, Catch::Contains("did you mean run?"));
  CHECK_THAT(program.run({"--verison"}).err, Catch::Contains("did you mean --version?"));
  CHECK_THAT(program.run({"run", "a.toml", "--thraeds", "2"}).err,
             Catch::Contains("did you mean --threads?"));
}

TEST_CASE("help is a command too") {
  Program program;
  CHECK(program.run({"help"}).out == program.run({"--help"}).out);
  CHECK(program.run({"help", "run"}).out == program.run({"run", "--help"}).out);
  const ProgramResult unknown = program.run({"help", "rnu"});
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.err, Catch::Contains("unknown command 'rnu'; did you mean run?"));
}

}  // namespace
}  // namespace graspmap::testing
