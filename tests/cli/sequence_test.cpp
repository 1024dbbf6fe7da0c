/// `graspmap sequence`, as a user runs it.

#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
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

/// A search of a second or two with 4000 trials, of ten or more with 40000.
std::vector<std::string> search(const char* trials, const std::vector<std::string>& more = {}) {
  return join({"sequence", "plate.toml", "--no-plots", "--trials", trials}, more);
}

/// The number before a text, for the last time that it is there.
long number_before(const std::string& text, const std::string& after) {
  const std::size_t end = text.rfind(after);
  REQUIRE(end != std::string::npos);
  return std::stol(text.substr(text.find_last_of("( \n", end - 1) + 1));
}

void wait_for_errors(const Program& program, const std::string& text) {
  for (int k = 0; k < 3000 && program.errors_so_far().find(text) == std::string::npos; ++k) {
    usleep(10'000);
  }
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
  const ProgramResult found =
      program.run({"sequence", "plate.toml", "--trials", "300", "--seed", "3"});
  INFO(found.err);
  CHECK(found.exit_code == 0);
  CHECK_THAT(found.out, Catch::Contains("2 squeezes bring plate into one pose"));
  CHECK_THAT(found.out, Catch::Contains("300 of 300 fresh trials"));
  CHECK_THAT(found.out, Catch::Contains("half a turn"));
  CHECK_THAT(found.err, Catch::Contains("1 squeeze: ") && Catch::Contains("2 squeezes: ") &&
                            Catch::Contains("(300 of 300 trials)"));
  const std::string folder = "outputs/plate_sequence/";
  CHECK(program.names(folder) == std::vector<std::string>{"funnel.csv", "funnel.gp", "funnel.png",
                                                          "funnel.svg", "phases.csv",
                                                          "sequence.json", "sequence.toml"});
  CHECK_THAT(program.text(folder + "sequence.toml"), Catch::Contains("[[program]]"));
  CHECK_THAT(program.text(folder + "phases.csv"), Catch::StartsWith("phase,time_s,"));

  // The program that was written is the one that was found: the same trials end the same way.
  const ProgramResult again =
      program.run({"sequence", folder + "sequence.toml", "--program", "--trials", "300", "--seed",
                   "3", "--quiet", "--no-plots"});
  CHECK(again.exit_code == 0);
  CHECK(again.err.empty());
  const std::string json = program.text("outputs/plate_program/sequence.json");
  CHECK(field(json, "evaluated") == "true");
  CHECK(field(json, "successes") == "300");
  CHECK(field(json, "reaches") == "true");
  for (const char* name : {"cycle_s", "pose_theta_rad", "angle_rms_rad"}) {
    CHECK_FALSE(field(json, name).empty());
    CHECK(field(json, name) == field(program.text(folder + "sequence.json"), name));
  }
  CHECK(program.text("outputs/plate_program/sequence.toml") ==
        program.text(folder + "sequence.toml"));
}

TEST_CASE("sequence looks for squeezes of a gripper with pads on a mount") {
  Program program;
  write_file(program, "plate.toml",
             squeezed_plate(kRectangle) + "[gripper.mount]\nsideways_n_per_mm = 20\n" +
                 "turning_n_mm = 1e6\n[gripper.pad]\nmodulus_mpa = 5\nthickness_mm = 2\n" +
                 "height_mm = 5\nmost_deflection_mm = 1\ndamping_s = 0.01\n");
  const ProgramResult found = program.run(
      {"sequence", "plate.toml", "--trials", "200", "--no-plots", "--quiet", "--seed", "3"});
  INFO(found.err);
  CHECK(found.exit_code == 0);
  CHECK_THAT(found.out, Catch::Contains("2 squeezes bring plate into one pose"));
  CHECK_THAT(program.text("outputs/plate_sequence/sequence.toml"),
             Catch::Contains("[gripper.mount]"));
}

TEST_CASE("sequence evaluates a program that leaves two poses, and says so") {
  Program program;
  write_file(program, "plate.toml", squeezed_plate(kRectangle) + "[[program]]\ndo = \"close\"\n");
  const ProgramResult result = program.run(
      {"sequence", "plate.toml", "--program", "--trials", "400", "--quiet", "--no-plots"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("does not lead to one pose with probability 99 %"));
  const ProgramResult narrow = program.run({"sequence", "plate.toml", "--program", "--trials",
                                            "400", "--angles-deg", "-50,50", "--no-plots"});
  CHECK_THAT(narrow.out, Catch::Contains("leads to one pose with probability 99 %"));
  write_file(program, "starts.csv", "theta_rad,x_mm,y_mm\n0.3,0,1\n-0.2,1,0\n");
  const ProgramResult given = program.run({"sequence", "plate.toml", "--program", "--trials", "400",
                                           "--particles", "starts.csv", "--no-plots"});
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
  refused({"--offsets-mm", "0"}, "must be 1 to 5 numbers > 0");
  refused({"--push-mm", "-5"}, "must be 1 to 3 numbers > 0");
  refused({"--opening-mm", "91"}, "at most gripper.opening_mm, 90");
  refused({"--set", "part.nothing=1"}, "part.nothing");
}

TEST_CASE("a search that is killed again and again gives the same files as one that is not",
          "[slow]") {
  Program program;
  write_plate(program);
  const ProgramResult whole = program.run(search("4000", {"--out", "whole"}));
  REQUIRE(whole.exit_code == 0);
  constexpr std::array kFiles = {"phases.csv", "sequence.json", "sequence.toml"};
  const auto is_whole = [&](const std::string& name) {
    return program.text("killed/" + name) == program.text("whole/" + name);
  };
  int kills = 0;
  for (double moment_us = 150'000.0;; moment_us *= 1.5) {
    program.start(search("4000", {"--out", "killed"}));
    usleep(static_cast<unsigned>(moment_us));
    program.send(SIGKILL);
    if (program.wait().signal != SIGKILL) break;
    // It may have come while the files were written, or after.
    for (const std::string name : kFiles) {
      CHECK((program.text("killed/" + name).empty() || is_whole(name)));
    }
    ++kills;
  }
  INFO(kills << " kills");
  CHECK(kills >= 2);
  std::vector<std::string> names = program.names("killed");
  std::erase_if(names, [](const std::string& name) { return name.ends_with(".tmp"); });
  CHECK(names == program.names("whole"));
  for (const char* name : kFiles) CHECK(is_whole(name));
}

TEST_CASE("a killed search loses nothing that it reported done", "[slow]") {
  Program program;
  write_plate(program);
  program.start(search("200000", {"--out", "killed"}));
  wait_for_errors(program, " of 200000 trials)");
  program.send(SIGKILL);
  CHECK(program.wait().signal == SIGKILL);
  const long reported = number_before(program.errors_so_far(), " of 200000 trials)");
  program.start(search("200000", {"--out", "killed"}));
  wait_for_errors(program, "already exist.\n");
  program.send(SIGTERM);
  CHECK(program.wait().exit_code == 143);
  CHECK(reported > 0);
  CHECK(number_before(program.errors_so_far(), " trials already exist.\n") > reported);
}

TEST_CASE("an interrupted search goes on, another one in its folder begins anew", "[slow]") {
  const auto [signal, code] = GENERATE(table<int, int>({{SIGINT, 130}, {SIGTERM, 143}}));
  Program program;
  write_plate(program);
  program.start(search("40000"));
  wait_for_errors(program, "2 squeezes");
  const ProgramResult second =
      Program().run({"sequence", program.path("plate.toml").string(), "--out",
                     program.path("outputs/plate_sequence").string()});
  CHECK(second.exit_code == 2);
  CHECK_THAT(second.err, Catch::Contains("process " + std::to_string(program.id()) + " on host"));
  program.send(signal);
  const ProgramResult result = program.wait();
  CHECK(result.exit_code == code);
  CHECK(result.out.empty());
  CHECK(program.names("outputs/plate_sequence") == std::vector<std::string>{"sequence.sqlite"});

  // Fewer trials are some of the same.
  const ProgramResult fewer = program.run(search("100"));
  CHECK(fewer.exit_code == 0);
  CHECK_THAT(fewer.err, Catch::Contains(" trials already exist.\n"));

  program.start(search("40000"));
  for (int k = 0; k < 3000 && program.text("outputs/plate_sequence/sequence.sqlite").empty(); ++k) {
    usleep(10'000);  // until it says which search it is for
  }
  program.send(signal);
  CHECK(program.wait().exit_code == code);
  const ProgramResult other = program.run(search("100", {"--seed", "2", "--quiet"}));
  CHECK(other.exit_code == 0);
  CHECK(other.err ==
        "graspmap: note: outputs/plate_sequence/sequence.sqlite was of another "
        "search; this one begins anew.\n");
}
