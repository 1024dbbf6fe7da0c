#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <utility>

#include "tests/cli/runs.hpp"
#include "tests/support/source_dir.hpp"

namespace graspmap::testing {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

/// A run of 9 cells with 4 trials each in the folder "run".
void make_run(Program& program) {
  REQUIRE(program.run(run_of(4, {"--quiet", "--out", "run"})).exit_code == 0);
}

void write(const Program& program, const std::string& name, const std::string& text) {
  (void)program.folder().write(name, text);
}

/// The run's own cells as an experiment, all of them with `trials` trials and `successes`.
std::string cells(int trials, int successes) {
  std::string text =
      "# origin = simulated\n# source = made up\n"
      "x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,successes\n";
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) {
      const auto border = [](double min, int k) { return std::to_string(min + k * 20.0 / 3); };
      text += border(-10, i) + "," + border(-10, i + 1) + "," + border(-20, j) + "," +
              border(-20, j + 1) + "," + std::to_string(trials) + "," + std::to_string(successes) +
              "\n";
    }
  }
  return text;
}

}  // namespace

TEST_CASE("compare tells whether, how much and where an experiment differs") {
  Program program;
  make_run(program);
  write(program, "lab.csv", cells(2000, 1000));
  const ProgramResult result =
      program.run({"compare", "run", "lab.csv", "--no-plots", "--no-simulate"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, StartsWith("The experiment and the run differ by more than chance"));
  CHECK_THAT(result.out, Contains("simulated: made up") && Contains("18000 trials"));
  CHECK(program.names("run/compare") == Names{"compare.csv", "compare.json", "placements.csv"});
  const std::string csv = program.text("run/compare/compare.csv");
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 10);
  CHECK_THAT(program.text("run/compare/compare.json"),
             Contains("\"origin\": \"simulated\"") && Contains("\"cells_compared\": 9"));
  const ProgramResult again =
      program.run({"compare", "run", "lab.csv", "--no-plots", "--no-simulate"});
  CHECK(again.out == result.out);
  CHECK(program.text("run/compare/compare.csv") == csv);
}

TEST_CASE("compare ends with the next step, which runs, and knows no negative friction", "[slow]") {
  Program program;
  REQUIRE(program.run(run_of(40, {"--quiet", "--out", "run", "--set", "simulation.step_s=0.01"}))
              .exit_code == 0);
  write(program, "log.csv", "X;Y;OK\n0;-11;no\n1;-12;no\n-1;-10;no\n2;-13,5;no\n-2;-9;no\n");
  const Names args = {"compare",  "run",  "log.csv",    "--columns", "x_mm=X,y_mm=Y,success=OK",
                      "--trials", "2000", "--no-plots", "--quiet"};
  const ProgramResult differs = program.run(args);
  REQUIRE(differs.exit_code == 0);
  CAPTURE(differs.out);
  const std::vector<std::string> next = printed_commands(differs.out);
  REQUIRE(next.size() == 1);
  CHECK_THAT(next.front(), StartsWith("graspmap calibrate run log.csv --simulate --columns"));
  CHECK(run_printed(program, next.front(), "--no-plots --quiet").exit_code == 0);

  write(program, "few.csv", "# origin = measured\nx_mm,y_mm,success\n0,-11,1\n1,-12,1\n");
  const ProgramResult few =
      program.run({"compare", "run", "few.csv", "--trials", "2000", "--no-plots", "--quiet"});
  CHECK_THAT(few.out, Contains("\n  graspmap lab-plan run --agree-within 10\n"));
}

namespace {

/// Whether a text has control characters other than line ends and, in files, tabs; or no UTF-8.
bool obeys(std::string text, bool is_file = false) {
  if (is_file) std::erase(text, '\t');  // gnuplot indents with them
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto c = static_cast<unsigned char>(text[k]);
    const bool c1 =
        c == 0xC2 && k + 1 < text.size() && static_cast<unsigned char>(text[k + 1]) < 0xA0;
    if ((c < 0x20 && c != '\n') || c == 0x7f || c == 0xff || c1) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("no control character of an experiment reaches the terminal or a file") {
  Program program;
  make_run(program);
  const std::string evil =
      "\x1b[31mred\x07\x7f\xc2\x9b"
      "2J\xff";
  const std::string name = "lab\x1b[2J.csv";
  std::string text = cells(2000, 1000);
  text.replace(text.find("made up"), 7, evil);
  write(program, name, text);
  const ProgramResult result = program.run({"compare", "run", name, "--trials", "300"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Contains("\\x1b[31mred\\x07\\x7f\\u009b2J\\xff"));
  CHECK_FALSE(obeys(result.out + result.err));
  for (const std::string& file : program.names("run/compare")) {
    CAPTURE(file);
    if (!file.ends_with(".png")) CHECK_FALSE(obeys(program.text("run/compare/" + file), true));
  }
  // In columns and in values, of which an error says what is wrong with them.
  write(program, "column.csv", "# source = x\nx_mm,y_mm," + evil + "\n1,2,3\n");
  write(program, "value.csv", "# source = x\nx_mm,y_mm,success\n1," + evil + ",1\n");
  for (const char* file : {"column.csv", "value.csv"}) {
    const ProgramResult wrong = program.run({"compare", "run", file, "--no-plots"});
    CHECK(wrong.exit_code == 2);
    CHECK(count_lines(wrong.err) == 1);
    CHECK_FALSE(obeys(wrong.out + wrong.err));
  }
  const ProgramResult missing = program.run({"compare", "run", "no\nsuch\x1b[31m.csv"});
  CHECK(missing.exit_code == 2);
  CHECK(count_lines(missing.err) == 1);
  CHECK_FALSE(obeys(missing.err));
}

TEST_CASE("compare draws single trials beside the run") {
  Program program;
  make_run(program);
  write(program, "lab.csv",
        "# origin = measured\nx_mm,y_mm,success\n0,-11,1\n1,-10,1\n0,-1,0\n0,5,1\n");
  const ProgramResult result =
      program.run({"compare", "run", "lab.csv", "--out", "out", "--trials", "100", "--quiet"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Contains("simulated at the experiment's 3 placements (78 trials)"));
  CHECK_THAT(result.out, Contains("(p = ") && Contains("Not compared: 1 trial of the experiment "
                                                       "outside of the run's map."));
  CHECK_THAT(result.out, Contains("the shapes of the maps are not compared"));
  const auto names = program.names("out");
  for (const char* name : {"compare.csv", "placements.csv", "observed.png", "deviations.png",
                           "comparison.png", "comparison.svg", "comparison_3d.png"}) {
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  }
  CHECK_THAT(program.text("out/comparison.svg"), Contains("experiment (measured)"));
}

TEST_CASE("compare checks published facts") {
  Program program;
  make_run(program);
  const std::string facts =
      testing::source_dir() + "/configs/published/brost_christiansen_1996.toml";
  const ProgramResult result = program.run({"compare", "run", facts});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Contains(" of 4 published facts hold in this run"));
  CHECK_THAT(result.out, Contains("measured: Brost and Christiansen (1996)"));
  CHECK(program.names("run/compare") == Names{"facts.csv", "facts.json"});
}

TEST_CASE("compare writes nothing when something is wrong") {
  Program program;
  make_run(program);
  write(program, "no_origin.csv", "x_mm,y_mm,success\n0,-11,1\n");
  write(program, "away.csv", "# origin = measured\nx_mm,y_mm,success\n50,-11,1\n");
  write(program, "facts.toml", "origin = \"measured\"\n");
  write(program, "good.csv", cells(2, 1));
  write(program, "map.csv", "cell_x,cell_y\n0,0,0\n");
  write(program, "angles.csv", "# origin = measured\nx_mm,y_mm,success,theta_rad\n0,-11,1,1\n");
  using Arguments = std::vector<std::string>;
  const std::vector<std::pair<Arguments, std::string>> mistakes = {
      {{"run"}, "EXPERIMENT is missing"},
      {{"none", "good.csv"}, "none"},
      {{"run", "none.csv"}, "none.csv: cannot be read"},
      {{"run", "no_origin.csv"}, "no_origin.csv:1: origin: missing"},
      {{"run", "away.csv"}, "away.csv: no cell in common with run"},
      {{"run", "facts.toml"}, "facts.toml:1: fact: missing"},
      {{"run", "good.csv", "--confidence", "2"}, "--confidence"},
      {{"run", "good.csv", "--within", "0"},
       "--within: '0'; must be a number of percentage points"},
      {{"run", "good.csv", "--trials", "1000", "--no-simulate"}, "--trials: nothing is simulated"},
      {{"run", "map.csv"}, "map.csv:2: "},
      {{"run", "angles.csv", "--no-simulate"}, "angles.csv: theta_rad: 1 is not in the run's cell"},
      {{"run", "good.csv", "--theta-rad", "up"}, "--theta-rad: 'up'; must be a number"},
      {{"run", "good.csv", "--theta-rad", "1"}, "--theta-rad 1: is not an angle of run"},
  };
  for (const auto& [args, says] : mistakes) {
    const ProgramResult result = program.run(join({"compare"}, args));
    CAPTURE(args);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, StartsWith("graspmap: error: ") && Contains(says));
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    CHECK_FALSE(std::filesystem::exists(program.path("run/compare")));
  }
}

TEST_CASE("compare takes one of several angles") {
  Program program;
  write(program, "lab.csv", cells(20, 10));
  const std::string config = testing::source_dir() + "/configs/lock_piece_angles.toml";
  REQUIRE(program.run(join({"run", config, "--no-plots", "--quiet", "--out", "run"}, small_sweep()))
              .exit_code == 0);
  const ProgramResult refused = program.run({"compare", "run", "lab.csv"});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, Contains("run: has 5 cells of angles from -0.5 to 0.5 rad") &&
                              Contains("--theta-rad T"));
  const ProgramResult result = program.run(
      {"compare", "run", "lab.csv", "--theta-rad", "0.15", "--no-plots", "--no-simulate"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Contains("at 0.2 rad") && Contains(" of 18\n"));
}

TEST_CASE("compare takes another run or its map") {
  Program program;
  make_run(program);
  REQUIRE(
      program.run(run_of(4, {"--quiet", "--out", "other", "--set", "sweep.seed=2"})).exit_code ==
      0);
  const ProgramResult result =
      program.run({"compare", "run", "other", "--no-plots", "--no-simulate", "--out", "a"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Contains("Experiment (simulated):") && Contains("of 36 trials"));
  const ProgramResult map =
      program.run({"compare", "run", "other/map.csv", "--no-plots", "--no-simulate", "--out", "b"});
  CHECK(map.exit_code == 0);
  CHECK(program.text("a/compare.csv") == program.text("b/compare.csv"));
  // As another program saves it: a byte order mark, the last column first, other line ends.
  std::istringstream lines(program.text("other/map.csv"));
  std::string saved = "\xEF\xBB\xBF";
  for (std::string line; std::getline(lines, line);) {
    const std::size_t last = line.rfind(',');
    saved += line.substr(last + 1) + "," + line.substr(0, last) + "\r\n";
  }
  write(program, "saved.csv", saved);
  CHECK(program.run({"compare", "run", "saved.csv", "--no-plots", "--no-simulate", "--out", "d"})
            .exit_code == 0);
  CHECK(program.text("a/compare.csv") == program.text("d/compare.csv"));
  const ProgramResult own =
      program.run({"compare", "run", "run", "--no-plots", "--no-simulate", "--out", "c"});
  CHECK_THAT(program.text("c/compare.json"), Contains("\"p_value\": 1"));
}

TEST_CASE("compare tells sessions apart and takes angles from the experiment") {
  Program program;
  make_run(program);
  write(program, "lab.csv",
        "# origin = measured\nx_mm,y_mm,success,session,theta_rad\n"
        "0,-11,1,monday,0\n1,-10,1,monday,0.01\n0,-1,0,tuesday,0\n2,-9,1,\"week, 2\",0\n");
  const ProgramResult result =
      program.run({"compare", "run", "lab.csv", "--no-plots", "--trials", "160", "--quiet"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Contains("Sessions: friction is taken as constant in each") &&
                             Contains("monday") && Contains("between sessions"));
  CHECK_THAT(program.text("run/compare/compare.json"),
             Contains("\"session\": \"tuesday\"") && Contains("\"session_widening\""));
  const std::string placements = program.text("run/compare/placements.csv");
  CHECK_THAT(placements, Contains("\n1,-10,0.01,0.01,monday,1,1,") && Contains("\"week, 2\""));
}

}  // namespace graspmap::testing
