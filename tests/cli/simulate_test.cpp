#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "tests/cli/program.hpp"
#include "tests/cli/runs.hpp"
#include "tests/support/scene_text.hpp"
#include "tests/support/source_dir.hpp"

namespace graspmap::testing {
namespace {

using Catch::Contains;
using Names = std::vector<std::string>;

/// A scene of the repository.
std::string scene(const std::string& name) {
  return testing::source_dir() + "/configs/scenes/" + name + ".toml";
}

std::vector<std::string> short_run(const std::string& name,
                                   const std::vector<std::string>& more = {}) {
  return join({"simulate", scene(name), "--no-plots", "--quiet"}, more);
}

/// A ball between a floor that rises and a lid that does not: from 0.0369 s on there is no way out.
const std::string kCrushed = R"(title = "No way out"
[time]
duration_s = 0.1
step_s = 0.01
[solver]
stepper = "stewart-trinkle"
[[body]]
name = "floor"
kind = "half_plane"
shake = { amplitude_mm = 100, duration_s = 0.2, period_s = 1 }
[[body]]
name = "lid"
kind = "half_plane"
position_mm = [0, 50]
angle_rad = 3.141592653589793
fixed = true
[[body]]
name = "ball"
kind = "disc"
radius_mm = 10
density_kg_per_mm2 = 1e-4
position_mm = [0, 20]
)";

TEST_CASE("simulate runs a scene into a folder of its name") {
  Program program(kLab);
  const ProgramResult result = program.run(short_run("rolling_disc"));
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Contains("A disc rolls on a plane\nfinished: 3 of 3 s simulated by "
                                  "implicit with steps of 0.01 s") &&
                             Contains("steps            300, 0 of them halved") &&
                             Contains("every step is kept") &&
                             Contains("Files in outputs/rolling_disc"));
  CHECK(program.names("outputs/rolling_disc") == Names{"contacts.csv", "energy.csv", "scene.toml",
                                                       "steps.csv", "summary.json",
                                                       "trajectory.csv"});
  CHECK(count_lines(program.text("outputs/rolling_disc/trajectory.csv")) == 302);
  CHECK(count_lines(program.text("outputs/rolling_disc/contacts.csv")) == 301);
  CHECK_THAT(program.text("outputs/rolling_disc/summary.json"),
             Contains("\"complete\": true") && Contains("\"stepper\": \"implicit\""));
}

TEST_CASE("options replace the scene's stepper and times") {
  Program program(kLab);
  const ProgramResult result = program.run(
      short_run("rolling_disc", {"--stepper", "stewart-trinkle", "--step-s", "0.02", "--duration-s",
                                 "0.2", "--set", "world.friction=0.1", "--out", "here"}));
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out,
             Contains("finished: 0.2 of 0.2 s simulated by stewart-trinkle with steps of 0.02 s"));
  CHECK_THAT(program.text("here/scene.toml"), Contains("friction = 0.1") &&
                                                  Contains("stepper = 'stewart-trinkle'") &&
                                                  Contains("duration_s = 0.2"));
  CHECK(count_lines(program.text("here/trajectory.csv")) == 12);
}

TEST_CASE("the copy of a scene gives the same simulation again") {
  Program program(kLab);
  program.run(short_run("falling_rod", {"--duration-s", "0.45", "--out", "first"}));
  const ProgramResult again =
      program.run({"simulate", "first/scene.toml", "--no-plots", "--out", "again"});
  CHECK(again.exit_code == 0);
  CHECK(program.text("first/trajectory.csv") == program.text("again/trajectory.csv"));
  CHECK(program.text("first/contacts.csv") == program.text("again/contacts.csv"));
}

TEST_CASE("a scene's own text is copied with its comments") {
  Program program(kLab);
  program.run(short_run("rolling_disc", {}));
  CHECK_THAT(program.text("outputs/rolling_disc/scene.toml"),
             Catch::StartsWith("# A disc that rolls"));
}

TEST_CASE("long simulations keep at most about 2000 samples unless told") {
  Program program(kLab);
  const std::vector<std::string> times = {"--step-s", "1e-4", "--duration-s", "0.3"};
  CHECK_THAT(program.run(short_run("soft_disc_stop", join(times, {"--out", "a"}))).out,
             Contains("1501, one step in 2 is kept (--every 1 keeps all)"));
  CHECK_THAT(
      program.run(short_run("soft_disc_stop", join(times, {"--out", "b", "--every", "1"}))).out,
      Contains("3001, every step is kept"));
}

TEST_CASE("figures and an animation are drawn") {
  Program program(kLab);
  const ProgramResult result = program.run({"simulate", scene("falling_rod"), "--duration-s",
                                            "0.05", "--animate", "--quiet", "--out", "rod"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Contains("Figures in rod/figures: energy.png, positions.png, "
                                  "overlap.png, motion.png") &&
                             Contains("Animation: rod/motion.gif"));
  CHECK(program.text("rod/motion.gif").starts_with("GIF89a"));
  CHECK(program.names("rod/figures") == Names{"energy.gp", "energy.png", "energy.svg", "motion.gp",
                                              "motion.png", "motion.svg", "overlap.gp",
                                              "overlap.png", "overlap.svg", "positions.csv",
                                              "positions.gp", "positions.png", "positions.svg"});
}

TEST_CASE("a simulation is not overwritten unless told") {
  Program program(kLab);
  const std::vector<std::string> run = short_run("rolling_disc", {"--duration-s", "0.05"});
  CHECK(program.run(run).exit_code == 0);
  const ProgramResult refused = program.run(run);
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, Contains("outputs/rolling_disc: holds a simulation already; --force"));
  CHECK(program.run(join(run, {"--force"})).exit_code == 0);
}

TEST_CASE("a scene with a mistake is exit code 2 and writes nothing") {
  Program program(kLab);
  std::ofstream(program.path("box.toml")) << kSceneText << "[[contact]]\nbetwen = [\"a\", \"b\"]\n";
  const ProgramResult result = program.run({"simulate", "box.toml"});
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, Contains("box.toml:73: contact.2.betwen: unknown key; did you mean "
                                  "between?"));
  CHECK(program.names() == Names{"box.toml"});
}

TEST_CASE("bad options of simulate are exit code 2") {
  Program program(kLab);
  const auto error = [&](const std::vector<std::string>& more) {
    const ProgramResult result = program.run(short_run("rolling_disc", more));
    CHECK(result.exit_code == 2);
    CHECK(program.names().empty());
    return result.err;
  };
  CHECK_THAT(error({"--stepper", "euler"}), Contains("must be \"implicit\" or"));
  CHECK_THAT(error({"--step-s", "0"}), Contains("time.step_s") && Contains("from 1e-09 to 10"));
  CHECK_THAT(error({"--duration-s", "long"}), Contains("time.duration_s"));
  CHECK_THAT(error({"--every", "0"}), Contains("--every: '0'; must be a whole number >= 1"));
  CHECK_THAT(error({"--set", "world.frction=1"}), Contains("did you mean friction?"));
  CHECK_THAT(error({"--stp"}), Contains("--stp"));
  const ProgramResult none = program.run({"simulate", "none.toml"});
  CHECK(none.exit_code == 2);
  CHECK_THAT(none.err, Contains("none.toml: cannot be read"));
  CHECK_THAT(program.run({"simulate"}).err, Contains("SCENE is missing"));
}

TEST_CASE("simulate explains itself") {
  Program program(kLab);
  const ProgramResult result = program.run({"simulate", "--help"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::StartsWith("Usage: graspmap-lab simulate SCENE [options]") &&
                             Contains("configs/scenes/rolling_disc.toml") &&
                             Contains("stewart-trinkle-nonlinear") && Contains("--animate") &&
                             Contains("docs/lab/scenes.md"));
  CHECK_THAT(program.run({"--help"}).out, Contains("graspmap-lab simulate"));
}

TEST_CASE("a step that cannot be solved is exit code 1 and keeps what was before") {
  Program program(kLab);
  std::ofstream(program.path("stuck.toml")) << kCrushed;
  const ProgramResult result = program.run({"simulate", "stuck.toml", "--no-plots", "--quiet"});
  CHECK(result.exit_code == 1);
  CHECK_THAT(result.out, Contains("No way out\nfailed: 0.036875 of 0.1 s"));
  CHECK_THAT(result.err, Contains("graspmap: the step at 0.036875 s is not solved, nor in steps of "
                                  "3.91e-05 s: ") &&
                             Contains(" and ball"));
  CHECK_THAT(program.text("outputs/stuck/summary.json"), Contains("\"complete\": false") &&
                                                             Contains("\"end\": \"failed\"") &&
                                                             Contains(" and ball\""));
  CHECK(count_lines(program.text("outputs/stuck/trajectory.csv")) == 6);
}

TEST_CASE("an interrupted simulation keeps what was simulated") {
  Program program(kLab);
  program.start(short_run("rolling_disc", {"--duration-s", "1e5", "--every", "100000"}));
  sleep(0.5);
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  CHECK(result.exit_code == 128 + SIGINT);
  CHECK_THAT(result.err, Contains("interrupted; what was simulated until then is kept"));
  CHECK_THAT(program.text("outputs/rolling_disc/summary.json"),
             Contains("\"complete\": false") && Contains("\"end\": \"interrupted\""));
}

TEST_CASE("a hopeless step is given up within a second of Ctrl-C") {
  // No residual is as small as this tolerance, so each step is tried in every way, at nine sizes.
  Program program(kLab);
  program.start(short_run(
      "solids", {"--set", "solver.tolerance=1e-14", "--set", "solver.max_iterations=1000"}));
  sleep(0.5);
  const auto begin = std::chrono::steady_clock::now();
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
  CHECK(result.exit_code == 128 + SIGINT);
  CHECK_THAT(result.err, Contains("interrupted; what was simulated until then is kept"));
  CHECK(waited.count() < 1.0);
}

TEST_CASE("a scene in space runs into a folder of its name") {
  Program program(kLab);
  const ProgramResult result = program.run(short_run("cube_sliding"));
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out,
             Contains("A cube slides on a plane\nfinished: 4 of 4 s simulated by implicit with "
                      "steps of 0.01 s") &&
                 Contains("steps            400, 0 of them halved") &&
                 Contains("overlap found    none, of all pairs in all samples") &&
                 Contains("Files in outputs/cube_sliding"));
  CHECK(program.names("outputs/cube_sliding") == Names{"contacts.csv", "energy.csv", "scene.toml",
                                                       "steps.csv", "summary.json",
                                                       "trajectory.csv"});
  const std::string trajectory = program.text("outputs/cube_sliding/trajectory.csv");
  CHECK(count_lines(trajectory) == 402);
  CHECK_THAT(trajectory, Catch::StartsWith("time_s,cube.x_mm,cube.y_mm,cube.z_mm,cube.qw,"));
  CHECK_THAT(program.text("outputs/cube_sliding/contacts.csv"), Contains("plane,cube,surface,"));
  CHECK_THAT(program.text("outputs/cube_sliding/summary.json"),
             Contains("\"complete\": true") && Contains("\"stepper\": \"implicit\""));
}

TEST_CASE("an articulated scene runs with the contact solver that it is told") {
  Program program(kLab);
  const ProgramResult result =
      program.run(short_run("sphere_on_plane", {"--set", "solver.contact_solver=mlcp-lemke",
                                                "--duration-s", "0.1", "--out", "sphere"}));
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Contains("finished: 0.1 of 0.1 s simulated by mlcp-lemke"));
  CHECK_THAT(program.text("sphere/summary.json"), Contains("\"contact_solver\": \"mlcp-lemke\"") &&
                                                      Contains("\"bodies\": 2") &&
                                                      Contains("\"moving_bodies\": 1"));
  CHECK_THAT(program.text("sphere/steps.csv"), Contains("contact_work_j"));
  CHECK_THAT(program.text("sphere/contacts.csv"), Contains("sphere,plane,"));
}

TEST_CASE("the copy of a scene in space gives the same simulation again") {
  Program program(kLab);
  for (const char* name : {"four_balls", "twelve_link_pendulum"}) {
    const std::string first = std::string(name) + "_first";
    const std::string again = std::string(name) + "_again";
    program.run(short_run(name, {"--duration-s", "0.3", "--out", first}));
    const ProgramResult second =
        program.run({"simulate", first + "/scene.toml", "--no-plots", "--quiet", "--out", again});
    CHECK(second.exit_code == 0);
    CHECK(program.text(first + "/trajectory.csv") == program.text(again + "/trajectory.csv"));
    CHECK(program.text(first + "/contacts.csv") == program.text(again + "/contacts.csv"));
  }
}

TEST_CASE("figures of a scene in space are drawn") {
  Program program(kLab);
  const ProgramResult result = program.run(
      {"simulate", scene("cube_falling"), "--duration-s", "0.04", "--quiet", "--out", "cube"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Contains("Figures in cube/figures: energy.png, positions.png, "
                                  "contacts.png, overlap.png, motion.png"));
  CHECK(program.names("cube/figures") ==
        Names{"contacts.csv", "contacts.gp", "contacts.png", "contacts.svg", "energy.gp",
              "energy.png", "energy.svg", "motion.gp", "motion.png", "motion.svg", "overlap.gp",
              "overlap.png", "overlap.svg", "positions.csv", "positions.gp", "positions.png",
              "positions.svg"});
}

TEST_CASE("animations of scenes in space and of links are drawn") {
  Program program(kLab);
  for (const char* name : {"cube_falling", "twelve_link_pendulum"}) {
    const ProgramResult result =
        program.run({"simulate", scene(name), "--duration-s", "0.04", "--animate", "--quiet",
                     "--no-plots", "--set", "time.step_s=0.01", "--out", name});
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    CHECK_THAT(result.out, Contains(std::string("Animation: ") + name + "/motion.gif"));
    CHECK(program.text(std::string(name) + "/motion.gif").starts_with("GIF89a"));
  }
}

TEST_CASE("mistakes in scenes in space are exit code 2 and write nothing") {
  Program program(kLab);
  const auto error = [&](const std::string& name, const std::vector<std::string>& more) {
    const ProgramResult result = program.run(short_run(name, more));
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(program.names().empty());
    return result.err;
  };
  CHECK_THAT(error("cube_sliding", {"--stepper", "anitescu-hart-convex"}),
             Contains("solver.stepper") && Contains("must be \"implicit\" or \"implicit-full\""));
  CHECK_THAT(error("cube_sliding", {"--set", "body.1.position_mm=[0, 0, 240]"}),
             Contains("plane and cube overlap by 10 mm at the start"));
  CHECK_THAT(error("cube_sliding", {"--set", "world.e_r=1"}), Contains("did you mean e_r_mm?"));
  CHECK_THAT(error("sphere_on_plane", {"--stepper", "implicit"}),
             Contains("--stepper is not for articulated scenes; --set "
                      "solver.contact_solver=NAME chooses"));
  CHECK_THAT(error("sphere_on_plane", {"--set", "solver.contact_solver=path"}),
             Contains("must be \"mlcp-lemke\" or"));
  CHECK_THAT(error("sphere_on_plane", {"--set", "kind=solid"}),
             Contains("must be \"planar\" or \"spatial\" or \"articulated\""));
  CHECK_THAT(error("rolling_disc", {"--set", "kind=spatial"}),
             Contains("world.gravity_mm_s2") && Contains("of 3 finite numbers"));
}

TEST_CASE("a planar scene may say so") {
  Program program(kLab);
  CHECK(program.run(short_run("rolling_disc", {"--set", "kind=planar", "--duration-s", "0.05"}))
            .exit_code == 0);
}

TEST_CASE("a step in space that cannot be solved is exit code 1 and keeps what was before") {
  Program program(kLab);
  // One iteration is enough to fall, but not for the impact.
  const ProgramResult result =
      program.run(short_run("four_balls", {"--set", "solver.max_iterations=1", "--out", "stuck"}));
  CHECK(result.exit_code == 1);
  CHECK_THAT(result.out, Contains("failed: "));
  CHECK_THAT(result.err,
             Contains("graspmap: the step at ") && Contains(" s is not solved, nor in steps of "));
  CHECK_THAT(program.text("stuck/summary.json"),
             Contains("\"complete\": false") && Contains("\"failure\": {"));
  CHECK(count_lines(program.text("stuck/trajectory.csv")) > 1);
}

TEST_CASE("an interrupted simulation in space keeps what was simulated") {
  Program program(kLab);
  program.start(short_run("sphere_on_plane", {"--duration-s", "1e4", "--every", "1000000"}));
  sleep(0.5);
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  CHECK(result.exit_code == 128 + SIGINT);
  CHECK_THAT(result.err, Contains("interrupted; what was simulated until then is kept"));
  CHECK_THAT(program.text("outputs/sphere_on_plane/summary.json"),
             Contains("\"end\": \"interrupted\""));
}

/// One step of the stepper that it names, of each scene whose file's name is in a range.
void check_scenes(char first, char last) {
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(scene("x")).parent_path())) {
    const std::string file = entry.path().filename().string();
    if (file.front() < first || file.front() > last) continue;
    Program program(kLab);
    INFO(file);
    const ProgramResult result = program.run({"simulate", entry.path().string(), "--duration-s",
                                              "1e-6", "--no-plots", "--quiet", "--out", "one"});
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
  }
}

TEST_CASE("every scene of the repository can be read from a to e") { check_scenes('a', 'e'); }
TEST_CASE("every scene of the repository can be read from f to r") { check_scenes('f', 'r'); }
TEST_CASE("every scene of the repository can be read from s to z") { check_scenes('s', 'z'); }

}  // namespace
}  // namespace graspmap::testing
