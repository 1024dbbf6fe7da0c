#include <catch2/catch.hpp>
#include <string>

#include "lab/spatial_scenes/spatial_recording.hpp"
#include "tests/support/parsed_scenes.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// A ball that flies at a wall of 20 mm, in steps of 5 ms.
SpatialSceneFile ball_and_wall(double speed_mm_s) {
  return parse_spatial_scene_file(
      "kind = \"spatial\"\n"
      "[time]\nduration_s = 0.2\nstep_s = 0.005\n"
      "[world]\ngravity_mm_s2 = [0, 0, 0]\n"
      "[[body]]\nname = \"wall\"\nkind = \"box\"\nsize_mm = [20, 1000, 1000]\nfixed = true\n"
      "[[body]]\nname = \"ball\"\nkind = \"sphere\"\nradius_mm = 10\nmass_kg = 1\n"
      "position_mm = [-300, 0, 0]\nvelocity_mm_s = [" +
          std::to_string(speed_mm_s) + ", 0, 0]\n",
      "wall.toml");
}

SpatialResult run_of(const SpatialSceneFile& file) {
  return record_scene<SpatialRecorder>(file, 1, [](const SceneSnapshot&) { return true; });
}

}  // namespace

TEST_CASE("a ball too fast for a thin wall is warned of", "[spatial_scenes]") {
  const SpatialSceneFile fast = ball_and_wall(8000.0);
  const SpatialResult result = run_of(fast);
  REQUIRE(result.recording.passing);
  CHECK(result.recording.passing->moved_mm == Approx(40.0));
  CHECK(result.recording.passing->thickness_mm == Approx(20.0));
  const auto warning = overlap_warning(scene_report(fast, result));
  REQUIRE(warning);
  CHECK(warning->find("wall and ball moved past each other by 40 mm") != std::string::npos);
}

TEST_CASE("a ball that stops at a thin wall is not warned of", "[spatial_scenes]") {
  const SpatialSceneFile slow = ball_and_wall(2000.0);
  const SpatialResult result = run_of(slow);
  CHECK_FALSE(result.recording.passing);
  CHECK_FALSE(overlap_warning(scene_report(slow, result)));
  const SpatialSnapshot& end = result.recording.samples.back().shown;
  CHECK(end.poses[1].position_mm.x() == Approx(-20.0));
}
