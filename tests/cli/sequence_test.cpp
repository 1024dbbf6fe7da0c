/// `graspmap sequence`, as a user runs it.

#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>

#include "tests/cli/program.hpp"
#include "tests/support/squeezed_plate.hpp"

using namespace graspmap::testing;

namespace {

/// 16 mm wide, 30 mm high.
constexpr const char* kRectangle = "[-8, -15], [8, -15], [8, 15], [-8, 15]";

void write_file(const Program& program, const char* name, const std::string& text) {
  std::ofstream(program.path(name)) << text;
}

void write_plate(const Program& program) {
  write_file(program, "plate.toml", squeezed_plate(kRectangle));
}

/// The number of a JSON field, as text.
std::string field(const std::string& json, const std::string& name) {
  const std::size_t at = json.find("\"" + name + "\": ");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + name.size() + 4;
  return json.substr(begin, json.find_first_of(",\n", begin) - begin);
}

}  // namespace

TEST_CASE("sequence finds squeezes, writes them as a program and draws the funnel") {
  Program program;
  write_plate(program);
  const ProgramResult found = program.run({"sequence", "plate.toml", "--trials", "300", "--write",
                                           "found.toml", "--out", "funnel.svg", "--seed", "3"});
  INFO(found.err);
  CHECK(found.exit_code == 0);
  CHECK_THAT(found.out, Catch::Contains("2 squeezes bring plate into one pose"));
  CHECK_THAT(found.out, Catch::Contains("300 of 300 fresh trials"));
  CHECK_THAT(found.out, Catch::Contains("half a turn"));
  CHECK_THAT(found.err, Catch::Contains("1 squeeze: ") && Catch::Contains("2 squeezes: "));
  CHECK(program.names() == std::vector<std::string>{"found.toml", "funnel.svg", "plate.toml"});
  CHECK_THAT(program.text("funnel.svg"), Catch::Contains("</svg>"));
  CHECK_THAT(program.text("found.toml"), Catch::Contains("[[program]]"));

  // The program that was written is the one that was found: the same trials end the same way.
  const ProgramResult again = program.run(
      {"sequence", "found.toml", "--program", "--trials", "300", "--seed", "3", "--json"});
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.err, Catch::Contains("300 fresh trials"));
  CHECK(field(again.out, "evaluated") == "true");
  CHECK(field(again.out, "successes") == "300");
  CHECK(field(again.out, "reaches") == "true");
  const ProgramResult json = program.run(
      {"sequence", "plate.toml", "--trials", "300", "--seed", "3", "--json", "--quiet"});
  CHECK(json.err.empty());
  for (const char* name : {"cycle_s", "pose_theta_rad", "angle_rms_rad"}) {
    CHECK_FALSE(field(json.out, name).empty());
    CHECK(field(json.out, name) == field(again.out, name));
  }
}

TEST_CASE("sequence evaluates a program that leaves two poses, and says so") {
  Program program;
  write_file(program, "plate.toml", squeezed_plate(kRectangle) + "[[program]]\ndo = \"close\"\n");
  const ProgramResult result =
      program.run({"sequence", "plate.toml", "--program", "--trials", "400", "--quiet"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("does not lead to one pose with probability 99 %"));
  const ProgramResult narrow = program.run(
      {"sequence", "plate.toml", "--program", "--trials", "400", "--angles-deg", "-50,50"});
  CHECK_THAT(narrow.out, Catch::Contains("leads to one pose with probability 99 %"));
  write_file(program, "starts.csv", "theta_rad,x_mm,y_mm\n0.3,0,1\n-0.2,1,0\n");
  const ProgramResult given = program.run(
      {"sequence", "plate.toml", "--program", "--trials", "400", "--particles", "starts.csv"});
  CHECK_THAT(given.out, Catch::Contains("Start: 2 start poses of the file"));
  CHECK_THAT(given.out, Catch::Contains("leads to one pose with probability 99 %"));
}

TEST_CASE("sequence refuses in one line, and writes nothing") {
  Program program;
  write_plate(program);
  write_file(program, "empty.csv", "x_mm,y_mm,theta_rad\n");
  write_file(program, "other.csv", "x_mm,y_mm\n1,2\n");
  const auto refused = [&](std::vector<std::string> args, const std::string& says) {
    args.insert(args.begin(), {"sequence", "plate.toml"});
    const ProgramResult result = program.run(args);
    INFO(result.err);
    CHECK(result.exit_code == 2);
    CHECK(count_lines(result.err) == 1);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Catch::Contains(says));
    CHECK(program.names() == std::vector<std::string>{"empty.csv", "other.csv", "plate.toml"});
  };
  refused({"--probability", "1"}, "must be a number from 0.01 to 0.9999");
  refused({"--most-squeezes", "0"}, "--most-squeezes");
  refused({"--angles-deg", "20,10"}, "must be A,B");
  refused({"--angles-deg", "0,400"}, "must be A,B");
  refused({"--period-deg", "70"}, "must be a number > 0 that divides 360");
  refused({"--within-deg", "0"}, "--within-deg");
  refused({"--box-mm", "-1"}, "--box-mm");
  refused({"--particles", "nothing.csv"}, "nothing.csv");
  refused({"--particles", "empty.csv"}, "has no rows");
  refused({"--particles", "other.csv"}, "theta_rad");
  refused({"--particles", "empty.csv", "--box-mm", "1"}, "does not go with");
  refused({"--program"}, "has no [[program]]");
  refused({"--program", "--write", "x.toml"}, "--write does not go with --program");
  refused({"--write", "plate.toml"}, "must be another file");
  refused({"--write", "x.json"}, "must be FILE.toml");
  refused({"--out", "x.gif"}, "must be FILE.png or FILE.svg");
  refused({"--set", "part.nothing=1"}, "part.nothing");
}

TEST_CASE("sequence that is interrupted writes nothing") {
  Program program;
  write_plate(program);
  program.start({"sequence", "plate.toml", "--trials", "1000000", "--write", "found.toml"});
  while (program.errors_so_far().find("2 squeezes") == std::string::npos) usleep(20'000);
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  CHECK(result.exit_code == 130);
  CHECK(program.names() == std::vector<std::string>{"plate.toml"});
}
