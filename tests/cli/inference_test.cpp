#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>

#include "tests/cli/program.hpp"

namespace graspmap::testing {
namespace {

using Arguments = std::vector<std::string>;

/// 9 cells of 300 trials each in the folder `run`, with broad friction.
void broad_run(Program& program) {
  const Arguments args = {"run",        lock_piece(),
                          "--no-plots", "--quiet",
                          "--out",      "run",
                          "--set",      "placement.x_cells=3",
                          "--set",      "placement.y_cells=3",
                          "--set",      "sweep.trials_per_cell=300",
                          "--set",      "friction.jaw.max=0.5",
                          "--set",      "simulation.step_s=0.01"};
  REQUIRE(program.run(args).exit_code == 0);
}

/// The cells of the run as an experiment of six trials each.
void write_experiment(const Program& program, const std::string& successes_of_each) {
  std::ofstream file(program.path("experiment.csv"));
  file << "# origin = simulated\nx_min_mm,x_max_mm,y_min_mm,y_max_mm,trials,successes\n";
  for (const char* y : {"-20,-13.333333333333332", "-13.333333333333332,-6.666666666666666",
                        "-6.666666666666666,0"}) {
    file << "-10,10," << y << ",6," << successes_of_each << "\n";
  }
}

void check_refused(const ProgramResult& result, const std::string& named) {
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  CHECK_THAT(result.err, Catch::StartsWith("graspmap: error: ") && Catch::Contains(named));
}

TEST_CASE("figures of decisions name the folder of a run that is not its configuration's name",
          "[slow]") {
  Program program;
  // The scripts tell: nothing is drawn.
  std::filesystem::create_directory(program.path("bin"));
  std::ofstream(program.path("bin/gnuplot"))
      << "#!/bin/sh\nname=${2%.gp}\necho IEND > $name.png\necho '</svg>' > $name.svg\n";
  std::filesystem::permissions(program.path("bin/gnuplot"), std::filesystem::perms::owner_all);
  program.search_path = program.path("bin").string() + ":/usr/bin:/bin";
  broad_run(program);
  write_experiment(program, "3");
  const std::map<std::string, Arguments> asked = {
      {"pose_plot", {"pose", "run"}},
      {"reweight", {"reweight", "run", "--set", "friction.jaw.max=0.3"}},
      {"laws", {"calibrate", "run", "experiment.csv"}},
      {"predicted", {"calibrate", "run", "experiment.csv"}},
      {"comparison", {"compare", "run", "experiment.csv"}},
      {"sensitivity_bars", {"sensitivity", "run"}},
      {"sensitivity_cells", {"sensitivity", "run"}}};
  for (const auto& [figure, args] : asked) {
    CAPTURE(figure);
    program.run(args);
    CHECK_THAT(program.text("run/" + args[0] + "/" + figure + ".gp"),
               Catch::Contains("lock_piece (run)"));
  }
}

TEST_CASE("reweight and calibrate answer and leave their files") {
  Program program;
  broad_run(program);
  const ProgramResult map =
      program.run({"reweight", "run", "--set", "friction.jaw.max=0.3", "--no-plots"});
  CHECK(map.exit_code == 0);
  CHECK_THAT(map.out, Catch::Contains("The 2700 stored trials are worth ") &&
                          Catch::Contains("uniform 0.05 to 0.3"));
  CHECK(program.names("run/reweight") == Arguments{"map.csv", "reweight.json"});
  CHECK_THAT(program.text("run/reweight/reweight.json"), Catch::Contains("\"pareto_k\""));

  write_experiment(program, "3");
  const ProgramResult found =
      program.run({"calibrate", "run", "experiment.csv", "--no-plots", "--out", "laws"});
  CHECK(found.exit_code == 0);
  CHECK_THAT(found.out,
             Catch::Contains("jaw friction") && Catch::Contains("graspmap calibrate run"));
  CHECK(program.names("laws") ==
        Arguments{"calibrate.json", "map.csv", "parameters.csv", "posterior.csv"});
  const std::string draws = program.text("laws/posterior.csv");
  CHECK(std::count(draws.begin(), draws.end(), '\n') == 2001);

  const Arguments set = {"reweight", "run", "--set"};
  check_refused(program.run(join(set, {"friction.jaw=0.2"})), "narrow uniform distribution");
  check_refused(program.run(join(set, {"friction.jaw.max=0.06"})), "median cell");
  check_refused(program.run(join(set, {"sweep.seed=2"})),
                "only the distributions of random inputs");
  check_refused(program.run({"reweight", "run"}), "--set: missing; must be one other");
  const Arguments calibrate = {"calibrate", "run", "experiment.csv"};
  check_refused(program.run(join(calibrate, {"--law", "beta"})), "must be uniform or normal");
  check_refused(program.run(join(calibrate, {"--theta-rad", "1"})), "--theta-rad: '1'");
  check_refused(program.run({"calibrate", "run", "missing.csv"}), "missing.csv");
  check_refused(program.run(join(calibrate, {"--with", "size"})), "--with: needs --simulate");
  check_refused(program.run(join(calibrate, {"--simulate", "--with", "sise"})), "'sise'; must be");
  check_refused(program.run(join(calibrate, {"--simulate", "--jaw-range", "0.4,0.2"})),
                "0 <= A < B <= 10");
  // A key in degrees is that in radians.
  REQUIRE(program
              .run({"run", lock_piece(), "--no-plots", "--quiet", "--out", "turned", "--set",
                    "placement.x_cells=3", "--set", "placement.y_cells=3", "--set",
                    "sweep.trials_per_cell=1", "--set",
                    "part.piece.0.angle_deg={ distribution = \"uniform\", min = 0, max = 1 }"})
              .exit_code == 0);
  check_refused(program.run({"calibrate", "turned", "experiment.csv", "--simulate", "--with",
                             "part.piece.disc.angle_deg,part.piece.disc.angle_rad"}),
                "part.piece.disc.angle_rad is named twice");
  std::ofstream lattice(program.path("lattice.csv"));
  lattice << "# origin = simulated\nx_mm,y_mm,success\n";
  for (int i = 0; i < 20; ++i) lattice << "0," << -1 - i / 2 << ",1\n";
  lattice.close();
  check_refused(program.run({"calibrate", "run", "lattice.csv"}), "lattice");
  std::ofstream(program.path("sessions.csv"))
      << "# origin = simulated\nx_mm,y_mm,success,session\n1,-10,1,a\n2,-11,1,b\n";
  check_refused(program.run({"calibrate", "run", "sessions.csv"}), "sessions");
  for (const char* word : {"noise", "discrepancy"}) {
    check_refused(program.run({"calibrate", "run", "sessions.csv", "--simulate", "--with", word}),
                  std::string("--with: ") + word + " is not sought in an experiment with sessions");
  }
  // Placements so far apart that no distribution gives them a likelihood: an answer, not a bug.
  std::ofstream(program.path("far.csv"))
      << "# origin = measured\nx_mm,y_mm,success\n1e308,1e308,1\n-1e308,-1e308,0\n";
  check_refused(program.run({"calibrate", "run", "far.csv", "--simulate", "--with", "discrepancy",
                             "--quiet"}),
                "far.csv: no distribution of those that are sought can give these trials");
  CHECK(program.names("run/calibrate").empty());
}

}  // namespace
}  // namespace graspmap::testing
