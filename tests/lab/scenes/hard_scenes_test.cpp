#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <limits>

#include "lab/commands/simulate.hpp"
#include "lab/scenes/scene_reader.hpp"
#include "lab/scenes/scene_recording.hpp"
#include "lab/spatial_scenes/spatial_scene_file.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/parsed_scenes.hpp"
#include "tests/support/scene_text.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/spatial_scene_text.hpp"

// Scenes beyond what can be simulated: each ends in one clear line.

namespace graspmap::testing {
namespace {

using Catch::Contains;
using Catch::EndsWith;

std::string hard_scene(const std::string& name) {
  return testing::source_dir() + "/tests/data/hard_cases/scenes/" + name + ".toml";
}

/// The error that a file of tests/data/hard_cases/scenes gives.
std::string error_of_hard(const std::string& name) {
  const std::string error = config_error([&] {
    const SceneDocument document = read_scene_document(hard_scene(name), {});
    if (document.kind == SceneKind::kPlanar) {
      (void)read_planar_scene(document);
    } else {
      (void)read_spatial_scene(document);
    }
  });
  CHECK(error.find('\n') == std::string::npos);
  return error;
}

std::string planar_error(const std::string& text) {
  return config_error([&] { (void)parse_scene_file(text, "box.toml"); });
}

std::string spatial_error_of(const std::string& text) {
  return config_error([&] { (void)parse_spatial_scene_file(text, "box.toml"); });
}

}  // namespace

TEST_CASE("scenes that crashed or gave numbers that are not finite are refused", "[scenes]") {
  CHECK_THAT(error_of_hard("chain_of_infinite_mass"),
             EndsWith(".toml:33: body.3.density_kg_per_mm2: gives middle a mass of inf kg; must "
                      "give one from 1e-09 to 1e+09 kg"));
  CHECK_THAT(error_of_hard("disc_of_vanishing_mass"),
             EndsWith(".toml:18: body.1.mass_kg: is 1e-320; must be a number from 1e-09 to 1e+09"));
  CHECK_THAT(error_of_hard("chain_of_infinite_radius"),
             EndsWith(".toml:32: body.3.radius_mm: is 1e+308; must be a number from 1e-06 to "
                      "1e+09"));
  CHECK_THAT(error_of_hard("stack_too_heavy"),
             EndsWith(".toml:24: body.2.density_kg_per_mm2: gives narrow_1 a mass of 2e+21 kg; "
                      "must give one from 1e-09 to 1e+09 kg"));
  CHECK_THAT(error_of_hard("pendulum_too_fast"),
             EndsWith(".toml:23: link.0.speed_rad_s: turns link_1 by 1e+06 rad in a step of 0.001 "
                      "s; must be at most 100 rad: take smaller steps"));
}

TEST_CASE("sizes, masses and motions of a planar scene that are too far apart", "[scenes]") {
  const auto error = [](const std::string& old_part, const std::string& new_part) {
    return planar_error(replaced(kSceneText, old_part, new_part));
  };
  CHECK_THAT(
      error("mass_kg = 2\ninertia_kg_mm2 = 100", "mass_kg = 1e9\ninertia_kg_mm2 = 1e10"),
      Contains("bracket has a mass of 0.4 kg, ") && Contains("beside disc of 1e+09 kg; must be at "
                                                             "most 1e+09 times lighter"));
  CHECK_THAT(error("position_mm = [-50, 10]", "position_mm = [-1e11, 10]"),
             Contains("has a size of") && Contains("must be at most 1e+09 times smaller"));
  CHECK_THAT(error("velocity_mm_s = [1, 2]", "velocity_mm_s = [1e10, 2]"),
             Contains("body.1.velocity_mm_s: moves disc by 1e+07 times its size in a step of 0.01 "
                      "s; must be at most 1e+06 times: take smaller steps"));
  CHECK_THAT(error("angular_velocity_rad_s = 3", "angular_velocity_rad_s = 1e5"),
             Contains("body.1.angular_velocity_rad_s: turns disc by 1000 rad"));
  CHECK_THAT(error("inertia_kg_mm2 = 100", "inertia_kg_mm2 = 1e-20"),
             Contains("body.1.inertia_kg_mm2: is 1e-20, of a radius of gyration of"));
  CHECK_THAT(error("position_mm = [-50, 10]", "position_mm = [-1e13, 10]"),
             Contains("none may be larger than 1e+12"));
}

TEST_CASE("a planar scene may not have too many bodies or vertices", "[scenes]") {
  const auto error = [](const std::string& old_part, const std::string& new_part) {
    return planar_error(replaced(kSceneText, old_part, new_part));
  };
  CHECK_THAT(error("columns = 3", "columns = 1000"),
             Contains("body.4.grid: makes 2003 bodies of the scene; must be at most 2000"));
  CHECK_THAT(error("kind = \"disc\"\nradius_mm = 10",
                   "kind = \"regular_polygon\"\nvertices = 10001\ncircumradius_mm = 10"),
             Contains("body.1.vertices: is 10001; must be an integer from 3 to 10000"));
}

TEST_CASE("sizes, masses and motions in space that are too far apart", "[spatial_scenes]") {
  const auto rigid = [](const std::string& old_part, const std::string& new_part) {
    return spatial_error_of(replaced(kRigidSceneText, old_part, new_part));
  };
  CHECK_THAT(rigid("density_kg_per_mm3 = 1e-4", "density_kg_per_mm3 = 1e300"),
             Contains("body.4.density_kg_per_mm3: gives a mass of") &&
                 Contains("must give one from 1e-09 to 1e+09 kg"));
  CHECK_THAT(
      spatial_error_of(replaced(replaced(kRigidSceneText, "radius_mm = 10\n", "radius_mm = 1e-6\n"),
                                "[-50, 0, 10]", "[-5e4, 0, 10]")),
      Contains("body.1.kind: ball has a size of 1e-06 mm"));
  const auto articulated = [](const std::string& old_part, const std::string& new_part) {
    return spatial_error_of(replaced(kArticulatedSceneText, old_part, new_part));
  };
  CHECK_THAT(articulated("speed_rad_s = 2", "speed_rad_s = 1e6"),
             Contains("link.0.speed_rad_s: turns arm by 1e+04 rad in a step of 0.01 s"));
  CHECK_THAT(articulated("mass_kg = 3\n", "mass_kg = 1e-300\n"),
             Contains("link.0.mass_kg: is 1e-300; must be 0, or a number from 1e-09 to 1e+09"));
  CHECK_THAT(articulated("repeat = 3", "repeat = 1001"), Contains("link.3.repeat: is 1001"));
}

TEST_CASE("a simulation of hours is told before it begins", "[scenes]") {
  const SceneFile polygon = read_scene_file(hard_scene("polygon_too_long"), {});
  const ExpectedWork work = expected_work(polygon);
  CHECK(work.steps == 100'000'000);
  CHECK(work.moving_bodies == 1);
  CHECK(work.seconds > kMostExpected_s);
  const std::string error = config_error([&] { check_expected_work("polygon.toml", work); });
  CHECK_THAT(error, Catch::StartsWith("polygon.toml: time.duration_s: 100000000 steps of 1 body "
                                      "that moves are expected to take about ") &&
                        Contains("must be at most one hour, or be asked for with --force"));
  // Twice the bodies take more than twice as long, and the optimisation variant less than others.
  const auto seconds = [](const std::vector<std::string>& overrides) {
    const std::string pile = testing::source_dir() + "/configs/scenes/disc_pile.toml";
    return expected_work(read_scene_file(pile, overrides)).seconds;
  };
  CHECK(seconds({"body.3.grid.rows=3"}) < 0.5 * seconds({}));
  CHECK(seconds({"solver.stepper=anitescu-hart-convex"}) < seconds({}));
  CHECK(config_error([&] {
          check_expected_work("pile",
                              expected_work(read_scene_file(
                                  testing::source_dir() + "/configs/scenes/disc_pile.toml", {})));
        }) == "(no error)");
}

TEST_CASE("a step that does not end finite is not solved", "[scenes]") {
  // So large a force that energies leave the range of double within the first steps.
  const SceneFile file = read_scene_file(hard_scene("polygon_too_long"),
                                         {"time.duration_s=0.1", "solver.stepper=implicit"});
  SceneFile pushed = file;
  pushed.scene.start_velocity[0] = 1e200;
  bool all_finite = true;
  const SceneRun run = simulate(pushed, [&](const PlanarSnapshot& shown) {
    if (shown.time_s > 0.0) all_finite = all_finite && std::isfinite(shown.energy.total_j());
    return true;
  });
  CHECK(all_finite);
  CHECK(run.failure);
}

TEST_CASE("a body of infinite mass ends in a step that is not solved", "[scenes]") {
  SceneFile file = read_scene_file(hard_scene("polygon_too_long"), {"time.duration_s=0.1"});
  file.scene.bodies[1].mass_kg = std::numeric_limits<double>::infinity();
  for (const StepperKind kind : kStepperKinds) {
    INFO(name(kind));
    file.stepper = kind;
    const SceneRun run = simulate(file, [](const PlanarSnapshot&) { return true; });
    CHECK(run.failure);
  }
}

}  // namespace graspmap::testing
