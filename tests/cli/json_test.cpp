#include <catch2/catch.hpp>
#include <fstream>

#include "tests/cli/runs.hpp"
#include "tests/support/source_dir.hpp"

namespace graspmap::testing {
namespace {

using Arguments = std::vector<std::string>;

void write_experiment(const Program& program) {
  std::ofstream file(program.path("experiment.csv"));
  file << "# origin = simulated\nx_mm,y_mm,success\n";
  for (const char* trial : {"0,-18,1", "1,-17,0", "2,-10,1", "3,-9,0", "0,-2,1", "1,-3,0"}) {
    file << trial << "\n";
  }
}

/// Every command that writes JSON, except `run`, with what it is given.
std::vector<Arguments> commands() {
  return {
      {"plan", "run", "--position-sigma-mm", "1", "--required-probability", "0.1"},
      {"pose", "run", "--placement", "0,-10"},
      {"compare", "run", "experiment.csv", "--quiet", "--trials", "300"},
      {"compare", "run", kConfigs + "/published/brost_christiansen_1996.toml", "--out", "facts"},
      {"calibrate", "run", "experiment.csv"},
      {"reweight", "run", "--set", "friction.jaw.max=0.45"},
      {"sensitivity", "run"},
      {"difference", "run", "other"},
      {"tolerances", "run", "--placement", "0,-10", "--required-probability", "0.5", "--costs",
       "costs.toml", "--trials", "250", "--check-trials", "250", "--quiet"},
      {"study-steppers", kConfigs + "/lock_piece.toml", "--trials", "2", "--steps-ms", "5",
       "--steppers", "implicit", "--polygon-vertices", "0", "--reference-step-ms", "2", "--out",
       "steppers"},
      {"validate", "A1", "--scenes", kConfigs + "/scenes"},
      {"simulate", kConfigs + "/scenes/rolling_disc.toml", "--out", "plane", "--duration-s",
       "0.01"},
      {"simulate", kConfigs + "/scenes/sphere_on_plane.toml", "--out", "space", "--duration-s",
       "0.01"}};
}

/// Keeps what a command prints as a file.
void print_into(Program& program, const std::string& file, const Arguments& args) {
  const ProgramResult result = program.run(args);
  REQUIRE(result.exit_code == 0);
  std::ofstream(program.path(file)) << result.out;
}

}  // namespace

TEST_CASE("every JSON document can be read and names the version and the commit") {
  Program program(kLab);
  const Arguments broad = {"--quiet", "--set", "friction.jaw.max=0.5", "--set",
                           "simulation.step_s=0.01"};
  REQUIRE(program.run(run_of(300, join(broad, {"--out", "run"}))).exit_code == 0);
  REQUIRE(program.run(run_of(10, join(broad, {"--out", "other"}))).exit_code == 0);
  write_experiment(program);
  (void)program.folder().write("costs.toml",
                               "[[input]]\nkey = \"friction.jaw\"\ngrades = [[0.1, 1]]\n");
  for (const Arguments& command : commands()) {
    const ProgramResult result = program.run(join(command, {"--no-plots"}));
    INFO(command.front() << "\n" << result.err);
    REQUIRE(result.exit_code == 0);
  }
  print_into(program, "replay.json", {"replay", "run", "0", "--json"});
  print_into(program, "trial.json",
             {"trial", lock_piece(), "--placement", "0,-11", "--mu-jaw", "0.2", "--mu-support",
              "0.3", "--json"});
  const std::string version = program.run({"--version"}).out;
  const ProgramResult check = program.run_program(
      GRASPMAP_PYTHON, {testing::source_dir() + "/tests/support/check_json.py", ".", version});
  INFO(check.err);
  CHECK(check.exit_code == 0);
  CHECK(check.out ==
        "facts/facts.json\nother/summary.json\noutputs/validation/validation.json\n"
        "plane/summary.json\nreplay.json\nrun/calibrate/calibrate.json\nrun/compare/compare.json\n"
        "run/difference/other/difference.json\nrun/plan/plan.json\nrun/pose/pose.json\n"
        "run/reweight/reweight.json\nrun/sensitivity/sensitivity.json\nrun/summary.json\n"
        "run/tolerances/tolerances.json\n"
        "space/summary.json\nsteppers/steppers.json\ntrial.json\n");
}

}  // namespace graspmap::testing
