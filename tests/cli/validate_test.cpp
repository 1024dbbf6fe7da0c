#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/cli/program.hpp"
#include "tests/support/file_text.hpp"

using namespace graspmap::testing;

namespace {

std::vector<std::string> with_scenes(std::vector<std::string> args) {
  args.insert(args.end(), {"--scenes", kConfigs + "/scenes", "--no-plots"});
  return args;
}

}  // namespace

TEST_CASE("validate runs the examples asked for and prints what was expected and obtained") {
  Program program(kLab);
  const ProgramResult result = program.run(with_scenes({"validate", "A1", "A2"}));
  INFO(result.out << result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("A1  disc rolling on a plane") != std::string::npos);
  CHECK(result.out.find("A2  small sphere on two fixed spheres") != std::string::npos);
  CHECK(result.out.find("FAILS") == std::string::npos);
  CHECK(result.out.find("  not met  ") != std::string::npos);
  CHECK(result.out.find(" held, ") != std::string::npos);
  CHECK(program.names("outputs/validation") ==
        std::vector<std::string>{"validation.json", "validation.md"});
}

TEST_CASE("validate exits with 3 when an example falls short") {
  Program program(kLab);
  std::filesystem::create_directory(program.path("scenes"));
  std::string scene = file_text(kConfigs + "/scenes/rolling_disc.toml");
  scene.replace(scene.find("inertia_kg_mm2 = 500_000"), 24, "inertia_kg_mm2 = 400_000");
  std::ofstream(program.path("scenes/rolling_disc.toml")) << scene;
  const ProgramResult result =
      program.run({"validate", "A1", "--scenes", "scenes", "--no-plots", "--quiet"});
  CHECK(result.exit_code == 3);
  CHECK(result.out.find("FAILS") != std::string::npos);
  CHECK(result.err.empty());
}

TEST_CASE("validate names what it does not know") {
  Program program(kLab);
  const ProgramResult unknown = program.run({"validate", "A1", "Z9"});
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.err.find("no example 'Z9'; must be one of A0, A1, A2") != std::string::npos);
  const ProgramResult lost = program.run({"validate", "A1", "--scenes", "nowhere"});
  CHECK(lost.exit_code == 2);
  CHECK(lost.err.find("nowhere") != std::string::npos);
  CHECK(program.names().empty());
  const ProgramResult help = program.run({"validate", "--help"});
  CHECK(help.exit_code == 0);
  CHECK(help.out.find("C1  falling, spinning rod") != std::string::npos);
}

TEST_CASE("study-steppers prints a work-precision table and leaves its files") {
  Program program(kLab);
  const ProgramResult result =
      program.run({"study-steppers", kConfigs + "/lock_piece.toml", "--trials", "4", "--steps-ms",
                   "5,2", "--steppers", "implicit,stewart-trinkle", "--polygon-vertices", "0,16",
                   "--reference-step-ms", "1", "--out", "study", "--quiet"});
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(result.out.find("stewart-trinkle, 16-gons") != std::string::npos);
  CHECK(result.out.find("us/solve") != std::string::npos);
  CHECK(program.text("study/steppers.csv").find(",iterations_per_trial,seconds_per_iteration\n") !=
        std::string::npos);
  const auto names = program.names("study");
  for (const char* name : {"steppers.csv", "steppers.json", "wrong_grasps.csv",
                           "work_precision.png", "wrong_grasps.png"}) {
    CHECK(std::find(names.begin(), names.end(), name) != names.end());
  }
}

TEST_CASE("study-steppers refuses settings that do not exist") {
  Program program(kLab);
  const std::string config = kConfigs + "/lock_piece.toml";
  const auto refused = [&](const std::vector<std::string>& options, const std::string& problem) {
    std::vector<std::string> args{"study-steppers", config};
    args.insert(args.end(), options.begin(), options.end());
    const ProgramResult result = program.run(args);
    INFO(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(problem) != std::string::npos);
  };
  refused({"--steppers", "rk4"}, "--steppers: 'rk4'; must be some of implicit, implicit-full");
  refused({"--steps-ms", "0"}, "--steps-ms: 0; must be from 0.001 to 1000");
  refused({"--polygon-vertices", "2"}, "--polygon-vertices: 2; must be 0 or");
  refused({"--trials", "1.5"}, "--trials: '1.5'; must be a whole number from 1");
  refused({"--steppers", "implicit", "--polygon-vertices", "16"}, "take the pieces as they are");
  CHECK(program.names().empty());
}

TEST_CASE("validate R1 simulates measured pushes and writes the ends that are asked for") {
  Program program(kLab);
  std::filesystem::create_directory(program.path("pushes"));
  std::ofstream(program.path("pushes/shapes.toml"))
      << "[disc]\ncentroid_mm = [0, 0]\n[[disc.piece]]\nname = \"disc\"\nsemi_axes_mm = [50, 50]\n"
         "exponent = 2\n";
  std::ofstream pairs(program.path("pushes/pairs.csv"));
  pairs << "shape,surface,rho_mm,fx_n,fy_n,moment_over_rho_n,vx_mm_s,vy_mm_s,"
           "omega_times_rho_mm_s\n";
  for (int k = 0; k < 27; ++k) {
    const int x = k % 3 - 1;
    const int y = k / 3 % 3 - 1;
    const int turn = k / 9 - 1;
    if (x == 0 && y == 0 && turn == 0) continue;
    pairs << "disc,abs,50," << x << "," << y << "," << turn << "," << x << "," << y << "," << turn
          << "\n";
  }
  pairs.close();
  // Through the middle of the disc, as far as the pusher goes; the last one is to be predicted.
  std::ofstream pushes(program.path("pushes/pushes.csv"));
  pushes << "push_id,shape,surface,speed_mm_s,window,split,start_x_mm,start_y_mm,start_theta_rad,"
            "tip_start_x_mm,tip_start_y_mm,tip_end_x_mm,tip_end_y_mm,end_x_mm,end_y_mm,"
            "end_theta_rad\n";
  for (int k = 0; k < 22; ++k) {
    pushes << "p" << k << ",disc,abs,10,full," << (k < 2 ? "train" : "test") << ",0,0,0,-54.75,0,"
           << -14.75 - k << ",0,";
    pushes << (k < 21 ? std::to_string(40 - k) + ",0,0\n" : ",,\n");
  }
  pushes.close();
  const ProgramResult result = program.run(
      {"validate", "R1", "--data", "pushes", "--predict", "ends.csv", "--no-plots", "--out", "r1"});
  INFO(result.out << result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("R1: disc on abs: ") != std::string::npos);
  const std::string ends = file_text(program.path("ends.csv"));
  CHECK(ends.find("push_id,x_mm,y_mm,theta_rad\np21,") == 0);
  CHECK(std::stod(ends.substr(ends.find("p21,") + 4)) == Approx(19.0).margin(0.05));
  CHECK(program.names("r1") == std::vector<std::string>{"r1_pushes.csv", "r1_sets.csv",
                                                        "validation.json", "validation.md"});
}

TEST_CASE("validate R2 simulates repeated pushes and compares the spread of their ends") {
  Program program(kLab);
  std::filesystem::create_directory(program.path("runs"));
  std::ofstream(program.path("runs/shapes.toml"))
      << "[block]\ncentroid_mm = [0, 0]\n[[block.piece]]\nname = \"block\"\n"
         "outline_mm = [[-25, -17], [25, -17], [25, 17], [-25, 17]]\n";
  std::ofstream runs(program.path("runs/runs.csv"));
  std::ofstream paths(program.path("runs/paths.csv"));
  runs << "run_id,object,plan,repeat,start_x_mm,start_y_mm,start_theta_rad,end_x_mm,end_y_mm,"
          "end_theta_rad\n";
  paths << "run_id,t_s,phase,hand_x_mm,hand_y_mm,hand_theta_rad,part_x_mm,part_y_mm,"
           "part_theta_rad\n";
  // The fingers' fronts go from x = 2.5 to 42.5 mm.
  for (int k = 1; k <= 4; ++k) {
    runs << "a-" << k << ",block,a," << k << "," << 28 + k << ",0,0,67.5,0,0\n";
    for (int row = 0; row < 5; ++row) {
      paths << "a-" << k << "," << row << ",1," << 10 * row << ",0,0,,,\n";
    }
  }
  runs.close();
  paths.close();
  const ProgramResult result =
      program.run({"validate", "--data", "runs", "R2", "--no-plots", "--out", "r2"});
  INFO(result.out << result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("block (2 runs not fitted on): median error of position, mm") !=
        std::string::npos);
  CHECK(program.names("r2") == std::vector<std::string>{"r2_plans.csv", "r2_runs.csv",
                                                        "validation.json", "validation.md"});
  const std::string ends = file_text(program.path("r2/r2_runs.csv"));
  CHECK(ends.find("run_id,fitted_on,x_mm,y_mm,theta_rad,error_mm,error_deg\na-1,") == 0);
  const std::string last = ends.substr(ends.find("a-4,"));
  const std::string x_mm = last.substr(last.find(',', last.find(',') + 1) + 1);
  CHECK(std::stod(x_mm) == Approx(67.5).margin(0.5));
}

TEST_CASE("validate R1 says what it needs before it works") {
  Program program(kLab);
  const auto error = [&](const std::vector<std::string>& args) {
    const ProgramResult result = program.run(args);
    CHECK(result.exit_code == 2);
    return result.err;
  };
  CHECK(error({"validate", "R1"}).find("R1: --data missing") != std::string::npos);
  CHECK(error({"validate", "R2"}).find("R2: --data missing") != std::string::npos);
  CHECK(error({"validate", "--data", "."}).find("--data: has no pushes.csv and no runs.csv") !=
        std::string::npos);
  CHECK(error({"validate", "A1", "--data", "."}).find("--data: only R1 and R2 need it") !=
        std::string::npos);
  CHECK(error({"validate", "R1", "--data", "nowhere"}).find("'nowhere' is no folder") !=
        std::string::npos);
  CHECK(error({"validate", "R1", "--data", ".", "--predict", "no/ends.csv"})
            .find("--predict: 'no/ends.csv'; must be in a folder that is there") !=
        std::string::npos);
  CHECK(error({"validate", "R1", "--data", "."}).find("shapes.toml") != std::string::npos);
  CHECK(error({"validate", "R2", "--data", "."}).find("shapes.toml") != std::string::npos);
  CHECK(program.names().empty());
}
