#include <array>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/cli/program.hpp"

namespace graspmap::testing {
namespace {

/// 9 cells in the folder `run`, whose jaw friction is from 0.05 to `most`.
void run_up_to(Program& program, const std::string& most) {
  const ProgramResult run = program.run(
      {"run", lock_piece(), "--no-plots", "--quiet", "--out", "run", "--set", "placement.x_cells=3",
       "--set", "placement.y_cells=3", "--set", "sweep.trials_per_cell=300", "--set",
       "friction.jaw.max=" + most, "--set", "simulation.step_s=0.01"});
  REQUIRE(run.exit_code == 0);
}

/// A laboratory whose jaw friction is as given: 8 trials in each of its 9 cells.
void write_laboratory(Program& program, const std::string& jaw_friction) {
  const ProgramResult run = program.run({"run", "run/config.toml", "--no-plots", "--quiet", "--out",
                                         "lab", "--set", "friction.jaw=" + jaw_friction, "--set",
                                         "sweep.trials_per_cell=8", "--set", "sweep.seed=7"});
  REQUIRE(run.exit_code == 0);
  std::ofstream file(program.path("experiment.csv"));
  file << "# origin = simulated\nx_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,successes\n";
  std::map<std::pair<double, double>, std::array<int, 2>> counts;  // of cells of 20/3 mm
  std::istringstream rows(program.text("lab/trials.csv"));
  std::string row;
  std::getline(rows, row);
  while (std::getline(rows, row)) {
    std::vector<std::string> fields;
    std::istringstream words(row);
    for (std::string word; std::getline(words, word, ',');) fields.push_back(word);
    auto& [trials, successes] = counts[{std::stod(fields[1]), std::stod(fields[2])}];
    ++trials;
    if (fields[9] == "success") ++successes;
  }
  for (const auto& [cell, count] : counts) {
    const double x = -10 + 20 * cell.first / 3;
    const double y = -20 + 20 * cell.second / 3;
    file << x << ',' << x + 20.0 / 3 << ',' << y << ',' << y + 20.0 / 3 << ',' << count[0] << ','
         << count[1] << '\n';
  }
}

/// Runs each command that a text has; how many there are of each subcommand.
std::map<std::string, int> run_all(Program& program, const std::string& text) {
  std::map<std::string, int> count;
  for (const std::string& command : printed_commands(text)) {
    CAPTURE(command);
    const ProgramResult result = run_printed(program, command, "--no-plots --quiet");
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
    ++count[command.substr(9, command.find(' ', 9) - 9)];
  }
  return count;
}

TEST_CASE("fixed friction leaves a calibration nothing to seek, beside a discrepancy too") {
  Program program;
  REQUIRE(program
              .run({"run", lock_piece(), "--no-plots", "--quiet", "--out", "run", "--set",
                    "placement.x_cells=3", "--set", "placement.y_cells=3", "--set",
                    "sweep.trials_per_cell=10", "--set", "friction.jaw=0.2", "--set",
                    "friction.support=0.25"})
              .exit_code == 0);
  std::ofstream(program.path("lab.csv"))
      << "# origin = measured\nx_mm,y_mm,success\n0,-10,1\n1,-10,1\n0,-4,0\n";
  const std::vector<std::string> simulate{"calibrate", "run", "lab.csv", "--simulate"};
  for (const auto& with : {std::vector<std::string>{}, {"--with", "discrepancy"}}) {
    const ProgramResult refused = program.run(join(simulate, with));
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.err, Catch::Contains("the run has fixed friction (0.2 and 0.25)"));
  }
}

TEST_CASE("each command that calibrate prints runs: the posterior is where the run's trials are") {
  Program program;
  run_up_to(program, "0.5");
  write_laboratory(program, "0.25");
  const ProgramResult found =
      program.run({"calibrate", "run", "experiment.csv", "--no-plots", "--out", "my laws"});
  REQUIRE(found.exit_code == 0);
  CAPTURE(found.out);
  CHECK_THAT(found.out, Catch::Contains("--after 'my laws/calibrate.json'"));
  CHECK(run_all(program, found.out) == std::map<std::string, int>{{"reweight", 1}, {"plan", 1}});
}

TEST_CASE("each command that calibrate prints runs: the posterior is beyond the run's trials",
          "[slow]") {
  Program program;
  run_up_to(program, "0.12");
  write_laboratory(program, "0.4");
  const ProgramResult found = program.run({"calibrate", "run", "experiment.csv", "--no-plots",
                                           "--quiet", "--simulate", "--jaw-range", "0,0.8"});
  REQUIRE(found.exit_code == 0);
  CAPTURE(found.out);
  const auto run = run_all(program, found.out);
  CHECK(run == std::map<std::string, int>{{"run", 2}, {"plan", 1}});
  // Who goes on with the old run is told the new one.
  const ProgramResult plan = program.run({"plan", "run", "--after", "run/calibrate/calibrate.json",
                                          "--position-sigma-mm", "0", "--no-plots"});
  CHECK(plan.exit_code == 2);
  CHECK_THAT(plan.err, Catch::Contains("plan with that run: graspmap run run/config.toml --set "
                                       "'friction.jaw={ distribution = \"uniform\""));
  const ProgramResult reweight =
      program.run({"reweight", "run", "--set", "friction.jaw.max=0.5", "--no-plots"});
  CHECK(reweight.exit_code == 2);
  CHECK_THAT(reweight.err, Catch::Contains("simulate: graspmap run run/config.toml --set "
                                           "friction.jaw.max=0.5 --out run_reweighted"));
}

TEST_CASE("a posterior that leans on the run's bound: calibrate prints the broader run", "[slow]") {
  Program program;
  run_up_to(program, "0.12");
  write_laboratory(program, "0.4");
  const ProgramResult found =
      program.run({"calibrate", "run", "experiment.csv", "--no-plots", "--quiet"});
  REQUIRE(found.exit_code == 0);
  CAPTURE(found.out);
  CHECK_THAT(found.out,
             Catch::Contains("leans on the bound") && Catch::Contains("--out run_broad"));
  const std::string broader = found.out.substr(found.out.find("The posterior leans"));
  const auto run = run_all(program, broader);
  CHECK(run.at("calibrate") == 1);
  CHECK(run.at("run") >= 1);
}

TEST_CASE(
    "no distribution fits, and only its largest friction leans on the run's bound: no other "
    "causes") {
  Program program;
  const auto run = [&](const std::string& folder, const char* trials, const char* friction) {
    return program
        .run({"run", lock_piece(), "--no-plots", "--quiet", "--out", folder, "--set",
              "placement.x_cells=8", "--set", "placement.y_cells=8", "--set",
              "simulation.step_s=0.01", "--set", trials, "--set", friction, "--set",
              folder == "lab" ? "sweep.seed=7" : "sweep.seed=1"})
        .exit_code;
  };
  REQUIRE(run("run", "sweep.trials_per_cell=150", "friction.jaw.max=0.35") == 0);
  REQUIRE(run("lab", "sweep.trials_per_cell=10", "friction.jaw=0.45") == 0);
  std::ofstream file(program.path("experiment.csv"));
  file << "# origin = simulated\nx_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,successes\n";
  std::istringstream rows(program.text("lab/map.csv"));
  std::string row;
  std::getline(rows, row);
  while (std::getline(rows, row)) {
    std::vector<std::string> fields;
    std::istringstream words(row);
    for (std::string word; std::getline(words, word, ',');) fields.push_back(word);
    file << fields[3] << ',' << fields[4] << ',' << fields[5] << ',' << fields[6] << ','
         << fields[9] << ',' << fields[10] << '\n';
  }
  file.close();
  const ProgramResult found =
      program.run({"calibrate", "run", "experiment.csv", "--no-plots", "--quiet"});
  CAPTURE(found.out, found.err);
  CHECK_THAT(found.out, Catch::Contains("No uniform distribution that was sought fits") &&
                            Catch::Contains("friction.jaw.max touches the bound") &&
                            Catch::Contains("--out run_broad") && !Catch::Contains("--with"));
}

}  // namespace
}  // namespace graspmap::testing
