#include "grasp/decide/compare/experiment.hpp"

#include <catch2/catch.hpp>

#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace graspmap;
using graspmap::testing::TemporaryFolder;

namespace {

Experiment read(const std::string& text) {
  const TemporaryFolder folder;
  return read_experiment(folder.write("lab.csv", text));
}

/// The error of an experiment file, "lab.csv:LINE: ...", without the folder.
std::string error_of(const std::string& text) {
  return testing::config_error_of_file("lab.csv", text,
                                       [](const auto& file) { (void)read_experiment(file); });
}

const std::string kHead = "# origin = measured\n";
const std::string kCells = "x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,successes\n";
const std::string kTrials = "x_mm,y_mm,success\n";

}  // namespace

TEST_CASE("an experiment of cells", "[experiment]") {
  const Experiment experiment =
      read("# origin = digitised\n# drawn by hand\n# source = Fig. 10a, read off by eye\n" +
           std::string("trials,successes,note,y_max_mm,y_min_mm,x_max_mm,x_min_mm\n") +
           "20,19,\"near, the middle\",-10,-11,1,0\n0,0,,-11,-12,1,0\n");
  CHECK(experiment.origin == ExperimentOrigin::kDigitised);
  CHECK(experiment.source == "Fig. 10a, read off by eye");
  CHECK_THAT(experiment.file, Catch::EndsWith("/lab.csv"));
  CHECK(experiment.single_trials.empty());
  REQUIRE(experiment.cells.size() == 2);
  const ExperimentCell& cell = experiment.cells[0];
  CHECK(cell.x_min_mm == 0);
  CHECK(cell.x_max_mm == 1);
  CHECK(cell.y_min_mm == -11);
  CHECK(cell.y_max_mm == -10);
  CHECK(cell.trials == 20);
  CHECK(cell.successes == 19);
  CHECK(experiment.cells[1].trials == 0);
}

TEST_CASE("a laboratory's own log is read", "[experiment]") {
  // As a spreadsheet of a country with decimal commas writes it; success in words.
  const Experiment words =
      read(kHead + "x_mm ; y_mm; success\n0,25;-10,5;yes\n1;-3;No\n2;-4;TRUE\n3;-5;false\n");
  REQUIRE(words.single_trials.size() == 4);
  CHECK(words.single_trials[0].x_mm == 0.25);
  CHECK(words.single_trials[0].y_mm == -10.5);
  CHECK(words.single_trials[0].success);
  CHECK_FALSE(words.single_trials[1].success);
  CHECK(words.single_trials[2].success);
  CHECK_FALSE(words.single_trials[3].success);
  const TemporaryFolder folder;
  const auto log = folder.write("log.csv", "day;X;Y;OK\nMon;1,5;-3;y\n");
  const Experiment own = read_experiment(log, {"x_mm=X", "y_mm=Y", "success=OK"});
  CHECK(own.origin == ExperimentOrigin::kMeasured);
  REQUIRE(own.single_trials.size() == 1);
  CHECK(own.single_trials[0].x_mm == 1.5);
  CHECK_THROWS_WITH(read_experiment(log, {"x_mm=Z"}),
                    Catch::EndsWith("the columns are day, X, Y, OK; --columns names 'Z'"));
  CHECK_THROWS_WITH(read_experiment(log, {"x=X"}),
                    Catch::StartsWith("--columns: 'x=X'; must be NAME=COLUMN, where NAME is x_mm"));
}

TEST_CASE("what is wrong with a laboratory's log is said with what was found", "[experiment]") {
  CHECK_THAT(error_of(kHead + "x,y,ok\n1,2,1\n"),
             Catch::StartsWith("lab.csv:2: the columns are x, y, ok; the columns must be either") &&
                 Catch::EndsWith("others are named by --columns x_mm=X,y_mm=Y,success=OK"));
  CHECK(
      error_of(kHead + kTrials + "1,2,maybe\n") ==
      "lab.csv:3: success: \"maybe\"; must be 1 or 0, yes or no, true or false, or empty: not yet "
      "made");
  CHECK(error_of(kHead + kTrials + "1,2,\n3,4, \n") ==
        "lab.csv:2: no trial has a result; there must be at least one");
}

TEST_CASE("trials without a result are planned", "[experiment]") {
  const Experiment experiment = read(kHead + kTrials + "1,2,\n3,4,1\n5,6, \n");
  REQUIRE(experiment.single_trials.size() == 1);
  CHECK(experiment.single_trials[0].x_mm == 3);
  REQUIRE(experiment.planned.size() == 2);
  CHECK(experiment.planned[0].y_mm == 2);
  CHECK(experiment.planned[1].x_mm == 5);
  const TemporaryFolder folder;
  const auto file = folder.write("lab.csv", kHead + kTrials + "1,2,\n");
  CHECK(read_experiment(file, {}, false).planned.size() == 1);
}

TEST_CASE("an experiment of single trials, with a byte order mark and CRLF", "[experiment]") {
  const Experiment experiment = read(
      "\xEF\xBB\xBF#origin=simulated\r\nday,y_mm,x_mm,success\r\n1,-10.5,0.25,1\r\n"
      "1,-3,4,0\r\n");
  CHECK(experiment.origin == ExperimentOrigin::kSimulated);
  CHECK(experiment.source.empty());
  CHECK(experiment.cells.empty());
  REQUIRE(experiment.single_trials.size() == 2);
  CHECK(experiment.single_trials[0].x_mm == 0.25);
  CHECK(experiment.single_trials[0].y_mm == -10.5);
  CHECK(experiment.single_trials[0].success);
  CHECK_FALSE(experiment.single_trials[1].success);
}

TEST_CASE("neighbours whose common border is rounded do not overlap", "[experiment]") {
  CHECK(read(kHead + kCells + "0,0.30000000000000004,0,1,1,1\n0.3,0.6,0,1,1,1\n").cells.size() ==
        2);
}

TEST_CASE("the sessions of an experiment, in the order in which they occur", "[experiment]") {
  const Experiment trials = read(kHead +
                                 "session,x_mm,y_mm,success,theta_rad\n"
                                 "tuesday, 1,2,1,0.5\nmonday,1,2,0,0.25\n tuesday ,3,4,0,0\n");
  CHECK(trials.sessions == std::vector<std::string>{"tuesday", "monday"});
  REQUIRE(trials.single_trials.size() == 3);
  CHECK(trials.single_trials[0].session == 0);
  CHECK(trials.single_trials[1].session == 1);
  CHECK(trials.single_trials[2].session == 0);
  CHECK(trials.single_trials[1].theta_rad == 0.25);
}

TEST_CASE("cells of several sessions are pooled by their rectangle", "[experiment]") {
  const Experiment cells = read(kHead +
                                "x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,successes,session\n"
                                "0,1,0,1,10,3,a\n1,2,0,1,5,5,a\n0,1,0,1,20,4,b\n");
  REQUIRE(cells.cells.size() == 3);
  CHECK(cells.cells[2].session == 1);
  const std::vector<ExperimentCell> pooled = pooled_cells(cells);
  REQUIRE(pooled.size() == 2);
  CHECK(pooled[0].trials == 30);
  CHECK(pooled[0].successes == 7);
  CHECK(pooled[0].session == 0);
  CHECK(pooled[1].trials == 5);
}

TEST_CASE("what is wrong with an experiment is told with its line", "[experiment]") {
  const auto [text, error] = GENERATE_COPY(table<std::string, std::string>({
      {kCells + "0,1,0,1,2,1\n", "lab.csv:1: origin: missing; the file must begin with the line"},
      {"", "lab.csv:1: origin: missing"},
      {"x,y\n# origin = measured\n", "lab.csv:1: origin: missing"},
      {"# note\n# origin = guessed\n" + kCells,
       "lab.csv:2: origin: is \"guessed\"; must be measured (counted in a lab), digitised"},
      {kHead + kHead + kCells, "lab.csv:2: origin: given twice"},
      {kHead + "# source = a\n# source = b\n" + kCells, "lab.csv:3: source: given twice"},
      {kHead + "x_mm,y_mm,success,session\n1,2,1, \n",
       "lab.csv:3: session: is empty; must name the session of every row"},
      {kHead + "x_mm,y_mm,success,theta_rad\n1,2,1,up\n", "lab.csv:3: theta_rad: "},
      {kHead + "x_mm,y_mm,success,theta_deg\n1,2,1,5\n", "lab.csv:2: theta_deg: unknown column"},
      {kHead + "x_mm,y_mm,success,theta_rad\n1,2,1,-10001\n",
       "lab.csv:3: theta_rad: -10001; must be from -10000 to 10000"},
      {kHead + "x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,successes,session\n"
               "0,1,0,1,1,1,a\n0,2,0,1,1,1,b\n",
       "lab.csv:4: the cell overlaps that of line 3; cells must not, unless they are the same "
       "rectangle"},
      {kHead, "lab.csv:1: no header"},
      {kHead + kCells, "lab.csv:2: no trials"},
      {kHead + kTrials, "lab.csv:2: no trials"},
      {kHead + kCells + "0,1,0,1,0,0\n", "lab.csv:2: no trials"},
      {kHead + "a,b\n1,2\n",
       "lab.csv:2: the columns are a, b; the columns must be either x_min_mm"},
      {kHead + "x_mm,x_min_mm\n1,2\n", "lab.csv:2: columns of cells and of single trials"},
      {kHead + "x_mm,y_mm\n1,2\n", "lab.csv:2: success: missing column"},
      {kHead + "x_min_mm,x_max_mm,y_min_mm,y_max_mm,trials\n", "lab.csv:2: successes: missing"},
      {kHead + kTrials + "1,2\n", "lab.csv:3: number of fields is 2; must be 3"},
      {kHead + kTrials + "1,2,2\n", "lab.csv:3: success: \"2\"; must be 1 or 0"},
      {kHead + kTrials + "nan,2,1\n", "lab.csv:3: x_mm: \"nan\"; must be a finite number"},
      {kHead + kCells + "1,1,0,1,2,1\n", "lab.csv:3: x_min_mm: 1; must be below x_max_mm"},
      {kHead + kCells + "0,1,3,1,2,1\n", "lab.csv:3: y_min_mm: 3; must be below y_max_mm"},
      {kHead + kCells + "0,1,0,inf,2,1\n", "lab.csv:3: y_max_mm: \"inf\"; must be a finite"},
      {kHead + kCells + "0,1,0,1,2,3\n", "lab.csv:3: successes: 3; must be 0 to the cell's trials"},
      {kHead + kCells + "0,1,0,1,2,-1\n", "lab.csv:3: successes: -1; must be 0 to"},
      {kHead + kCells + "0,1,0,1,-2,0\n", "lab.csv:3: trials: -2; must be 0 to 10^9"},
      {kHead + kCells + "0,1,0,1,2.5,1\n", "lab.csv:3: trials: \"2.5\"; must be a whole number"},
      {kHead + kCells + "5,6,0,1,2,1\n0,1,0,1,2,1\n5.5,7,0.5,3,2,1\n",
       "lab.csv:5: the cell overlaps that of line 3"},
      {kHead + kCells + "5,6,0,1,2,1\n5,6,0,1,2,1\n", "lab.csv:4: the cell overlaps that of line"},
  }));
  CAPTURE(text);
  CHECK_THAT(error_of(text), Catch::StartsWith(error));
}

TEST_CASE("an experiment file that is not there", "[experiment]") {
  CHECK_THROWS_WITH(read_experiment("/nowhere/lab.csv"), Catch::Contains("cannot be read"));
}

TEST_CASE("control characters of an experiment do not reach a terminal", "[experiment]") {
  const Experiment experiment =
      read("# origin = measured\n# source = a\x1b[2Jb\tc \xC2\x9B \xC3\xA4\n" +
           std::string("x_mm,y_mm,success,session\n0,1,1,day\x07one\n0,2,0,\xC2\xB5\n"));
  CHECK(experiment.source == "a\\x1b[2Jb\\tc \\u009b \xC3\xA4");
  CHECK(experiment.sessions == std::vector<std::string>{"day\\x07one", "\xC2\xB5"});
  CHECK_THAT(error_of("# origin = \x1b[31m\n"), Catch::Contains("is \"\\x1b[31m\""));
}
