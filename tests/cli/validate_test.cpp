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
